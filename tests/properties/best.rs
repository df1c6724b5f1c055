//! What must hold of every reduction by `best`, beside what holds of every reduction.

use std::collections::BTreeMap;

use serde_json::Value;
use xtask::generate::checker::{Observed, Replay};

use super::case::{Apps, check, ensure, none};
use super::lab::{Lab, Reduced, covered, traces};
use super::promise::{is_accounted_for, is_preserved};

const BEST: &str = "strategy=best";
const NEVER: Replay = Replay::Runs { runs: 0, seed: 0 };

#[test]
fn what_best_leaves_covers_the_same_and_replays_for_certain() {
    for apps in [Apps::Certain, Apps::Maze] {
        check(2000..2040, apps, |case| {
            let lab = Lab::new(case);
            let reduced = lab.reduce(&[BEST, &format!("seed={}", case.seed)])?;
            let rules = (Replay::Certain, Observed::Accepted);
            none(&lab.violations_by(&reduced, rules))?;
            is_preserved(&reduced)?;
            ensure(reduced.list("unstable").is_empty(), || {
                reduced.report["unstable"].to_string()
            })
        });
    }
}

#[test]
fn what_best_leaves_of_a_flaky_app_covers_what_is_certain_and_names_the_rest() {
    check(2100..2140, Apps::Flaky, |case| {
        let lab = Lab::new(case);
        let reduced = lab.reduce(&[BEST])?;
        none(&lab.violations_by(&reduced, (NEVER, Observed::Accepted)))?;
        is_preserved(&reduced)?;
        is_accounted_for(&lab, &reduced)
    });
}

#[test]
fn without_observed_steps_every_step_is_recorded() {
    for apps in [Apps::Certain, Apps::Flaky, Apps::Maze] {
        check(2200..2220, apps, |case| {
            let lab = Lab::new(case);
            let reduced = lab.reduce(&[BEST, "walk.allow_observed=false"])?;
            none(&lab.violations_by(&reduced, (NEVER, Observed::Refused)))?;
            is_preserved(&reduced)
        });
    }
}

#[test]
fn every_trace_holds_in_as_many_runs_as_asked_and_is_no_longer_than_allowed() {
    for (apps, runs) in [(Apps::Certain, 3), (Apps::Flaky, 10), (Apps::Maze, 5)] {
        check(2300..2315, apps, |case| {
            let lab = Lab::new(case);
            let longest = traces(&lab.suite);
            let longest = longest.iter().map(length).max().unwrap_or(0).max(12);
            let settings = [
                BEST,
                &format!("replay.runs={runs}"),
                &format!("walk.max_steps={longest}"),
            ];
            let reduced = lab.reduce(&settings)?;
            let validation = &reduced.report["validation"];
            let validated = validation["traces"].as_array().expect("a list");
            let held =
                |trace: &Value| trace["runs"].as_u64() >= Some(runs) && trace["diverged"] == 0;
            ensure(validated.iter().all(held), || validation.to_string())?;
            let long = traces(&reduced.suite).iter().map(length).max();
            ensure(long <= Some(longest), || format!("{long:?} of {longest}"))
        });
    }
}

fn length(trace: &Value) -> usize {
    trace["steps"].as_array().expect("steps are a list").len()
}

#[test]
fn with_two_witnesses_each_element_has_two_traces_where_two_recorded_ones_have_it() {
    check(2400..2415, Apps::Certain, |case| {
        let lab = Lab::new(case);
        let reduced = lab.reduce(&[BEST, "slack.min_witness=2"])?;
        let (before, after) = (times(&lab.suite), times(&reduced.suite));
        let short = before
            .iter()
            .find(|(element, times)| after.get(*element).copied().unwrap_or(0) < (**times).min(2));
        ensure(short.is_none(), || format!("{short:?}"))
    });
}

/// By how many traces each element is covered.
fn times(suite: &str) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for line in suite.lines() {
        for element in covered(line) {
            *times.entry(element).or_default() += 1;
        }
    }
    times
}

#[test]
fn best_is_never_dearer_than_the_recorded_traces_it_came_from() {
    for apps in [Apps::Certain, Apps::Maze] {
        check(2500..2520, apps, |case| {
            let lab = Lab::new(case);
            let reduced = lab.reduce(&[BEST])?;
            let input = super::lab::seconds(&reduced.report["input"]);
            ensure(reduced.seconds() <= input, || {
                format!("{} of {input}", reduced.seconds())
            })?;
            not_below_the_bound(&reduced)
        });
    }
}

fn not_below_the_bound(reduced: &Reduced) -> Result<(), String> {
    let gap = reduced.report["bound"]["gap"].as_f64();
    ensure(gap >= Some(0.0), || format!("gap {gap:?}"))
}
