//! Sequence reducers: from a long sequence of events to the few that reach a target.
//!
//! A reducer asks its [`Lab`] whether parts of the sequence still reach the target, and leaves
//! the best it found there. On apps where the same actions always do the same, none of the
//! events that are left can be taken out alone ("1-minimal"); [`is_one_minimal`] makes sure.

pub mod ask;
mod asked;
mod belief;
mod cdd;
mod chances;
pub mod chard;
mod ddmin;
mod device;
pub mod guimin;
mod hdd;
mod known;
mod lab;
mod minimal;
pub mod nd3min;
mod port;
mod prior;
mod probdd;
pub mod rddmin;
mod retyping;
mod sweep;
mod target;
#[cfg(test)]
mod tests;

pub use crate::model::Signature;
pub use chances::{Chances, Rule};
pub use device::{OnDevices, Sequence, recorded_screens};
pub use lab::{Answer, Counts, Lab};
pub use minimal::is_one_minimal;
pub use port::{Candidate, Trial, Trials, Try, Verdict};
pub use prior::Prior;
pub use retyping::Retyping;
pub use target::{Target, TargetError};

use crate::model::{ScreenId, Stop};

/// What a reducer is told beside the lab.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// The screens after the start and after each event, where they are known.
    pub screens: Vec<ScreenId>,
    /// How likely events of each sort are needed.
    pub prior: Prior,
    /// The events with what was on the screen, where that is known.
    pub events: Option<chard::events::Recording>,
    /// Which rules for events without effect are tried.
    pub rules: chard::rules::Choice,
    /// The events that probably matter, by rules mined from passing traces.
    pub hint: Vec<usize>,
    /// How candidates are judged that reach the target in some runs only.
    pub repeats: nd3min::Repeats,
}

/// A way to shorten one sequence.
pub struct SequenceReducer {
    /// The word that chooses it.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// Shortens the best candidate of a lab, which reaches the target.
    pub reduce: fn(&mut Lab, &Recording) -> Result<(), Stop>,
    /// Whether it was shown that no single event of a candidate can go.
    pub is_minimal: fn(&mut Lab, &[u32]) -> Result<bool, Stop>,
    /// How many runs decide on a candidate.
    pub runs: Runs,
    /// What it wants to know of a recording beside its events.
    pub hints: Hints,
}

/// What a reducer wants to know of a recording beside its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hints {
    /// Nothing.
    None,
    /// What passing traces teach.
    PassingTraces,
    /// Which events have no effect by rules.
    Rules,
}

/// How many runs decide on a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// One, so the same actions must always do the same.
    One,
    /// As many as it takes.
    Many,
}

/// All sequence reducers, the default first.
#[must_use]
pub fn all() -> &'static [SequenceReducer] {
    &[
        SequenceReducer {
            name: "sweep",
            about: "pieces from the end to the start, as large as what was learnt allows",
            reduce: sweep::reduce,
            is_minimal: is_one_minimal,
            runs: Runs::One,
            hints: Hints::None,
        },
        SequenceReducer {
            name: "ddmin",
            about: "delta debugging as published",
            reduce: ddmin::reduce,
            is_minimal: is_one_minimal,
            runs: Runs::One,
            hints: Hints::None,
        },
        SequenceReducer {
            name: "probdd",
            about: "delta debugging by the chance of each event to be needed",
            reduce: probdd::reduce,
            is_minimal: is_one_minimal,
            runs: Runs::One,
            hints: Hints::None,
        },
        SequenceReducer {
            name: "cdd",
            about: "the same with one chance for all events, which grows from round to round",
            reduce: cdd::reduce,
            is_minimal: is_one_minimal,
            runs: Runs::One,
            hints: Hints::None,
        },
        SequenceReducer {
            name: "hdd",
            about: "delta debugging level by level on the tree of screens",
            reduce: hdd::reduce,
            is_minimal: is_one_minimal,
            runs: Runs::One,
            hints: Hints::None,
        },
        SequenceReducer {
            name: "nd3min",
            about: "delta debugging by many runs a candidate, for apps that leave something to chance",
            reduce: nd3min::reduce,
            is_minimal: nd3min::is_minimal,
            runs: Runs::Many,
            hints: Hints::None,
        },
        SequenceReducer {
            name: "rddmin",
            about: "delta debugging from what rules leave that the suite's passing traces teach",
            reduce: asked::rddmin,
            is_minimal: is_one_minimal,
            runs: Runs::One,
            hints: Hints::PassingTraces,
        },
        SequenceReducer {
            name: "guimin",
            about: "dialogs first, then the widgets and events in them, then a sweep of the rest",
            reduce: asked::guimin,
            is_minimal: is_one_minimal,
            runs: Runs::One,
            hints: Hints::None,
        },
        SequenceReducer {
            name: "chard",
            about: "nine rules for events without effect, confirmed on devices, then a sweep of the rest",
            reduce: asked::chard,
            is_minimal: is_one_minimal,
            runs: Runs::One,
            hints: Hints::Rules,
        },
    ]
}

/// Tries the whole sequence and then shortens it; nothing if it does not reach the target.
pub fn reduce(reducer: &SequenceReducer, lab: &mut Lab, recording: &Recording) -> Result<(), Stop> {
    if reducer.runs == Runs::Many {
        return (reducer.reduce)(lab, recording);
    }
    let all: Vec<u32> = (0..lab.n_events() as u32).collect();
    let answer = lab.ask(&all, &mut |_, _| Vec::new())?;
    if !answer.is_reproduced() || answer.ran == 0 {
        return Ok(());
    }
    (reducer.reduce)(lab, recording)
}

/// A candidate without some of its events.
fn without(events: &[u32], from: usize, to: usize) -> Vec<u32> {
    [&events[..from], &events[to..]].concat()
}
