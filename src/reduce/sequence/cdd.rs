//! `cdd`: delta debugging in rounds with pieces of one size each (Zhang et al., 2025).
//!
//! What `probdd` does boils down to this: all events have one chance to be needed, which grows
//! by a constant factor from round to round, and pieces are as large as promises the most.

use super::Recording;
use super::lab::Lab;
use super::minimal::{best, settle};
use super::without;
use crate::model::Stop;

/// By how much the chance grows: what Bayes' rule gives for a piece of the most promising size.
const GROWTH: f64 = 1.582;

/// Shortens the best candidate.
pub(super) fn reduce(lab: &mut Lab, recording: &Recording) -> Result<(), Stop> {
    let chances = recording.prior.chances(lab.n_events(), &recording.screens);
    let mut chance = chances.iter().sum::<f64>() / chances.len().max(1) as f64;
    loop {
        let size = most_promising(chance).min(best(lab).len());
        if size <= 1 {
            return settle(lab);
        }
        round(lab, size)?;
        chance *= GROWTH;
    }
}

/// Tries to take each piece of this size out, from the end to the start.
fn round(lab: &mut Lab, size: usize) -> Result<(), Stop> {
    let mut events = best(lab);
    let mut to = events.len();
    while to > 0 {
        let from = to.saturating_sub(size);
        let asked = without(&events, from, to);
        let answer = lab.ask(&asked, &mut |_, n| ahead(&events, size, from, n))?;
        if answer.is_reproduced() {
            events = asked[..answer.ran].to_vec();
        }
        to = from.min(events.len());
    }
    Ok(())
}

fn ahead(events: &[u32], size: usize, to: usize, n: usize) -> Vec<Vec<u32>> {
    let ends = (0..n).map_while(|i| to.checked_sub(i * size).filter(|&end| end > 0));
    ends.map(|end| without(events, end.saturating_sub(size), end))
        .collect()
}

/// The size that removes most events on average.
fn most_promising(chance: f64) -> usize {
    let size = -1.0 / (-chance.clamp(1e-9, 0.999_999)).ln_1p();
    #[expect(clippy::cast_sign_loss, reason = "the logarithm is negative")]
    let size = size.round() as usize;
    size.max(1)
}
