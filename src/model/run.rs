//! Runs: what one replay of a script showed, and why replaying may have to stop.

use std::sync::Arc;

use super::{ActionId, Cover, ScreenId, Script, Usage};

/// A script to be replayed for the `attempt`-th time.
///
/// The pair is the identity of a run: the same job gives the same run when a journal or a
/// simulated device answers it again.
#[derive(Debug, Clone)]
pub struct Job {
    /// What to replay.
    pub script: Arc<Script>,
    /// Which of the independent runs of this script, from 0.
    pub attempt: u32,
}

/// What one replay showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What the launch and then each step covered, up to the first divergence; faults included,
    /// screens not (they are those of the script).
    pub covers: Vec<Cover>,
    /// Where it first showed something else than the script says.
    pub diverged: Option<Divergence>,
    /// What it cost.
    pub usage: Usage,
    /// How often it was started again because of trouble with a device.
    pub retries: u32,
}

/// The first difference between a script and a run of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Divergence {
    /// How many steps were replayed before it plus one; 0 when the launch itself differed.
    pub position: usize,
    /// The screen the script says.
    pub expected: ScreenId,
    /// What was there instead.
    pub seen: Seen,
}

/// What a diverging run showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seen {
    /// Another screen.
    Screen(ScreenId),
    /// The action was not there to be done.
    NotEnabled,
    /// The app had died before.
    Dead,
}

/// What a live session showed: where it went, whatever had been planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// The screen after the launch.
    pub launch: ScreenId,
    /// What the launch covered.
    pub launch_cover: Cover,
    /// What was done and what came of it.
    pub steps: Vec<WalkStep>,
    /// Whether the app died at the end.
    pub died: bool,
    /// What it cost.
    pub usage: Usage,
    /// How often it was started again because of trouble with a device.
    pub retries: u32,
}

/// One action of a live session and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkStep {
    /// What was done.
    pub action: ActionId,
    /// The screen afterwards and what was covered; none when the action was not there to be done.
    pub shown: Option<(ScreenId, Cover)>,
}

/// Why replaying stopped before the work was done; progress is in the journal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The budget is used up.
    #[error("the {0} is used up")]
    Budget(String),
    /// The user asked for it.
    #[error("interrupted")]
    Interrupted,
    /// No device is left, or one run could not be had from any of them.
    #[error("{0}")]
    Devices(String),
    /// A run could not be written down, so it must not be used.
    #[error("{0}")]
    Journal(String),
}
