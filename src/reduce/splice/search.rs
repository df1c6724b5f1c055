//! The pick of greatest new coverage among all traces of at most k fragments, without listing
//! them.
//!
//! Candidates are grouped by their first join. What a group can add only shrinks while coverage
//! grows and prefixes turn out broken, so its last known value is an upper bound: groups wait
//! in a heap by that bound, and only the one on top is evaluated again (lazy greedy). Inside a
//! group, what is reachable with the joins left bounds the search.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::system::{Bits, Place, System};
use crate::model::{Coverage, ScreenId, Script};
use crate::reduce::Evidence;
use crate::reduce::evidence::Node;

/// The best candidate of the moment.
pub(super) struct Pick {
    pub(super) script: Arc<Script>,
    /// How many open elements it is expected to cover.
    pub(super) gain: usize,
    /// Whether the bound on work cut the search short.
    pub(super) cut: bool,
}

/// Steps from the first place to the second, of one trace.
type Piece = (Place, u32);

/// The value of a candidate: more new coverage first, then fewer steps, then fewer joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Value {
    gain: u32,
    steps: Reverse<u32>,
    joins: Reverse<u32>,
}

/// All candidates with the same launch, first fragment and first join (or none).
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    value: Value,
    index: Reverse<u32>,
    launch: u32,
    first: Piece,
    then: Option<Place>,
    /// The best candidate, as of a version of the evidence and of the open elements.
    best: Option<(Vec<Piece>, u64, usize)>,
}

impl Group {
    /// A group that was not looked at yet: what it covers at most bounds its value.
    fn new(
        index: usize,
        launch: u32,
        first: Piece,
        then: Option<Place>,
        covers: &[&Bits; 2],
    ) -> Self {
        let steps = then.map_or(0, |_| first.1 - first.0.at + 1);
        let words = covers[0].iter().zip(covers[1]);
        Self {
            value: Value {
                gain: words.map(|(a, b)| (a | b).count_ones()).sum(),
                steps: Reverse(steps),
                joins: Reverse(u32::from(then.is_some())),
            },
            index: Reverse(index as u32),
            launch,
            first,
            then,
            best: None,
        }
    }
}

impl Ord for Group {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.value, self.index).cmp(&(other.value, other.index))
    }
}

impl PartialOrd for Group {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The search with its heap.
pub(super) struct Search<'s, 't> {
    system: &'s System<'t>,
    places: FxHashMap<ScreenId, Vec<Place>>,
    /// What can be covered behind a place with so many joins.
    reach: Vec<Vec<Bits>>,
    joins: usize,
    work: usize,
    heap: BinaryHeap<Group>,
}

impl<'s, 't> Search<'s, 't> {
    pub(super) fn new(system: &'s System<'t>, fragments: usize, work: usize) -> Self {
        let joins = fragments.saturating_sub(1);
        let places: FxHashMap<_, _> = system
            .screens()
            .map(|screen| (screen, system.places(screen)))
            .collect();
        let mut search = Self {
            system,
            places,
            reach: Vec::new(),
            joins,
            work,
            heap: BinaryHeap::new(),
        };
        search.fill_reach();
        search.fill_heap();
        search
    }

    fn fill_reach(&mut self) {
        for left in 0..=self.joins {
            let mut by_screen: FxHashMap<ScreenId, Bits> = FxHashMap::default();
            if let Some(less) = left.checked_sub(1).map(|less| &self.reach[less]) {
                for (&screen, places) in &self.places {
                    let mut all = self.empty();
                    for place in places {
                        union(&mut all, &less[self.system.index(*place)]);
                    }
                    by_screen.insert(screen, all);
                }
            }
            let mut reach = vec![Bits::new(); self.system.n_places()];
            for trace in 0..self.system.traces.len() as u32 {
                let mut behind = self.empty();
                for at in (0..=self.system.len(trace)).rev() {
                    let place = Place { trace, at };
                    reach[self.system.index(place)].clone_from(&behind);
                    union(&mut behind, self.system.bits(place));
                    if let Some(all) = by_screen.get(&self.system.screen(place)) {
                        union(&mut behind, all);
                    }
                }
            }
            self.reach.push(reach);
        }
    }

