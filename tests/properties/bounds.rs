//! Bounds on the search: when one is hit the result still holds, and the report says so.

use super::case::{Apps, Case, check, ensure, none};
use super::lab::Lab;
use super::promise::{is_accounted_for, is_perfect, is_preserved};

const TINY: [&str; 3] = [
    "loops.max_work=1",
    "loops.max_candidates=1",
    "splice.max_work=1",
];

#[test]
fn a_search_cut_short_keeps_the_promise() {
    check(1200..1215, Apps::Maze, |case| {
        let lab = Lab::new(case);
        for bound in TINY {
            let reduced = lab.reduce_on(bound, "count=1", &[bound])?;
            is_perfect(&lab, &reduced).map_err(|why| format!("{bound}: {why}"))?;
        }
        is_perfect(&lab, &lab.reduce_on("all", "count=2", &TINY)?)
    });
}

#[test]
fn a_search_cut_short_on_a_flaky_app_keeps_what_is_certain() {
    check(1220..1230, Apps::Flaky, |case| {
        let lab = Lab::new(case);
        let reduced = lab.reduce(&TINY)?;
        none(&lab.violations_but_replay(&reduced))?;
        is_preserved(&reduced)?;
        is_accounted_for(&lab, &reduced)
    });
}

#[test]
fn no_reduction_is_cheaper_than_its_bound() {
    for (seeds, apps) in [
        (1260..1275, Apps::Certain),
        (1275..1285, Apps::Flaky),
        (1285..1295, Apps::Maze),
    ] {
        check(seeds, apps, |case| {
            let reduced = Lab::new(case).reduce(&[])?;
            let figure = |side: &str| reduced.report[side]["seconds"].as_f64();
            let (bound, output) = (figure("bound"), figure("output"));
            ensure(bound <= output && bound > Some(0.0), || {
                format!("bound {bound:?}, output {output:?}")
            })?;
            let prices = reduced.report["bound"]["expensive"].as_array();
            let prices = prices.into_iter().flatten().map(|e| e["seconds"].as_f64());
            let sum: f64 = prices.flatten().sum();
            ensure(Some(sum) <= bound, || {
                format!("bound {bound:?}, prices {sum}")
            })
        });
    }
}

/// How many of some cases report that a bound was hit in a phase.
fn n_hits(setting: &str, phase: &str, limit: &str) -> usize {
    let hit = |seed: &u64| {
        let mut case = Case::draw(*seed, Apps::Certain);
        case.mean = case.mean.max(8);
        let reduced = Lab::new(&case).reduce(&[setting]).expect("a reduction");
        let mut limits = reduced.list("limits").iter();
        limits.any(|hit| hit["phase"] == phase && hit["limit"] == limit)
    };
    (1230..1240).filter(hit).count()
}

#[test]
fn the_report_names_every_bound_that_was_hit() {
    for (setting, phase, limit) in [
        ("loops.max_candidates=1", "loops", "candidates"),
        ("splice.max_work=1", "splice", "work"),
    ] {
        let hits = n_hits(setting, phase, limit);
        assert!(hits > 3, "{setting}: {hits}");
    }
}

#[test]
fn no_bound_is_reported_that_was_not_hit() {
    check(1240..1260, Apps::Certain, |case| {
        let reduced = Lab::new(case).reduce(&[])?;
        ensure(reduced.list("limits").is_empty(), || {
            reduced.report["limits"].to_string()
        })
    });
}
