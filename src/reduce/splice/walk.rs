//! The evaluation of one group of candidates: every way on from its first join, bounded by what
//! is reachable with the joins left.

use std::cmp::Reverse;

use super::search::{Group, Search};
use super::system::{Bits, Place};
use crate::reduce::Evidence;
use crate::reduce::evidence::Node;

/// Steps from the first place to the second, of one trace.
pub(super) type Piece = (Place, u32);

/// The value of a candidate: more new coverage first, then fewer steps, then fewer joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value {
    pub(super) gain: u32,
    pub(super) steps: Reverse<u32>,
    pub(super) joins: Reverse<u32>,
}

/// The evaluation of one group.
pub(super) struct Walk<'w, 's, 't> {
    search: &'w Search<'s, 't>,
    open: &'w Bits,
    evidence: &'w Evidence<'w>,
    best: Option<(Value, Vec<Piece>)>,
    pieces: Vec<Piece>,
    work_left: &'w mut usize,
}

/// Where a walk stands.
#[derive(Clone)]
struct Stand {
    covered: Bits,
    node: Option<Node>,
    steps: u32,
}

impl<'w, 's, 't> Walk<'w, 's, 't> {
    pub(super) fn new(
        search: &'w Search<'s, 't>,
        open: &'w Bits,
        evidence: &'w Evidence<'w>,
        work_left: &'w mut usize,
    ) -> Self {
        Self {
            search,
            open,
            evidence,
            best: None,
            pieces: Vec::new(),
            work_left,
        }
    }

    /// The best candidate of a group.
    pub(super) fn evaluate(mut self, group: &Group) -> Option<(Value, Vec<Piece>)> {
        self.group(group);
        self.best
    }

    fn group(&mut self, group: &Group) {
        let system = self.search.system;
        let home = Place {
            trace: group.launch,
            at: 0,
        };
        let mut stand = Stand {
            covered: system.bits(home).clone(),
            node: self.evidence.root(system.screen(home)),
            steps: 0,
        };
        if stand.node.is_some_and(|node| self.evidence.is_broken(node)) {
            return;
        }
        let (from, to) = group.first;
        match group.then {
            None => {
                self.note(&stand, from, from.at);
                // A whole trace is always a candidate, however many fragments it has.
                let joins = if from.at == 0 {
                    usize::MAX
                } else {
                    self.search.joins
                };
                self.along(stand, from, joins, false);
            }
            Some(then) => {
                let mut joins = self.search.joins - 1;
                for at in from.at + 1..=to {
                    let here = Place { at, ..from };
                    let known = self.joins_left(joins, from, here);
                    let Some(left) = known.filter(|_| self.step(&mut stand, here)) else {
                        return;
                    };
                    joins = left;
                }
                self.pieces.push(group.first);
                self.along(stand, then, joins, true);
                self.pieces.pop();
            }
        }
    }

    /// Takes a step; false when that is known not to replay.
    fn step(&mut self, stand: &mut Stand, to: Place) -> bool {
        let system = self.search.system;
        let screen = system.screen(to);
        let child = stand
            .node
            .zip(system.action(to))
            .and_then(|(node, action)| self.evidence.child(node, action, screen));
        if child.is_some_and(|child| self.evidence.is_broken(child)) {
            return false;
        }
        match child.and_then(|child| self.evidence.cover(child)) {
            Some(cover) => system.add_bits(&mut stand.covered, cover, screen),
            None => union(&mut stand.covered, system.bits(to)),
        }
        stand.node = child;
        stand.steps += 1;
        true
    }

    /// The joins left once a step is taken: a join that the trace already has counts too.
    fn joins_left(&self, joins: usize, from: Place, here: Place) -> Option<usize> {
        let inner = here.at > from.at + 1 && self.search.system.is_joined(here);
        joins.checked_sub(usize::from(inner))
    }

    /// Follows a trace from a place to its end, noting every stop and trying every join.
    fn along(&mut self, mut stand: Stand, from: Place, mut joins: usize, may_join: bool) {
        for at in from.at + 1..=self.search.system.len(from.trace) {
            let here = Place { at, ..from };
            let Some(left) = self.joins_left(joins, from, here) else {
                return;
            };
            joins = left;
            if *self.work_left == 0 || !self.step(&mut stand, here) {
                return;
            }
            *self.work_left -= 1;
            self.note(&stand, from, at);
            if joins == 0 || !may_join {
                continue;
            }
            self.pieces.push((from, at));
            let places = &self.search.places[&self.search.system.screen(here)];
            for &then in places.iter().filter(|&&then| then != here) {
                *self.work_left = self.work_left.saturating_sub(1);
                if self.may_improve(&stand, then, joins - 1) {
                    self.along(stand.clone(), then, joins - 1, true);
                }
            }
            self.pieces.pop();
        }
    }

    fn may_improve(&self, stand: &Stand, then: Place, joins: usize) -> bool {
        let reach = &self.search.reach[joins][self.search.system.index(then)];
        let words = stand.covered.iter().zip(reach).zip(self.open);
        let bound = words
            .map(|((covered, reach), open)| ((covered | reach) & open).count_ones())
            .sum();
        let bound = Value {
            gain: bound,
            steps: Reverse(stand.steps + 1),
            joins: Reverse(self.pieces.len() as u32),
        };
        self.best.as_ref().is_none_or(|(best, _)| bound > *best)
    }

    /// A candidate could end here.
    fn note(&mut self, stand: &Stand, from: Place, at: u32) {
        let words = stand.covered.iter().zip(self.open);
        let value = Value {
            gain: words
                .map(|(covered, open)| (covered & open).count_ones())
                .sum(),
            steps: Reverse(stand.steps),
            joins: Reverse(self.pieces.len() as u32),
        };
        if self.best.as_ref().is_none_or(|(best, _)| value > *best) {
            let mut pieces = self.pieces.clone();
            pieces.push((from, at));
            self.best = Some((value, pieces));
        }
    }
}

/// Adds the bits of one set to another.
pub(super) fn union(into: &mut Bits, other: &Bits) {
    for (word, other) in into.iter_mut().zip(other) {
        *word |= other;
    }
}
