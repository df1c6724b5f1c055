//! What changed since an earlier reduction.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An earlier reduction and what still holds of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Since {
    /// Digest of the suite that it left.
    pub suite_sha256: String,
    /// Digest of the app that it ran on.
    pub app_sha256: String,
    /// Whether the app is still the same, so that its runs could be used again.
    pub same_app: bool,
    /// Its traces and what became of them.
    pub traces: Vec<Followed>,
    /// Elements that are covered now and were not before.
    pub gained: Vec<String>,
    /// Elements that were covered before and are not now.
    pub gone: Vec<String>,
    /// How many runs of the traces of the output were made for the earlier one already.
    #[serde(default)]
    pub reused: u64,
}

/// A trace of an earlier reduction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Followed {
    /// Its name there.
    pub trace: String,
    /// The trace of the output that is the same or its beginning; null: nothing of it is needed
    /// or left.
    pub now: Option<String>,
    /// Where the app did something else than before; null: nowhere.
    pub changed: Option<Changed>,
}

/// A step after which an app shows something else than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    /// Index of the step, from 0; null: the launch.
    pub step: Option<u32>,
    /// What it showed before.
    pub expected: String,
    /// What it shows now.
    pub seen: String,
}

impl Since {
    /// It all in one line.
    #[must_use]
    pub fn line(&self) -> String {
        let kept = self.traces.iter().filter(|trace| trace.now.is_some());
        let changed = self.traces.iter().filter(|trace| trace.changed.is_some());
        format!(
            "{} of {} earlier traces kept, {} changed; {} elements gained, {} gone; {} runs used again",
            kept.count(),
            self.traces.len(),
            changed.count(),
            self.gained.len(),
            self.gone.len(),
            self.reused
        )
    }
}
