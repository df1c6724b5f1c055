//! The clock on the wall for any number of devices, whatever number there really is.
//!
//! Runs that were used are scheduled as the engine would on that many devices: a device takes
//! the next run of the batch when it is free, and batches come one after the other. So the
//! figures are the same however many devices worked. Runs started ahead in vain come behind
//! those that were used, so they are in no figure.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The numbers of devices that the time is given for.
const DEVICES: [u32; 5] = [1, 2, 4, 8, 16];

/// How long the batches so far take by the clock.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    micros: [u64; DEVICES.len()],
}

impl Clock {
    /// Adds a batch, given by what each of its runs takes, in order.
    pub(super) fn batch(&mut self, runs: &[u64]) {
        for (total, devices) in self.micros.iter_mut().zip(DEVICES) {
            *total = total.saturating_add(makespan(runs, devices));
        }
    }

    /// Numbers of devices with the microseconds that all batches take on them.
    pub(super) fn elapsed(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        DEVICES.into_iter().zip(self.micros)
    }
}

/// When the last of these runs ends. Costs n log k.
fn makespan(runs: &[u64], devices: u32) -> u64 {
    let mut free: BinaryHeap<Reverse<u64>> = (0..devices).map(|_| Reverse(0)).collect();
    let mut last = 0;
    for &run in runs {
        let Some(mut device) = free.peek_mut() else {
            break;
        };
        device.0 = device.0.saturating_add(run);
        last = last.max(device.0);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::{Clock, makespan};

    #[test]
    fn a_device_takes_the_next_run_when_it_is_free() {
        assert_eq!(makespan(&[5, 1, 1, 1, 4], 1), 12);
        // The second device does 1 + 1 + 1 + 4, the first one 5.
        assert_eq!(makespan(&[5, 1, 1, 1, 4], 2), 7);
        assert_eq!(makespan(&[5, 1, 1, 1, 4], 4), 5);
        assert_eq!(makespan(&[5, 1, 1, 1, 4], 16), 5);
        assert_eq!(makespan(&[], 4), 0);
    }

    #[test]
    fn batches_come_one_after_the_other() {
        let mut clock = Clock::default();
        clock.batch(&[3; 8]);
        clock.batch(&[2, 1]);
        let elapsed: Vec<_> = clock.elapsed().collect();
        assert_eq!(elapsed, [(1, 27), (2, 14), (4, 8), (8, 5), (16, 5)]);
    }

    #[test]
    fn times_beyond_all_reason_do_not_overflow() {
        assert_eq!(makespan(&[u64::MAX, u64::MAX, 7], 2), u64::MAX);
    }
}
