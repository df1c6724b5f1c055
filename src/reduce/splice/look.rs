//! The look into one group of candidates: a bound on it, its parts, or the best of it.

use std::cmp::Reverse;

use super::potential::{Potential, common, union};
use super::search::{Group, Scope, Search};
use super::system::{Bits, Place};
use crate::reduce::Evidence;
use crate::reduce::evidence::Node;

/// Steps of one trace, from a place up to a position.
pub(super) type Piece = (Place, u32);

/// The value of a candidate: more new coverage first, then fewer steps, then fewer joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value {
    pub(super) gain: u32,
    steps: Reverse<u32>,
    joins: Reverse<u32>,
}

impl Value {
    /// More than any candidate has.
    pub(super) const MOST: Self = Self {
        gain: u32::MAX,
        steps: Reverse(0),
        joins: Reverse(0),
    };
}

/// The look at a group.
pub(super) struct Look<'w, 's, 't> {
    search: &'w Search<'s, 't>,
    potential: &'w Potential,
    open: &'w Bits,
    evidence: &'w Evidence<'w>,
    best: Option<(Value, Vec<Piece>)>,
    pieces: Vec<Piece>,
    work_left: &'w mut usize,
}

/// Where a look stands.
#[derive(Clone)]
struct Stand {
    covered: Bits,
    node: Option<Node>,
    steps: u32,
    /// Joins left.
    joins: usize,
}

impl<'w, 's, 't> Look<'w, 's, 't> {
    pub(super) fn new(
        search: &'w Search<'s, 't>,
        potential: &'w Potential,
        open: &'w Bits,
        evidence: &'w Evidence<'w>,
        work_left: &'w mut usize,
    ) -> Self {
        Self {
            search,
            potential,
            open,
            evidence,
            best: None,
            pieces: Vec::new(),
            work_left,
        }
    }

    /// An upper bound on what a group adds; none when its beginning is known not to replay.
    pub(super) fn bound(&mut self, group: &Group) -> Option<Value> {
        let system = self.search.system;
        let (stand, behind) = match group.scope {
            Scope::Alone => {
                let behind = self.potential.at(system.index(group.from), 0);
                return self
                    .start(group)
                    .map(|stand| self.value(&stand, behind, 0, 0));
            }
            Scope::From => {
                let behind = self
                    .potential
                    .at(system.index(group.from), self.search.joins);
                (self.start(group)?, behind)
            }
            Scope::Until(at) => {
                let stand = self.first_piece(group, at)?;
                let here = Place { at, ..group.from };
                let left = stand.joins.checked_sub(1)?;
                let behind = self.potential.joined(system.screen(here), left);
                (stand, behind)
            }
            Scope::Joined(at, then) => {
                let stand = self.first_piece(group, at)?;
                let left = stand.joins.checked_sub(1)?;
                let behind = self.potential.at(system.index(then), left);
                (stand, behind)
            }
        };
        Some(self.value(&stand, behind, 1, 1))
    }

    /// The parts of a group with a bound for each.
    pub(super) fn split(&mut self, group: &Group) -> Vec<(Scope, Value)> {
        let system = self.search.system;
        let mut parts = Vec::new();
        match group.scope {
            Scope::From => {
                let Some(mut stand) = self.start(group) else {
                    return parts;
                };
                for at in group.from.at + 1..=system.len(group.from.trace) {
                    let here = Place { at, ..group.from };
                    if !self.step(&mut stand, group.from, here) || stand.joins == 0 {
                        break;
                    }
                    let behind = self.potential.joined(system.screen(here), stand.joins - 1);
                    parts.push((Scope::Until(at), self.value(&stand, behind, 1, 1)));
                }
            }
            Scope::Until(at) => {
                let Some(stand) = self.first_piece(group, at) else {
                    return parts;
                };
                let here = Place { at, ..group.from };
                for &then in system.places(system.screen(here)) {
                    if then != here {
                        *self.work_left = self.work_left.saturating_sub(1);
                        let behind = self.potential.at(system.index(then), stand.joins - 1);
                        let value = self.value(&stand, behind, 1, 1);
                        parts.push((Scope::Joined(at, then), value));
                    }
                }
            }
            Scope::Alone | Scope::Joined(..) => {}
        }
        parts.retain(|(_, value)| value.gain > 0);
        parts
    }

