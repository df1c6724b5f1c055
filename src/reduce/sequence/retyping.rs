//! Other text on devices: sequences in which something else is typed than was recorded.
//!
//! Each text is asked for by as many runs as the reducer of the sequence takes for a candidate, so
//! that a text which reaches the target by luck does not stand in for one that does reliably.

use std::cell::Cell;
use std::sync::Arc;

use super::ask::{Answer, Ask, Item, Verdict};
use super::device::{OnDevices, Sequence};
use super::guimin::typed::retyped;
use super::lab::Counts;
use super::port::{Candidate, Trial, Trials, Try};
use super::{Rule, Target};
use crate::model::{ActionId, Stop};
use crate::reduce::Replayer;

/// Asks devices about sequences of recorded actions with other text in them.
pub struct Retyping<'a> {
    /// The way to the devices.
    pub replayer: &'a mut dyn Replayer,
    /// The recorded actions.
    pub actions: &'a [ActionId],
    /// What to reach.
    pub target: &'a Target,
    /// How many runs of a sequence must reach it.
    pub rule: Rule,
    /// How many runs go on side by side.
    pub lanes: usize,
    /// What it has cost so far.
    pub counts: Counts,
}

impl Retyping<'_> {
    /// What to perform, with the texts in place.
    pub fn sequence(&mut self, items: &[Item]) -> Sequence {
        let actions = items.iter().map(|item| {
            let recorded = self.actions[item.event];
            let Some(text) = &item.text else {
                return recorded;
            };
            let action = self.replayer.names().action_text(recorded);
            match retyped(action, text) {
                Some(action) => self.replayer.action(&action),
                None => recorded,
            }
        });
        let actions = actions.collect();
        Sequence::new(actions, self.target.clone(), self.replayer.names())
    }

    fn trials(&mut self, items: &[Item]) -> Result<Vec<Trial>, Stop> {
        let rule = self.rule;
        let mut devices = OnDevices {
            sequence: Arc::new(self.sequence(items)),
            replayer: &mut *self.replayer,
            shortest: 0,
        };
        let events: Candidate = (0..items.len() as u32).collect();
        let tries = (0..rule.runs).map(|attempt| Try {
            events: events.clone(),
            attempt,
        });
        let (hits, misses) = (Cell::new(0), Cell::new(0));
        let enough = |trial: &Trial| {
            let counter = if trial.verdict == Verdict::Reproduced {
                &hits
            } else {
                &misses
            };
            counter.set(counter.get() + 1);
            hits.get() >= rule.accept || misses.get() > rule.misses()
        };
        devices.run(&tries.collect::<Vec<_>>(), &enough)
    }
}

impl Ask for Retyping<'_> {
    fn ask(&mut self, items: &[Item]) -> Result<Answer, Stop> {
        let trials = self.trials(items)?;
        self.counts.calls += trials.len() as u64;
        self.counts.steps += trials.iter().map(|trial| trial.ran as u64).sum::<u64>();
        self.counts.rounds += trials.len().div_ceil(self.lanes.max(1)) as u64;
        let hits = trials
            .iter()
            .filter(|trial| trial.verdict == Verdict::Reproduced);
        let (n_hits, played) = (hits.clone().count(), hits.map(|trial| trial.ran).max());
        let is_reached = n_hits as u64 >= u64::from(self.rule.accept);
        let last = trials.last();
        let missed = last.map_or(Verdict::Unresolved, |trial| trial.verdict);
        Ok(match played.filter(|_| is_reached) {
            Some(played) => Answer {
                verdict: Verdict::Reproduced,
                played,
            },
            None => Answer {
                verdict: if missed == Verdict::Reproduced {
                    Verdict::Missed
                } else {
                    missed
                },
                played: last.map_or(0, |trial| trial.ran),
            },
        })
    }
}
