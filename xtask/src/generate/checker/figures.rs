//! Whether the figures of a report are those of the suites.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::model::Model;
use super::recording::{Trace, coverage};

const TOLERANCE: f64 = 1e-6;

/// Every figure of the report that is not right.
pub(super) fn check(
    model: &Model,
    original: &[Trace],
    reduced: &[Trace],
    report: &Value,
) -> Vec<String> {
    let mut wrong = suite("input", original, &report["input"]);
    wrong.extend(suite("output", reduced, &report["output"]));
    wrong.extend(last_phase(reduced, report));
    wrong.extend(removed(original, report));
    wrong.extend(preserved(report));
    wrong.extend(device(model, &report["device"]));
    wrong.extend(validation(reduced, &report["validation"]));
    wrong
}

fn steps(suite: &[Trace]) -> usize {
    suite.iter().map(|trace| trace.steps.len()).sum()
}

fn suite(name: &str, suite: &[Trace], figures: &Value) -> Vec<String> {
    let mut wrong = size(name, suite, figures);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for element in coverage(suite) {
        *counts.entry(element.kind).or_default() += 1;
    }
    let claimed = figures["coverage"].as_object();
    let kinds = claimed
        .into_iter()
        .flat_map(|claimed| claimed.keys())
        .chain(counts.keys());
    for kind in kinds.collect::<BTreeSet<_>>() {
        // A kind that nothing covers may be left out or counted as 0.
        let claim = figures["coverage"]
            .get(kind)
            .cloned()
            .unwrap_or(Value::from(0));
        let count = counts.get(kind).copied().unwrap_or(0);
        if claim != count {
            wrong.push(format!("{name}.coverage.{kind} is {claim}, not {count}"));
        }
    }
    wrong
}

fn size(name: &str, suite: &[Trace], figures: &Value) -> Vec<String> {
    [("traces", suite.len()), ("steps", steps(suite))]
        .into_iter()
        .filter(|(field, count)| figures[*field] != *count)
        .map(|(field, count)| format!("{name}.{field} is {}, not {count}", figures[field]))
        .collect()
}

fn last_phase(reduced: &[Trace], report: &Value) -> Vec<String> {
    let phases = report["phases"].as_array();
    size(
        "the last phase",
        reduced,
        phases
            .and_then(|phases| phases.last())
            .unwrap_or(&Value::Null),
    )
}

fn removed(original: &[Trace], report: &Value) -> Vec<String> {
    let ids: BTreeSet<&str> = original.iter().map(|trace| trace.id.as_str()).collect();
    let removed = report["removed"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    removed
        .iter()
        .filter(|entry| !entry["trace"].as_str().is_some_and(|id| ids.contains(id)))
        .map(|entry| {
            format!(
                "removed trace {} is not in the original suite",
                entry["trace"]
            )
        })
        .collect()
}

fn preserved(report: &Value) -> Option<String> {
    let kept_all = report["lost"].as_array().map(Vec::is_empty);
    let right = kept_all.is_some() && report["preserved"].as_bool() == kept_all;
    (!right).then(|| {
        format!(
            "preserved is {}, but lost is {}",
            report["preserved"], report["lost"]
        )
    })
}

fn device(model: &Model, device: &Value) -> Vec<String> {
    let figure = |of: &Value, field: &str| of[field].as_f64().unwrap_or(f64::NAN);
    let seconds = |of: &Value| {
        figure(of, "launches") * model.restart_seconds + figure(of, "steps") * model.action_seconds
    };
    let Some(phases) = device["by_phase"].as_object() else {
        return vec!["device has no phases".to_owned()];
    };
    let mut wrong = Vec::new();
    for field in ["launches", "steps", "seconds"] {
        let sum: f64 = phases.values().map(|phase| figure(phase, field)).sum();
        if !near(figure(device, field), sum) {
            wrong.push(format!(
                "device.{field} is {}, its phases have {sum}",
                device[field]
            ));
        }
    }
    let whole = [("all phases", device)];
    let parts = phases.iter().map(|(name, phase)| (name.as_str(), phase));
    for (name, part) in whole.into_iter().chain(parts).filter(|_| !model.timed) {
        if !near(figure(part, "seconds"), seconds(part)) {
            wrong.push(format!(
                "device.seconds of {name} is {}, not {}",
                part["seconds"],
                seconds(part)
            ));
        }
    }
    wrong
}

/// Not a number is near nothing, so a missing figure is found.
fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= TOLERANCE
}

fn validation(reduced: &[Trace], validation: &Value) -> Vec<String> {
    let entries = validation["traces"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let mut validated: Vec<&str> = entries
        .iter()
        .filter_map(|entry| entry["trace"].as_str())
        .collect();
    let mut ids: Vec<&str> = reduced.iter().map(|trace| trace.id.as_str()).collect();
    validated.sort_unstable();
    ids.sort_unstable();
    let mut wrong = Vec::new();
    if validated != ids {
        wrong.push("validation does not list exactly the reduced traces".to_owned());
    }
    // A trace that the report itself marks as flaky may have gone another way.
    let diverged = entries
        .iter()
        .filter(|entry| entry["diverged"] != 0 && entry["flaky"] != true);
    wrong.extend(diverged.map(|entry| {
        format!(
            "validation: {} diverged {}",
            entry["trace"], entry["diverged"]
        )
    }));
    wrong
}
