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
use super::walk::{Piece, Value, Walk, union};
use crate::model::{Coverage, ScreenId, Script};
use crate::reduce::Evidence;

/// The best candidate of the moment.
pub(super) struct Pick {
    pub(super) script: Arc<Script>,
    /// How many open elements it is expected to cover.
    pub(super) gain: usize,
    /// Whether the bound on work cut the search short.
    pub(super) cut: bool,
}

/// All candidates with the same launch, first fragment and first join (or none).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) value: Value,
    index: Reverse<u32>,
    pub(super) launch: u32,
    pub(super) first: Piece,
    pub(super) then: Option<Place>,
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
    pub(super) system: &'s System<'t>,
    pub(super) places: FxHashMap<ScreenId, Vec<Place>>,
    /// What can be covered behind a place with so many joins.
    pub(super) reach: Vec<Vec<Bits>>,
    pub(super) joins: usize,
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
            let best = Walk::new(self, &open, evidence, &mut work_left).evaluate(&group);
            if let Some((value, pieces)) = best.filter(|(value, _)| value.gain > 0) {
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
