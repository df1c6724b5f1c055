//! The machine learnt from the evidence: states behind screens, and what actions do in them.

use std::collections::VecDeque;

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
    /// The share of actions that are left to chance, as far as the evidence tells.
    pub(super) chance: f64,
}

impl Machine {
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
