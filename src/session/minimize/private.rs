//! What is left of a recording, and other text for what it would give away.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::LANES;
use super::work::{Searched, Work, search};
use crate::model::{ActionId, Names, Stop, Suite, TraceIdx};
use crate::reduce::Replayer;
use crate::reduce::sequence::ask::{Item, Memory, items};
use crate::reduce::sequence::guimin::privacy::{Category, Patterns, bytes, category};
use crate::reduce::sequence::guimin::replace::replace;
use crate::reduce::sequence::guimin::typed::typed;
use crate::reduce::sequence::{Counts, OnDevices, Recording, Retyping, Rule, Runs, Sequence};
use crate::report::{PrivateBytes, PrivateStep};

/// What is left of a recorded sequence.
pub(super) struct Left {
    /// What is performed.
    pub(super) sequence: Arc<Sequence>,
    /// The events of it that are left, and what finding them took.
    pub(super) searched: Searched,
    /// Where each event of the sequence comes from.
    origins: Vec<Origin>,
}

/// Where an event comes from.
#[derive(Debug, Clone, Copy)]
struct Origin {
    /// Its place in the recording.
    step: u32,
    /// What the recorded text would give away, where another one is typed now.
    hides: Option<Category>,
}

/// An event that is left.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeftStep {
    /// Its place in the recording.
    pub(super) step: u32,
    /// What to do.
    pub(super) action: ActionId,
    /// What the recorded text would give away, where another one is typed now.
    pub(super) hides: Option<Category>,
}

impl Left {
    /// Events as they were recorded.
    pub(super) fn recorded(sequence: Arc<Sequence>, searched: Searched) -> Self {
        let origin = |step| Origin { step, hides: None };
        let origins = (0..sequence.actions.len() as u32).map(origin).collect();
        Self {
            sequence,
            searched,
            origins,
        }
    }

    /// The events that are left.
    pub(super) fn steps(&self) -> impl ExactSizeIterator<Item = LeftStep> + '_ {
        self.searched.events.iter().map(|&event| {
            let Origin { step, hides } = self.origins[event as usize];
            LeftStep {
                step,
                action: self.sequence.actions[event as usize],
                hides,
            }
        })
    }

    /// The sensitive bytes of the whole recording and of what is left, by category.
    pub(super) fn private(
        &self,
        (suite, trace): (&Suite, TraceIdx),
        names: &Names,
        patterns: &Patterns,
    ) -> BTreeMap<String, PrivateBytes> {
        let steps = suite.steps(trace).iter();
        let before = steps.map(|step| names.action_text(step.action));
        let before = bytes(before, patterns);
        let after = self.steps().map(|step| names.action_text(step.action));
        let mut after = bytes(after, patterns);
        // Text that stands for another gives nothing away, whatever it looks like.
        for step in self.steps().filter(|step| step.hides.is_some()) {
            let typed = typed(names.action_text(step.action));
            let found =
                typed.and_then(|typed| Some((category(&typed, patterns)?, typed.text.len())));
            if let Some((category, n_bytes)) = found {
                after.entry(category).and_modify(|bytes| *bytes -= n_bytes);
            }
        }
        let private = before.iter().map(|(category, &before)| {
            let after = after.get(category).copied().unwrap_or(0);
            (category.name().to_owned(), PrivateBytes { before, after })
        });
        private.collect()
    }

    /// The events that type something private, or did so when they were recorded.
    pub(super) fn private_steps(&self, names: &Names, patterns: &Patterns) -> Vec<PrivateStep> {
        let mut private = Vec::new();
        for (step, left) in self.steps().enumerate() {
            let Some(typed) = typed(names.action_text(left.action)) else {
                continue;
            };
            let now = left.hides.or_else(|| category(&typed, patterns));
            private.extend(now.map(|category| PrivateStep {
                step,
                category: category.name().to_owned(),
                bytes: typed.text.len(),
                replaced: left.hides.is_some(),
            }));
        }
        private
    }
}

impl Work<'_, '_> {
    /// The same with other text where the recorded one would give something away and another one
    /// reaches the target as well; then what is left is searched again, as the other text may
    /// need less.
    pub(super) fn retyped(&mut self, mut left: Left) -> Result<Left, Stop> {
        if !self.replace_text || left.searched.stopped.is_some() {
            return Ok(left);
        }
        let (found, counts) = self.other_text(&left)?;
        left.searched.counts += counts;
        let Some((sequence, origins, stopped)) = found else {
            return Ok(left);
        };
        let sequence = Arc::new(sequence);
        let mut devices = OnDevices {
            replayer: self.engine,
            sequence: Arc::clone(&sequence),
            shortest: 0,
        };
        let recording = Recording {
            repeats: self.recording.repeats.clone(),
            ..Recording::default()
        };
        let everything = |stopped| Searched {
            events: (0..sequence.actions.len() as u32).collect(),
            counts: Counts::default(),
            one_minimal: false,
            stopped,
        };
        let searched = match stopped {
            Some(_) => Some(everything(stopped)),
            None => match search(self.reducer, &mut devices, &recording) {
                Err(stop @ Stop::Budget(_)) => Some(everything(Some(stop))),
                searched => searched?,
            },
        };
        // It reached the target before; if it does not now, the recorded text is the safer one.
        let Some(mut searched) = searched else {
            return Ok(left);
        };
        searched.counts += left.searched.counts;
        Ok(Left {
            sequence,
            searched,
            origins,
        })
    }

    /// The sequence with other text, nothing if none was found; and what looking for it took.
    fn other_text(&mut self, left: &Left) -> Result<(Option<Found>, Counts), Stop> {
        let steps: Vec<LeftStep> = left.steps().collect();
        let actions: Vec<ActionId> = steps.iter().map(|step| step.action).collect();
        let names = self.engine.names();
        let texts = actions.iter().map(|&action| names.action_text(action));
        let texts: Vec<String> = texts.map(str::to_owned).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let rule = match self.reducer.runs {
            Runs::One => Rule { runs: 1, accept: 1 },
            Runs::Many => self.recording.repeats.rule,
        };
        let mut retyping = Retyping {
            replayer: self.engine,
            actions: &actions,
            target: &left.sequence.target,
            rule,
            lanes: LANES,
            counts: Counts::default(),
        };
        let mut memory = Memory::new(&mut retyping);
        let (shrunk, replaced) =
            replace(&texts, items(0..actions.len()), &self.patterns, &mut memory);
        let stopped = match shrunk.stopped {
            Some(stop) if !matches!(stop, Stop::Budget(_)) => return Err(stop),
            stopped => stopped,
        };
        if !shrunk.best.iter().any(|item| item.text.is_some()) {
            return Ok((None, retyping.counts));
        }
        let origin = |item: &Item| {
            let hides = replaced.iter().find(|one| one.event == item.event);
            Origin {
                step: steps[item.event].step,
                hides: hides.filter(|one| one.by.is_some()).map(|one| one.category),
            }
        };
        let origins = shrunk.best.iter().map(origin).collect();
        let sequence = retyping.sequence(&shrunk.best);
        Ok((Some((sequence, origins, stopped)), retyping.counts))
    }
}

/// A sequence with other text, where its events come from, and why looking for more ended early.
type Found = (Sequence, Vec<Origin>, Option<Stop>);
