//! Scripts: what is to be replayed, each step with where it comes from.

use super::{ActionId, ScreenId, Step, Suite, TraceIdx};

/// One recorded step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepRef {
    /// The trace that recorded it.
    pub trace: TraceIdx,
    /// Its position there, from 0.
    pub step: u32,
}

/// Where a step of a script was seen first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// In a recorded trace.
    Recorded(StepRef),
    /// In a live session of this reduction, and in no recorded trace.
    Observed {
        /// The number of the session.
        session: u32,
        /// The position there, from 0.
        step: u32,
    },
}

/// A step to be replayed: what to do, what to expect, and where that was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScriptStep {
    /// What to do.
    pub action: ActionId,
    /// The screen expected afterwards.
    pub screen: ScreenId,
    /// Where it comes from.
    pub origin: Origin,
}

impl ScriptStep {
    /// A recorded step as it stands in its suite.
    #[must_use]
    pub fn recorded(suite: &Suite, at: StepRef) -> Self {
        let Step { action, screen, .. } = *suite.step(at);
        Self {
            action,
            screen,
            origin: Origin::Recorded(at),
        }
    }

    /// The recorded step it is, if it is one.
    #[must_use]
    pub fn step(&self) -> Option<StepRef> {
        match self.origin {
            Origin::Recorded(step) => Some(step),
            Origin::Observed { .. } => None,
        }
    }

    /// The recorded trace it comes from, if it does.
    #[must_use]
    pub fn trace(&self) -> Option<TraceIdx> {
        self.step().map(|step| step.trace)
    }
}

/// A clean start followed by steps, so that provenance comes for free.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Script {
    /// The trace whose recorded launch is expected.
    pub launch: TraceIdx,
    /// The steps, in order.
    pub steps: Vec<ScriptStep>,
}

/// Consecutive steps of one origin, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment {
    /// Its first step.
    pub first: Origin,
    /// The position of its last step there.
    pub last: u32,
}

impl Origin {
    /// Whether it stands right behind another place.
    #[must_use]
    pub fn follows(self, before: Self) -> bool {
        let same = match (before, self) {
            (Self::Recorded(one), Self::Recorded(other)) => one.trace == other.trace,
            (Self::Observed { session: one, .. }, Self::Observed { session: other, .. }) => {
                one == other
            }
            _ => false,
        };
        same && before.position() + 1 == self.position()
    }

    /// The position in its trace or session, from 0.
    #[must_use]
    pub fn position(self) -> u32 {
        match self {
            Self::Recorded(StepRef { step, .. }) | Self::Observed { step, .. } => step,
        }
    }
}

impl Script {
    /// The first `len` steps of a recorded trace.
    #[must_use]
    pub fn prefix_of(suite: &Suite, trace: TraceIdx, len: usize) -> Self {
        let steps = (0..len as u32).map(|step| StepRef { trace, step });
        Self {
            launch: trace,
            steps: steps
                .map(|step| ScriptStep::recorded(suite, step))
                .collect(),
        }
    }

    /// The longest runs of consecutive steps it is made of.
    #[must_use]
    pub fn fragments(&self) -> Vec<Fragment> {
        let mut fragments: Vec<Fragment> = Vec::new();
        let mut before = None;
        for &ScriptStep { origin, .. } in &self.steps {
            match fragments.last_mut() {
                Some(last) if before.is_some_and(|before| origin.follows(before)) => {
                    last.last += 1;
                }
                _ => fragments.push(Fragment {
                    first: origin,
                    last: origin.position(),
                }),
            }
            before = Some(origin);
        }
        fragments
    }

    /// The screen expected after `position` steps; 0 is the launch.
    #[must_use]
    pub fn screen_at(&self, suite: &Suite, position: usize) -> ScreenId {
        match position.checked_sub(1) {
            None => suite.trace(self.launch).launch_screen,
            Some(step) => self.steps[step].screen,
        }
    }
}
