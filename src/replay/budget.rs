//! Budgets: when to stop because enough was spent.

use std::time::{Duration, Instant};

use crate::model::{Stop, Usage};

/// Limits on device time and on wall time.
#[derive(Debug)]
pub struct Budget {
    device: Option<Duration>,
    wall: Option<(Duration, Instant)>,
    spent: Usage,
}

impl Budget {
    /// A budget that starts now.
    #[must_use]
    pub fn new(device: Option<Duration>, wall: Option<Duration>) -> Self {
        Self {
            device,
            wall: wall.map(|limit| (limit, Instant::now())),
            spent: Usage::default(),
        }
    }

    /// Whether another run may be used.
    pub(super) fn check(&self) -> Result<(), Stop> {
        match (self.device, self.wall) {
            (Some(limit), _) if u128::from(self.spent.micros) >= limit.as_micros() => {
                Err(Stop::Budget(format!("device time of {limit:?}")))
            }
            (_, Some((limit, since))) if since.elapsed() >= limit => {
                Err(Stop::Budget(format!("wall time of {limit:?}")))
            }
            _ => Ok(()),
        }
    }

    /// Charges a run that a reducer used: runs that devices merely started would make the
    /// answer depend on the size of the pool.
    pub(super) fn charge(&mut self, usage: Usage) {
        self.spent += usage;
    }
}