    fn empty(&self) -> Bits {
        self.system.pack(&Coverage::default())
    }

    /// One group for each launch, first fragment and first join, with a first upper bound.
    fn fill_heap(&mut self) {
        let mut groups = Vec::new();
        for launch in self.system.launches() {
            let home = Place {
                trace: launch,
                at: 0,
            };
            let start = self.system.bits(home);
            for &from in &self.places[&self.system.screen(home)] {
                let whole = (from, self.system.len(from.trace));
                let behind = &self.reach[0][self.system.index(from)];
                groups.push(Group::new(
                    groups.len(),
                    launch,
                    whole,
                    None,
                    &[start, behind],
                ));
                if self.joins > 0 {
                    self.fill_joins(&mut groups, launch, from);
                }
            }
        }
        self.heap = groups.into();
    }

    fn fill_joins(&self, groups: &mut Vec<Group>, launch: u32, from: Place) {
        let home = Place {
            trace: launch,
            at: 0,
        };
        let mut covered = self.system.bits(home).clone();
        for at in from.at + 1..=self.system.len(from.trace) {
            let here = Place { at, ..from };
            union(&mut covered, self.system.bits(here));
            for &then in &self.places[&self.system.screen(here)] {
                if then != here {
                    let behind = &self.reach[self.joins - 1][self.system.index(then)];
                    let first = (from, at);
                    let group =
                        Group::new(groups.len(), launch, first, Some(then), &[&covered, behind]);
                    groups.push(group);
                }
            }
        }
    }

    /// The candidate that adds most to what is covered; none when nothing can be added.
    pub(super) fn pick(&mut self, open: &Coverage, evidence: &Evidence) -> Option<Pick> {
        let open = self.system.pack(open);
        let n_open = open.iter().map(|word| word.count_ones() as usize).sum();
        let now = (evidence.version(), n_open);
        let mut work_left = self.work;
        let mut fallback: Option<Group> = None;
        while let Some(mut group) = self.heap.pop() {
            let fresh = matches!(&group.best, Some((_, version, n)) if (*version, *n) == now);
            if fresh {
                let pick = self.as_pick(&group, false);
                self.heap.push(group);
                return Some(pick);
            }
            if work_left == 0 && fallback.is_some() {
                self.heap.push(group);
                break;
            }
            let mut walk = Walk {
                search: self,
                open: &open,
                evidence,
                best: None,
                pieces: Vec::new(),
                work_left: &mut work_left,
            };
            walk.group(&group);
            if let Some((value, pieces)) = walk.best.filter(|(value, _)| value.gain > 0) {
                group.value = value;
                group.best = Some((pieces, now.0, now.1));
                if fallback.as_ref().is_none_or(|best| best.value < value) {
                    fallback = Some(group.clone());
                }
                self.heap.push(group);
            }
        }
        fallback.map(|group| self.as_pick(&group, true))
    }

    fn as_pick(&self, group: &Group, cut: bool) -> Pick {
        let pieces = group.best.as_ref().map_or(&[][..], |(pieces, ..)| pieces);
        let steps = pieces.iter().flat_map(|&(from, to)| {
            let trace = &self.system.traces[from.trace as usize].script;
            trace.steps[from.at as usize..to as usize].iter().copied()
        });
        Pick {
            script: Arc::new(Script {
                launch: self.system.traces[group.launch as usize].script.launch,
                steps: steps.collect(),
            }),
            gain: group.value.gain as usize,
            cut,
        }
    }
}

/// The evaluation of one group.
struct Walk<'w, 's, 't> {
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

impl Walk<'_, '_, '_> {
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

fn union(into: &mut Bits, other: &Bits) {
    for (word, other) in into.iter_mut().zip(other) {
        *word |= other;
    }
}
