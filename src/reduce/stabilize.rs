//! Stabilising (paper 004, 5.1.2): replay recorded traces and keep the longest prefix that
//! replays in every run.
//!
//! Guarantees: every kept prefix was replayed by all runs, and its coverage is what all of them
//! showed. Costs `runs` replays a trace, less what is known from traces replayed before.

use std::sync::Arc;

use super::evidence::Known;
use super::{Evidence, Proven, Replayer};
use crate::model::{Job, RunEvent, Script, Seen, Stop, Suite, TraceIdx};

/// What became of a recorded trace.
#[derive(Debug, Clone)]
pub struct Stabilized {
    /// The trace.
    pub trace: TraceIdx,
    /// Its longest replayable prefix; none when even the launch showed something else.
    pub kept: Option<Proven>,
    /// Where and how it was cut.
    pub cut: Option<Cut>,
}

/// Where a recorded trace stopped replaying.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// How many steps replay.
    pub kept: usize,
    /// How many were recorded.
    pub of: usize,
    /// The position that diverged; 0 is the launch.
    pub position: usize,
    /// What was seen there instead, and in how many runs.
    pub seen: Vec<(Seen, u32)>,
}

/// How many traces are replayed in one batch: enough to keep many devices busy, few enough to
/// learn from what the last batch has shown.
const BATCH: usize = 32;

/// Replays traces `runs` times each, in order.
pub(super) fn stabilize(
    suite: &Suite,
    traces: &[TraceIdx],
    runs: u32,
    evidence: &mut Evidence,
    replayer: &mut dyn Replayer,
) -> Result<Vec<Stabilized>, Stop> {
    let mut done = 0;
    for chunk in traces.chunks(BATCH) {
        let batch: Vec<Job> = chunk
            .iter()
            .map(|&trace| Arc::new(Script::prefix_of(suite, trace, suite.steps(trace).len())))
            .flat_map(|script| missing_runs(evidence, &script, runs))
            .collect();
        evidence.replay(&batch, &|_| false, replayer)?;
        done += chunk.len();
        replayer.emit(RunEvent::Progress { done });
    }
    Ok(traces
        .iter()
        .map(|&trace| outcome(suite, trace, runs, evidence))
        .collect())
}

/// The runs of a script that are needed to know its longest replayable prefix.
fn missing_runs(evidence: &Evidence, script: &Arc<Script>, runs: u32) -> Vec<Job> {
    let from = match evidence.known(script, runs) {
        Known::Proven(_) => runs,
        Known::Open(held) => held,
        // What comes before the break must have held in all runs as well.
        Known::Broken(position) => match position.checked_sub(1) {
            None => runs,
            Some(len) => {
                let prefix = Arc::new(Script {
                    launch: script.launch,
                    steps: script.steps[..len].to_vec(),
                });
                match evidence.known(&prefix, runs) {
                    Known::Open(held) => held,
                    Known::Proven(_) | Known::Broken(_) => runs,
                }
            }
        },
    };
    let job = |attempt| Job {
        script: Arc::clone(script),
        attempt,
    };
    (from..runs).map(job).collect()
}

fn outcome(suite: &Suite, trace: TraceIdx, runs: u32, evidence: &Evidence) -> Stabilized {
    let of = suite.steps(trace).len();
    let whole = Arc::new(Script::prefix_of(suite, trace, of));
    let (first, seen) = match evidence.first_break(&whole) {
        Some((divergence, seen)) => (Some(divergence.position), seen),
        None => (None, Vec::new()),
    };
    let len = first.map_or(Some(of), |position| position.checked_sub(1));
    let kept = len.and_then(|len| {
        match evidence.known(&Arc::new(Script::prefix_of(suite, trace, len)), runs) {
            Known::Proven(proven) => Some(proven),
            Known::Broken(_) | Known::Open(_) => None,
        }
    });
    let cut = first.map(|position| Cut {
        kept: kept.as_ref().map_or(0, Proven::n_steps),
        of,
        position,
        seen,
    });
    Stabilized { trace, kept, cut }
}
