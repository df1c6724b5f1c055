//! Whether the figures of a report are those of the suites, and fit each other.

use std::collections::{BTreeMap, HashSet};

use super::reduced::{Reduced, ReducedTrace};
use super::{Case, Check, Findings};
use crate::model::{Kind, Phase};
use crate::report::Side;

pub(super) const CHECK: Check = Check {
    name: "figures",
    about: "sizes, coverage, times and phases are those of the suites and fit each other",
    run,
};

fn run(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let original = case.original;
    let input = original.suite.coverage(original.names);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for element in input.iter() {
        *kinds
            .entry(original.names.kind(element).name())
            .or_default() += 1;
    }
    let sizes = (original.suite.n_traces(), original.suite.n_steps());
    side(case, ("input", &case.report.input), sizes, &kinds, findings);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for element in reduced.covered() {
        *kinds.entry(kind_of(element).name()).or_default() += 1;
    }
    let steps = reduced.all().map(ReducedTrace::n_steps).sum();
    let sizes = (reduced.all().count(), steps);
    side(
        case,
        ("output", &case.report.output),
        sizes,
        &kinds,
        findings,
    );
    phases(case, reduced, findings);
    device(case, findings);
    bound(case, findings);
    promised(case, findings);
}

/// The kind of an element as reports spell it.
pub(super) fn kind_of(element: &str) -> Kind {
    let prefix = element.split_once(':').map(|(prefix, _)| prefix);
    prefix.and_then(Kind::parse).unwrap_or(Kind::Branch)
}

fn side(
    case: &Case,
    (name, side): (&str, &Side),
    (traces, steps): (usize, usize),
    kinds: &BTreeMap<&str, usize>,
    findings: &mut Findings,
) {
    findings.same(&format!("{name}.traces"), side.traces, traces);
    findings.same(&format!("{name}.steps"), side.steps, steps);
    let said = side.coverage.keys().map(String::as_str);
    let all: HashSet<&str> = said.chain(kinds.keys().copied()).collect();
    for kind in all {
        let said = side.coverage.get(kind).copied().unwrap_or(0);
        let found = kinds.get(kind).copied().unwrap_or(0);
        findings.same(&format!("{name}.coverage.{kind}"), said, found);
    }
    let Some(cost) = case.report.subject.cost else {
        findings.wrong(
            "subject.cost",
            "it does not say what a start and an action cost",
        );
        return;
    };
    let seconds = cost.restart_seconds * traces as f64 + cost.action_seconds * steps as f64;
    findings.same_seconds(&format!("{name}.seconds"), side.seconds, seconds);
}

/// Phases come in their order, and the last of them leaves the output, but for what was put back.
fn phases(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let phases = &case.report.phases;
    let mut before = None;
    for size in phases {
        findings.looked_at += 1;
        let position = Phase::ALL.iter().position(|p| p.name() == size.name);
        if position.is_none() {
            findings.wrong(format!("phases, {}", size.name), "there is no such phase");
        } else if position <= before {
            findings.wrong(
                format!("phases, {}", size.name),
                "phases are not in the order in which they happen",
            );
        }
        before = position.or(before);
    }
    let input = &case.report.input;
    let steps = reduced.traces.iter().map(ReducedTrace::n_steps).sum();
    let Some((first, last)) = phases.first().zip(phases.last()) else {
        findings.wrong("phases", "there are none");
        return;
    };
    findings.looked_at += 1;
    if first.traces > input.traces || first.steps > input.steps {
        findings.wrong("phases", "the first phase has more than the input");
    }
    findings.same(
        "the last of phases, traces",
        last.traces,
        reduced.traces.len(),
    );
    findings.same("the last of phases, steps", last.steps, steps);
}

fn device(case: &Case, findings: &mut Findings) {
    let device = &case.report.device;
    let phases = device.by_phase.values();
    let launches = phases.clone().map(|phase| phase.launches);
    let launches = launches.fold(0, u64::saturating_add);
    let steps = phases.clone().map(|phase| phase.steps);
    let steps = steps.fold(0, u64::saturating_add);
    let seconds = phases.map(|phase| phase.seconds).sum();
    findings.same("device.launches", device.launches, launches);
    findings.same("device.steps", device.steps, steps);
    findings.same_seconds("device.seconds", device.seconds, seconds);
    findings.looked_at += 1;
    if device.rejected > device.candidates {
        findings.wrong("device.rejected", "more were rejected than tried");
    }
    if let Some(one) = device.elapsed.get(&1) {
        findings.same_seconds("device.elapsed.1", *one, device.seconds);
    }
}

/// Nothing that covers the same is below the bound, so the output is not.
fn bound(case: &Case, findings: &mut Findings) {
    let (bound, output) = (&case.report.bound, case.report.output.seconds);
    findings.looked_at += 2;
    if bound.seconds > output + 1e-6 || bound.seconds < 0.0 {
        let what = format!(
            "{} s is not between 0 and the output's {output} s",
            bound.seconds
        );
        findings.wrong("bound.seconds", what);
    }
    let gap = if bound.seconds > 0.0 {
        output / bound.seconds - 1.0
    } else {
        0.0
    };
    // It is written with four digits; what is no number is near nothing.
    let is_near = (bound.gap - gap).abs() < 0.51e-4;
    if !is_near {
        findings.wrong(
            "bound.gap",
            format!("it says {}, it is {gap:.4}", bound.gap),
        );
    }
}

/// What was promised is what the configuration asks for.
fn promised(case: &Case, findings: &mut Findings) {
    let report = case.report;
    let asked = report.config["preserve"].as_array();
    let asked = asked.into_iter().flatten().filter_map(|kind| kind.as_str());
    let mut asked: HashSet<&str> = asked.collect();
    if report.config["slack"]["keep_faults"] == true {
        asked.insert(Kind::Fault.name());
    }
    let said: HashSet<&str> = report.preserve.iter().map(String::as_str).collect();
    findings.looked_at += 2;
    if said != asked {
        findings.wrong("preserve", "it is not what the configuration asks for");
    }
    if report.preserve.len() != said.len() {
        findings.wrong("preserve", "a kind is named twice");
    }
    findings.same("preserved", report.preserved, report.lost.is_empty());
}
