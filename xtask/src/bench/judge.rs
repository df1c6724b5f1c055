//! The figures of one reduction: what its report says, and what the independent checker says of it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::case::Material;
use super::floor;
use super::lab::Reduced;
use crate::generate::checker::{self, Observed, Replay};

/// A shipped trace must hold in so many of a hundred runs.
const RELIABLE_PERCENT: usize = 99;

/// All that the bench knows of one reduction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Figures {
    /// Steps of the recorded suite.
    pub(super) input_steps: f64,
    /// Device time of one replay of the result.
    pub(super) seconds: f64,
    pub(super) traces: f64,
    pub(super) steps: f64,
    /// The proven bound on that time, and how far the result is above it.
    pub(super) bound: f64,
    pub(super) gap: f64,
    /// What no suite that covers the same is below, whatever is known of the app.
    pub(super) floor: f64,
    /// How many elements it covers.
    pub(super) elements: f64,
    /// Device time spent on reducing, in all and in stabilising.
    pub(super) reducing: f64,
    pub(super) stabilizing: f64,
    /// CPU time of the process.
    pub(super) own_seconds: f64,
    /// Device-bound time by the clock, by number of devices; nothing where the report does not tell.
    pub(super) elapsed: BTreeMap<String, f64>,
    pub(super) reliability: Reliability,
    /// Shipped steps that come from no recorded trace, as the suite says.
    pub(super) observed: usize,
    /// What the checker found, one sentence each.
    pub(super) violations: Vec<String>,
}

impl Figures {
    /// Device time spent on reducing, stabilising left aside.
    pub(super) fn without_stabilizing(&self) -> f64 {
        self.reducing - self.stabilizing
    }

    /// How much sooner eight devices are done than one.
    pub(super) fn speed_up(&self) -> Option<f64> {
        let (one, eight) = (self.elapsed.get("1")?, self.elapsed.get("8")?);
        (*eight > 0.0).then(|| one / eight)
    }
}

/// How many shipped traces hold in too few runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reliability {
    /// Those that the report does not mark as flaky.
    pub(super) unmarked: usize,
    /// Those that it does.
    pub(super) marked: usize,
    /// All traces that the report marks, whether they hold or not.
    pub(super) marks: usize,
}

/// How strictly to judge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// Whether chance has a part in the app.
    pub(super) flaky: bool,
    /// Independent runs of each shipped trace.
    pub(super) runs: usize,
    pub(super) seed: u64,
}

/// Judges a reduction.
pub(super) fn judge(
    material: &Material,
    reduced: &Reduced,
    rules: Rules,
) -> Result<Figures, String> {
    let report = &reduced.report;
    let held = checker::runs_that_hold(&material.app, &reduced.suite, rules.runs, rules.seed)?;
    let figure = |path: &str| {
        let value = report.pointer(path).and_then(Value::as_f64);
        value.ok_or_else(|| format!("report.json has no {path}"))
    };
    Ok(Figures {
        input_steps: figure("/input/steps")?,
        seconds: figure("/output/seconds")?,
        traces: figure("/output/traces")?,
        steps: figure("/output/steps")?,
        bound: figure("/bound/seconds")?,
        gap: figure("/bound/gap")?,
        floor: floor::seconds(&material.app, &reduced.suite)?,
        elements: elements(report),
        reducing: figure("/device/seconds")?,
        stabilizing: figure("/device/by_phase/stabilize/seconds").unwrap_or(0.0),
        own_seconds: reduced.own_seconds,
        elapsed: elapsed(&report["device"]["elapsed"]),
        reliability: reliability(&held, rules.runs, &report["validation"]["traces"]),
        observed: observed(&reduced.suite),
        violations: violations(material, reduced, rules),
    })
}

