//! When trouble with devices is too much.

use std::time::Duration;

/// Bounds on retries. They are not charged to any budget, so they have
/// bounds of their own.
#[derive(Debug, Clone, Copy)]
pub struct Retry {
    /// How often one run is tried.
    pub per_job: u32,
    /// After how many failures in a row a device is taken out.
    pub per_device: u32,
    /// How long a device may be silent.
    pub hang: Duration,
}
