//! Reductions that are done: no phase makes a suite costlier, and a second one changes nothing.

use serde_json::Value;

use super::case::{Apps, Case, Verdict, check, ensure};
use super::lab::{Lab, Reduced, seconds, traces};

/// What a trace does, shows and covers.
fn told(trace: &Value) -> Vec<Value> {
    let part = |part: &Value| {
        let mut part = part.clone();
        if let Some(fields) = part.as_object_mut() {
            fields.retain(|key, _| ["action", "screen", "covers", "fault"].contains(&key.as_str()));
        }
        part
    };
    let steps = trace["steps"].as_array().expect("steps are a list");
    let parts = [&trace["launch"]].into_iter().chain(steps);
    parts.map(part).collect()
}

fn stays_as_it_is(case: &Case) -> Verdict {
    let lab = Lab::new(case);
    let seed = format!("seed={}", case.seed);
    let once = lab.reduce(&[&seed])?;
    let twice = lab.after(&once).reduce(&[&seed])?;
    let told = |reduced: &Reduced| -> Vec<_> { traces(&reduced.suite).iter().map(told).collect() };
    ensure(told(&once) == told(&twice), || {
        format!("{}\nbecame\n{}", once.suite, twice.suite)
    })
}

#[test]
fn reducing_twice_changes_nothing() {
    for apps in [Apps::Certain, Apps::Flaky, Apps::Maze] {
        check(600..630, apps, stays_as_it_is);
    }
}

/// Fresh runs of this case show less than the first ones, which leaves a loop to remove.
#[test]
fn a_step_whose_cover_turns_out_unstable_is_not_left_to_a_second_reduction() {
    check(661..662, Apps::Flaky, stays_as_it_is);
}

/// Device time after each phase.
fn costs(reduced: &Reduced) -> Vec<(String, f64)> {
    let phases = reduced.list("phases").iter();
    phases
        .map(|phase| {
            (
                phase["name"].as_str().expect("a name").to_owned(),
                seconds(phase),
            )
        })
        .collect()
}

fn never_grows(costs: &[(String, f64)]) -> Verdict {
    for pair in costs.windows(2) {
        ensure(pair[1].1 <= pair[0].1, || {
            format!("{:?}, then {:?}", pair[0], pair[1])
        })?;
    }
    Ok(())
}

const PHASES: [&str; 6] = [
    "stabilize",
    "traces",
    "loops",
    "splice",
    "settle",
    "validate",
];

#[test]
fn no_phase_makes_a_suite_costlier() {
    check(700..730, Apps::Maze, |case| {
        let lab = Lab::new(case);
        let fragments = format!("splice.fragments={}", 1 + case.random().below(4));
        let costs = costs(&lab.reduce(&[&fragments])?);
        let names: Vec<_> = costs.iter().map(|(name, _)| name.as_str()).collect();
        ensure(names == PHASES, || format!("{names:?}"))?;
        never_grows(&costs)
    });
}

#[test]
fn only_a_repair_makes_the_suite_of_a_flaky_app_costlier() {
    check(700..730, Apps::Flaky, |case| {
        let lab = Lab::new(case);
        let costs = costs(&lab.reduce(&[])?);
        // What validation puts back is settled again, so the last two phases may both grow.
        never_grows(&costs[..4])?;
        let (stabilized, shipped) = (&costs[0], &costs[5]);
        ensure(shipped.1 <= stabilized.1, || {
            format!("{stabilized:?}, then {shipped:?}")
        })
    });
}
