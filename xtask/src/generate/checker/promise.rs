//! Whether the reduced suite covers what it must, and where the report says it does.

use std::collections::BTreeMap;

use serde_json::Value;

use super::model::Model;
use super::recording::{Coverage, Trace, coverage};

/// Elements that the original suite covers for certain and the reduced one lost.
pub(super) fn kept(model: &Model, original: &[Trace], reduced: &[Trace]) -> Vec<String> {
    let covered = coverage(reduced);
    let certain: Coverage = original
        .iter()
        .flat_map(|trace| model.certain_coverage(trace))
        .collect();
    certain
        .difference(&covered)
        .map(|element| format!("{element} is covered for certain and was lost"))
        .collect()
}

/// Elements without a witness, and witnesses that do not cover their element.
pub(super) fn witnessed(original: &[Trace], reduced: &[Trace], report: &Value) -> Vec<String> {
    let Some(witnesses) = report["witness"].as_object() else {
        return vec!["the report has no witnesses".to_owned()];
    };
    let mut wrong: Vec<String> = witnesses
        .iter()
        .filter(|(name, witness)| !covers(reduced, name, witness))
        .map(|(name, witness)| format!("witness {witness} does not cover {name}"))
        .collect();
    let preserved = &coverage(original) & &coverage(reduced);
    let unseen = preserved
        .iter()
        .filter(|element| !witnesses.contains_key(&element.to_string()));
    wrong.extend(unseen.map(|element| format!("{element} has no witness")));
    wrong
}

fn covers(reduced: &[Trace], name: &str, witness: &Value) -> bool {
    let traces: BTreeMap<&str, &Trace> = reduced
        .iter()
        .map(|trace| (trace.id.as_str(), trace))
        .collect();
    let Some(trace) = witness["trace"].as_str().and_then(|id| traces.get(id)) else {
        return false;
    };
    let step = &witness["step"];
    let elements = if step.is_null() || *step == -1 || *step == "launch" {
        trace.launch_elements()
    } else {
        let index = step.as_u64().and_then(|index| usize::try_from(index).ok());
        let Some(step) = index.and_then(|index| trace.steps.get(index)) else {
            return false;
        };
        step.elements()
    };
    elements.iter().any(|element| element.to_string() == name)
}
