//! The pick of greatest new coverage among all traces of at most k fragments, without listing
//! them.
//!
//! Candidates wait in a heap, in groups: all that start at a place, all that first join after
//! so many steps, all that first join there. A group waits by an upper bound on what it adds
//! and is split, or at last evaluated, only when it comes to the top. What a group can add only
//! shrinks while coverage grows and prefixes turn out broken, so an old value is a bound again
//! (lazy greedy), and most groups are never looked at twice.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::look::{Look, Piece, Value};
use super::potential::Potential;
use super::system::{Bits, Place, System};
use crate::model::{Coverage, Script};
use crate::reduce::Evidence;

/// How many groups may wait; more only come up where a suite repeats itself without end.
const MOST_GROUPS: usize = 4_000_000;

/// The best candidate of the moment.
pub(super) struct Pick {
    pub(super) script: Arc<Script>,
    /// How many open elements it is expected to cover.
    pub(super) gain: usize,
    /// Whether the bound on work cut the search short.
    pub(super) cut: bool,
}

/// Candidates that begin in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// One trace from a place on, and nothing else.
    Alone,
    /// Everything that joins something to a beginning from there.
    From,
    /// Everything that first joins something after this many steps of the trace.
    Until(u32),
    /// Everything that first joins this place there.
    Joined(u32, Place),
}

/// A group of candidates that waits.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) value: Value,
    /// Breaks ties in favour of the group that came first.
    index: Reverse<u32>,
    pub(super) launch: u32,
    pub(super) from: Place,
    pub(super) scope: Scope,
    best: Option<Box<Best>>,
}

/// The best candidate of a group as of a moment.
#[derive(Debug, Clone)]
struct Best {
    pieces: Vec<Piece>,
    moment: Moment,
}

/// What the value of a group depends on: the evidence and the elements still open.
type Moment = (u64, usize);

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

impl PartialEq for Group {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Group {}

/// The search with its heap.
pub(super) struct Search<'s, 't> {
    pub(super) system: &'s System<'t>,
    pub(super) joins: usize,
    work: usize,
    heap: BinaryHeap<Group>,
    n_groups: u32,
    potential: Potential,
}

impl<'s, 't> Search<'s, 't> {
    pub(super) fn new(system: &'s System<'t>, fragments: usize, work: usize) -> Self {
        let joins = fragments.saturating_sub(1);
        let mut search = Self {
            system,
            joins,
            work,
            heap: BinaryHeap::new(),
            n_groups: 0,
            potential: Potential::default(),
        };
        for launch in system.launches() {
            let home = Place {
                trace: launch,
                at: 0,
            };
            for &from in system.places(system.screen(home)) {
                search.add(launch, from, Scope::Alone, Value::MOST);
                if joins > 0 {
                    search.add(launch, from, Scope::From, Value::MOST);
                }
            }
        }
        search
    }

    fn add(&mut self, launch: u32, from: Place, scope: Scope, value: Value) {
        self.n_groups = self.n_groups.saturating_add(1);
        self.heap.push(Group {
            value,
            index: Reverse(self.n_groups),
            launch,
            from,
            scope,
            best: None,
        });
    }

    /// The candidate that adds most to what is covered; none when nothing can be added.
    pub(super) fn pick(&mut self, open: &Coverage, evidence: &Evidence) -> Option<Pick> {
        let n_open = open.len();
        let open = self.system.pack(open);
        if self.potential.n_open != Some(n_open) {
            self.potential = Potential::new(self.system, &open, n_open, self.joins);
        }
        let moment = (evidence.version(), n_open);
        let mut work_left = self.work;
        let mut best_so_far: Option<Group> = None;
        while let Some(mut group) = self.heap.pop() {
            if group
                .best
                .as_ref()
                .is_some_and(|best| best.moment == moment)
            {
                let pick = self.as_pick(&group, false);
                self.heap.push(group);
                return Some(pick);
            }
            if work_left == 0 || self.heap.len() > MOST_GROUPS {
                self.heap.push(group);
                let alone = || self.best_alone(&open, evidence, moment);
                let best = best_so_far.or_else(alone)?;
                return Some(self.as_pick(&best, true));
            }
            let mut look = Look::new(self, &self.potential, &open, evidence, &mut work_left);
            let Some(bound) = look.bound(&group).filter(|bound| bound.gain > 0) else {
                continue;
            };
            if bound < group.value && self.heap.peek().is_some_and(|top| top.value > bound) {
                group.value = bound;
                group.best = None;
                self.heap.push(group);
                continue;
            }
            match group.scope {
                Scope::From | Scope::Until(_) => {
                    for (scope, value) in look.split(&group) {
                        self.add(group.launch, group.from, scope, value);
                    }
                }
                Scope::Alone | Scope::Joined(..) => {
                    let Some((value, pieces)) = look.evaluate(&group) else {
                        continue;
                    };
                    group.value = value;
                    group.best = Some(Box::new(Best { pieces, moment }));
                    if best_so_far.as_ref().is_none_or(|best| best.value < value) {
                        best_so_far = Some(group.clone());
                    }
                    self.heap.push(group);
                }
            }
        }
        None
    }

    /// The best trace without any join, for when the bound on work is hit.
    fn best_alone(&self, open: &Bits, evidence: &Evidence, moment: Moment) -> Option<Group> {
        let alone = self.heap.iter().filter(|group| group.scope == Scope::Alone);
        let evaluated = alone.filter_map(|group| {
            let mut unbounded = usize::MAX;
            let mut look = Look::new(self, &self.potential, open, evidence, &mut unbounded);
            let (value, pieces) = look.evaluate(group)?;
            let mut group = group.clone();
            group.value = value;
            group.best = Some(Box::new(Best { pieces, moment }));
            Some(group)
        });
        evaluated.max()
    }

    fn as_pick(&self, group: &Group, cut: bool) -> Pick {
        let pieces = group.best.as_ref().map_or(&[][..], |best| &best.pieces);
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
