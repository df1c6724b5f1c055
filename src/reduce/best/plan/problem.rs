//! The problem behind a plan: a network with a price on everything, and what each part covers.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Task;
use super::network::{FlowArc, Network};
use crate::model::{Coverage, ElementId, Names};
use crate::reduce::best::machine::{Arc, Machine, Place};

/// How many steps it is worth not to trust the machine where little speaks for it.
const UNSURE: u64 = 2;

/// How many steps it is worth not to assume that an action does in one state of a screen what it
/// did in all others.
const ASSUMED: u64 = 1;

/// Something that can be chosen: walking an arc, looking at a state, or an action that stays in
/// its state.
#[derive(Debug)]
pub(super) struct Item {
    /// The arc of the network that it needs.
    pub(super) arc: usize,
    /// What it costs beyond that.
    pub(super) extra: i64,
    /// The wanted elements it covers.
    pub(super) covers: Vec<u32>,
    /// The arc of the machine, where it is an action that stays in its state.
    pub(super) stays: Option<usize>,
}

/// The network has an arriving and a leaving node for each state, and one for the start.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) network: Network,
    /// The arc of the machine behind each arc of the network, where there is one.
    pub(super) machine_arc: Vec<Option<usize>>,
    /// The node of the start.
    pub(super) start: u32,
    /// The arc from the start to the launch state.
    pub(super) launch: usize,
    /// The arcs from the start to where known walks end.
    pub(super) ends: Vec<usize>,
    pub(super) items: Vec<Item>,
    /// The items that cover each wanted element.
    pub(super) covering: Vec<Vec<u32>>,
    elements: Vec<ElementId>,
    /// What of the goal no item covers.
    unreachable: Coverage,
}

/// The node where walks arrive in a state.
pub(super) fn arriving(state: u32) -> u32 {
    2 * state
}

/// The node from which they leave it.
pub(super) fn leaving(state: u32) -> u32 {
    2 * state + 1
}

impl Problem {
    pub(super) fn new(task: &Task, names: &Names) -> Self {
        let machine = task.machine;
        let reached = reached(task);
        let vague = Vague::new(task, &reached);
        let start = vague.first_between() + vague.n_unsure;
        let mut problem = Self {
            network: Network::new(0, Vec::new()),
            machine_arc: Vec::new(),
            start,
            launch: 0,
            ends: Vec::new(),
            items: Vec::new(),
            covering: Vec::new(),
            elements: Vec::new(),
            unreachable: Coverage::default(),
        };
        let wanted = problem.wanted(task, names);
        let mut arcs = Vec::new();
        problem.add(
            &mut arcs,
            (start, arriving(machine.launch)),
            task.costs.restart_micros.cast_signed(),
        );
        for end in task.ends {
            let arc = problem.add(&mut arcs, (start, arriving(end.state)), 0);
            arcs[arc].most = 1;
            problem.ends.push(arc);
        }
        let mut between = vague.first_between();
        for state in (0..machine.n_states() as u32).filter(|&state| reached[state as usize]) {
            let screen = names.screen_element(machine.screens[state as usize]);
            let visit = problem.visit(&mut arcs, state, wanted.get(&screen).copied());
            for index in machine.arcs_of(state) {
                let arc = &machine.arcs[index];
                let unsure = vague.behind(machine, arc);
                let to = if unsure.is_some() {
                    between
                } else {
                    arriving(arc.to)
                };
                let walked = (state, to, visit);
                let walked = problem.walk(&mut arcs, walked, (index, 0), task, &wanted);
                if let (Some(unsure), true) = (unsure, walked) {
                    // Behind it one may be elsewhere; to trust the machine all the same has a price.
                    let trust = (UNSURE * task.costs.action_micros).cast_signed();
                    problem.add(&mut arcs, (between, arriving(arc.to)), trust);
                    problem.add(&mut arcs, (between, arriving(unsure)), 0);
                    between += 1;
                }
            }
            for index in assumed(machine, state) {
                if let Some(to) = vague.assumed(machine, state, index) {
                    let walked = (state, arriving(to), visit);
                    problem.walk(&mut arcs, walked, (index, ASSUMED), task, &wanted);
                }
            }
        }
        for (&place, &state) in &vague.states {
            let element = names.screen_element(place.0);
            let visit = problem.visit(&mut arcs, state, wanted.get(&element).copied());
            for index in machine.fixed_in(place) {
                if let Some(to) = vague.at(machine.next_place(place, index)) {
                    let walked = (state, arriving(to), visit);
                    problem.walk(&mut arcs, walked, (index, 0), task, &wanted);
                }
            }
        }
        problem.network = Network::new(start as usize + 1, arcs);
        problem.index();
        problem
    }