fn violations(material: &Material, reduced: &Reduced, rules: Rules) -> Vec<String> {
    let replay = if rules.flaky {
        // Runs of chance are counted, not judged one by one.
        Replay::Runs { runs: 0, seed: 0 }
    } else {
        Replay::Certain
    };
    let report = &reduced.report;
    let mut found = checker::check_by(
        &material.app,
        &material.suite,
        &reduced.suite,
        report,
        (replay, Observed::Accepted),
    );
    if report["preserved"] != true {
        found.push(format!("the report says that {} is lost", report["lost"]));
    }
    if !report["stopped"].is_null() {
        found.push(format!("it stopped early: {}", report["stopped"]));
    }
    found
}

fn reliability(held: &[(String, usize)], runs: usize, validated: &Value) -> Reliability {
    let entries = validated.as_array().into_iter().flatten();
    let flaky: BTreeSet<&str> = entries
        .filter(|entry| entry["flaky"] == true)
        .filter_map(|entry| entry["trace"].as_str())
        .collect();
    let below = held
        .iter()
        .filter(|(_, held)| held * 100 < RELIABLE_PERCENT * runs);
    let (marked, unmarked): (Vec<_>, Vec<_>) =
        below.partition(|(trace, _)| flaky.contains(trace.as_str()));
    Reliability {
        unmarked: unmarked.len(),
        marked: marked.len(),
        marks: flaky.len(),
    }
}

fn observed(suite: &str) -> usize {
    let traces = suite.lines().map(serde_json::from_str::<Value>);
    let mut steps = 0;
    for trace in traces.filter_map(Result::ok) {
        let fragments = trace["from"].as_array().into_iter().flatten();
        for fragment in fragments.filter(|it| it.get("observed").is_some()) {
            let index = |field: &str| usize::try_from(fragment[field].as_u64()?).ok();
            if let (Some(first), Some(last)) = (index("first"), index("last")) {
                steps += last.saturating_sub(first).saturating_add(1);
            }
        }
    }
    steps
}

/// How many elements of all kinds a report says that the result covers.
fn elements(report: &Value) -> f64 {
    let kinds = report["output"]["coverage"].as_object();
    let counts = kinds.into_iter().flatten();
    counts.filter_map(|(_, count)| count.as_f64()).sum()
}

fn elapsed(value: &Value) -> BTreeMap<String, f64> {
    let entries = value.as_object().into_iter().flatten();
    let seconds =
        |(devices, seconds): (&String, &Value)| Some((devices.clone(), seconds.as_f64()?));
    entries.filter_map(seconds).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn traces_below_99_percent_are_counted_by_their_mark() {
        let held = [("r1", 99), ("r2", 98), ("r3", 40), ("r4", 100)]
            .map(|(trace, held)| (trace.to_owned(), held));
        let validated = json!([{"trace": "r1", "flaky": true}, {"trace": "r3", "flaky": true},
            {"trace": "r2", "flaky": false}]);
        let counts = |held: &[(String, usize)], validated: &Value| {
            let found = reliability(held, 100, validated);
            (found.unmarked, found.marked, found.marks)
        };
        assert_eq!(counts(&held, &validated), (1, 1, 2));
        assert_eq!(counts(&held, &Value::Null), (2, 0, 0));
        assert_eq!(counts(&[], &Value::Null), (0, 0, 0));
    }

    #[test]
    fn steps_of_no_recorded_trace_are_counted() {
        let trace = json!({"id": "r1", "from": [{"trace": "t1", "first": 0, "last": 4},
            {"observed": 3, "first": 5, "last": 6}, {"observed": 3, "first": 8, "last": 8}]});
        assert_eq!(observed(&format!("{trace}\n{trace}\n")), 6);
    }

    #[test]
    fn elapsed_time_is_read_where_it_is_there() {
        assert!(elapsed(&Value::Null).is_empty());
        let elapsed = elapsed(&json!({"1": 70.0, "8": 10}));
        assert_eq!(elapsed.get("8"), Some(&10.0));
    }
}
