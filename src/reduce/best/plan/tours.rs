//! Cuts a circulation into walks from the start, none of them longer than asked.
//!
//! Each walk first takes a short way through; the cycles that are left are then hung into the
//! shortest walk that touches them, the longest cycle first, so that walks get about as long as
//! each other.

use std::collections::VecDeque;

use super::choose::Choice;
use super::problem::Problem;
use crate::reduce::best::machine::{Machine, Ways};

/// How often one more walk is asked for because one is too long.
const SPLITS: usize = 1000;

/// A walk or a cycle: arcs of the network.
type Way = Vec<usize>;

impl Choice<'_> {
    /// The walks, as arcs of the machine.
    pub(super) fn into_walks(
        mut self,
        machine: &Machine,
        max_steps: usize,
        usable: &dyn Fn(usize) -> Option<u64>,
    ) -> Vec<Vec<usize>> {
        for _ in 0..SPLITS {
            if (self.walks() as usize) * max_steps >= self.steps() {
                break;
            }
            // One more walk may take the way of another, so what that covered must be asked for.
            self.choose_all_active();
            if !self.add_walk() {
                break;
            }
            self.tidy();
        }
        let walks = self.cut().into_iter();
        let walks = walks.filter(|walk| !walk.is_empty());
        walks
            .flat_map(|walk| shortened(machine, walk, max_steps, usable))
            .collect()
    }

    fn cut(&self) -> Vec<Vec<usize>> {
        let problem = self.problem;
        let mut left = Left::new(problem, &self.state.circulation.flow);
        let mut ways: Vec<Way> = (0..self.walks()).map(|_| left.through()).collect();
        let cycles = left.cycles();
        hang(problem, &mut ways, cycles);
        let mut stays: Vec<Vec<usize>> = vec![Vec::new(); problem.start as usize + 1];
        let machine_stays: Vec<(u32, usize)> = self.stays_by_node();
        for (node, arc) in machine_stays {
            stays[node as usize].push(arc);
        }
        // Actions that stay go to the shortest walk that comes by, so that walks even out.
        let mut lengths: Vec<usize> = ways.iter().map(|way| steps(problem, way)).collect();
        let visits: Vec<Vec<bool>> = ways.iter().map(|way| visited(problem, way)).collect();
        let mut given: Vec<Vec<Vec<usize>>> = vec![vec![Vec::new(); stays.len()]; ways.len()];
        for (node, arcs) in stays.iter_mut().enumerate() {
            if arcs.is_empty() {
                continue;
            }
            let by = (0..ways.len()).filter(|&way| visits[way][node]);
            if let Some(way) = by.min_by_key(|&way| lengths[way]) {
                lengths[way] += arcs.len();
                given[way][node].append(arcs);
            }
        }
        let walks = ways.iter().zip(&mut given);
        walks
            .map(|(way, given)| machine_arcs(problem, way, given))
            .collect()
    }

    fn stays_by_node(&self) -> Vec<(u32, usize)> {
        let problem = self.problem;
        let items = problem.items.iter().zip(&self.state.items);
        let chosen = items.filter(|(_, chosen)| **chosen);
        let stays = chosen.filter_map(|(item, _)| {
            let arc = item.stays?;
            Some((problem.network.arcs[item.arc].from, arc))
        });
        stays.collect()
    }
}

/// Cuts a walk that is too long in two, or more, where the way back to the cut is shortest.
fn shortened(
    machine: &Machine,
    walk: Vec<usize>,
    max_steps: usize,
    usable: &dyn Fn(usize) -> Option<u64>,
) -> Vec<Vec<usize>> {
    let mut walks = Vec::new();
    let mut rest = walk;
    while rest.len() > max_steps {
        let ways = Ways::new(machine, machine.launch, &|arc| usable(arc).is_some());
        let cut = (1..=max_steps)
            .filter_map(|at| {
                let back = ways.steps(machine.arcs[rest[at]].from)?;
                // A cut must leave less than there was.
                (back < at).then_some((back + (max_steps - at) / 4, at))
            })
            .min();
        let Some((_, at)) = cut else { break };
        let mut next = ways.way(machine, machine.arcs[rest[at]].from);
        next.extend(rest.drain(at..));
        walks.push(std::mem::replace(&mut rest, next));
    }
    walks.push(rest);
    walks
}

fn steps(problem: &Problem, way: &Way) -> usize {
    let arcs = way
        .iter()
        .filter(|&&arc| problem.machine_arc[arc].is_some());
    arcs.count()
}

fn visited(problem: &Problem, way: &Way) -> Vec<bool> {
    let mut visited = vec![false; problem.start as usize + 1];
    for &arc in way {
        visited[problem.network.arcs[arc].to as usize] = true;
    }
    visited
}

