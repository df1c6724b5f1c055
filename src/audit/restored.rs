//! Whether traces that somebody put back are there as they were recorded.

use std::collections::HashSet;

use super::reduced::{Reduced, lines, place};
use super::{Case, Check, Findings};

pub(super) const CHECK: Check = Check {
    name: "restored",
    about: "traces that were put back are there as they were recorded",
    run,
};

fn run(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let mut told = HashSet::new();
    for restored in &case.report.restored {
        findings.looked_at += 1;
        let here = format!("restored, {}", restored.trace);
        if !told.insert(&restored.trace) || !told.insert(&restored.name) {
            findings.wrong(here.as_str(), "it is named twice");
        }
        let Some(idx) = reduced.original(&restored.trace) else {
            findings.wrong(here, "the original suite has no such trace");
            continue;
        };
        let traces = reduced.restored.iter();
        let mut traces = traces.filter(|trace| trace.id == restored.name);
        let Some(trace) = traces.next() else {
            findings.wrong(
                here,
                format!("there is no trace {} in the suite", restored.name),
            );
            continue;
        };
        let recorded = lines(case.original, idx);
        findings.same(&here, trace.n_steps(), recorded.len() - 1);
        let sorted = |covers: &[&str]| {
            let mut covers = covers.to_vec();
            covers.sort_unstable();
            covers.join("\n")
        };
        for (position, (found, recorded)) in trace.lines.iter().zip(&recorded).enumerate() {
            findings.looked_at += 1;
            let same = (found.0, found.1) == (recorded.0, recorded.1);
            if !same || sorted(&found.2) != sorted(&recorded.2) {
                let here = place(trace.id, position.checked_sub(1));
                findings.wrong(here, format!("{} was recorded otherwise", restored.trace));
            }
        }
    }
    if !reduced.restored.is_empty() {
        findings.note(format!(
            "traces that were put back after the reduction: {}; no run speaks for them",
            reduced.restored.len()
        ));
    }
}
