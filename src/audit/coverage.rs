//! Whether everything that was recorded is still covered, or named as lost or unstable.

use std::collections::{HashMap, HashSet};

use super::figures::kind_of;
use super::reduced::{Reduced, place};
use super::{Case, Check, Findings};

pub(super) const CHECK: Check = Check {
    name: "coverage",
    about: "each recorded element is covered where its witness says, or named as lost or unstable",
    run,
};

fn run(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let covered = reduced.covered();
    witnesses(case, reduced, &covered, findings);
    let exempt = exempt(case, &covered, findings);
    let (names, report) = (case.original.names, case.report);
    let recorded = case.original.suite.coverage(names);
    for element in recorded.iter() {
        let name = names.element_name(element);
        let kind = names.kind(element).name();
        if !report.preserve.iter().any(|promised| promised == kind) {
            continue;
        }
        findings.looked_at += 1;
        if !covered.contains(name) && !exempt.contains(name) {
            findings.wrong_element(
                name,
                "the reduced suite",
                "it was recorded, no reduced trace covers it, and it is not named as lost or unstable",
            );
        }
    }
}

/// Every covered element has a witness that shows it, and nothing else has.
fn witnesses(case: &Case, reduced: &Reduced, covered: &HashSet<&str>, findings: &mut Findings) {
    let witnesses = &case.report.witness;
    let validated = case.report.validation.traces.iter().rev();
    let validated: HashMap<&str, u32> = validated.map(|v| (&*v.trace, v.runs)).collect();
    for (element, witness) in witnesses {
        findings.looked_at += 1;
        let step = witness.step.map(|step| step as usize);
        let here = place(&witness.trace, step);
        let Some(trace) = reduced.trace(&witness.trace) else {
            findings.wrong_element(element, here, "the witness is no reduced trace");
            continue;
        };
        if !trace.covers_at(witness.step, element) {
            findings.wrong_element(element, here, "the witness does not cover it there");
        }
        if validated.get(&*witness.trace) != Some(&witness.runs) {
            let here = place(&witness.trace, step);
            let what = format!(
                "{} runs are said to show it, which is not how often the trace ran",
                witness.runs
            );
            findings.wrong_element(element, here, what);
        }
    }
    for element in covered {
        findings.looked_at += 1;
        if !witnesses.contains_key(*element) {
            findings.wrong_element(element, "witness", "it is covered, but has no witness");
        }
    }
}

/// The elements named as lost or unstable: recorded ones of a promised kind that are not covered,
/// each named once.
fn exempt<'a>(
    case: &Case<'a>,
    covered: &HashSet<&str>,
    findings: &mut Findings,
) -> HashSet<&'a str> {
    let report = case.report;
    let names = case.original.names;
    let recorded = case.original.suite.coverage(names);
    let recorded: HashSet<&str> = recorded.iter().map(|e| names.element_name(e)).collect();
    let lost = report.lost.iter().map(|gone| ("lost", gone));
    let unstable = report.unstable.iter().map(|gone| ("unstable", gone));
    let mut exempt = HashSet::new();
    for (list, gone) in lost.chain(unstable) {
        findings.looked_at += 1;
        let element = gone.element.as_str();
        if !recorded.contains(element) {
            findings.wrong_element(element, list, "the original suite does not have it");
        }
        if covered.contains(element) {
            findings.wrong_element(element, list, "the reduced suite covers it");
        }
        if !report
            .preserve
            .iter()
            .any(|kind| kind == kind_of(element).name())
        {
            findings.wrong_element(element, list, "its kind was not promised");
        }
        if !exempt.insert(element) {
            findings.wrong_element(element, list, "it is named twice");
        }
    }
    if !report.unstable.is_empty() {
        findings.note(format!(
            "{} elements are set aside as unstable on the word of the runs; --replay looks at them again",
            report.unstable.len()
        ));
    }
    exempt
}