    /// The best candidate of a group that cannot be split.
    pub(super) fn evaluate(&mut self, group: &Group) -> Option<(Value, Vec<Piece>)> {
        match group.scope {
            Scope::Alone => {
                let mut stand = self.start(group)?;
                if group.from.at == 0 {
                    // A whole trace is always a candidate, however many fragments it has.
                    stand.joins = usize::MAX;
                }
                self.note(&stand, group.from, group.from.at);
                self.along(stand, group.from, false);
            }
            Scope::Joined(at, then) => {
                let mut stand = self.first_piece(group, at)?;
                stand.joins = stand.joins.checked_sub(1)?;
                self.pieces.push((group.from, at));
                self.along(stand, then, true);
                self.pieces.pop();
            }
            Scope::From | Scope::Until(_) => {}
        }
        self.best.take().filter(|(value, _)| value.gain > 0)
    }

    fn start(&self, group: &Group) -> Option<Stand> {
        let system = self.search.system;
        let home = Place {
            trace: group.launch,
            at: 0,
        };
        let node = self.evidence.root(system.screen(home));
        if node.is_some_and(|node| self.evidence.is_broken(node)) {
            return None;
        }
        Some(Stand {
            covered: system.bits(home).clone(),
            node,
            steps: 0,
            joins: self.search.joins,
        })
    }

    fn first_piece(&mut self, group: &Group, until: u32) -> Option<Stand> {
        let mut stand = self.start(group)?;
        for at in group.from.at + 1..=until {
            let here = Place { at, ..group.from };
            if !self.step(&mut stand, group.from, here) {
                return None;
            }
        }
        Some(stand)
    }

    /// Takes a step; false when that is known not to replay or needs a join too many: a join
    /// that a trace already has counts like a new one.
    fn step(&mut self, stand: &mut Stand, from: Place, to: Place) -> bool {
        *self.work_left = self.work_left.saturating_sub(1);
        let system = self.search.system;
        let joined = to.at > from.at + 1 && system.is_joined(to);
        let Some(joins) = stand.joins.checked_sub(usize::from(joined)) else {
            return false;
        };
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
        stand.joins = joins;
        true
    }

    /// Follows a trace from a place to its end, noting every stop and trying every join.
    fn along(&mut self, mut stand: Stand, from: Place, may_join: bool) {
        let system = self.search.system;
        for at in from.at + 1..=system.len(from.trace) {
            let here = Place { at, ..from };
            if *self.work_left == 0 || !self.step(&mut stand, from, here) {
                return;
            }
            self.note(&stand, from, at);
            if !may_join || stand.joins == 0 {
                continue;
            }
            self.pieces.push((from, at));
            for &then in system.places(system.screen(here)) {
                *self.work_left = self.work_left.saturating_sub(1);
                let behind = self.potential.at(system.index(then), stand.joins - 1);
                let bound = self.value(&stand, behind, 1, 0);
                if then != here && self.best.as_ref().is_none_or(|(best, _)| bound > *best) {
                    let mut stand = stand.clone();
                    stand.joins -= 1;
                    self.along(stand, then, true);
                }
            }
            self.pieces.pop();
        }
    }

    /// A candidate could end here.
    fn note(&mut self, stand: &Stand, from: Place, at: u32) {
        let value = self.value(stand, 0, 0, 0);
        if self.best.as_ref().is_none_or(|(best, _)| value > *best) {
            let mut pieces = self.pieces.clone();
            pieces.push((from, at));
            self.best = Some((value, pieces));
        }
    }

    /// The value of what was walked, with at most `behind` to come in at least `steps` steps.
    fn value(&self, stand: &Stand, behind: u32, steps: u32, joins: u32) -> Value {
        let walked = common(&stand.covered, self.open);
        let all: u32 = self.open.iter().map(|word| word.count_ones()).sum();
        Value {
            gain: walked.saturating_add(behind).min(all),
            steps: Reverse(stand.steps + steps),
            joins: Reverse(self.pieces.len() as u32 + joins),
        }
    }
}
