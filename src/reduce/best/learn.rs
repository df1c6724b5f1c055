//! Learns a machine from the evidence: nodes of the prefix tree are merged into one state when
//! they show the same screen and what came after them fits together.
//!
//! The way of blue-fringe state merging: states are settled one by one, the outcome with the
//! most evidence first, and each is either one of the states settled before or a new one. A
//! screen that hides state is split where, and only where, the evidence shows it; a mistake
//! makes a plan fail once, and the failure is evidence. Costs about one look at the `AHEAD`
//! steps behind each node for each state that shows the same screen.

use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::likeness::{Counts, add, likeness};
use super::machine::{Arc, Machine, State};
use crate::model::{ActionId, Cover, ScreenId};
use crate::reduce::Evidence;
use crate::reduce::evidence::Node;

/// How many steps ahead two nodes are compared.
const AHEAD: usize = 24;
/// How many nodes one comparison looks at.
const LOOKS: usize = 4000;
/// What speaks for merging from the start.
const TRUST: f64 = 2.0;
/// More kinds of covers than this share of the sightings of a step are noise, not state.
const NOISE: f64 = 0.3;

/// Outcomes of one action with one screen, seen from all nodes of a state.
struct Group {
    nodes: Vec<Node>,
    weight: u64,
    target: Option<State>,
}

struct Settled {
    screen: ScreenId,
    nodes: Vec<Node>,
    groups: FxHashMap<(ActionId, ScreenId), Group>,
    counts: FxHashMap<ActionId, Counts>,
    refused: FxHashMap<ActionId, u32>,
}

struct Learner<'e, 'a> {
    evidence: &'e Evidence<'a>,
    /// The cover of each node by number; 0 where covers are noise.
    covers: Vec<u32>,
    chance: f64,
    states: Vec<Settled>,
    by_screen: FxHashMap<ScreenId, Vec<State>>,
    open: BinaryHeap<(u64, std::cmp::Reverse<(State, ActionId, ScreenId)>)>,
}

/// Learns the machine of an app that starts with `launch`.
pub(super) fn learn(evidence: &Evidence, launch: Node) -> Machine {
    let mut learner = Learner {
        evidence,
        covers: cover_numbers(evidence),
        chance: chance(evidence),
        states: Vec::new(),
        by_screen: FxHashMap::default(),
        open: BinaryHeap::new(),
    };
    learner.settle(launch);
    learner.machine(launch)
}

/// How often a node was passed.
fn weight(evidence: &Evidence, node: Node) -> u32 {
    let prefix = evidence.prefix(node);
    prefix.recorded + prefix.live
}

/// What a node covered whenever it was passed.
fn cover(evidence: &Evidence, node: Node) -> Option<Cover> {
    let prefix = evidence.prefix(node);
    match (&prefix.recorded_cover, &prefix.cover) {
        (Some(recorded), Some(live)) => Some(recorded.intersection(live)),
        (Some(cover), None) | (None, Some(cover)) => Some(cover.clone()),
        (None, None) => None,
    }
}

/// Numbers for the covers of all nodes, 0 where the same step covers something else nearly
/// every time.
fn cover_numbers(evidence: &Evidence) -> Vec<u32> {
    let mut numbers: FxHashMap<Cover, u32> = FxHashMap::default();
    let mut kinds: FxHashMap<(ScreenId, ActionId, ScreenId), (FxHashSet<u32>, u32)> =
        FxHashMap::default();
    let mut covers = vec![0; evidence.len()];
    let triple = |node: usize| {
        let prefix = evidence.prefix(node as Node);
        let (before, action) = prefix.step?;
        Some((evidence.prefix(before).screen, action, prefix.screen))
    };
    for (node, number) in covers.iter_mut().enumerate() {
        let Some(cover) = cover(evidence, node as Node) else {
            continue;
        };
        let next = numbers.len() as u32 + 1;
        *number = *numbers.entry(cover).or_insert(next);
        if let Some(triple) = triple(node) {
            let (known, seen) = kinds.entry(triple).or_default();
            known.insert(*number);
            *seen += 1;
        }
    }
    for (node, number) in covers.iter_mut().enumerate() {
        let noisy = triple(node).and_then(|triple| kinds.get(&triple));
        if noisy.is_some_and(|(known, seen)| {
            known.len() > 6 && known.len() as f64 > NOISE * f64::from(*seen)
        }) {
            *number = 0;
        }
    }
    covers
}

