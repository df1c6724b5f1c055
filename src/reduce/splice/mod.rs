//! Bounded splicing (paper 004, Algorithm 2): cover everything by traces joined from at most k
//! fragments, greatest new coverage first.
//!
//! `T_k` is never built. Picks come from a lazy best-first search; where runs have shown what a
//! prefix really covers, that counts instead of the recording. Line 8 of the algorithm prints
//! `T_m ← {τ}` and means `T_m ← T_m ∪ {τ}`. The result is used only where it is cheaper than
//! what came in, so this pass never makes a suite worse.

mod look;
mod potential;
mod search;
mod system;
#[cfg(test)]
mod tests;

use search::{Pick, Search};
use system::System;
pub(super) use system::Whole;

use super::bench::Bench;
use super::evidence::Known;
use super::{Proven, Settings};
use crate::model::{Coverage, Limit, Phase, RunEvent, Stop};

/// Splices traces; returns the input where that is cheaper or the work was stopped.
pub(super) fn splice(
    traces: &[Proven],
    goal: &Coverage,
    whole: Whole,
    bench: &mut Bench,
) -> (Vec<Proven>, Option<Stop>) {
    let needed = bench.coverage_of(traces).intersection(goal);
    match spliced(traces, &needed, whole, bench) {
        Ok(spliced) if is_better(&spliced, traces, &needed, bench) => (spliced, None),
        Ok(_) => (traces.to_vec(), None),
        Err(stop) => (traces.to_vec(), Some(stop)),
    }
}

fn spliced(
    traces: &[Proven],
    needed: &Coverage,
    whole: Whole,
    bench: &mut Bench,
) -> Result<Vec<Proven>, Stop> {
    let Settings {
        fragments,
        splice_work,
        ..
    } = *bench.settings;
    let system = System::new(traces, needed, whole, bench.suite, bench.names());
    let mut search = Search::new(&system, fragments, splice_work);
    let mut kept: Vec<Proven> = Vec::new();
    let mut open = needed.clone();
    let mut limit_hit = false;
    while !open.is_empty() {
        let Some(Pick { script, gain, cut }) = search.pick(&open, bench.evidence) else {
            break;
        };
        limit_hit |= cut;
        let before = bench.evidence.version();
        let Known::Proven(proven) = bench.confirm(&script, bench.runs)? else {
            continue;
        };
        let coverage = bench.coverage(&proven);
        let measured = coverage.intersection(&open).len();
        if measured >= gain {
            open.subtract(&coverage);
            kept.push(proven);
            let done = needed.len() - open.len();
            bench.replayer.emit(RunEvent::Progress { done });
        } else if bench.evidence.version() == before {
            // Nothing new was learnt, so the same pick would come again.
            break;
        }
    }
    if limit_hit {
        bench.replayer.emit(RunEvent::LimitHit {
            phase: Phase::Splice,
            trace: None,
            limit: Limit::Work,
        });
    }
    Ok(kept)
}

fn is_better(spliced: &[Proven], traces: &[Proven], needed: &Coverage, bench: &Bench) -> bool {
    let coverage = bench.coverage_of(spliced);
    let cost = |traces: &[Proven]| {
        let steps = traces.iter().map(Proven::n_steps).sum();
        (bench.settings.costs.micros(traces.len(), steps), steps)
    };
    needed.is_subset(&coverage) && cost(spliced) < cost(traces)
}
