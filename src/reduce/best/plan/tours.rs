//! Cuts a circulation into walks from the start, none of them longer than asked.
//!
//! Each walk first takes a short way through; the cycles that are left are then hung into the
//! shortest walk that touches them, the longest cycle first, so that walks get about as long as
//! each other.

use std::collections::VecDeque;

use super::Task;
use super::choose::Choice;
use super::problem::Problem;
use crate::reduce::best::machine::Ways;

/// How often one more walk is asked for because one is too long.
const SPLITS: usize = 1000;

/// A walk or a cycle: arcs of the network.
type Way = Vec<usize>;

/// New walks, and how known ones go on, as arcs of the machine.
type Walks = (Vec<Vec<usize>>, Vec<(usize, Vec<usize>)>);

/// Where a way begins: with a clean start, or where a known walk ends.
type Begin = Option<usize>;

impl Choice<'_> {
    /// The walks; of several ways to keep them short enough the cheapest.
    pub(super) fn into_walks(mut self, task: &Task, max_steps: usize) -> Walks {
        let mut best: Option<(u64, Walks)> = None;
        for _ in 0..SPLITS {
            let walks = split(self.cut(task, max_steps), task, max_steps);
            let cost = cost(&walks, task);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, walks));
            }
            let room: usize = self.continued().map(|end| task.ends[end].room).sum();
            if (self.walks() as usize) * max_steps + room >= self.steps() {
                break;
            }
            // One more walk may take the way of another, so what that covered must be asked for.
            self.choose_all_active();
            if !self.add_walk() {
                break;
            }
            self.tidy();
        }
        best.map(|(_, walks)| walks).unwrap_or_default()
    }

    fn cut(&self, task: &Task, max_steps: usize) -> Vec<(Begin, Vec<usize>)> {
        let problem = self.problem;
        let mut left = Left::new(problem, &self.state.circulation.flow);
        let mut begins: Vec<Begin> = self.continued().map(Some).collect();
        begins.extend((0..self.walks()).map(|_| None));
        let first = |begin: Begin| begin.map_or(problem.launch, |end| problem.ends[end]);
        let mut ways: Vec<Way> = begins
            .iter()
            .map(|&begin| left.through(first(begin)))
            .collect();
        // What a known walk has already counts, so that walks get about as long as each other.
        let known = begins
            .iter()
            .map(|begin| begin.map_or(0, |end| max_steps.saturating_sub(task.ends[end].room)));
        let mut lengths: Vec<usize> = known
            .zip(&ways)
            .map(|(known, way)| known + steps(problem, way))
            .collect();
        let cycles = left.cycles();
        hang(problem, &mut ways, &mut lengths, cycles);
        let mut stays: Vec<Vec<usize>> = vec![Vec::new(); problem.start as usize + 1];
        let machine_stays: Vec<(u32, usize)> = self.stays_by_node();
        for (node, arc) in machine_stays {
            stays[node as usize].push(arc);
        }
        // Actions that stay go to the shortest walk that comes by, so that walks even out.
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
        let walks = walks.map(|(way, given)| machine_arcs(problem, way, given));
        begins.into_iter().zip(walks).collect()
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

/// Device time of walks.
fn cost((walks, longer): &Walks, task: &Task) -> u64 {
    let longer = longer.iter().map(|(_, walk)| walk.len());
    let steps = walks.iter().map(Vec::len).chain(longer).sum();
    task.costs.micros(walks.len(), steps)
}

/// Cuts walks that are too long.
fn split(walks: Vec<(Begin, Vec<usize>)>, task: &Task, max_steps: usize) -> Walks {
    let ways = Ways::new(task.machine, task.machine.launch, &|arc| {
        (task.usable)(arc).is_some()
    });
    let mut new = Vec::new();
    let mut longer = Vec::new();
    for (begin, walk) in walks {
        if walk.is_empty() {
            continue;
        }
        let room = begin.map_or(max_steps, |end| task.ends[end].room);
        let mut pieces = shortened(task, &ways, walk, (room, max_steps)).into_iter();
        let first = pieces.next();
        match (begin, first) {
            (Some(end), Some(piece)) if piece.len() <= room => longer.push((end, piece)),
            // What does not fit behind a known walk begins with a clean start.
            (Some(_), Some(piece)) => {
                let mut whole = ways.way(task.machine, task.machine.arcs[piece[0]].from);
                whole.extend(piece);
                new.push(whole);
            }
            (_, first) => new.extend(first),
        }
        new.extend(pieces);
    }
    (new, longer)
}

/// Cuts a walk so that its first piece has no more steps than there is room for and no other one
/// more than asked; the least is paid for clean starts and for ways back to the cuts. A walk that
/// cannot be cut so is left as it is.
fn shortened(
    task: &Task,
    ways: &Ways,
    walk: Vec<usize>,
    (room, max_steps): (usize, usize),
) -> Vec<Vec<usize>> {
    if walk.len() <= room {
        return vec![walk];
    }
    let machine = task.machine;
    let back = |at: usize| ways.steps(machine.arcs[walk[at]].from);
    // What it costs at least to walk from each place on, and where that is cut next.
    let mut least: Vec<Option<(u64, usize)>> = vec![None; walk.len() + 1];
    least[walk.len()] = Some((0, walk.len()));
    for at in (0..walk.len()).rev() {
        let (extra, room) = if at == 0 {
            (0, room)
        } else {
            let Some(back) = back(at).filter(|&back| back < max_steps) else {
                continue;
            };
            (task.costs.micros(1, back), max_steps - back)
        };
        let next = (at + 1..=walk.len().min(at + room))
            .filter_map(|next| Some((least[next]?.0 + extra, next)));
        least[at] = next.min();
    }
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < walk.len() {
        let Some((_, next)) = least[at] else {
            return vec![walk];
        };
        let mut piece = if at == 0 {
            Vec::new()
        } else {
            ways.way(machine, machine.arcs[walk[at]].from)
        };
        piece.extend(&walk[at..next]);
        pieces.push(piece);
        at = next;
    }
    pieces
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
    fn through(&mut self, first: usize) -> Way {
        let start = self.problem.start;
        let distance = self.distances(start);
        let mut way = vec![first];
        let mut node = self.take(first);
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
fn hang(problem: &Problem, ways: &mut [Way], lengths: &mut [usize], mut cycles: Vec<Way>) {
    cycles.sort_by_key(|cycle| std::cmp::Reverse(steps(problem, cycle)));
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
