//! Replaying on its own: which traces go another way than recorded.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::assemble::device;
use super::words::Words;
use super::{Conditions, JobError, Opened, engine};
use crate::import::Loaded;
use crate::model::{Job, Phase, Run, RunEvent, Script, Seen, Suite, TraceIdx};
use crate::reduce::Replayer;
use crate::replay::{Engine, Journal};
use crate::report::{Device, SeenCount, VERSION};

/// What replaying a suite showed.
#[derive(Debug, Clone, Serialize)]
pub struct ReplayReport {
    /// Version of the format.
    pub version: u32,
    /// Runs of each trace.
    pub runs_per_trace: u32,
    /// Each trace, in order of arrival.
    pub traces: Vec<ReplayedTrace>,
    /// How many traces diverged in some run.
    pub diverged: usize,
    /// What was spent on devices.
    pub device: Device,
}

/// What replaying one trace showed.
#[derive(Debug, Clone, Serialize)]
pub struct ReplayedTrace {
    /// Its name.
    pub trace: String,
    /// How often it was replayed.
    pub runs: u32,
    /// In how many runs it diverged.
    pub diverged: u32,
    /// How many of its steps replayed in every run.
    pub replayed: usize,
    /// How many it has.
    pub of: usize,
    /// The screen expected at the first divergence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What was seen there instead, and in how many runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<SeenCount>,
}

/// How many traces go to the devices at once.
const BATCH: usize = 32;

/// Replays the suite of a configuration; nothing is written to disk.
pub fn replay(mut conditions: Conditions) -> Result<ReplayReport, JobError> {
    let config = conditions.config;
    let Opened { loaded, fleet, .. } = Opened::new(config)?;
    let Loaded { suite, names, .. } = loaded;
    let runs = config.replay.runs;
    let mut engine = engine(&suite, names, fleet, Journal::in_memory(), &mut conditions);
    let all: Vec<TraceIdx> = suite.traces().map(|(trace, _)| trace).collect();
    engine.emit(RunEvent::PhaseStarted {
        phase: Phase::Validate,
        total: Some(all.len()),
    });
    let mut traces = Vec::new();
    for batch in all.chunks(BATCH) {
        traces.extend(replay_batch(batch, runs, &suite, &mut engine)?);
        engine.emit(RunEvent::Progress { done: traces.len() });
    }
    Ok(ReplayReport {
        version: VERSION,
        runs_per_trace: runs,
        diverged: traces.iter().filter(|trace| trace.diverged > 0).count(),
        traces,
        device: device(engine.tally()),
    })
}

fn replay_batch(
    traces: &[TraceIdx],
    runs: u32,
    suite: &Suite,
    engine: &mut Engine,
) -> Result<Vec<ReplayedTrace>, JobError> {
    let scripts = traces
        .iter()
        .map(|&trace| Arc::new(Script::prefix_of(suite, trace, suite.steps(trace).len())));
    let jobs: Vec<Job> = scripts
        .flat_map(|script| {
            (0..runs).map(move |attempt| Job {
                script: Arc::clone(&script),
                attempt,
            })
        })
        .collect();
    let shown = engine.replay(&jobs, &|_| false)?;
    let words = Words {
        suite,
        names: engine.names(),
        runs,
    };
    Ok(traces
        .iter()
        .zip(shown.chunks(runs as usize))
        .map(|(&trace, runs)| replayed(trace, runs, words))
        .collect())
}

fn replayed(trace: TraceIdx, runs: &[Run], words: Words) -> ReplayedTrace {
    let diverged = runs.iter().filter_map(|run| run.diverged);
    let first = diverged.clone().map(|d| d.position).min();
    let mut seen: BTreeMap<Seen, u32> = BTreeMap::new();
    for divergence in diverged.clone().filter(|d| Some(d.position) == first) {
        *seen.entry(divergence.seen).or_default() += 1;
    }
    let expected = diverged.clone().min_by_key(|d| d.position);
    let of = words.suite.steps(trace).len();
    ReplayedTrace {
        trace: words.id(trace).to_owned(),
        runs: runs.len() as u32,
        diverged: diverged.count() as u32,
        replayed: first.map_or(of, |position| position.saturating_sub(1)),
        of,
        expected: expected.map(|d| words.names.screen_name(d.expected).to_owned()),
        seen: seen
            .into_iter()
            .map(|(seen, runs)| SeenCount {
                what: words.seen(seen),
                runs,
            })
            .collect(),
    }
}
