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

/// How to reduce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// As published.
    Paper,
    /// Whatever gives the cheapest suite for the least device time.
    Best,
}

impl Strategy {
    /// The words for it and what they mean.
    pub const CHOICES: [(&str, Self); 2] = [("paper", Self::Paper), ("best", Self::Best)];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Best => "best",
        }
    }

    /// The way it reduces.
    #[must_use]
    pub fn algorithm(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Best => "walks",
        }
    }

    /// What `stabilize = "auto"` means with this strategy.
    #[must_use]
    pub fn stabilize(self) -> Stabilize {
        match self {
            Self::Paper => Stabilize::Full,
            Self::Best => Stabilize::Lazy,
        }
    }
}
