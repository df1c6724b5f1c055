//! The types of `report.json`; a reader of a newer report ignores the fields it does not know.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Certificate, Restored, Since, System};

/// All that a reduction says about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Version of this format.
    pub version: u32,
    /// Name and version of the tool that wrote the report.
    pub tool: String,
    /// The seed that every random choice was derived from.
    pub seed: u64,
    /// The strategy that was asked for.
    pub strategy: String,
    /// What the strategy resolved to.
    pub algorithm: String,
    /// The resolved configuration.
    pub config: serde_json::Value,
    /// The app that the suite was replayed on.
    pub subject: Subject,
    /// The suite that went in.
    pub input: Side,
    /// The suite that came out.
    pub output: Side,
    /// How large the suite was after each phase, in the order of the phases.
    pub phases: Vec<PhaseSize>,
    /// All that was done on devices.
    pub device: Device,
    /// What no suite can go below.
    pub bound: Bound,
    /// The kinds of elements that had to be preserved.
    pub preserve: Vec<String>,
    /// Whether every element that was promised is still covered.
    pub preserved: bool,
    /// Why the reduction ended early; null if it ran to its end.
    pub stopped: Option<String>,
    /// Promised elements that the output does not cover.
    pub lost: Vec<Gone>,
    /// Elements that were recorded, but not shown by every run of any recorded trace: not
    /// promised, and set aside by name.
    pub unstable: Vec<Gone>,
    /// Pieces of input traces that the output does not contain although it has others of theirs.
    #[serde(default)]
    pub dropped: Vec<Dropped>,
    /// For each covered element, where the output covers it.
    pub witness: BTreeMap<String, Witness>,
    /// Input traces that the output does not contain.
    pub removed: Vec<Removed>,
    /// Input traces that somebody put back into the output afterwards.
    #[serde(default)]
    pub restored: Vec<Restored>,
    /// Input traces of which stabilising kept only the beginning.
    pub cut: Vec<Cut>,
    /// Limits that kept the search from going on.
    pub limits: Vec<LimitHit>,
    /// How the output was checked at the end.
    pub validation: Validation,
    /// What other settings would give: size against risk. Empty where none were looked at.
    #[serde(default)]
    pub choices: Vec<Choice>,
    /// What changed since an earlier reduction; null where none was followed.
    #[serde(default)]
    pub since: Option<Since>,
    /// The screens and transitions that were recorded, and which are left.
    #[serde(default)]
    pub system: System,
    /// What is needed to check all this without trusting it.
    #[serde(default)]
    pub certificate: Certificate,
}

/// The app that a suite was replayed on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Subject {
    /// The kind of device, such as `sim`.
    pub device: String,
    /// Digest of the app or of its model.
    pub sha256: String,
    /// What it takes on a device, by the clock that this report counts with; null: unknown.
    #[serde(default)]
    pub cost: Option<Cost>,
}

/// What every device time of a suite in a report is made of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// A clean start of the app, in seconds.
    pub restart_seconds: f64,
    /// One action, in seconds.
    pub action_seconds: f64,
}

impl Cost {
    /// Device time of one replay of a trace of so many steps, in seconds.
    #[must_use]
    pub fn seconds(self, steps: usize) -> f64 {
        self.restart_seconds + self.action_seconds * steps as f64
    }
}

/// A suite in figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// Number of traces.
    pub traces: usize,
    /// Number of steps of all traces.
    pub steps: usize,
    /// Digest of the suite's bytes.
    pub sha256: String,
    /// Number of covered elements by kind.
    pub coverage: BTreeMap<String, usize>,
    /// Device time of one replay of the whole suite, in seconds.
    pub seconds: f64,
}

/// The size of the suite after a phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseSize {
    /// Name of the phase.
    pub name: String,
    /// Number of traces after it.
    pub traces: usize,
    /// Number of steps after it.
    pub steps: usize,
}

/// All that was done on devices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Device {
    /// How often the app was started.
    pub launches: u64,
    /// How many actions were performed.
    pub steps: u64,
    /// Device time, in seconds, summed over devices.
    pub seconds: f64,
    /// How many candidates were tried.
    pub candidates: u64,
    /// How many candidates were not taken.
    pub rejected: u64,
    /// How many runs were repeated because a device failed.
    pub retries: u64,
    /// The same by phase.
    pub by_phase: BTreeMap<String, PhaseUse>,
    /// How many seconds all of it takes by the clock on so many devices.
    #[serde(default)]
    pub elapsed: BTreeMap<u32, f64>,
}

