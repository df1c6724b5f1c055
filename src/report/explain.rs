//! Why a trace is gone, where an element is covered, what a reduced trace is there for: the data
//! of `explain`.

mod text;

use serde::Serialize;

use super::{Cut, Fragment, Restored, Validated, Witness};

pub use text::explained;

/// The answer to one question about a finished reduction.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum Explanation {
    /// What became of a trace of the input.
    Trace(TraceStory),
    /// What became of an element.
    Element(ElementStory),
    /// What a trace of the output is there for.
    Kept(KeptStory),
}

/// What became of a trace of the input.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TraceStory {
    /// Trace of the input.
    pub trace: String,
    /// What became of it.
    pub fate: TraceFate,
    /// Why it was removed, as `removed` in the report says; null if it was not.
    pub why: Option<String>,
    /// Where it is recorded, as `FILE:LINE`; null if the original is not at hand.
    pub recorded: Option<String>,
    /// Number of its steps; null if the original is not at hand.
    pub steps: Option<usize>,
    /// Traces of the input whose kept steps cover what it covered.
    pub covered_by: Vec<String>,
    /// Traces of the output that cover what it covered.
    pub now: Vec<String>,
    /// Its pieces in order, kept and dropped, where some of it was kept.
    pub pieces: Vec<Piece>,
    /// Where replays left the recording, if they did.
    pub cut: Option<Cut>,
    /// How it was put back, if it was.
    pub restored: Option<Restored>,
    /// Each element it covered and where that is covered now; null if the original is not at hand.
    pub elements: Option<Vec<ElementState>>,
    /// What could not be told, and why.
    pub note: Option<String>,
}

/// What became of a trace of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceFate {
    /// The output has nothing of it.
    Removed,
    /// The output has pieces of it.
    KeptInPart,
    /// The output has all of it.
    Kept,
    /// Somebody put it back.
    Restored,
}

/// Consecutive steps of a trace of the input that share their fate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// The first step, from 0.
    pub first: u32,
    /// The last step.
    pub last: u32,
    /// The traces of the output that it is a part of; empty if it was dropped.
    pub kept_in: Vec<String>,
    /// Why it was dropped, as `dropped` in the report says.
    pub why: Option<String>,
    /// Traces of the output that cover what it covered.
    pub now: Vec<String>,
}

/// An element of a trace and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ElementState {
    /// The element, spelt as in a suite.
    pub element: String,
    /// The first step of the trace that covers it, from 0; null: the launch.
    pub step: Option<u32>,
    /// What became of it.
    pub fate: ElementFate,
    /// Where the output covers it.
    pub witness: Option<Witness>,
    /// Why it is gone.
    pub why: Option<String>,
}

/// What became of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ElementFate {
    /// It was promised, and the output does not cover it.
    Lost,
    /// Neither the output nor a list of the report has it.
    Unaccounted,
    /// No recorded trace shows it every time, so it was not promised.
    Unstable,
    /// Its kind was not asked for, and the output does not cover it.
    NotAskedFor,
    /// The output covers it.
    Covered,
}

/// What became of an element.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ElementStory {
    /// The element, spelt as in a suite.
    pub element: String,
    /// Its kind.
    pub kind: String,
    /// What became of it.
    pub fate: ElementFate,
    /// Why it is gone.
    pub why: Option<String>,
    /// Where the output covers it.
    pub witness: Option<Witness>,
    /// Where the input covers it; null if the original is not at hand.
    pub before: Option<Vec<Sighting>>,
    /// Where the output covers it, restored traces as recorded.
    pub after: Vec<Sighting>,
    /// What could not be told, and why.
    pub note: Option<String>,
}

/// A trace that covers an element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sighting {
    /// The trace.
    pub trace: String,
    /// The steps that cover it, from 0; null: the launch.
    pub steps: Vec<Option<u32>>,
}

/// What a trace of the output is there for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeptStory {
    /// Trace of the output.
    pub trace: String,
    /// Number of its steps.
    pub steps: usize,
    /// Device time of one replay of it, in seconds; null: unknown.
    pub seconds: Option<f64>,
    /// Where its steps come from, in order.
    pub from: Vec<Fragment>,
    /// What would be lost without it: elements that no other validated trace covers.
    pub only: Vec<Sole>,
    /// Elements that others cover too.
    pub shared: Vec<String>,
    /// Its runs; null if it was put back without any.
    pub runs: Option<Validated>,
    /// How sure `replays_at_least` in `runs` is, as a fraction; null: unknown.
    pub confidence: Option<f64>,
    /// How it was put back, if it was.
    pub restored: Option<Restored>,
}

/// An element that one trace alone covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sole {
    /// The element, spelt as in a suite.
    pub element: String,
    /// The first step that covers it, from 0; null: the launch.
    pub step: Option<u32>,
}
