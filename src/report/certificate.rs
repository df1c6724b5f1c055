//! The certificate in `report.json`: what somebody needs to check a reduction without trusting it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::sha256;

/// What a reduction rests on, by digest, and the record of every run of what it left.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Certificate {
    /// The files of the original suite, in the order they were read.
    pub inputs: Vec<FileDigest>,
    /// Digest of the configuration, written as JSON with sorted keys and without white space.
    pub config_sha256: String,
    /// Digest of the program that wrote the report.
    pub tool_sha256: String,
    /// The part of the journal that the result rests on.
    pub journal: JournalDigest,
    /// The reduced traces in the order of the suite.
    pub traces: Vec<CertifiedTrace>,
    /// Digest of everything in the report that the suites themselves do not show, so that no
    /// claim about devices, runs or chance is changed unnoticed.
    pub claims_sha256: String,
    /// The same part by part: each place with the start of the digest of what stands there, so
    /// that an audit can name what was changed.
    #[serde(default)]
    pub claims: BTreeMap<String, String>,
}

/// A file and the digest of its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileDigest {
    /// Its path in the suite's folder, with `/` between the parts.
    pub path: String,
    /// Digest of its bytes.
    pub sha256: String,
}

/// The runs and live sessions that a result rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct JournalDigest {
    /// How many runs were used.
    pub runs: u64,
    /// How many live sessions were used.
    pub sessions: u64,
    /// Digest of their sorted digests, one a line: the same whatever device was quicker.
    pub sha256: String,
}

/// A reduced trace and the runs that speak for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CertifiedTrace {
    /// Trace of the output.
    pub trace: String,
    /// Digest of what it does, shows and covers, and of where that comes from.
    pub sha256: String,
    /// Trace of the input whose launch is expected.
    pub launch: String,
    /// Where its steps come from, in order.
    pub fragments: Vec<Fragment>,
    /// Its runs.
    pub runs: Vec<RunEntry>,
}

/// Consecutive steps of one origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fragment {
    /// Trace of the input; absent when no recorded trace has these steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The live session that has them instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<u64>,
    /// The first step there, from 0.
    pub first: u32,
    /// The last step there.
    pub last: u32,
}

/// One run of a reduced trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunEntry {
    /// What was replayed, as the journal names it; it may go on behind the end of the trace.
    pub script: String,
    /// Which of the runs of that script, from 0; live sessions have numbers of their own.
    pub attempt: u32,
    /// Whether a script was followed or a live session walked the same way.
    pub mode: RunMode,
    /// The kind of device.
    pub device: String,
    /// The seed of the reduction.
    pub seed: u64,
    /// What came of it, as far as the trace goes.
    pub outcome: RunOutcome,
    /// Digest of what it showed, as far as the trace goes.
    pub sha256: String,
    /// What it covered beyond the trace, step by step; most often nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<Beyond>,
}

/// How a run was steered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunMode {
    /// By a script.
    Replay,
    /// By a pilot.
    Live,
}

/// What came of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// Everything was as the trace says.
    Held,
    /// Something else came up.
    Diverged,
}

/// What one run covered at a step although not every run did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Beyond {
    /// Index of the step, from 0; null: the launch.
    pub step: Option<u32>,
    /// The elements, spelt as in a suite.
    pub covers: Vec<String>,
}

/// What a launch or a step of a trace says: the action (empty for a launch), the screen, and what
/// was covered, faults included, screens not.
pub type Line<'a> = (&'a str, &'a str, Vec<&'a str>);

/// The digest of what a reduced trace says: of its name, its launch and steps with their covers
/// sorted, and its fragments, as one JSON list.
#[must_use]
pub fn trace_sha256(id: &str, lines: &mut [Line], fragments: &[Fragment]) -> String {
    sort_covers(lines);
    digest(&("trace", id, lines, fragments))
}

/// The digest of what a run showed: of everything its entry says and of the launch and steps it
/// went through with all it covered there, sorted, as one JSON list.
#[must_use]
pub fn run_sha256(entry: &RunEntry, lines: &mut [Line]) -> String {
    sort_covers(lines);
    let RunEntry {
        script,
        attempt,
        mode,
        device,
        seed,
        outcome,
        ..
    } = entry;
    digest(&("run", script, attempt, mode, device, seed, outcome, lines))
}

fn sort_covers(lines: &mut [Line]) {
    for (_, _, covers) in lines {
        covers.sort_unstable();
        covers.dedup();
    }
}

fn digest(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("lists of texts and numbers are JSON");
    sha256(text.as_bytes())
}
