//! Learns a machine from the evidence: nodes of the prefix tree are merged into one state when
//! they show the same screen and what came after them fits together.
//!
//! The way of blue-fringe state merging: states are settled one by one, the outcome with the
//! most evidence first, and each is either one of the states settled before or a new one. A
//! screen that hides state is split where, and only where, the evidence shows it; a mistake
//! makes a plan fail once, and the failure is evidence. Costs about one look at the `AHEAD`
//! steps behind each node for each state that shows the same screen.

mod compare;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::causes::{Causes, Memory, Signature};
use super::chance::{Chance, chance, contested, cover, cover_numbers, weight};
use super::likeness::{Counts, add, contradicts};
use super::machine::{Arc, Machine, Place, State};
use crate::model::{ActionId, ScreenId};
use crate::reduce::Evidence;
use crate::reduce::evidence::Node;

/// How many steps ahead two nodes are compared.
const AHEAD: usize = 24;
/// How many nodes one comparison looks at.
const LOOKS: usize = 20000;
/// What speaks for merging from the start.
const TRUST: f64 = 3.0;
/// How much more than that must speak for merging, in the order in which it is asked for.
const CLEAR: [f64; 4] = [0.9, 0.3, 0.1, f64::NEG_INFINITY];
/// States that fit nearly as well as the best one, by so much.
const ABOUT: f64 = 0.2;
/// Less than this beyond trust is weak evidence for a merge.
const WEAK: f64 = 0.3;
/// How often weak merges are undone because the state they made contradicts itself.
const REGRETS: usize = 4;
/// How often all groups are looked at for each of these.
const PASSES: usize = 6;

/// Outcomes of one action with one screen, seen from all nodes of a state.
struct Group {
    nodes: Vec<Node>,
    weight: u64,
    target: Option<State>,
    /// Whether little speaks for that state.
    weak: bool,
}

struct Settled {
    screen: ScreenId,
    signature: Signature,
    nodes: Vec<Node>,
    groups: FxHashMap<(ActionId, ScreenId), Group>,
    counts: FxHashMap<ActionId, Counts>,
    refused: FxHashMap<ActionId, u32>,
}

/// The state, action and screen of a group.
type GroupKey = (State, ActionId, ScreenId);

struct Learner<'e, 'a> {
    evidence: &'e Evidence<'a>,
    /// The cover of each node by number; 0 where covers are noise.
    covers: &'e [u32],
    chance: &'e Chance,
    /// The signature of each node, if any differ: what steps left behind that no screen shows.
    signatures: &'e [Signature],
    /// Actions on screens that were seen to do different things.
    contested: &'e FxHashSet<(ScreenId, ActionId)>,
    pinned: &'e FxHashSet<Node>,
    /// The first nodes of groups that must not be merged on weak evidence.
    apart: &'e FxHashSet<Node>,
    states: Vec<Settled>,
    /// The state of each node that has one.
    state_of: Vec<Option<State>>,
    by_place: FxHashMap<Place, Vec<State>>,
    open: BinaryHeap<(u64, Reverse<GroupKey>)>,
    /// How many groups are settled.
    settled: usize,
    /// The groups that were merged on weak evidence, by their first nodes, and into what.
    weak: Vec<(Node, State)>,
}

/// Learns the machine of an app that starts with `launch`.
///
/// Each pinned node is a state of its own whatever the evidence says, so that a plan can go its
/// way and come back to the rest of the machine behind it.
pub(super) fn learn(
    evidence: &Evidence,
    launch: Node,
    pinned: &FxHashSet<Node>,
    memory: &mut Memory,
) -> Machine {
    let covers = cover_numbers(evidence);
    let chance = chance(evidence);
    let contested = contested(evidence, &covers);
    let causes = Causes::find(evidence, &covers, (&contested, &chance), memory);
    let signatures = causes.signatures(evidence);
    let mut apart = FxHashSet::default();
    for round in 0.. {
        let mut learner = Learner {
            evidence,
            covers: &covers,
            chance: &chance,
            signatures: &signatures,
            contested: &contested,
            apart: &apart,
            pinned,
            states: Vec::new(),
            state_of: vec![None; evidence.len()],
            by_place: FxHashMap::default(),
            open: BinaryHeap::new(),
            settled: 0,
            weak: Vec::new(),
        };
        learner.settle(launch);
        let regrets = learner.regrets();
        if regrets.is_empty() || round == REGRETS {
            return learner.machine(launch, causes);
        }
        apart.extend(regrets);
    }
    unreachable!("the loop ends by its bound")
}

impl Learner<'_, '_> {
    /// Settles all groups, those with the clearest evidence first: what is settled lets later
    /// ones be compared farther ahead.
    fn settle(&mut self, launch: Node) {
        let root = self.state_for(&[launch], self.evidence.prefix(launch).screen);
        self.join(root, launch);
        for clear in CLEAR {
            for _ in 0..PASSES {
                let before = self.settled;
                let mut later = Vec::new();
                while let Some((weight, Reverse(key))) = self.open.pop() {
                    if !self.settle_group(key, weight, clear) {
                        later.push((weight, Reverse(key)));
                    }
                }
                self.open.extend(later);
                if self.settled == before {
                    break;
                }
            }
        }
    }

