//! Events: what reducers and the replay engine tell the observers beside them.

use super::{Divergence, TraceIdx, Usage};

/// The stations of a suite on its way through the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Replay the input, keep what replays.
    Stabilize,
    /// Drop traces that add nothing.
    Traces,
    /// Drop loops that add nothing.
    Loops,
    /// Join fragments of different traces.
    Splice,
    /// Repeat the passes on their own result until nothing changes.
    Settle,
    /// Replay what ships with fresh runs.
    Validate,
    /// Find the few events of a sequence that matter.
    Minimize,
    /// Walk through an app to make a suite.
    Explore,
}

impl Phase {
    /// The phases of a reduction, in order.
    pub const ALL: [Self; 6] = [
        Self::Stabilize,
        Self::Traces,
        Self::Loops,
        Self::Splice,
        Self::Settle,
        Self::Validate,
    ];

    /// The word for it in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stabilize => "stabilize",
            Self::Traces => "traces",
            Self::Loops => "loops",
            Self::Splice => "splice",
            Self::Settle => "settle",
            Self::Validate => "validate",
            Self::Minimize => "minimize",
            Self::Explore => "explore",
        }
    }
}

/// A bound on work that cut a search short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Too many partial variants of one trace were looked at.
    Work,
    /// Too many variants of one trace were tried on devices.
    Candidates,
    /// Validation broke what the passes made too often.
    Repairs,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEvent {
    /// A phase begins; `total` units of work are ahead where that is known.
    PhaseStarted {
        /// Which one.
        phase: Phase,
        /// How many units of work it has.
        total: Option<usize>,
    },
    /// So many units of the phase's work are done.
    Progress {
        /// How many.
        done: usize,
    },
    /// Exploring has come so far.
    Grown {
        /// Elements covered, screens included.
        elements: usize,
        /// Screens seen.
        screens: usize,
    },
    /// A reducer used a run.
    RunUsed {
        /// What it cost.
        usage: Usage,
        /// Restarts because of device trouble.
        retries: u32,
        /// Whether and where it diverged.
        diverged: Option<Divergence>,
    },
    /// A candidate was tried on devices and decided.
    CandidateDecided {
        /// Whether it may replace what it was made from.
        accepted: bool,
    },
    /// A search was cut short.
    LimitHit {
        /// In which phase.
        phase: Phase,
        /// For which trace, where it concerns one.
        trace: Option<TraceIdx>,
        /// By which bound.
        limit: Limit,
    },
    /// The devices cannot tell everything of an app.
    Untold {
        /// What they cannot tell.
        what: &'static str,
    },
    /// A device was taken out of the pool.
    DeviceOut {
        /// Its name.
        device: String,
        /// Why.
        reason: String,
    },
}

/// Someone who wants to know: the terminal, the counters.
pub trait Observer {
    /// Called with every event, in order.
    fn on(&mut self, event: &RunEvent);
}
