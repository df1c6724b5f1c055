//! The lazy search for variants against a plain list of all of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::needs::Needs;
use super::variants::{Next, Variants};
use crate::model::{Coverage, Divergence, Job, Names, Run, Script, Seed, Seen, Suite, Usage};
use crate::reduce::fixture::{below, random_suite, recorded};
use crate::reduce::{Evidence, Proven};

/// All ways through a trace: steps in order, loops skipped at will, any end.
fn all_ways(trace: &Proven, suite: &Suite) -> BTreeSet<Vec<usize>> {
    let mut ways = BTreeSet::new();
    let mut open = vec![(0, Vec::new())];
    while let Some((at, steps)) = open.pop() {
        ways.insert(steps.clone());
        for from in at..trace.n_steps() {
            if trace.screen_at(suite, from) == trace.screen_at(suite, at) {
                let mut longer: Vec<usize> = steps.clone();
                longer.push(from);
                open.push((from + 1, longer));
            }
        }
    }
    ways
}

/// Those that cover what is needed, but would not without their last step.
fn expected(
    trace: &Proven,
    needed: &Coverage,
    suite: &Suite,
    names: &Names,
) -> BTreeSet<Vec<usize>> {
    let covers = |steps: &[usize]| {
        let positions = std::iter::once(0).chain(steps.iter().map(|step| step + 1));
        let covered: Coverage = positions
            .flat_map(|p| trace.elements_at(suite, names, p))
            .collect();
        needed.is_subset(&covered)
    };
    let ways = all_ways(trace, suite).into_iter().filter(|way| covers(way));
    ways.filter(|way| way.split_last().is_none_or(|(_, before)| !covers(before)))
        .collect()
}

fn found(trace: &Proven, needs: &Needs, evidence: &Evidence, suite: &Suite) -> Vec<Vec<usize>> {
    let mut variants = Variants::new(trace, needs, evidence, suite, 1_000_000);
    let mut found = Vec::new();
    loop {
        match variants.next(trace, evidence) {
            Next::Variant(steps) => found.push(steps),
            Next::Exhausted => return found,
            Next::LimitHit => panic!("the bound is far away"),
        }
    }
}

#[test]
fn the_search_lists_each_variant_once_and_shorter_ones_first() {
    let mut several = 0;
    for number in 0..300 {
        let seed = Seed(number);
        let (suite, names) = random_suite(seed, 1, 3);
        let trace = &recorded(&suite)[0];
        let all = trace.coverage(&suite, &names);
        let needed: Coverage = all
            .iter()
            .filter(|e| below(seed, e.index() as u64, 2) == 0)
            .collect();
        let needs = Needs::new(trace, &needed, &suite, &names);
        let found = found(trace, &needs, &Evidence::new(&suite), &suite);
        let expected = expected(trace, &needed, &suite, &names);
        assert!(found.is_sorted_by_key(Vec::len), "seed {number}");
        assert_eq!(found.len(), expected.len(), "seed {number}");
        assert_eq!(
            found.into_iter().collect::<BTreeSet<_>>(),
            expected,
            "seed {number}"
        );
        several += usize::from(expected.len() > 1);
    }
    assert!(several > 100, "only {several} cases have a choice");
}

#[test]
fn the_search_leaves_out_what_starts_with_a_broken_prefix() {
    let mut pruned = 0;
    for number in 0..300 {
        let seed = Seed(number);
        let (suite, names) = random_suite(seed, 1, 2);
        let trace = &recorded(&suite)[0];
        let needed = trace.coverage(&suite, &names);
        let needs = Needs::new(trace, &needed, &suite, &names);
        let before = found(trace, &needs, &Evidence::new(&suite), &suite);
        let Some(shortest) = before.first().filter(|steps| !steps.is_empty()) else {
            continue;
        };
        let position = 1 + below(seed, 1, shortest.len() as u64) as usize;
        let mut evidence = Evidence::new(&suite);
        let script = script_of(trace, shortest);
        evidence.record(&job(&script), &diverging_run(trace, position, &suite));
        let after = found(trace, &needs, &evidence, &suite);
        let broken = texts(&script_of(trace, &shortest[..position]));
        let mut expected = before.clone();
        expected.retain(|steps| !texts(&script_of(trace, steps)).starts_with(&broken));
        assert_eq!(after, expected, "seed {number}");
        pruned += usize::from(after.len() + 1 < before.len());
    }
    assert!(
        pruned > 10,
        "only {pruned} cases prune more than the broken one"
    );
}

fn script_of(trace: &Proven, steps: &[usize]) -> Script {
    Script {
        launch: trace.script.launch,
        steps: steps.iter().map(|&step| trace.script.steps[step]).collect(),
    }
}

fn job(script: &Script) -> Job {
    Job {
        script: Arc::new(script.clone()),
        attempt: 0,
    }
}

fn texts(script: &Script) -> Vec<impl PartialEq + use<>> {
    let steps = script.steps.iter();
    steps.map(|step| (step.action, step.screen)).collect()
}

fn diverging_run(trace: &Proven, position: usize, suite: &Suite) -> Run {
    Run {
        covers: trace.covers[..position].to_vec(),
        diverged: Some(Divergence {
            position,
            expected: trace.screen_at(suite, position),
            seen: Seen::NotEnabled,
        }),
        usage: Usage::default(),
        retries: 0,
    }
}