/// The share of actions that do different things after the very same steps.
fn chance(evidence: &Evidence) -> f64 {
    let mut tried: FxHashMap<(ScreenId, ActionId), bool> = FxHashMap::default();
    for node in 0..evidence.len() as Node {
        let prefix = evidence.prefix(node);
        let mut by_action: FxHashMap<ActionId, (u32, u32)> = FxHashMap::default();
        for &child in &prefix.next {
            let Some((_, action)) = evidence.prefix(child).step else {
                continue;
            };
            let (kinds, times) = by_action.entry(action).or_default();
            *kinds += 1;
            *times += weight(evidence, child);
        }
        for &(action, times) in &prefix.refused {
            let (kinds, all) = by_action.entry(action).or_default();
            *kinds += 1;
            *all += times;
        }
        for (action, (kinds, times)) in by_action {
            if times > 1 {
                *tried.entry((prefix.screen, action)).or_default() |= kinds > 1;
            }
        }
    }
    let by_chance = tried.values().filter(|by_chance| **by_chance).count();
    (by_chance as f64 + 0.2) / (tried.len() as f64 + 40.0)
}

impl Learner<'_, '_> {
    fn settle(&mut self, launch: Node) {
        let root = self.new_state(self.evidence.prefix(launch).screen);
        self.join(root, launch);
        while let Some((weight, std::cmp::Reverse((state, action, screen)))) = self.open.pop() {
            let group = &self.states[state as usize].groups[&(action, screen)];
            // A group that has grown since stands in the queue again, with its new weight.
            if group.target.is_some() || group.weight != weight {
                continue;
            }
            let nodes = group.nodes.clone();
            let target = self
                .likest(&nodes, screen)
                .unwrap_or_else(|| self.new_state(screen));
            let group = self.states[state as usize]
                .groups
                .get_mut(&(action, screen));
            group.expect("it was just looked at").target = Some(target);
            for node in nodes {
                self.join(target, node);
            }
        }
    }

    fn new_state(&mut self, screen: ScreenId) -> State {
        let state = self.states.len() as State;
        self.states.push(Settled {
            screen,
            nodes: Vec::new(),
            groups: FxHashMap::default(),
            counts: FxHashMap::default(),
            refused: FxHashMap::default(),
        });
        self.by_screen.entry(screen).or_default().push(state);
        state
    }

    /// Makes a node, and what follows from that, part of a state.
    fn join(&mut self, state: State, node: Node) {
        let mut open = vec![(state, node)];
        while let Some((state, node)) = open.pop() {
            let evidence = self.evidence;
            let settled = &mut self.states[state as usize];
            settled.nodes.push(node);
            for &(action, times) in &evidence.prefix(node).refused {
                *settled.refused.entry(action).or_default() += times;
            }
            for &child in &evidence.prefix(node).next {
                let prefix = evidence.prefix(child);
                let Some((_, action)) = prefix.step else {
                    continue;
                };
                let times = weight(evidence, child);
                if times == 0 {
                    continue;
                }
                let outcome = (prefix.screen.index() as u32, self.covers[child as usize]);
                add(settled.counts.entry(action).or_default(), outcome, times);
                let key = (action, prefix.screen);
                let group = settled.groups.entry(key).or_insert_with(|| Group {
                    nodes: Vec::new(),
                    weight: 0,
                    target: None,
                });
                group.nodes.push(child);
                group.weight += u64::from(times);
                match group.target {
                    Some(target) => open.push((target, child)),
                    None => self.open.push((
                        group.weight,
                        std::cmp::Reverse((state, action, prefix.screen)),
                    )),
                }
            }
        }
    }

