//! Candidates on devices: each is a live session that performs its events whatever is shown, until the target is reached.
//!
//! An action that is not there to be done ends the session: what follows was recorded for
//! another place, and the outcome is unresolved (paper 002, 4). So does the death of the app.

use std::sync::Arc;

use super::port::{Candidate, Trial, Trials, Try, Verdict};
use super::target::Target;
use crate::model::{ActionId, Names, RunEvent, ScreenId, Stop, Walk, sha256};
use crate::reduce::{Look, Pilot, Plan, Replayer};

/// A recorded sequence of actions and what it is to reach.
#[derive(Debug)]
pub struct Sequence {
    /// The actions, in order.
    pub actions: Vec<ActionId>,
    /// What to reach.
    pub target: Target,
    /// What tells this sequence from others in a journal.
    key: String,
}

impl Sequence {
    /// A sequence of recorded actions.
    #[must_use]
    pub fn new(actions: Vec<ActionId>, target: Target, names: &Names) -> Self {
        let mut text = target.to_string();
        for &action in &actions {
            text += "\n";
            text += names.action_text(action);
        }
        Self {
            actions,
            target,
            key: sha256(text.as_bytes()),
        }
    }

    /// What a walk that performed a candidate showed.
    #[must_use]
    pub fn trial(&self, events: &[u32], walk: &Walk, names: &Names) -> Trial {
        let shown = walk.steps.iter().filter_map(|step| step.shown.as_ref());
        let last = shown.clone().next_back();
        let (screen, cover) = last.map_or((walk.launch, &walk.launch_cover), |(s, c)| (*s, c));
        let covers = cover.elements().iter();
        let covers = covers.map(|&element| names.element_name(element));
        let is_reached = self
            .target
            .is_reached(names.screen_name(screen), covers, walk.died);
        let is_refused = walk.steps.last().is_some_and(|step| step.shown.is_none());
        let verdict = if is_reached && !is_refused {
            Verdict::Reproduced
        } else if is_refused || walk.died || walk.steps.len() < events.len() {
            Verdict::Unresolved
        } else {
            Verdict::Missed
        };
        let screens = shown.map(|(screen, _)| *screen);
        Trial {
            verdict,
            ran: walk.steps.len(),
            screens: [walk.launch].into_iter().chain(screens).collect(),
        }
    }
}

/// Tries candidates on the devices behind the reducers' port.
pub struct OnDevices<'a> {
    /// The way to the devices.
    pub replayer: &'a mut dyn Replayer,
    /// The sequence that candidates are parts of.
    pub sequence: Arc<Sequence>,
    /// How many events the shortest candidate has that reached the target, to tell progress.
    pub shortest: usize,
}

impl OnDevices<'_> {
    /// Walks that tried these candidates, up to and including the first that is `enough`.
    pub fn walks(
        &mut self,
        batch: &[Try],
        enough: &dyn Fn(&Walk) -> bool,
    ) -> Result<Vec<Walk>, Stop> {
        let plan = |one: &Try| -> (Arc<dyn Plan>, u32) {
            let plan = Part {
                sequence: Arc::clone(&self.sequence),
                events: one.events.clone(),
            };
            (Arc::new(plan), one.attempt)
        };
        let sessions: Vec<_> = batch.iter().map(plan).collect();
        self.replayer.walk(&sessions, enough)
    }
}

impl OnDevices<'_> {
    fn tell(&mut self, trial: &Trial) {
        let accepted = trial.verdict == Verdict::Reproduced;
        self.replayer.emit(RunEvent::CandidateDecided { accepted });
        if accepted && trial.ran < self.shortest {
            self.shortest = trial.ran;
            let done = self.sequence.actions.len() - trial.ran;
            self.replayer.emit(RunEvent::Progress { done });
        }
    }
}

impl Trials for OnDevices<'_> {
    fn run(&mut self, batch: &[Try], enough: &dyn Fn(&Trial) -> bool) -> Result<Vec<Trial>, Stop> {
        // Whether a walk is enough can be told only with names that come along with it, so all
        // or the first are asked for.
        let mut trials = Vec::with_capacity(batch.len());
        while trials.len() < batch.len() {
            let rest = &batch[trials.len()..];
            let walks = self.walks(rest, &|_| true)?;
            for (walk, one) in walks.iter().zip(rest) {
                let trial = self
                    .sequence
                    .trial(&one.events, walk, self.replayer.names());
                self.tell(&trial);
                let done = enough(&trial);
                trials.push(trial);
                if done {
                    return Ok(trials);
                }
            }
        }
        Ok(trials)
    }
}

/// Some events of a sequence, to be performed live.
struct Part {
    sequence: Arc<Sequence>,
    events: Candidate,
}

impl Plan for Part {
    fn key(&self) -> String {
        let mut bytes = self.sequence.key.clone().into_bytes();
        for event in &*self.events {
            bytes.extend(event.to_le_bytes());
        }
        sha256(&bytes)
    }

    fn pilot(&self) -> Box<dyn Pilot + '_> {
        Box::new(Performer { part: self, at: 0 })
    }

    fn is_over(&self, screen: &str, covers: &[String]) -> bool {
        let covers = covers.iter().map(String::as_str);
        self.sequence.target.is_reached(screen, covers, false)
    }
}

/// Performs one event after another.
struct Performer<'p> {
    part: &'p Part,
    at: usize,
}

impl Pilot for Performer<'_> {
    fn next(&mut self, look: Look) -> Option<ActionId> {
        if look == Look::Refused {
            return None;
        }
        let event = *self.part.events.get(self.at)?;
        self.at += 1;
        Some(self.part.sequence.actions[event as usize])
    }
}

/// The screens that a recording shows, for reducers that look at them.
#[must_use]
pub fn recorded_screens(launch: ScreenId, steps: &[crate::model::Step]) -> Vec<ScreenId> {
    let screens = steps.iter().map(|step| step.screen);
    [launch].into_iter().chain(screens).collect()
}
