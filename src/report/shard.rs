//! How a suite was split: the data of `shard` and its lines for the terminal.

use serde::Serialize;

use super::human_seconds;
use super::number::{counted, grouped, percent};
use super::summary::labelled;
use super::text::visible;

/// How a suite was split.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShardReport {
    /// Version of the format.
    pub version: u32,
    /// Name and version of the tool.
    pub tool: String,
    /// Digest of the suite.
    pub sha256: String,
    /// Number of its traces.
    pub traces: usize,
    /// Device time of one replay of all of it, in seconds.
    pub seconds: f64,
    /// How far apart the longest and the shortest shard are, as a fraction of their mean.
    pub spread: f64,
    /// Device time of its longest trace, in seconds: no shard that has it takes less.
    pub longest: f64,
    /// The shards, in order.
    pub shards: Vec<Shard>,
}

/// One part of a suite.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shard {
    /// Its number, from 1.
    pub index: usize,
    /// Its traces, in the order of the suite.
    pub traces: Vec<String>,
    /// Number of their steps.
    pub steps: usize,
    /// Device time of one replay of it, in seconds.
    pub seconds: f64,
    /// The file that it was written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// What somebody wants to know at a glance.
#[must_use]
pub fn shard_summary(report: &ShardReport) -> String {
    let count = report.shards.len();
    let mut lines = vec![
        format!(
            "{} in {}, which differ by {} of device time.",
            counted(report.traces, "trace"),
            counted(count, "shard"),
            match report.spread {
                spread if spread <= 0.0 => "0 %".to_owned(),
                spread => percent(spread, 1.0),
            },
        ),
        String::new(),
    ];
    for shard in &report.shards {
        let file = shard.file.as_ref();
        let text = format!(
            "{} and {} steps, {}{}",
            counted(shard.traces.len(), "trace"),
            grouped(shard.steps),
            human_seconds(shard.seconds),
            file.map_or_else(String::new, |file| format!("  {}", visible(file))),
        );
        lines.push(labelled(&format!("{} of {count}", shard.index), &text));
    }
    if report.longest > report.seconds / count as f64 {
        let longest = human_seconds(report.longest);
        let text = format!("the longest trace alone takes {longest}, more than an even shard");
        lines.push(labelled("uneven", &text));
    }
    lines.join("\n") + "\n"
}
