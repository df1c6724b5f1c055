//! Whether the runs that speak for each reduced trace are there, and show what the trace says.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::reduced::{Reduced, ReducedTrace};
use super::{Case, Check, Findings};
use crate::report::{CertifiedTrace, Line, RunEntry, RunMode, RunOutcome, Validated, run_sha256};

pub(super) const CHECK: Check = Check {
    name: "runs",
    about: "each reduced trace has as many runs as claimed, each with what it showed",
    run,
};

fn run(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let report = case.report;
    let asked = &report.config["replay"]["runs"];
    let said = report.validation.runs_per_trace;
    findings.looked_at += 1;
    if *asked != said {
        findings.wrong(
            "validation.runs_per_trace",
            format!("it says {said}, the configuration asks for {asked}"),
        );
    }
    let mut validated: HashMap<&str, &Validated> = HashMap::new();
    for entry in &report.validation.traces {
        findings.looked_at += 1;
        let here = format!("validation, {}", entry.trace);
        if reduced.trace(&entry.trace).is_none() {
            findings.wrong(here.as_str(), "there is no such reduced trace");
        }
        if validated.insert(&entry.trace, entry).is_some() {
            findings.wrong(here, "it is named twice");
        }
    }
    let certified = &report.certificate.traces;
    let certified: HashMap<&str, &CertifiedTrace> =
        certified.iter().map(|t| (&*t.trace, t)).collect();
    for trace in &reduced.traces {
        let Some(validated) = validated.get(trace.id) else {
            findings.wrong(trace.id, "it was not validated");
            continue;
        };
        enough(case, validated, findings);
        match certified.get(trace.id) {
            Some(certified) => entries(case, trace, (certified, validated), findings),
            None => findings.wrong(trace.id, "the certificate has no runs of it"),
        }
    }
}

fn enough(case: &Case, validated: &Validated, findings: &mut Findings) {
    findings.looked_at += 1;
    let here = format!("validation, {}", validated.trace);
    let asked = case.report.validation.runs_per_trace;
    if validated.runs < asked && case.report.stopped.is_none() {
        findings.wrong(here.as_str(), format!("{} of {asked} runs", validated.runs));
    }
    if validated.diverged > 0 && !validated.flaky {
        findings.wrong(
            here,
            format!("{} runs went another way", validated.diverged),
        );
    }
}

/// The runs of a trace: as many as claimed, no two of them the same, and each shows the trace.
fn entries(
    case: &Case,
    trace: &ReducedTrace,
    (certified, validated): (&CertifiedTrace, &Validated),
    findings: &mut Findings,
) {
    let held = certified
        .runs
        .iter()
        .filter(|run| run.outcome == RunOutcome::Held);
    let held = held.count();
    if held < validated.runs as usize {
        findings.wrong(
            trace.id,
            format!("{} runs are claimed, {held} are recorded", validated.runs),
        );
    }
    let mut numbers = HashSet::new();
    for run in &certified.runs {
        findings.looked_at += 1;
        let what = match run.mode {
            RunMode::Replay => "run",
            RunMode::Live => "session",
        };
        let here = format!("{what} {} of {}", run.attempt, trace.id);
        if !numbers.insert((what, run.attempt)) {
            findings.wrong(here.as_str(), "it is recorded twice");
        }
        if run.device != case.report.subject.device || run.seed != case.report.seed {
            findings.wrong(
                here.as_str(),
                "it was made on another device or with another seed",
            );
        }
        match shown(trace, run) {
            None => findings.wrong(here, "it covers something at a step that the trace lacks"),
            Some(mut lines) => {
                if run.sha256 != run_sha256(run, &mut lines) {
                    findings.wrong(here, "it did not show what the trace says");
                }
            }
        }
    }
}

/// What a run must have shown: the trace, and what it covered beyond it.
fn shown<'r>(trace: &ReducedTrace<'r>, run: &'r RunEntry) -> Option<Vec<Line<'r>>> {
    let mut lines = trace.lines.clone();
    let mut places = BTreeSet::new();
    for beyond in &run.beyond {
        let position = beyond.step.map_or(0, |step| step as usize + 1);
        if !places.insert(position) {
            return None;
        }
        let (_, _, covers) = lines.get_mut(position)?;
        covers.extend(beyond.covers.iter().map(String::as_str));
    }
    Some(lines)
}