    /// The state that these nodes fit best, if they fit any.
    fn likest(&self, nodes: &[Node], screen: ScreenId) -> Option<State> {
        let states = self.by_screen.get(&screen)?.iter();
        let scored = states.map(|&state| (self.score(nodes, state), state));
        let best = scored.filter(|(score, _)| *score > 0.0);
        // Of equals the oldest.
        best.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)))
            .map(|(_, state)| state)
    }

    /// How well what follows these nodes fits what follows a state.
    fn score(&self, nodes: &[Node], state: State) -> f64 {
        let mut seen: FxHashMap<(State, ActionId), Counts> = FxHashMap::default();
        let mut order = Vec::new();
        let mut open: Vec<(Node, State, usize)> =
            nodes.iter().map(|&node| (node, state, 0)).collect();
        let mut looks = 0;
        while let Some((node, state, depth)) = open.pop() {
            looks += 1;
            if looks > LOOKS || depth > AHEAD {
                continue;
            }
            let settled = &self.states[state as usize];
            for &child in &self.evidence.prefix(node).next {
                let prefix = self.evidence.prefix(child);
                let Some((_, action)) = prefix.step else {
                    continue;
                };
                let times = weight(self.evidence, child);
                if times == 0 || !settled.counts.contains_key(&action) {
                    continue;
                }
                let outcome = (prefix.screen.index() as u32, self.covers[child as usize]);
                let counts = seen.entry((state, action)).or_insert_with(|| {
                    order.push((state, action));
                    Counts::new()
                });
                add(counts, outcome, times);
                let group = settled.groups.get(&(action, prefix.screen));
                if let Some(target) = group.and_then(|group| group.target) {
                    open.push((child, target, depth + 1));
                }
            }
        }
        let known = |state: State, action| &self.states[state as usize].counts[&action];
        let scores = order.iter().map(|&(state, action)| {
            let counts = &seen[&(state, action)];
            likeness(known(state, action), counts, self.chance)
        });
        TRUST + scores.sum::<f64>()
    }

    fn machine(&self, launch: Node) -> Machine {
        let mut machine = Machine {
            launch: 0,
            launch_cover: cover(self.evidence, launch).unwrap_or_default(),
            screens: self.states.iter().map(|state| state.screen).collect(),
            chance: self.chance,
            ..Machine::default()
        };
        for (number, settled) in self.states.iter().enumerate() {
            machine.first.push(machine.arcs.len() as u32);
            let mut keys: Vec<_> = settled.groups.keys().copied().collect();
            keys.sort_unstable();
            for (action, screen) in keys {
                let arc = self.arc(number as State, action, screen);
                machine.arcs.push(arc);
            }
        }
        machine.first.push(machine.arcs.len() as u32);
        machine
    }

    fn arc(&self, from: State, action: ActionId, screen: ScreenId) -> Arc {
        let settled = &self.states[from as usize];
        let group = &settled.groups[&(action, screen)];
        let all: u32 = settled.counts[&action].iter().map(|(_, times)| times).sum();
        let seen = group.weight as u32;
        let refused = settled.refused.get(&action).copied().unwrap_or(0);
        let mut known: Option<Cover> = None;
        for cover in group
            .nodes
            .iter()
            .filter_map(|&node| cover(self.evidence, node))
        {
            known = Some(match known {
                None => cover,
                Some(known) => known.intersection(&cover),
            });
        }
        Arc {
            from,
            action,
            screen,
            to: group.target.expect("all groups are settled"),
            seen,
            otherwise: all - seen + refused,
            cover: known.unwrap_or_default(),
            recorded: group
                .nodes
                .iter()
                .any(|&node| self.evidence.prefix(node).recorded > 0),
        }
    }
}