    /// Adds a state, which walks may end in; gives the arc that visits it.
    fn visit(&mut self, arcs: &mut Vec<FlowArc>, state: u32, screen: Option<u32>) -> usize {
        let visit = self.add(arcs, (arriving(state), leaving(state)), 0);
        self.add(arcs, (leaving(state), self.start), 0);
        self.item(visit, 0, screen, None);
        visit
    }

    /// Adds what an arc of the machine does in a state that is visited by `visit`, with so many steps for
    /// what is not known of it; false if it cannot be used.
    fn walk(
        &mut self,
        arcs: &mut Vec<FlowArc>,
        (state, to, visit): (u32, u32, usize),
        (index, unknown): (usize, u64),
        task: &Task,
        wanted: &FxHashMap<ElementId, u32>,
    ) -> bool {
        let Some(worry) = (task.usable)(index) else {
            return false;
        };
        let cost = ((1 + unknown) * task.costs.action_micros + worry).cast_signed();
        let covers = task.machine.arcs[index].cover.elements().iter();
        let covers = covers.filter_map(|element| wanted.get(element).copied());
        if to == arriving(state) {
            self.item(visit, cost, covers, Some(index));
        } else {
            let number = self.add(arcs, (leaving(state), to), cost);
            self.machine_arc[number] = Some(index);
            self.item(number, 0, covers, None);
        }
        true
    }

    /// Numbers for the elements of the goal that a launch alone does not cover.
    fn wanted(&mut self, task: &Task, names: &Names) -> FxHashMap<ElementId, u32> {
        let machine = task.machine;
        let launch = names.screen_element(machine.screens[machine.launch as usize]);
        let open = task
            .goal
            .iter()
            .filter(|&element| element != launch && !machine.launch_cover.contains(element));
        self.elements = open.collect();
        self.elements.iter().copied().zip(0..).collect()
    }

    fn add(&mut self, arcs: &mut Vec<FlowArc>, (from, to): (u32, u32), cost: i64) -> usize {
        let most = u32::MAX;
        arcs.push(FlowArc {
            from,
            to,
            cost,
            most,
        });
        self.machine_arc.push(None);
        arcs.len() - 1
    }

    fn item(
        &mut self,
        arc: usize,
        extra: i64,
        covers: impl IntoIterator<Item = u32>,
        stays: Option<usize>,
    ) {
        let covers: Vec<u32> = covers.into_iter().collect();
        if !covers.is_empty() {
            self.items.push(Item {
                arc,
                extra,
                covers,
                stays,
            });
        }
    }

    fn index(&mut self) {
        self.covering = vec![Vec::new(); self.elements.len()];
        for (number, item) in self.items.iter().enumerate() {
            for &element in &item.covers {
                self.covering[element as usize].push(number as u32);
            }
        }
        let nowhere = self.covering.iter().zip(&self.elements);
        let nowhere = nowhere.filter(|(items, _)| items.is_empty());
        self.unreachable = nowhere.map(|(_, element)| *element).collect();
    }

    /// Wanted elements by their own ids, with those that nothing covers.
    pub(super) fn missing(&self, uncovered: &[u32]) -> Coverage {
        let mut missing = self.unreachable.clone();
        for &element in uncovered {
            missing.insert(self.elements[element as usize]);
        }
        missing
    }
}

/// Arcs of actions that did the same wherever what decides them was the same, for those that were not tried in this
/// state.
fn assumed(machine: &Machine, state: u32) -> impl Iterator<Item = usize> + '_ {
    let fixed = machine.fixed_in(machine.place(state));
    fixed.filter(move |&index| {
        let action = machine.arcs[index].action;
        machine
            .arcs_of(state)
            .all(|known| machine.arcs[known].action != action)
    })
}

