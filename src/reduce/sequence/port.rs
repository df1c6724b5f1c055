//! The door of sequence reducers: candidates are tried, and a trial says whether one still reaches the target.

use std::sync::Arc;

use crate::model::{ScreenId, Stop};

/// Events of the recorded sequence that are to be performed: their positions, ascending.
pub type Candidate = Arc<[u32]>;

/// A candidate to be tried for the `attempt`-th time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Try {
    /// What to perform.
    pub events: Candidate,
    /// Which of the independent runs of this candidate, from 0.
    pub attempt: u32,
}

/// What one run of a candidate showed. Trouble with devices is none of these: such a run is had
/// again elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The target was reached.
    Reproduced,
    /// Everything was performed, and the target was not reached.
    Missed,
    /// It could not be told: an action was not there to be done, or the app died of something
    /// else.
    Unresolved,
}

/// One run of a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// What it showed.
    pub verdict: Verdict,
    /// How many of its events were performed until it was over, with the one it was over at.
    pub ran: usize,
    /// The screens after the start and after each performed event, where they are known.
    pub screens: Vec<ScreenId>,
}

/// Runs candidates.
pub trait Trials {
    /// Tries a batch. Trials come back in its order, up to and including the first that is
    /// `enough`; what stands behind it may be worked on ahead of being asked for.
    fn run(&mut self, batch: &[Try], enough: &dyn Fn(&Trial) -> bool) -> Result<Vec<Trial>, Stop>;
}
