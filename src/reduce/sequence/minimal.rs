//! The last pass of every reducer: no single event that is left can go.

use super::lab::Lab;
use super::without;
use crate::model::Stop;

/// Takes single events out of the best candidate until none can go, last ones first: what an
/// event needs stands before it.
pub(super) fn settle(lab: &mut Lab) -> Result<(), Stop> {
    let mut events = best(lab);
    // So many events, counted from the end of those still to be looked at, are known to be needed.
    let (mut at, mut needed) = (events.len(), 0);
    while needed < events.len() {
        if at == 0 {
            at = events.len();
        }
        let asked = without(&events, at - 1, at);
        let answer = lab.ask(&asked, &mut |_, n| singles(&events, at - 1, n))?;
        if answer.is_reproduced() {
            events = asked[..answer.ran].to_vec();
            at = (at - 1).min(events.len());
            needed = 0;
        } else {
            at -= 1;
            needed += 1;
        }
    }
    Ok(())
}

/// Whether no single event of a candidate can go: one question an event, as far as not known.
pub fn is_one_minimal(lab: &mut Lab, events: &[u32]) -> Result<bool, Stop> {
    let singles = singles(events, events.len(), events.len());
    Ok(lab.first(&singles)?.is_none())
}

/// The best candidate so far.
pub(super) fn best(lab: &Lab) -> Vec<u32> {
    lab.best().unwrap_or_default().to_vec()
}

/// The next `n` candidates that lack one event, from `at` down and then round again.
fn singles(events: &[u32], at: usize, n: usize) -> Vec<Vec<u32>> {
    let places = (0..at).rev().chain((at..events.len()).rev());
    let lacking = places.map(|place| without(events, place, place + 1));
    lacking.take(n).collect()
}