/// States that stand for being in a place without knowing in which of its states: only actions
/// that do the same in all of them go on from there.
struct Vague {
    states: BTreeMap<Place, u32>,
    /// The states of places that have one alone.
    only: FxHashMap<Place, u32>,
    n_states: u32,
    /// How many arcs lead there.
    n_unsure: u32,
}

impl Vague {
    fn new(task: &Task, reached: &[bool]) -> Self {
        let machine = task.machine;
        let n_states = machine.n_states() as u32;
        let mut vague = Self {
            states: BTreeMap::new(),
            only: FxHashMap::default(),
            n_states,
            n_unsure: 0,
        };
        let mut n_known: FxHashMap<Place, u32> = FxHashMap::default();
        let known = (0..n_states).filter(|&state| reached[state as usize]);
        for state in known.clone() {
            let place = machine.place(state);
            *n_known.entry(place).or_default() += 1;
            vague.only.insert(place, state);
        }
        vague.only.retain(|place, _| n_known[place] == 1);
        let several = |place: &Place| n_known.get(place).is_some_and(|&known| known > 1);
        for (index, arc) in machine.arcs.iter().enumerate() {
            let place = machine.place(arc.to);
            let unsure = arc.weak
                && arc.to != arc.from
                && reached[arc.from as usize]
                && several(&place)
                && (task.usable)(index).is_some();
            if unsure {
                vague.n_unsure += 1;
                vague.add(place);
            }
        }
        for state in known {
            let next = |index| machine.next_place(machine.place(state), index);
            for place in assumed(machine, state).map(next).filter(several) {
                vague.add(place);
            }
        }
        // Who does not know in which state of a place it is knows no more of the next one,
        // unless that has one state alone.
        let mut open: Vec<Place> = vague.states.keys().copied().collect();
        while let Some(place) = open.pop() {
            let next = |index| machine.next_place(place, index);
            for place in machine.fixed_in(place).map(next).filter(several) {
                if vague.add(place) {
                    open.push(place);
                }
            }
        }
        vague
    }

    /// Adds a state for a place; false if there is one.
    fn add(&mut self, place: Place) -> bool {
        let next = self.n_states + self.states.len() as u32;
        let known = *self.states.entry(place).or_insert(next);
        known == next
    }

    /// The state to be in in a place, if anything is known of it.
    fn at(&self, place: Place) -> Option<u32> {
        let state = self.states.get(&place).or_else(|| self.only.get(&place));
        state.copied()
    }

    /// Where an arc leads if the machine is not to be trusted.
    fn behind(&self, machine: &Machine, arc: &Arc) -> Option<u32> {
        let unsure = arc.weak && arc.to != arc.from;
        let state = self.states.get(&machine.place(arc.to));
        state.copied().filter(|_| unsure)
    }

    /// Where an action leads that is assumed to do in a state what the arc does in others, if that is known.
    fn assumed(&self, machine: &Machine, state: u32, arc: usize) -> Option<u32> {
        let to = self.at(machine.next_place(machine.place(state), arc));
        to.filter(|&to| to != state)
    }

    /// The first node that stands between an arc and the two states it may lead to.
    fn first_between(&self) -> u32 {
        2 * (self.n_states + self.states.len() as u32)
    }
}

/// The states that usable arcs lead to from the launch and from where known walks end.
fn reached(task: &Task) -> Vec<bool> {
    let machine = task.machine;
    let mut reached = vec![false; machine.n_states()];
    let mut open = vec![machine.launch];
    open.extend(task.ends.iter().map(|end| end.state));
    for &state in &open {
        reached[state as usize] = true;
    }
    while let Some(state) = open.pop() {
        for arc in machine
            .arcs_of(state)
            .filter(|&arc| (task.usable)(arc).is_some())
        {
            let to = machine.arcs[arc].to;
            if !std::mem::replace(&mut reached[to as usize], true) {
                open.push(to);
            }
        }
    }
    reached
}
