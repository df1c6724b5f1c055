//! Redundant loops (paper 004, Algorithm 1, part 2): the shortest variant of each trace that
//! still covers what is needed of it and replays.
//!
//! Differs from the paper in three ways. Variants may end as soon as everything needed is
//! covered, since a prefix of a replayable trace is replayable; a variant counts for what its
//! runs covered, not for what the recording says; and the search has a bound, after which the
//! trace stays as it is and the report says so.

mod needs;
#[cfg(test)]
mod tests;
mod variants;

use std::sync::Arc;

use needs::Needs;
use variants::{Next, Variants};

use super::Proven;
use super::bench::Bench;
use super::evidence::Known;
use crate::model::{Coverage, Limit, Phase, RunEvent, Script, Stop};

/// Removes loops from each trace in turn. Returns what is left of each; a trace of which
/// nothing is needed any more is dropped. When stopped, the rest is kept as it is.
pub(super) fn remove_loops(
    traces: &[Proven],
    goal: &Coverage,
    bench: &mut Bench,
) -> (Vec<Proven>, Option<Stop>) {
    let mut kept = Vec::new();
    let mut covered = Coverage::default();
    let mut stopped = None;
    for (index, trace) in traces.iter().enumerate() {
        let mut needed = bench.coverage(trace).intersection(goal);
        needed.subtract(&covered);
        if needed.is_empty() {
            continue;
        }
        let shortest = match stopped {
            None => shortest_variant(trace, &needed, bench),
            Some(_) => Ok(None),
        };
        let shortest = shortest.unwrap_or_else(|stop| {
            stopped = Some(stop);
            None
        });
        let shortest =
            shortest.unwrap_or_else(|| trace.cut_tail(bench.suite, bench.names(), &needed));
        covered.union_with(&bench.coverage(&shortest));
        kept.push(shortest);
        bench.replayer.emit(RunEvent::Progress { done: index + 1 });
    }
    (kept, stopped)
}

/// The shortest replayable variant that covers `needed`; none when the bound was hit.
fn shortest_variant(
    trace: &Proven,
    needed: &Coverage,
    bench: &mut Bench,
) -> Result<Option<Proven>, Stop> {
    let needs = Needs::new(trace, needed, bench.suite, bench.names());
    let mut variants = Variants::new(
        trace,
        &needs,
        bench.evidence,
        bench.suite,
        bench.settings.loop_work,
    );
    let mut limit = needs.approximate.then_some(Limit::Work);
    let mut found = None;
    for tried in 0.. {
        let positions = match variants.next(trace, bench.evidence) {
            Next::Variant(positions) => positions,
            Next::Exhausted => break,
            Next::LimitHit => {
                limit = Some(Limit::Work);
                break;
            }
        };
        if tried == bench.settings.loop_candidates {
            limit = Some(Limit::Candidates);
            break;
        }
        let script = Arc::new(Script {
            launch: trace.script.launch,
            steps: positions.iter().map(|&p| trace.script.steps[p]).collect(),
        });
        if let Known::Proven(proven) = bench.confirm(&script, bench.runs)?
            && needed.is_subset(&bench.coverage(&proven))
        {
            found = Some(proven);
            break;
        }
    }
    if let Some(limit) = limit {
        bench.replayer.emit(RunEvent::LimitHit {
            phase: Phase::Loops,
            trace: Some(trace.script.launch),
            limit,
        });
    }
    Ok(found)
}
