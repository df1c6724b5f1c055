//! The machine learnt from the evidence: states behind screens, and what actions do in them.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::causes::{Causes, Signature};
use crate::model::{ActionId, Cover, ScreenId};

/// A state of the machine.
pub(super) type State = u32;

/// A screen with what steps left behind that it does not show.
pub(super) type Place = (ScreenId, Signature);

/// One outcome of an action in a state.
#[derive(Debug, Clone)]
pub(super) struct Arc {
    pub(super) from: State,
    pub(super) action: ActionId,
    /// The screen it shows.
    pub(super) screen: ScreenId,
    pub(super) to: State,
    /// How often it was seen, recordings included.
    pub(super) seen: u32,
    /// How often the same action in this state did something else, or could not be done.
    pub(super) otherwise: u32,
    /// How often the same action on the same screen showed something else in other states although nothing that
    /// is known to decide it was different.
    pub(super) contested: u32,
    /// How likely the same action on the same screen is left to chance, before anything is known of this state.
    pub(super) chance: f64,
    /// Whether little speaks for the state it leads to, rather than for another of that screen.
    pub(super) weak: bool,
    /// What it covered whenever it was seen, its screen not included.
    pub(super) cover: Cover,
}

impl Arc {
    /// Whether it was never seen to go another way.
    pub(super) fn is_sure(&self) -> bool {
        self.otherwise == 0
    }
}

/// States and arcs; arcs of one state stand together.
#[derive(Debug, Clone, Default)]
pub(super) struct Machine {
    pub(super) launch: State,
    pub(super) launch_cover: Cover,
    pub(super) screens: Vec<ScreenId>,
    pub(super) arcs: Vec<Arc>,
    /// Where the arcs of each state begin.
    pub(super) first: Vec<u32>,
    /// What decides where screens do not tell, and the signature of each state.
    pub(super) causes: Causes,
    pub(super) signatures: Vec<Signature>,
    /// Arcs of actions that do the same on their screen wherever what decides them is the same, with that.
    pub(super) fixed: FxHashMap<ScreenId, Vec<(u8, usize)>>,
    /// The share of actions that are left to chance, as far as the evidence tells.
    pub(super) chance: f64,
}

impl Machine {
    /// Counts for each arc what the same action on the same screen did in other states, and finds
    /// those that do the same in all of them.
    pub(super) fn contest(&mut self, contested: &FxHashSet<(ScreenId, ActionId)>) {
        let kinds: Vec<_> = self.arcs.iter().map(|arc| self.kind(arc)).collect();
        let mut all: FxHashMap<_, u32> = FxHashMap::default();
        let mut alike: FxHashMap<_, u32> = FxHashMap::default();
        for (arc, kind) in self.arcs.iter().zip(&kinds) {
            *all.entry(kind).or_default() += arc.seen;
            *alike.entry((kind, arc.screen)).or_default() += arc.seen;
        }
        for (arc, kind) in self.arcs.iter_mut().zip(&kinds) {
            arc.contested = all[kind] - alike[&(kind, arc.screen)];
        }
        // Of several states the one that was seen most.
        let mut most: FxHashMap<_, usize> = FxHashMap::default();
        for (index, (arc, kind)) in self.arcs.iter().zip(&kinds).enumerate() {
            let (screen, action, _) = *kind;
            let known = if self.causes.is_decided(screen, action) {
                arc.contested == 0 && arc.is_sure()
            } else {
                !contested.contains(&(screen, action))
            };
            if known {
                let best = most.entry(*kind).or_insert(index);
                if self.arcs[*best].seen < arc.seen {
                    *best = index;
                }
            }
        }
        for ((screen, _, deciding), arc) in most {
            self.fixed.entry(screen).or_default().push((deciding, arc));
        }
        for arcs in self.fixed.values_mut() {
            arcs.sort_unstable();
        }
    }

    /// The screen and action of an arc, and what decides it.
    fn kind(&self, arc: &Arc) -> (ScreenId, ActionId, u8) {
        let (screen, signature) = self.place(arc.from);
        let deciding = self.causes.deciding(screen, arc.action, signature);
        (screen, arc.action, deciding)
    }

    /// Arcs that do the same in a place as where they were seen.
    pub(super) fn fixed_in(&self, (screen, signature): Place) -> impl Iterator<Item = usize> + '_ {
        let fixed = self.fixed.get(&screen).into_iter().flatten();
        let fixed = fixed.filter(move |(deciding, arc)| {
            *deciding
                == self
                    .causes
                    .deciding(screen, self.arcs[*arc].action, signature)
        });
        fixed.map(|(_, arc)| *arc)
    }

    /// The place of a state.
    pub(super) fn place(&self, state: State) -> Place {
        let state = state as usize;
        (self.screens[state], self.signatures[state])
    }

    /// Where an arc leads if it is taken in a place.
    pub(super) fn next_place(&self, (screen, signature): Place, arc: usize) -> Place {
        let arc = &self.arcs[arc];
        let step = (screen, arc.action, arc.screen);
        (arc.screen, self.causes.after(signature, step))
    }

    /// How many states there are.
    pub(super) fn n_states(&self) -> usize {
        self.screens.len()
    }

    /// The arcs of a state.
    pub(super) fn arcs_of(&self, state: State) -> std::ops::Range<usize> {
        self.first[state as usize] as usize..self.first[state as usize + 1] as usize
    }

    /// The outcome of an action in a state that shows this screen.
    pub(super) fn step(&self, state: State, action: ActionId, screen: ScreenId) -> Option<usize> {
        self.arcs_of(state)
            .find(|&arc| self.arcs[arc].action == action && self.arcs[arc].screen == screen)
    }
}

/// Shortest ways from one state.
pub(super) struct Ways {
    by: Vec<Option<usize>>,
    steps: Vec<Option<usize>>,
}

impl Ways {
    pub(super) fn new(machine: &Machine, start: State, usable: &dyn Fn(usize) -> bool) -> Self {
        let mut ways = Self {
            by: vec![None; machine.n_states()],
            steps: vec![None; machine.n_states()],
        };
        ways.steps[start as usize] = Some(0);
        let mut open = VecDeque::from([start]);
        while let Some(state) = open.pop_front() {
            let next = ways.steps[state as usize].map(|steps| steps + 1);
            for index in machine.arcs_of(state) {
                let arc = &machine.arcs[index];
                if usable(index) && ways.steps[arc.to as usize].is_none() {
                    ways.steps[arc.to as usize] = next;
                    ways.by[arc.to as usize] = Some(index);
                    open.push_back(arc.to);
                }
            }
        }
        ways
    }

    pub(super) fn steps(&self, state: State) -> Option<usize> {
        self.steps[state as usize]
    }

    pub(super) fn way(&self, machine: &Machine, goal: State) -> Vec<usize> {
        let mut way = Vec::new();
        let mut state = goal;
        while let Some(arc) = self.by[state as usize] {
            way.push(arc);
            state = machine.arcs[arc].from;
        }
        way.reverse();
        way
    }
}
