//! Demands that follow from how walks go: whoever needs something far away has to get there.
//!
//! A flow may go round in circles that no launch feeds enough; a walk cannot. Whatever set of
//! places one looks at, a suite that meets a demand either walks an arc from outside the set into
//! it or meets the demand by an arc that leaves a place outside. That is one more demand, in form
//! like all others. For each demand the set that the flow enters least is a smallest cut between
//! launches and the arcs of the demand; where less than a unit passes it, the demand is added.
//!
//! Cost: a largest flow of at most one unit for each different need; looks at arcs are counted,
//! and those demands come last that many arcs meet.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::network::{Network, Rows, grouped};

/// Cuts that let this much pass are good enough.
const ENOUGH: f64 = 0.99;

/// What is less than this is nothing.
const FAINT: f64 = 1e-7;

/// Most looks at arcs in one call.
const MOST_LOOKS: usize = 20_000_000;

/// Most arcs of all demands together that one call adds.
const MOST_ADDED: usize = 2_000_000;

/// Adds demands that `flow` does not meet; says whether there are any.
pub(super) fn add_missing(network: &mut Network, flow: &[f64]) -> bool {
    let missing = missing(network, flow);
    let any = !missing.is_empty();
    if any {
        network.demand(missing);
    }
    any
}

fn missing(network: &Network, flow: &[f64]) -> Vec<Vec<u32>> {
    let mut separation = Separation::new(network, flow);
    let mut tried = FxHashSet::default();
    let mut missing: Vec<Vec<u32>> = Vec::new();
    let mut room = MOST_ADDED;
    for arcs in network.met_by.iter() {
        let tails = || arcs.iter().map(|&arc| network.arcs[arc as usize].from);
        // A launch that meets the demand leaves nothing to cut, and of all demands whose arcs
        // leave one screen the first stands for the rest.
        let at_launch = tails().any(|tail| tail == network.nowhere());
        let first = tails()
            .next()
            .filter(|&first| tails().all(|tail| tail == first));
        if at_launch || first.is_some_and(|tail| !tried.insert(tail)) {
            continue;
        }
        if separation.looks > MOST_LOOKS || room == 0 {
            break;
        }
        if separation.passes(arcs) < ENOUGH {
            let cut = separation.cut(arcs);
            room = room.saturating_sub(cut.len());
            missing.push(cut);
        }
    }
    missing.sort_unstable();
    missing.dedup();
    missing
}

/// The flow as a graph of pipes, and how much passes through them to a demand.
struct Separation<'a> {
    network: &'a Network,
    flow: &'a [f64],
    /// Pipes come in pairs, there and back: the ends they lead to.
    heads: Vec<u32>,
    /// What each pipe carries, and what is left of it.
    carries: Vec<f64>,
    left: Vec<f64>,
    leaving: Rows,
    /// The pipe by which each place was reached last.
    reached_by: Vec<u32>,
    looks: usize,
}

/// Not reached, and reached without a pipe.
const UNREACHED: u32 = u32::MAX;
const START: u32 = u32::MAX - 1;

impl<'a> Separation<'a> {
    fn new(network: &'a Network, flow: &'a [f64]) -> Self {
        let arcs = network.arcs.iter().zip(flow);
        let (mut tails, mut heads, mut carries) = (Vec::new(), Vec::new(), Vec::new());
        for (arc, &flow) in arcs.filter(|(arc, flow)| **flow > FAINT && arc.from != arc.to) {
            tails.extend([arc.from, arc.to]);
            heads.extend([arc.to, arc.from]);
            carries.extend([flow, 0.0]);
        }
        let leaving = grouped(network.n_places, || tails.iter().copied().zip(0..));
        Self {
            network,
            flow,
            left: carries.clone(),
            heads,
            carries,
            leaving,
            reached_by: vec![UNREACHED; network.n_places],
            looks: 0,
        }
    }

    /// How much of one unit can pass from launches to a demand and by its arcs.
    fn passes(&mut self, arcs: &[u32]) -> f64 {
        self.looks += self.carries.len();
        self.left.copy_from_slice(&self.carries);
        let mut drains: Vec<(u32, f64)> = arcs
            .iter()
            .map(|&arc| {
                (
                    self.network.arcs[arc as usize].from,
                    self.flow[arc as usize],
                )
            })
            .collect();
        let mut passed = 0.0;
        while passed < ENOUGH {
            let Some((drain, most)) = self.way(&drains) else {
                break;
            };
            let amount = self.push(drains[drain].0, most.min(ENOUGH));
            drains[drain].1 -= amount;
            passed += amount;
        }
        passed
    }

    /// A shortest way to a drain that still takes something: the drain and what it takes.
    fn way(&mut self, drains: &[(u32, f64)]) -> Option<(usize, f64)> {
        self.reached_by.fill(UNREACHED);
        let start = self.network.nowhere();
        self.reached_by[start as usize] = START;
        let mut queue = VecDeque::from([start]);
        while let Some(place) = queue.pop_front() {
            let pipes = self.leaving.row(place as usize);
            self.looks += 1 + pipes.len();
            for &pipe in pipes {
                let head = self.heads[pipe as usize];
                let by = &mut self.reached_by[head as usize];
                if *by == UNREACHED && self.left[pipe as usize] > FAINT {
                    *by = pipe;
                    queue.push_back(head);
                }
            }
        }
        let reached = |place: u32| self.reached_by[place as usize] != UNREACHED;
        let mut open = drains.iter().enumerate();
        open.find(|(_, (place, takes))| *takes > FAINT && reached(*place))
            .map(|(drain, &(_, takes))| (drain, takes))
    }

    /// Sends as much as the way to `place` lets pass, `most` at most.
    fn push(&mut self, place: u32, most: f64) -> f64 {
        let mut amount = most;
        let mut at = place;
        while self.reached_by[at as usize] != START {
            let pipe = self.reached_by[at as usize];
            amount = amount.min(self.left[pipe as usize]);
            at = self.heads[pipe as usize ^ 1];
        }
        at = place;
        while self.reached_by[at as usize] != START {
            let pipe = self.reached_by[at as usize] as usize;
            self.left[pipe] -= amount;
            self.left[pipe ^ 1] += amount;
            at = self.heads[pipe ^ 1];
        }
        amount
    }

    /// The arcs that lead from what was reached last into what was not, or meet the demand from
    /// there.
    fn cut(&mut self, meeting: &[u32]) -> Vec<u32> {
        self.looks += self.network.arcs.len();
        let reached = |place: u32| self.reached_by[place as usize] != UNREACHED;
        let arcs = (0_u32..).zip(&self.network.arcs);
        let across = arcs.filter(|(_, arc)| reached(arc.from) && !reached(arc.to));
        let before = |arc: &u32| reached(self.network.arcs[*arc as usize].from);
        let direct = meeting.iter().copied().filter(before);
        let mut cut: Vec<_> = across.map(|(index, _)| index).chain(direct).collect();
        cut.sort_unstable();
        cut.dedup();
        cut
    }
}
