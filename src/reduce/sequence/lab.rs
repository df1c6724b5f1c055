//! The lab that sequence reducers work in: it asks for runs, remembers what they showed, counts, and keeps the best.
//!
//! A question names what may be asked next, so that idle devices can work ahead. Only answers
//! that a reducer asked for are used and counted, so one device and many give the same answer.
//! Rounds are those that a fixed number of lanes would need, however many devices there are.

use std::sync::Arc;

use super::known::Known;
use super::port::{Candidate, Trial, Trials, Try, Verdict};
use crate::model::{ScreenId, Stop};

/// What a search has cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Runs that were asked for.
    pub calls: u64,
    /// Questions that earlier runs answered.
    pub cached: u64,
    /// Events performed in those runs.
    pub steps: u64,
    /// Rounds that the lanes needed for them.
    pub rounds: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.cached += other.cached;
        self.steps += other.steps;
        self.rounds += other.rounds;
    }
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What the candidate showed.
    pub verdict: Verdict,
    /// How many of its events it takes to show that.
    pub ran: usize,
    /// The screens of the run, where there was one.
    pub screens: Vec<ScreenId>,
}

impl Answer {
    /// Whether the target was reached.
    #[must_use]
    pub fn is_reproduced(&self) -> bool {
        self.verdict == Verdict::Reproduced
    }
}

/// One sequence and all that is known of its parts.
pub struct Lab<'a> {
    trials: &'a mut dyn Trials,
    /// The action of each event.
    actions: Vec<u32>,
    known: Known,
    lanes: usize,
    /// What the lanes of the round at hand are at.
    round: Vec<Candidate>,
    key: Vec<u32>,
    counts: Counts,
    best: Option<Vec<u32>>,
    screens: Vec<ScreenId>,
    is_open: bool,
}

impl<'a> Lab<'a> {
    /// A lab for events with these actions.
    pub fn new(trials: &'a mut dyn Trials, actions: Vec<u32>, lanes: usize) -> Self {
        Self {
            trials,
            actions,
            known: Known::default(),
            lanes: lanes.max(1),
            round: Vec::new(),
            key: Vec::new(),
            counts: Counts::default(),
            best: None,
            screens: Vec::new(),
            is_open: false,
        }
    }

    /// How many events there are.
    #[must_use]
    pub fn n_events(&self) -> usize {
        self.actions.len()
    }

    /// How many runs go on side by side.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// What it has cost so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The shortest candidate that was seen to reach the target.
    #[must_use]
    pub fn best(&self) -> Option<&[u32]> {
        self.best.as_deref()
    }

    /// The screens that the best candidate showed; empty where they are not known.
    #[must_use]
    pub fn screens(&self) -> &[ScreenId] {
        &self.screens
    }

    /// Makes a candidate the best there is, whatever was seen before.
    pub fn settle(&mut self, events: Vec<u32>) {
        self.screens.clear();
        self.best = Some(events);
    }

    /// Says that a search ended before it was through.
    pub fn leave_open(&mut self) {
        self.is_open = true;
    }

    /// Whether a search ended before it was through.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// What is known of a candidate without a run.
    pub fn known(&mut self, events: &[u32]) -> Option<(Verdict, usize)> {
        self.key.clear();
        let actions = &self.actions;
        self.key.extend(events.iter().map(|&e| actions[e as usize]));
        self.known.find(&self.key)
    }

    /// Whether a candidate reaches the target. `likely` names so many candidates that may be
    /// asked for next, most likely first.
    pub fn ask(
        &mut self,
        events: &[u32],
        likely: &mut dyn FnMut(&mut Self, usize) -> Vec<Vec<u32>>,
    ) -> Result<Answer, Stop> {
        if let Some((verdict, ran)) = self.known(events) {
            self.counts.cached += 1;
            if verdict == Verdict::Reproduced {
                self.keep(&events[..ran], Vec::new());
            }
            return Ok(Answer {
                verdict,
                ran,
                screens: Vec::new(),
            });
        }
        self.begin_round(events, likely);
        let batch: Vec<Try> = self.round.iter().map(first_try).collect();
        let trial = self.trials.run(&batch, &|_| true)?.swap_remove(0);
        self.round.remove(0);
        self.counts.calls += 1;
        self.counts.steps += trial.ran as u64;
        self.take_in(events, &trial);
        Ok(Answer {
            verdict: trial.verdict,
            ran: trial.ran,
            screens: trial.screens,
        })
    }

    /// The first of these candidates that reaches the target, cut where it does.
    pub fn first(&mut self, candidates: &[Vec<u32>]) -> Result<Option<(usize, Vec<u32>)>, Stop> {
        for (at, events) in candidates.iter().enumerate() {
            let mut next = |_: &mut Self, n| {
                let rest = candidates[at + 1..].iter();
                rest.take(n).cloned().collect()
            };
            let answer = self.ask(events, &mut next)?;
            if answer.is_reproduced() {
                return Ok(Some((at, events[..answer.ran].to_vec())));
            }
        }
        Ok(None)
    }

    /// Runs candidates again and again: every try is a run of its own, all of them one round.
    pub fn run_all(&mut self, batch: &[Try]) -> Result<Vec<Trial>, Stop> {
        let mut trials = Vec::with_capacity(batch.len());
        for round in batch.chunks(self.lanes) {
            trials.extend(self.trials.run(round, &|_| false)?);
            self.counts.rounds += 1;
        }
        self.counts.calls += trials.len() as u64;
        self.counts.steps += trials.iter().map(|trial| trial.ran as u64).sum::<u64>();
        Ok(trials)
    }

    /// Puts the candidate in front of the round at hand, or begins a new one with it.
    fn begin_round(
        &mut self,
        events: &[u32],
        likely: &mut dyn FnMut(&mut Self, usize) -> Vec<Vec<u32>>,
    ) {
        if let Some(at) = self.round.iter().position(|one| **one == *events) {
            self.round[..=at].rotate_right(1);
            return;
        }
        self.counts.rounds += 1;
        self.round.clear();
        let mut round = vec![Candidate::from(events)];
        if self.lanes > 1 {
            for events in likely(self, self.lanes - 1) {
                let is_new = !round.iter().any(|one| **one == *events);
                if is_new && round.len() < self.lanes && self.known(&events).is_none() {
                    round.push(events.into());
                }
            }
        }
        self.round = round;
    }

    fn take_in(&mut self, events: &[u32], trial: &Trial) {
        self.key.clear();
        let ran = events[..trial.ran].iter();
        let actions = &self.actions;
        self.key.extend(ran.map(|&e| actions[e as usize]));
        self.known.add(&self.key, trial.verdict);
        if trial.verdict == Verdict::Reproduced {
            self.keep(&events[..trial.ran], trial.screens.clone());
        }
    }

    fn keep(&mut self, events: &[u32], screens: Vec<ScreenId>) {
        if self
            .best
            .as_ref()
            .is_none_or(|best| events.len() < best.len())
        {
            self.best = Some(events.to_vec());
            self.screens = screens;
        }
    }
}

fn first_try(events: &Candidate) -> Try {
    Try {
        events: Arc::clone(events),
        attempt: 0,
    }
}
