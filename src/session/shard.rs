//! Splitting a suite into parts of about the same device time, as suites of their own.

use std::path::{Path, PathBuf};

use super::finished::tool;
use super::output::Aside;
use super::{JobError, limits};
use crate::config::Config;
use crate::export::write_traces;
use crate::import::{Loaded, load};
use crate::model::{Names, Seed, Suite, TraceIdx};
use crate::reduce::shard::{Load, shard as split, spread};
use crate::report::{Shard, ShardReport, VERSION};

/// How a suite is to be split.
#[derive(Debug, Clone, Copy)]
pub struct Split<'a> {
    /// How many shards there are.
    pub total: usize,
    /// The one that is wanted, from 1; nothing: all of them.
    pub index: Option<usize>,
    /// The folder that shards are written to.
    pub out: Option<&'a Path>,
}

/// Splits the suite of a configuration; the bytes of the wanted shard come along where they are
/// not written to a file.
pub fn shard(config: &Config, asked: &Split) -> Result<(ShardReport, Option<Vec<u8>>), JobError> {
    let loaded = load(&config.suite, &limits(config))?;
    let Loaded { suite, names, .. } = &loaded;
    check(asked, suite.n_traces())?;
    let costs = config.cost.costs();
    let time = |trace| costs.micros(1, suite.steps(trace).len());
    let all: Vec<TraceIdx> = suite.traces().map(|(trace, _)| trace).collect();
    let seed = Seed(config.seed).derive("shard");
    let loads = all.iter().map(|&trace| Load {
        key: key(suite, names, trace, seed),
        micros: time(trace),
    });
    let loads: Vec<Load> = loads.collect();
    let of = split(&loads, asked.total);
    let mut shards: Vec<Vec<TraceIdx>> = vec![Vec::new(); asked.total];
    for (&trace, &shard) in all.iter().zip(&of) {
        shards[shard].push(trace);
    }
    let times: Vec<u64> = shards
        .iter()
        .map(|s| s.iter().map(|&t| time(t)).sum())
        .collect();
    let files = write(&loaded, &shards, asked)?;
    let seconds = |micros: u64| micros as f64 / 1e6;
    let told = shards.iter().zip(&times).zip(files).zip(1..);
    let report = ShardReport {
        version: VERSION,
        tool: tool(),
        sha256: loaded.sha256.clone(),
        traces: all.len(),
        seconds: seconds(times.iter().sum()),
        spread: (spread(&times) * 1e6).round() / 1e6,
        longest: seconds(loads.iter().map(|load| load.micros).max().unwrap_or(0)),
        shards: told
            .map(|(((traces, &micros), file), index)| Shard {
                index,
                traces: traces
                    .iter()
                    .map(|&t| suite.trace(t).id.to_string())
                    .collect(),
                steps: traces.iter().map(|&t| suite.steps(t).len()).sum(),
                seconds: seconds(micros),
                file: file.map(|file| file.display().to_string()),
            })
            .collect(),
    };
    let wanted = asked.index.filter(|_| asked.out.is_none());
    let wanted = wanted.map(|index| text(&loaded, &shards[index - 1]));
    Ok((report, wanted))
}

fn check(asked: &Split, traces: usize) -> Result<(), JobError> {
    let Split { total, index, .. } = *asked;
    if traces < total {
        return Err(JobError::Unfit(format!(
            "{total} shards of {traces} traces would leave some empty; ask for {traces} at most"
        )));
    }
    match index {
        Some(index) if index == 0 || index > total => Err(JobError::Unfit(format!(
            "there is no shard {index} of {total}; --index counts from 1"
        ))),
        _ => Ok(()),
    }
}

/// Where a trace lies on the line that is cut: what it does decides, not its name or its place,
/// since a reduction gives both anew.
fn key(suite: &Suite, names: &Names, trace: TraceIdx, seed: Seed) -> u64 {
    let launch = names.screen_name(suite.trace(trace).launch_screen);
    let steps = suite.steps(trace).iter();
    let seed = steps.fold(seed.derive(launch), |seed, step| {
        let seed = seed.derive(names.action_text(step.action));
        seed.derive(names.screen_name(step.screen))
    });
    seed.0
}

fn text(loaded: &Loaded, traces: &[TraceIdx]) -> Vec<u8> {
    let mut text = Vec::new();
    let written = write_traces(&loaded.suite, &loaded.names, traces, &mut text);
    written.expect("memory can be written");
    text
}

/// Writes the shards that are wanted as files; says which became which.
fn write(
    loaded: &Loaded,
    shards: &[Vec<TraceIdx>],
    asked: &Split,
) -> Result<Vec<Option<PathBuf>>, JobError> {
    let Some(folder) = asked.out else {
        return Ok(vec![None; shards.len()]);
    };
    std::fs::create_dir_all(folder).map_err(|source| JobError::Output {
        path: folder.to_owned(),
        source,
    })?;
    let mut aside = Aside::new(folder);
    let mut files = Vec::new();
    for (traces, index) in shards.iter().zip(1..) {
        if asked.index.is_some_and(|wanted| wanted != index) {
            files.push(None);
            continue;
        }
        let name = format!("shard-{index}-of-{}.jsonl", asked.total);
        aside.write(&name, |out| {
            write_traces(&loaded.suite, &loaded.names, traces, out)
        })?;
        files.push(Some(folder.join(name)));
    }
    aside.commit()?;
    Ok(files)
}