/// The arcs of the machine along a way; actions that stay come at the first visit of their state.
fn machine_arcs(problem: &Problem, way: &Way, given: &mut [Vec<usize>]) -> Vec<usize> {
    let mut arcs = Vec::new();
    for &arc in way {
        arcs.extend(problem.machine_arc[arc]);
        arcs.append(&mut given[problem.network.arcs[arc].to as usize]);
    }
    arcs
}

/// What is left of a circulation while walks are taken out of it.
struct Left<'p> {
    problem: &'p Problem,
    flow: Vec<u32>,
}

impl<'p> Left<'p> {
    fn new(problem: &'p Problem, flow: &[u32]) -> Self {
        Self {
            problem,
            flow: flow.to_vec(),
        }
    }

    fn take(&mut self, arc: usize) -> u32 {
        self.flow[arc] -= 1;
        self.problem.network.arcs[arc].to
    }

    /// Takes one short way out, from the start back to it; the way ends before it is back.
    fn through(&mut self) -> Way {
        let start = self.problem.start;
        let distance = self.distances(start);
        let mut way = vec![self.problem.launch];
        let mut node = self.take(self.problem.launch);
        while node != start {
            let arcs = self.problem.network.leaving(node);
            let open = arcs.filter(|&arc| self.flow[arc] > 0);
            let arc = open.min_by_key(|&arc| distance[self.problem.network.arcs[arc].to as usize]);
            // What comes in goes out: a circulation has no dead end.
            let Some(arc) = arc else { break };
            node = self.take(arc);
            way.push(arc);
        }
        way
    }

    /// How many arcs it takes from each node to `goal`, along what is left.
    fn distances(&self, goal: u32) -> Vec<usize> {
        let network = &self.problem.network;
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); goal as usize + 1];
        for (arc, &flow) in network.arcs.iter().zip(&self.flow) {
            if flow > 0 {
                before[arc.to as usize].push(arc.from);
            }
        }
        let mut distance = vec![usize::MAX; goal as usize + 1];
        distance[goal as usize] = 0;
        let mut open = VecDeque::from([goal]);
        while let Some(node) = open.pop_front() {
            for &other in &before[node as usize] {
                if distance[other as usize] == usize::MAX {
                    distance[other as usize] = distance[node as usize] + 1;
                    open.push_back(other);
                }
            }
        }
        distance
    }

    /// Takes everything else out as cycles that touch no node twice.
    fn cycles(&mut self) -> Vec<Way> {
        let mut cycles = Vec::new();
        for first in 0..self.flow.len() {
            while self.flow[first] > 0 {
                let mut way = vec![first];
                let mut nodes = vec![self.problem.network.arcs[first].from];
                let mut node = self.take(first);
                loop {
                    if let Some(at) = nodes.iter().position(|&known| known == node) {
                        cycles.push(way.split_off(at));
                        nodes.truncate(at);
                        if way.is_empty() {
                            break;
                        }
                    }
                    nodes.push(node);
                    let arcs = self.problem.network.leaving(node);
                    let mut open = arcs.filter(|&arc| self.flow[arc] > 0);
                    let Some(arc) = open.next() else { break };
                    node = self.take(arc);
                    way.push(arc);
                }
            }
        }
        cycles
    }
}

/// Hangs cycles into walks.
fn hang(problem: &Problem, ways: &mut [Way], mut cycles: Vec<Way>) {
    cycles.sort_by_key(|cycle| std::cmp::Reverse(steps(problem, cycle)));
    let mut lengths: Vec<usize> = ways.iter().map(|way| steps(problem, way)).collect();
    loop {
        let mut hung = false;
        let mut later = Vec::new();
        for cycle in cycles {
            let touch = |way: &Way| {
                let nodes: Vec<u32> = way.iter().map(|&a| problem.network.arcs[a].to).collect();
                cycle.iter().enumerate().find_map(|(at, &arc)| {
                    let node = problem.network.arcs[arc].from;
                    let place = nodes.iter().rposition(|&known| known == node)?;
                    Some((place + 1, at))
                })
            };
            let touching = (0..ways.len()).filter_map(|way| Some((way, touch(&ways[way])?)));
            let Some((way, (place, at))) = touching.min_by_key(|&(way, _)| lengths[way]) else {
                later.push(cycle);
                continue;
            };
            lengths[way] += steps(problem, &cycle);
            let turned = cycle[at..].iter().chain(&cycle[..at]).copied();
            ways[way].splice(place..place, turned);
            hung = true;
        }
        cycles = later;
        if cycles.is_empty() || !hung {
            return;
        }
    }
}