/// What one phase did on devices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseUse {
    /// How often the app was started.
    pub launches: u64,
    /// How many actions were performed.
    pub steps: u64,
    /// Device time, in seconds.
    pub seconds: f64,
}

/// A proven lower bound on the device time of one replay of any suite that covers the same by
/// walks of the recorded transitions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bound {
    /// The bound, in seconds.
    pub seconds: f64,
    /// How far the output is above it, as a fraction of it; 0 if the bound is 0.
    pub gap: f64,
    /// The elements that demand most of it, dearest first.
    #[serde(default)]
    pub expensive: Vec<Expensive>,
}

/// An element that is expensive to cover.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Expensive {
    /// The element, spelt as in a suite; what several demand together stands at one of them.
    pub element: String,
    /// How much of the bound is there for it alone, in seconds.
    pub seconds: f64,
}

/// An element that is not covered any more, or not promised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gone {
    /// The element, spelt as in a suite.
    pub element: String,
    /// Why it is gone.
    pub why: String,
}

/// Where the output covers an element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Witness {
    /// Trace of the output.
    pub trace: String,
    /// Index of the step, from 0; null: the launch.
    pub step: Option<u32>,
    /// How many runs of that trace showed it: all of them.
    #[serde(default)]
    pub runs: u32,
}

/// An input trace that the output does not contain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Removed {
    /// Trace of the input.
    pub trace: String,
    /// `redundant`, `spliced` or `unstable`.
    pub why: String,
    /// Traces of the input whose kept steps cover what it covered.
    pub covered_by: Vec<String>,
    /// Traces of the output that cover what it covered.
    #[serde(default)]
    pub now: Vec<String>,
}

/// A piece of an input trace that the output does not contain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dropped {
    /// Trace of the input.
    pub trace: String,
    /// The first step of the piece, from 0.
    pub first: u32,
    /// Its last step.
    pub last: u32,
    /// `loop` (it leads back to the screen it started on), `head` (another way leads to what is
    /// kept), `tail` (nothing behind it is needed), `detour` (another way joins what is kept) or
    /// `unstable` (replays leave the recording there).
    pub why: String,
    /// Traces of the output that cover what it covered.
    pub now: Vec<String>,
}

/// An input trace that did not always replay to its end, so only its beginning was kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cut {
    /// Trace of the input.
    pub trace: String,
    /// Number of steps kept.
    pub kept: usize,
    /// Number of steps recorded.
    pub of: usize,
    /// Number of runs behind the decision.
    pub runs: u32,
    /// Number of them that left the recording at the first step that was not kept.
    pub diverged: u32,
    /// What the recording shows there.
    pub expected: String,
    /// What the runs showed there instead.
    pub seen: Vec<SeenCount>,
}

/// Something that runs showed, and how many of them did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SeenCount {
    /// What was shown.
    pub what: String,
    /// Number of runs.
    pub runs: u32,
}

/// A limit that kept the search from going on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LimitHit {
    /// The phase that was searching.
    pub phase: String,
    /// The trace it was busy with, if with one.
    pub trace: Option<String>,
    /// The limit, in words.
    pub limit: String,
}

/// How the output was checked at the end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Validation {
    /// Number of runs each trace had to pass.
    pub runs_per_trace: u32,
    /// How sure `replays_at_least` is, as a fraction; null: unknown.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// The chance that one replay of the whole output goes another way somewhere, as a fraction;
    /// null: unknown.
    #[serde(default)]
    pub suite_risk: Option<f64>,
    /// The traces of the output.
    pub traces: Vec<Validated>,
}

/// The final runs of one trace of the output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Validated {
    /// Trace of the output.
    pub trace: String,
    /// Number of runs.
    pub runs: u32,
    /// Number of them that did not show what the trace says.
    pub diverged: u32,
    /// The share of future runs that is expected to go another way, as a fraction; null: unknown.
    #[serde(default)]
    pub risk: Option<f64>,
    /// The share of future runs that replays at least, at the confidence given; null: unknown.
    #[serde(default)]
    pub replays_at_least: Option<f64>,
    /// Whether chance was seen and may make more runs go another way than was asked for.
    #[serde(default)]
    pub flaky: bool,
}

/// What another setting would give.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// The setting.
    pub name: String,
    /// What it is good for.
    pub what: String,
    /// Number of traces.
    pub traces: usize,
    /// Number of steps of all traces.
    pub steps: usize,
    /// Device time of one replay of the whole suite, in seconds.
    pub seconds: f64,
    /// The chance that one replay of it goes another way somewhere, as a fraction; null: unknown.
    pub suite_risk: Option<f64>,
    /// Whether it was tried on devices; otherwise the figures are an estimate.
    pub tried: bool,
}
