//! Small random suites for the tests of the passes.

use std::fmt::Write;

use crate::import::text::parse_suite;
use crate::model::{Names, Seed, Suite, TraceIdx};
use crate::reduce::Proven;

/// A number below `limit`, drawn from a seed and a purpose.
pub(super) fn below(seed: Seed, purpose: u64, limit: u64) -> u64 {
    seed.mix(purpose).0 % limit
}

/// A suite of `n_traces` random walks over `n_screens` screens with few elements.
pub(super) fn random_suite(seed: Seed, n_traces: u64, n_screens: u64) -> (Suite, Names) {
    let mut text = String::new();
    for trace in 0..n_traces {
        let seed = seed.derive("trace").mix(trace);
        text += "s0";
        for step in 0..=below(seed, 1, 6) {
            let draw = |purpose, limit| below(seed.mix(step), purpose, limit);
            let screen = draw(2, n_screens);
            let element = draw(3, 8);
            let action = draw(4, 2);
            write!(text, " -a{action}{{e{element}}}-> s{screen}").expect("strings take everything");
        }
        text += "\n";
    }
    parse_suite(&text).expect("the notation is right")
}

/// All traces of a suite as recorded.
pub(super) fn recorded(suite: &Suite) -> Vec<Proven> {
    let traces = (0..suite.n_traces()).map(TraceIdx::new);
    traces.map(|trace| Proven::trusted(suite, trace)).collect()
}
