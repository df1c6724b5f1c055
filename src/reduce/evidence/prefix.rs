//! A node of the evidence: one prefix, and all that was seen of it.

use super::Node;
use crate::model::{ActionId, Cover, ScreenId, Seen};

/// What is known of a prefix.
#[derive(Debug)]
pub(in crate::reduce) struct Prefix {
    /// The screen it ends on.
    pub(in crate::reduce) screen: ScreenId,
    /// Its last action and the prefix before that; none for a launch.
    pub(in crate::reduce) step: Option<(Node, ActionId)>,
    /// The prefixes that are one step longer, in the order in which they were first seen.
    pub(in crate::reduce) next: Vec<Node>,
    /// How many recordings begin with it.
    pub(in crate::reduce) recorded: u32,
    /// How many runs and live sessions went through it.
    pub(in crate::reduce) live: u32,
    /// How many of them told what its last step covered; a run that left its script there did not.
    pub(in crate::reduce) measured: u32,
    /// What all recordings say that its last step covers.
    pub(in crate::reduce) recorded_cover: Option<Cover>,
    /// What all runs and live sessions covered at its last step.
    pub(in crate::reduce) cover: Option<Cover>,
    /// Actions that were not there to be done at its end, and how often.
    pub(in crate::reduce) refused: Vec<(ActionId, u32)>,
    /// The attempts `0..held` all replayed this prefix.
    pub(super) held: u32,
    /// How often runs ended here by showing something else, and what.
    pub(super) broken: Vec<(Seen, u32)>,
}

impl Prefix {
    pub(super) fn new(screen: ScreenId, step: Option<(Node, ActionId)>) -> Self {
        Self {
            screen,
            step,
            next: Vec::new(),
            recorded: 0,
            live: 0,
            measured: 0,
            recorded_cover: None,
            cover: None,
            refused: Vec::new(),
            held: 0,
            broken: Vec::new(),
        }
    }

    pub(super) fn note_recorded(&mut self, cover: &Cover) {
        self.recorded += 1;
        narrow(&mut self.recorded_cover, cover);
    }

    pub(super) fn pass(&mut self, cover: Option<&Cover>) {
        self.live += 1;
        if let Some(cover) = cover {
            self.measured += 1;
            narrow(&mut self.cover, cover);
        }
    }

    pub(super) fn hold(&mut self, attempt: u32, cover: &Cover) {
        // Scripts that share a prefix share their attempts there, so only a new number counts.
        if attempt == self.held {
            self.held += 1;
        }
        self.pass(Some(cover));
    }

    pub(super) fn fail(&mut self, seen: Seen) {
        count(&mut self.broken, seen);
    }

    pub(super) fn refuse(&mut self, action: ActionId) {
        count(&mut self.refused, action);
    }
}

/// Leaves what both cover.
fn narrow(known: &mut Option<Cover>, cover: &Cover) {
    *known = Some(match known.take() {
        None => cover.clone(),
        Some(known) => known.intersection(cover),
    });
}

fn count<T: PartialEq>(list: &mut Vec<(T, u32)>, thing: T) {
    match list.iter_mut().find(|(what, _)| *what == thing) {
        Some((_, times)) => *times += 1,
        None => list.push((thing, 1)),
    }
}
