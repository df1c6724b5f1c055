//! What devices cost: the clock every report counts with, in whole microseconds so that sums
//! do not depend on their order.

use std::ops::AddAssign;

/// How long a clean start and an action take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    /// A clean start of the app.
    pub restart_micros: u64,
    /// One action, where nothing better is known.
    pub action_micros: u64,
}

impl Costs {
    /// Device time of `launches` starts and `steps` actions.
    #[must_use]
    pub fn micros(self, launches: usize, steps: usize) -> u64 {
        self.restart_micros * launches as u64 + self.action_micros * steps as u64
    }
}

/// What was spent on devices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Clean starts.
    pub launches: u64,
    /// Actions performed.
    pub steps: u64,
    /// Device time.
    pub micros: u64,
}

impl Usage {
    /// Device time in seconds.
    #[must_use]
    pub fn seconds(self) -> f64 {
        self.micros as f64 / 1e6
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.launches += other.launches;
        self.steps += other.steps;
        self.micros += other.micros;
    }
}
