//! The machine learnt from the evidence: states behind screens, and what actions do in them.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{ActionId, Cover, ScreenId};

/// A state of the machine.
pub(super) type State = u32;

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
    /// How often the same action on the same screen showed something else in other states.
    pub(super) contested: u32,
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
    /// Arcs of actions that do the same on their screen in whatever state it is.
    pub(super) fixed: FxHashMap<ScreenId, Vec<usize>>,
    /// The share of actions that are left to chance, as far as the evidence tells.
    pub(super) chance: f64,
}

impl Machine {
    /// Counts for each arc what the same action on the same screen did in other states, and finds
    /// those that do the same in all of them.
    pub(super) fn contest(&mut self, contested: &FxHashSet<(ScreenId, ActionId)>) {
        let screens = &self.screens;
        let pair = |arc: &Arc| (screens[arc.from as usize], arc.action);
        let mut all: FxHashMap<_, u32> = FxHashMap::default();
        let mut alike: FxHashMap<_, u32> = FxHashMap::default();
        for arc in &self.arcs {
            *all.entry(pair(arc)).or_default() += arc.seen;
            *alike.entry((pair(arc), arc.screen)).or_default() += arc.seen;
        }
        for arc in &mut self.arcs {
            let pair = (screens[arc.from as usize], arc.action);
            arc.contested = all[&pair] - alike[&(pair, arc.screen)];
        }
        // Of several states the one that was seen most.
        let mut most: FxHashMap<(ScreenId, ActionId), usize> = FxHashMap::default();
        for (index, arc) in self.arcs.iter().enumerate() {
            let pair = (screens[arc.from as usize], arc.action);
            if !contested.contains(&pair) {
                let best = most.entry(pair).or_insert(index);
                if self.arcs[*best].seen < arc.seen {
                    *best = index;
                }
            }
        }
        for ((screen, _), arc) in most {
            self.fixed.entry(screen).or_default().push(arc);
        }
        for arcs in self.fixed.values_mut() {
            arcs.sort_unstable();
        }
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
