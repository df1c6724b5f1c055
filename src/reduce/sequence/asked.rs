//! Reducers that ask one question after the other, on the bench of the others: `rddmin`, `guimin`
//! and `chard`.
//!
//! What the papers leave need not be minimal event by event, so a pass of our own comes behind
//! them; its questions are counted like theirs.

use super::ask::{Answer, Ask, Item, Memory, Shrunk, Verdict};
use super::chard::key::key_events;
use super::guimin::dialogs::dialogs;
use super::minimal::settle;
use super::{Lab, Recording, guimin, rddmin, sweep};
use crate::model::Stop;

/// A lab that is asked one sequence at a time.
struct Asked<'l, 't>(&'l mut Lab<'t>);

impl Ask for Asked<'_, '_> {
    fn ask(&mut self, sequence: &[Item]) -> Result<Answer, Stop> {
        // Devices perform what was recorded; other text cannot be tried on them.
        if sequence.iter().any(|item| item.text.is_some()) {
            return Ok(Answer {
                verdict: Verdict::Unresolved,
                played: 0,
            });
        }
        let events: Vec<u32> = sequence.iter().map(|item| item.event as u32).collect();
        let answer = self.0.ask(&events, &mut |_, _| Vec::new())?;
        Ok(Answer {
            verdict: answer.verdict,
            played: answer.ran,
        })
    }
}

/// Lets a reducer ask; the lab keeps the best of what was reproduced.
fn shrink(lab: &mut Lab, reduce: impl FnOnce(&mut Memory) -> Shrunk) -> Result<(), Stop> {
    let mut asked = Asked(lab);
    let shrunk = reduce(&mut Memory::new(&mut asked));
    shrunk.stopped.map_or(Ok(()), Err)
}

/// Delta debugging from what rules mined from passing traces leave (paper 002).
pub(super) fn rddmin(lab: &mut Lab, recording: &Recording) -> Result<(), Stop> {
    let n_events = lab.n_events();
    shrink(lab, |memory| {
        rddmin::rddmin(n_events, &recording.hint, memory)
    })?;
    settle(lab)
}

/// Whole dialogs first, then widgets and events in them (paper 000), then single events.
pub(super) fn guimin(lab: &mut Lab, recording: &Recording) -> Result<(), Stop> {
    if let Some(events) = &recording.events {
        let dialogs = dialogs(events);
        shrink(lab, |memory| guimin::guimin(&dialogs, memory))?;
    }
    sweep::reduce(lab, recording)
}

/// Rules for events without effect, confirmed by asking (paper 003), then single events.
pub(super) fn chard(lab: &mut Lab, recording: &Recording) -> Result<(), Stop> {
    if let Some(events) = &recording.events {
        shrink(lab, |memory| {
            key_events(events, &recording.rules, memory).shrunk
        })?;
    }
    sweep::reduce(lab, recording)
}
