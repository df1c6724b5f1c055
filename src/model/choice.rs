//! Choices that users make and reducers follow.

use serde::Serialize;

/// What to do with the runs that are left once a candidate diverged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AfterDivergence {
    /// Spare them.
    Stop,
    /// Make them: one of them may diverge earlier.
    Finish,
}

/// Which input traces are replayed before anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stabilize {
    /// All of them.
    Full,
    /// Those that are chosen as material.
    Lazy,
    /// None: the recording is trusted until validation.
    None,
}