    /// Settles a group if the evidence is clear enough; false if it is not.
    fn settle_group(&mut self, key: GroupKey, weight: u64, clear: f64) -> bool {
        let (state, action, screen) = key;
        let group = &self.states[state as usize].groups[&(action, screen)];
        // A group that has grown since stands in the queue again, with its new weight.
        if group.target.is_some() || group.weight != weight {
            return true;
        }
        let nodes = group.nodes.clone();
        let likest = if self.pinned.contains(&nodes[0]) {
            None
        } else {
            self.likest(&nodes, screen)
        };
        let weak = matches!(likest, Some((score, _)) if score < TRUST + WEAK);
        let target = match likest {
            Some((score, _)) if score < TRUST + clear => return false,
            Some((score, _)) if score < TRUST + WEAK && self.apart.contains(&nodes[0]) => {
                self.state_for(&nodes, screen)
            }
            Some((score, target)) => {
                if score < TRUST + WEAK {
                    self.weak.push((nodes[0], target));
                }
                target
            }
            None => self.state_for(&nodes, screen),
        };
        self.settled += 1;
        let group = self.states[state as usize]
            .groups
            .get_mut(&(action, screen));
        let group = group.expect("it was just looked at");
        group.target = Some(target);
        group.weak = weak;
        for node in nodes {
            self.join(target, node);
        }
        true
    }

    /// A new state for nodes; one for a pinned node takes no others.
    fn state_for(&mut self, nodes: &[Node], screen: ScreenId) -> State {
        let state = self.states.len() as State;
        let signature = self.signature(nodes[0]);
        self.states.push(Settled {
            screen,
            signature,
            nodes: Vec::new(),
            groups: FxHashMap::default(),
            counts: FxHashMap::default(),
            refused: FxHashMap::default(),
        });
        if !self.pinned.contains(&nodes[0]) {
            let place = (screen, signature);
            self.by_place.entry(place).or_default().push(state);
        }
        state
    }

    /// Makes a node, and what follows from that, part of a state.
    fn join(&mut self, state: State, node: Node) {
        let mut open = vec![(state, node)];
        while let Some((state, node)) = open.pop() {
            let evidence = self.evidence;
            let settled = &mut self.states[state as usize];
            settled.nodes.push(node);
            self.state_of[node as usize] = Some(state);
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
                    weak: false,
                });
                group.nodes.push(child);
                group.weight += u64::from(times);
                match group.target {
                    Some(target) => open.push((target, child)),
                    None => self
                        .open
                        .push((group.weight, Reverse((state, action, prefix.screen)))),
                }
            }
        }
    }

    /// The state that these nodes fit best and how well, if they fit any.
    fn likest(&self, nodes: &[Node], screen: ScreenId) -> Option<(f64, State)> {
        let place = (screen, self.signature(nodes[0]));
        let states = self.by_place.get(&place)?.iter();
        let scored = states.map(|&state| (self.score(nodes, state), state));
        let fitting: Vec<_> = scored.filter(|(score, _)| *score > 0.0).collect();
        let last = self.last_state(nodes[0], screen);
        // Of equals the oldest.
        let best = fitting
            .iter()
            .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)))?;
        // What no screen shows lasts more often than not.
        let lasting = fitting
            .iter()
            .find(|(score, state)| Some(*state) == last && *score + ABOUT > best.0);
        Some(*lasting.unwrap_or(best))
    }

    fn signature(&self, node: Node) -> Signature {
        self.signatures.get(node as usize).copied().unwrap_or(0)
    }

    /// The state in which the way to a node last showed a screen.
    fn last_state(&self, node: Node, screen: ScreenId) -> Option<State> {
        let mut at = self.evidence.prefix(node).step;
        while let Some((before, _)) = at {
            let prefix = self.evidence.prefix(before);
            if prefix.screen == screen {
                return self.state_of[before as usize];
            }
            at = prefix.step;
        }
        None
    }

    /// The groups merged on weak evidence into states that now do different things at once.
    fn regrets(&self) -> Vec<Node> {
        let at_odds = |state: &Settled| {
            let mut actions = state.counts.iter();
            actions
                .any(|(action, counts)| contradicts(counts, self.chance.of(state.screen, *action)))
        };
        let odd: Vec<bool> = self.states.iter().map(at_odds).collect();
        let weak = self.weak.iter().filter(|(_, state)| odd[*state as usize]);
        let fresh = weak.filter(|(node, _)| !self.apart.contains(node));
        fresh.map(|(node, _)| *node).collect()
    }

    fn machine(&self, launch: Node, causes: Causes) -> Machine {
        let mut machine = Machine {
            launch: 0,
            launch_cover: cover(self.evidence, launch).unwrap_or_default(),
            screens: self.states.iter().map(|state| state.screen).collect(),
            signatures: self.states.iter().map(|state| state.signature).collect(),
            causes,
            chance: self.chance.share,
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
        machine.contest(self.contested);
        machine
    }

    fn arc(&self, from: State, action: ActionId, screen: ScreenId) -> Arc {
        let settled = &self.states[from as usize];
        let group = &settled.groups[&(action, screen)];
        let all: u32 = settled.counts[&action].iter().map(|(_, times)| times).sum();
        let seen = group.weight as u32;
        let refused = settled.refused.get(&action).copied().unwrap_or(0);
        let covers = group.nodes.iter();
        let covers = covers.filter_map(|&node| cover(self.evidence, node));
        let known = covers.reduce(|known, cover| known.intersection(&cover));
        Arc {
            from,
            action,
            screen,
            to: group.target.expect("all groups are settled"),
            weak: group.weak,
            seen,
            otherwise: all - seen + refused,
            contested: 0,
            chance: self.chance.of(settled.screen, action),
            cover: known.unwrap_or_default(),
        }
    }
}
