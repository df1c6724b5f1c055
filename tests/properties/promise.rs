//! The promise: what was covered stays covered, replays, and is made of what was recorded.

use serde_json::Value;
use xtask::generate::checker;

use super::case::{Apps, Case, Verdict, check, ensure, none};
use super::lab::{Lab, Reduced, covered, traces};

/// Everything recorded is covered, lost or set aside as unstable, and nothing is two of these.
pub(crate) fn is_accounted_for(lab: &Lab, reduced: &Reduced) -> Verdict {
    let recorded = covered(&lab.suite);
    let kept = &recorded & &covered(&reduced.suite);
    let (lost, unstable) = (reduced.named("lost"), reduced.named("unstable"));
    for element in &recorded {
        let places = [&kept, &lost, &unstable];
        let n = places.iter().filter(|set| set.contains(element)).count();
        ensure(n == 1, || {
            format!("{element} is in {n} of kept, lost, unstable")
        })?;
    }
    Ok(())
}

/// Nothing is lost, and the report says so.
pub(crate) fn is_preserved(reduced: &Reduced) -> Verdict {
    let lost = &reduced.report["lost"];
    let right = reduced.report["preserved"] == true && reduced.list("lost").is_empty();
    ensure(right, || format!("lost: {lost}"))
}

/// All that holds for an app in which nothing is left to chance and an honest recording.
pub(crate) fn is_perfect(lab: &Lab, reduced: &Reduced) -> Verdict {
    none(&lab.violations(reduced))?;
    is_preserved(reduced)?;
    is_accounted_for(lab, reduced)?;
    for field in ["unstable", "cut"] {
        ensure(reduced.list(field).is_empty(), || {
            format!("{field}: {}", reduced.report[field])
        })?;
    }
    Ok(())
}

#[test]
fn a_reduction_covers_what_was_covered_and_replays_for_certain() {
    for apps in [Apps::Certain, Apps::Maze] {
        check(0..40, apps, |case| {
            let lab = Lab::new(case);
            let reduced = lab.reduce(&[&format!("seed={}", case.seed)])?;
            is_perfect(&lab, &reduced)
        });
    }
}

#[test]
fn a_reduction_of_a_flaky_app_keeps_what_is_certain_and_names_the_rest() {
    check(100..140, Apps::Flaky, |case| {
        let lab = Lab::new(case);
        let reduced = lab.reduce(&[])?;
        none(&lab.violations_but_replay(&reduced))?;
        is_preserved(&reduced)?;
        is_accounted_for(&lab, &reduced)
    });
}

#[test]
fn everything_that_ships_was_replayed_afresh() {
    for (apps, runs) in [(Apps::Certain, 3), (Apps::Flaky, 10), (Apps::Maze, 5)] {
        check(150..165, apps, |case| {
            let reduced = Lab::new(case).reduce(&[&format!("replay.runs={runs}")])?;
            let validation = &reduced.report["validation"];
            let validated = validation["traces"].as_array().expect("a list");
            let all_runs = |trace: &Value| trace["runs"] == runs && trace["diverged"] == 0;
            ensure(validated.iter().all(all_runs), || validation.to_string())?;
            let spent = &reduced.report["device"]["by_phase"]["validate"]["launches"];
            let needed = runs * traces(&reduced.suite).len() as u64;
            ensure(spent.as_u64() >= Some(needed), || {
                format!("{spent} launches, {needed} needed")
            })
        });
    }
}

#[test]
fn what_ships_for_flaky_apps_replays_nearly_always() {
    let (mut runs, mut diverged) = (0, 0);
    for seed in 100..140 {
        let case = Case::draw(seed, Apps::Flaky);
        let lab = Lab::new(&case);
        let reduced = lab.reduce(&[]).expect("a reduction");
        for trace in traces(&reduced.suite) {
            for run in 0..20 {
                runs += 1;
                let replayed = checker::replays(&lab.app, &trace, 1, 1000 * seed + run);
                diverged += usize::from(replayed.is_err());
            }
        }
    }
    // Twenty runs of each trace held, so what is left of chance must be small.
    assert!(runs > 1000 && 50 * diverged < runs, "{diverged} of {runs}");
}

/// The steps that the fragments of a reduced trace name, one after the other.
fn rebuilt(trace: &Value, original: &[Value]) -> Vec<(Value, Value)> {
    let mut steps = Vec::new();
    for fragment in trace["from"].as_array().expect("fragments are a list") {
        let origin = original.iter().find(|one| one["id"] == fragment["trace"]);
        let origin = origin.expect("a fragment is of a recorded trace");
        let index = |field: &str| fragment[field].as_u64().expect("an index") as usize;
        let taken = &origin["steps"].as_array().expect("steps are a list");
        for step in &taken[index("first")..=index("last")] {
            steps.push((step["action"].clone(), step["screen"].clone()));
        }
    }
    steps
}

#[test]
fn the_fragments_of_a_reduced_trace_rebuild_it_exactly() {
    for apps in [Apps::Certain, Apps::Flaky, Apps::Maze] {
        check(200..215, apps, |case| {
            let lab = Lab::new(case);
            let reduced = lab.reduce(&[])?;
            let original = traces(&lab.suite);
            for trace in traces(&reduced.suite) {
                let steps = trace["steps"].as_array().expect("steps are a list");
                let pair = |step: &Value| (step["action"].clone(), step["screen"].clone());
                let steps: Vec<_> = steps.iter().map(pair).collect();
                let rebuilt = rebuilt(&trace, &original);
                ensure(steps == rebuilt, || {
                    format!("{}: {steps:?} is not {rebuilt:?}", trace["id"])
                })?;
                let fragments = trace["from"].as_array().expect("fragments are a list");
                // Two fragments that follow each other in one recording would be one.
                let split = fragments.windows(2).any(|pair| {
                    let end = pair[0]["last"].as_u64().map(|last| last + 1);
                    pair[0]["trace"] == pair[1]["trace"] && end == pair[1]["first"].as_u64()
                });
                ensure(!split, || format!("needlessly split: {}", trace["from"]))?;
            }
            Ok(())
        });
    }
}
