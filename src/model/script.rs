//! Scripts: what is to be replayed, as references into the suite it came from.

use super::{ScreenId, Suite, TraceIdx};

/// One recorded step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepRef {
    /// The trace that recorded it.
    pub trace: TraceIdx,
    /// Its position there, from 0.
    pub step: u32,
}

/// A clean start followed by recorded steps, so that provenance comes for free.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Script {
    /// The trace whose recorded launch is expected.
    pub launch: TraceIdx,
    /// The steps, in order.
    pub steps: Vec<StepRef>,
}

/// Consecutive steps of one trace, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment {
    /// The trace.
    pub trace: TraceIdx,
    /// Its first step.
    pub first: u32,
    /// Its last step.
    pub last: u32,
}

impl Script {
    /// The first `len` steps of a recorded trace.
    #[must_use]
    pub fn prefix_of(trace: TraceIdx, len: usize) -> Self {
        let steps = (0..len as u32).map(|step| StepRef { trace, step });
        Self {
            launch: trace,
            steps: steps.collect(),
        }
    }

    /// The longest runs of consecutive steps it is made of.
    #[must_use]
    pub fn fragments(&self) -> Vec<Fragment> {
        let mut fragments: Vec<Fragment> = Vec::new();
        for &StepRef { trace, step } in &self.steps {
            match fragments.last_mut() {
                Some(last) if last.trace == trace && last.last + 1 == step => last.last = step,
                _ => fragments.push(Fragment {
                    trace,
                    first: step,
                    last: step,
                }),
            }
        }
        fragments
    }

    /// The screen expected after `position` steps; 0 is the launch.
    #[must_use]
    pub fn screen_at(&self, suite: &Suite, position: usize) -> ScreenId {
        match position.checked_sub(1) {
            None => suite.trace(self.launch).launch_screen,
            Some(step) => suite.step(self.steps[step]).screen,
        }
    }
}
