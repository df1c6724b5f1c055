//! Whether every reduced trace is made of what the original suite recorded.

use std::collections::HashMap;

use super::reduced::{Reduced, ReducedTrace, place};
use super::{Case, Check, Findings};
use crate::report::{CertifiedTrace, Fragment};

pub(super) const CHECK: Check = Check {
    name: "origin",
    about: "each step of the reduced suite is a recorded step, and fragments join on one screen",
    run,
};

fn run(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let certified = case.report.certificate.traces.iter();
    let certified: HashMap<&str, &CertifiedTrace> =
        certified.map(|trace| (&*trace.trace, trace)).collect();
    for trace in reduced.all() {
        let certified = certified.get(trace.id);
        if let Some(certified) = certified {
            findings.looked_at += 1;
            if certified.fragments != trace.fragments {
                findings.wrong(
                    trace.id,
                    "the suite and the certificate name other fragments",
                );
            }
            launch(case, reduced, trace, &certified.launch, findings);
        }
        let mut step = 0;
        for fragment in &trace.fragments {
            // What lies behind the end of the trace is told below.
            if step > trace.n_steps() {
                break;
            }
            step += lay(case, reduced, trace, step, fragment, findings);
        }
        findings.same(&format!("{}, fragments", trace.id), step, trace.n_steps());
    }
}

/// The launch is that of the trace it names.
fn launch(
    case: &Case,
    reduced: &Reduced,
    trace: &ReducedTrace,
    origin: &str,
    findings: &mut Findings,
) {
    findings.looked_at += 1;
    let original = case.original;
    let Some(idx) = reduced.original(origin) else {
        findings.wrong(
            trace.id,
            format!("its launch is of {origin}, which is no original trace"),
        );
        return;
    };
    let screen = original.suite.trace(idx).launch_screen;
    if original.names.screen_name(screen) != trace.lines[0].1 {
        let what = format!("{origin} launches on another screen");
        findings.wrong(place(trace.id, None), what);
    }
}

/// Lays a fragment over a trace from `step` on; gives its length.
fn lay(
    case: &Case,
    reduced: &Reduced,
    trace: &ReducedTrace,
    step: usize,
    fragment: &Fragment,
    findings: &mut Findings,
) -> usize {
    let (first, last) = (fragment.first as usize, fragment.last as usize);
    let here = || place(trace.id, Some(step));
    findings.looked_at += 1;
    if first > last {
        findings.wrong(here(), "a fragment ends before it starts");
        return 0;
    }
    let len = last - first + 1;
    let id = match (&fragment.trace, fragment.observed) {
        (Some(id), None) => id,
        (None, Some(_)) => {
            if case.report.config["walk"]["allow_observed"] != true {
                findings.wrong(here(), "it was only observed, which was not allowed");
            }
            return len;
        }
        _ => {
            findings.wrong(
                here(),
                "a fragment has either a trace or an observed session",
            );
            return len;
        }
    };
    let Some(idx) = reduced.original(id) else {
        findings.wrong(here(), format!("there is no original trace {id}"));
        return len;
    };
    let original = case.original;
    let steps = original.suite.steps(idx);
    let Some(recorded) = steps.get(first..=last) else {
        findings.wrong(here(), format!("{id} has no step {last}"));
        return len;
    };
    let screen_before = match first.checked_sub(1) {
        None => original.suite.trace(idx).launch_screen,
        Some(before) => steps[before].screen,
    };
    let joined = trace.lines.get(step).map(|line| line.1);
    if joined != Some(original.names.screen_name(screen_before)) {
        let what = format!("step {first} of {id} starts on another screen, so they do not join");
        findings.wrong(here(), what);
    }
    for (offset, recorded) in recorded.iter().enumerate() {
        findings.looked_at += 1;
        let found = trace.lines.get(step + offset + 1);
        let action = original.names.action_text(recorded.action);
        let screen = original.names.screen_name(recorded.screen);
        if found.is_none_or(|line| (line.0, line.1) != (action, screen)) {
            let what = format!("it is not step {} of {id}", first + offset);
            findings.wrong(place(trace.id, Some(step + offset)), what);
        }
    }
    len
}
