//! The problem behind a plan: a network with a price on everything, and what each part covers.

use rustc_hash::FxHashMap;

use super::Task;
use super::flow::{FlowArc, Network};
use crate::model::{Coverage, ElementId, Names};

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
        let n_states = machine.n_states() as u32;
        let reached = reached(task);
        let start = 2 * n_states;
        let mut problem = Self {
            network: Network::new(0, Vec::new()),
            machine_arc: Vec::new(),
            start,
            launch: 0,
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
        for state in (0..n_states).filter(|&state| reached[state as usize]) {
            let visit = problem.add(&mut arcs, (arriving(state), leaving(state)), 0);
            problem.add(&mut arcs, (leaving(state), start), 0);
            let screen = names.screen_element(machine.screens[state as usize]);
            problem.item(visit, 0, wanted.get(&screen).copied(), None);
            for index in machine.arcs_of(state) {
                let Some(worry) = (task.usable)(index) else {
                    continue;
                };
                let arc = &machine.arcs[index];
                let cost = (task.costs.action_micros + worry).cast_signed();
                let covers = arc.cover.elements().iter();
                let covers = covers.filter_map(|element| wanted.get(element).copied());
                if arc.to == state {
                    problem.item(visit, cost, covers, Some(index));
                } else {
                    let ends = (leaving(state), arriving(arc.to));
                    let number = problem.add(&mut arcs, ends, cost);
                    problem.machine_arc[number] = Some(index);
                    problem.item(number, 0, covers, None);
                }
            }
        }
        problem.network = Network::new(start as usize + 1, arcs);
        problem.index();
        problem
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
        arcs.push(FlowArc { from, to, cost });
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

/// The states that usable arcs lead to from the launch.
fn reached(task: &Task) -> Vec<bool> {
    let machine = task.machine;
    let mut reached = vec![false; machine.n_states()];
    let mut open = vec![machine.launch];
    reached[machine.launch as usize] = true;
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
