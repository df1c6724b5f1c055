//! The lazy pick against a plain list of all traces of at most k fragments.

use super::search::Search;
use super::system::{System, Whole};
use crate::model::{Coverage, Names, ScriptStep, Seed, Suite};
use crate::reduce::fixture::{below, random_suite, recorded};
use crate::reduce::{Evidence, Proven};

/// The most that any trace of at most `k` fragments adds, and the fewest steps that do.
fn best(
    traces: &[Proven],
    open: &Coverage,
    k: usize,
    suite: &Suite,
    names: &Names,
) -> (usize, usize) {
    let mut best = (0, 0);
    let mut ways: Vec<(usize, Vec<ScriptStep>)> = vec![(1, Vec::new())];
    while let Some((fragments, steps)) = ways.pop() {
        let mut covered: Coverage = traces[0].elements_at(suite, names, 0).collect();
        for step in &steps {
            let step = suite.step(step.step().expect("all are recorded"));
            covered.extend(&suite.step_cover(step));
            covered.insert(names.screen_element(step.screen));
        }
        let gain = covered.intersection(open).len();
        if gain > best.0 || (gain == best.0 && steps.len() < best.1) {
            best = (gain, steps.len());
        }
        let here = steps
            .last()
            .map_or(traces[0].screen_at(suite, 0), |s| s.screen);
        for trace in traces {
            for (at, &next) in trace.script.steps.iter().enumerate() {
                let goes_on = steps.last().is_none_or(|s| next.origin.follows(s.origin));
                let fragments = fragments + usize::from(!goes_on);
                if trace.screen_at(suite, at) == here && fragments <= k {
                    let mut longer = steps.clone();
                    longer.push(next);
                    ways.push((fragments, longer));
                }
            }
        }
    }
    best
}

#[test]
fn the_pick_is_the_best_of_all_traces_of_at_most_k_fragments() {
    let mut spliced = 0;
    for number in 0..300 {
        let seed = Seed(number);
        let k = 1 + below(seed, 9, 4) as usize;
        let (suite, names) = random_suite(seed, 2 + below(seed, 8, 2), 3);
        let traces = recorded(&suite);
        let mut needed = Coverage::default();
        for trace in &traces {
            needed.union_with(&trace.coverage(&suite, &names));
        }
        let system = System::new(&traces, &needed, Whole::Trace, &suite, &names);
        let mut search = Search::new(&system, k, 10_000_000);
        let evidence = Evidence::new(&suite);
        let mut open = needed.clone();
        while !open.is_empty() {
            let pick = search
                .pick(&open, &evidence)
                .expect("what is open can be covered");
            let expected = best(&traces, &open, k, &suite, &names);
            assert_eq!(
                (pick.gain, pick.script.steps.len()),
                expected,
                "seed {number}, k {k}"
            );
            assert!(!pick.cut, "seed {number}");
            let fragments = pick.script.fragments().len();
            assert!(fragments <= k, "seed {number}");
            spliced += usize::from(fragments > 1);
            let mut covered: Coverage = traces[0].elements_at(&suite, &names, 0).collect();
            for step in &pick.script.steps {
                let step = suite.step(step.step().expect("all are recorded"));
                covered.extend(&suite.step_cover(step));
                covered.insert(names.screen_element(step.screen));
            }
            open.subtract(&covered);
        }
    }
    assert!(spliced > 100, "only {spliced} picks are spliced");
}
