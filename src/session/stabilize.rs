//! Stabilising on its own: every trace is replayed, and what replays of it is kept.

use std::io;

use serde::Serialize;

use super::assemble::{device, side};
use super::finished::tool;
use super::output::{Aside, JOURNAL, prepare};
use super::words::Words;
use super::{Conditions, JobError, Opened, engine, suite_text, synced};
use crate::export::ReducedTrace;
use crate::import::Loaded;
use crate::model::{self, Coverage, Names, Suite};
use crate::reduce::{Replayer, Stabilized, stabilize_only};
use crate::replay::Journal;
use crate::report::{Cut, Device, Side, VERSION};

/// What stabilising found; `stabilize.json` in the output folder.
#[derive(Debug, Clone, Serialize)]
pub struct StabilizeReport {
    /// Version of the format.
    pub version: u32,
    /// Name and version of the tool.
    pub tool: String,
    /// The seed.
    pub seed: u64,
    /// What came in.
    pub input: Side,
    /// What is left, with the coverage that every run showed.
    pub output: Side,
    /// What was spent on devices.
    pub device: Device,
    /// Runs of each trace.
    pub runs_per_trace: u32,
    /// Traces that do not replay to their end.
    pub cut: Vec<Cut>,
    /// Traces of which nothing replays.
    pub removed: Vec<String>,
}

/// Stabilises the suite of a configuration and leaves the result in its output folder.
pub fn stabilize(mut conditions: Conditions) -> Result<StabilizeReport, JobError> {
    let config = conditions.config;
    let opened = Opened::new(config)?;
    opened.check_actions(config)?;
    prepare(&config.out, conditions.fresh)?;
    let journal = Journal::open(&config.out.join(JOURNAL), &opened.identity(config))?;
    let Opened {
        loaded,
        fleet,
        costs,
    } = opened;
    let Loaded {
        suite,
        names,
        sha256,
        ..
    } = loaded;
    let runs = config.replay.runs;
    let mut engine = engine(&suite, names, fleet, journal, &mut conditions);
    let stabilized = stabilize_only(&suite, runs, &mut engine);
    let stabilized = synced(&mut engine, stabilized)?;
    let names = engine.names();
    let traces = kept(&suite, &stabilized);
    let text = suite_text(&suite, names, &traces, config)?;
    let words = Words {
        suite: &suite,
        names,
        runs,
    };
    let input = (suite.n_traces(), suite.n_steps());
    let steps = traces.iter().map(|trace| trace.script.steps.len()).sum();
    let covered = covered(&stabilized, &suite, names);
    let report = StabilizeReport {
        version: VERSION,
        tool: tool(),
        seed: config.seed,
        input: side(input, &suite.coverage(names), sha256, costs, names),
        output: side(
            (traces.len(), steps),
            &covered,
            model::sha256(&text),
            costs,
            names,
        ),
        device: device(engine.tally()),
        runs_per_trace: runs,
        cut: stabilized
            .iter()
            .filter_map(|s| Some(words.cut(s.trace, s.cut.as_ref()?)))
            .collect(),
        removed: stabilized
            .iter()
            .filter(|s| s.kept.is_none())
            .map(|s| words.id(s.trace).to_owned())
            .collect(),
    };
    let mut aside = Aside::new(&config.out);
    aside.write("suite.jsonl", |out| out.write_all(&text))?;
    aside.write("stabilize.json", |out| {
        serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
        out.write_all(b"\n")
    })?;
    aside.commit()?;
    Ok(report)
}

fn kept(suite: &Suite, stabilized: &[Stabilized]) -> Vec<ReducedTrace> {
    let kept = stabilized
        .iter()
        .filter_map(|s| Some((s.trace, s.kept.as_ref()?)));
    kept.map(|(trace, proven)| ReducedTrace {
        id: suite.trace(trace).id.to_string(),
        script: (*proven.script).clone(),
        covers: proven.covers.clone(),
    })
    .collect()
}

fn covered(stabilized: &[Stabilized], suite: &Suite, names: &Names) -> Coverage {
    let mut covered = Coverage::default();
    for proven in stabilized.iter().filter_map(|s| s.kept.as_ref()) {
        covered.union_with(&proven.coverage(suite, names));
    }
    covered
}
