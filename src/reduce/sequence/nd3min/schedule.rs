//! Schedulers: which candidates run how often in the next round.

use std::sync::Arc;

use super::{Score, heuristic, mdp, naive, posterior};
use crate::reduce::sequence::Rule;

/// A plan for the next round.
pub struct Scheduler {
    /// The word that chooses it.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// How often each candidate that is neither in nor out runs next, given what it has shown, in
    /// a round of at most so many runs; at least one of them runs.
    pub schedule: fn(&[Score], Rule, u32) -> Vec<u32>,
    /// Whether the search begins with a sweep that takes single runs for the truth, and checks
    /// afterwards how far that held.
    pub sweeps_first: bool,
}

/// All schedulers that need no table, the default first.
#[must_use]
pub fn schedulers() -> &'static [Scheduler] {
    &[
        Scheduler {
            name: "posterior",
            about: "a sweep by single runs first, then by the chance of each candidate to pass",
            schedule: posterior::schedule,
            sweeps_first: true,
        },
        Scheduler {
            name: "heuristic",
            about: "confirm what looks good, then discard the rest, as published",
            schedule: heuristic::schedule,
            sweeps_first: false,
        },
        Scheduler {
            name: "naive",
            about: "in turns",
            schedule: naive::schedule,
            sweeps_first: false,
        },
    ]
}

/// Who plans rounds.
#[derive(Clone)]
pub enum Schedulers {
    /// By a rule.
    Rule(&'static Scheduler),
    /// By a solved decision process where there are few candidates, else by the published rule.
    Optimal(Arc<mdp::Optimal>),
}

impl Default for Schedulers {
    fn default() -> Self {
        Self::Rule(&schedulers()[0])
    }
}

impl Schedulers {
    /// Whether the search begins with a sweep by single runs.
    pub(super) fn sweeps_first(&self) -> bool {
        matches!(self, Self::Rule(scheduler) if scheduler.sweeps_first)
    }

    /// How often each candidate runs next.
    #[must_use]
    pub fn schedule(&self, live: &[Score], rule: Rule, lanes: u32) -> Vec<u32> {
        match self {
            Self::Rule(scheduler) => (scheduler.schedule)(live, rule, lanes),
            Self::Optimal(optimal) => optimal
                .schedule(live, rule, lanes)
                .unwrap_or_else(|| heuristic::schedule(live, rule, lanes)),
        }
    }
}

/// How many more runs a candidate may have.
pub(super) fn left(score: Score, rule: Rule) -> u32 {
    rule.runs.saturating_sub(score.0 + score.1)
}

/// Gives what is left of a round to these candidates in turns.
pub(super) fn in_turns(planned: &mut [u32], live: &[Score], who: &[usize], rule: Rule, lanes: u32) {
    let mut free = lanes.saturating_sub(planned.iter().sum());
    while free > 0 {
        let before = free;
        for &at in who {
            if free > 0 && planned[at] < left(live[at], rule) {
                planned[at] += 1;
                free -= 1;
            }
        }
        if free == before {
            return;
        }
    }
}
