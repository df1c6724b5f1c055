//! The cheapest circulation that goes through every arc that is required of it, kept cheapest
//! while requirements come and go.
//!
//! Costs are not negative, so the empty circulation is cheapest without requirements. A new
//! requirement closes one cycle by a shortest way, a dropped one opens a cycle where that saves
//! something; both keep the reduced costs of all arcs from falling below nothing, which is the
//! proof that nothing cheaper exists. Each takes one shortest-path search.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::network::{FAR, FlowArc, Network, Touch};

/// A cheapest circulation for the requirements so far.
#[derive(Debug, Clone)]
pub(super) struct Circulation {
    /// How often each arc is used.
    pub(super) flow: Vec<u32>,
    /// How often it must be used.
    pub(super) required: Vec<u32>,
    potential: Vec<i64>,
    pub(super) cost: i64,
}

/// Memory that searches use again and again.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    distance: Vec<i64>,
    by: Vec<Touch>,
    heap: BinaryHeap<Reverse<(i64, u32)>>,
    /// Nodes as far away as the present one.
    level: Vec<u32>,
    /// How many nodes were looked at so far.
    pub(super) looks: u64,
}

/// What one more use of an arc costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Price {
    Known(i64),
    /// More than was worth to look for.
    Above,
    NoWay,
}

impl Circulation {
    pub(super) fn new(network: &Network) -> Self {
        Self {
            flow: vec![0; network.arcs.len()],
            required: vec![0; network.arcs.len()],
            potential: vec![0; network.touching.len()],
            cost: 0,
        }
    }

    /// Whether one more use of an arc can be required.
    pub(super) fn is_open(&self, network: &Network, arc: usize) -> bool {
        let flow = self.flow[arc];
        flow < network.arcs[arc].most || flow > self.required[arc]
    }

    /// What one more use of an arc costs, its way back included. The search ends beyond `limit`.
    pub(super) fn price(
        &self,
        network: &Network,
        arc: usize,
        limit: i64,
        scratch: &mut Scratch,
    ) -> Price {
        if self.flow[arc] > self.required[arc] {
            return Price::Known(0);
        }
        let FlowArc {
            from,
            to,
            cost,
            most,
        } = network.arcs[arc];
        if self.flow[arc] == most {
            return Price::NoWay;
        }
        let reduced = self.least_price(network, arc);
        let limit = limit - reduced;
        match self.search(network, to, from, limit, scratch) {
            Some(way) => Price::Known(way + cost),
            None if limit < FAR / 2 => Price::Above,
            None => Price::NoWay,
        }
    }

    /// What one more use of an arc costs at least: the way back is never cheaper than nothing by
    /// reduced costs.
    pub(super) fn least_price(&self, network: &Network, arc: usize) -> i64 {
        if self.flow[arc] > self.required[arc] {
            return 0;
        }
        let FlowArc { from, to, cost, .. } = network.arcs[arc];
        cost + self.potential[from as usize] - self.potential[to as usize]
    }

    /// Requires one more use of an arc; false when that is not possible.
    pub(super) fn require(&mut self, network: &Network, arc: usize, scratch: &mut Scratch) -> bool {
        if self.flow[arc] > self.required[arc] {
            self.required[arc] += 1;
            return true;
        }
        let FlowArc {
            from,
            to,
            cost,
            most,
        } = network.arcs[arc];
        if self.flow[arc] == most {
            return false;
        }
        let Some(way) = self.search(network, to, from, FAR, scratch) else {
            return false;
        };
        self.settle(scratch.distance[from as usize], scratch);
        self.push(network, to, from, scratch);
        self.flow[arc] += 1;
        self.required[arc] += 1;
        self.cost += way + cost;
        true
    }

    /// Drops one required use of an arc.
    pub(super) fn release(&mut self, network: &Network, arc: usize, scratch: &mut Scratch) {
        debug_assert!(self.required[arc] > 0);
        self.required[arc] -= 1;
        if self.flow[arc] > self.required[arc] + 1 {
            return;
        }
        let FlowArc { from, to, cost, .. } = network.arcs[arc];
        // Another way has to be cheaper than the arc by reduced costs, too.
        let reduced = cost + self.potential[from as usize] - self.potential[to as usize];
        if reduced == 0 {
            return;
        }
        // While the way around is searched the arc cannot be taken back, or the search would
        // meet a cost below nothing.
        self.required[arc] += 1;
        let way = self.search(network, from, to, reduced, scratch);
        self.required[arc] -= 1;
        self.settle(scratch.distance[to as usize].min(reduced), scratch);
        if let Some(way) = way
            && way < cost
        {
            self.push(network, from, to, scratch);
            self.flow[arc] -= 1;
            self.cost += way - cost;
        }
    }

    /// Searches the cheapest way by reduced costs, none of which is above `limit`; gives its real
    /// cost.
    fn search(
        &self,
        network: &Network,
        start: u32,
        goal: u32,
        limit: i64,
        scratch: &mut Scratch,
    ) -> Option<i64> {
        let n_nodes = network.touching.len();
        scratch.distance.clear();
        scratch.distance.resize(n_nodes, FAR);
        scratch.by.resize(n_nodes, Touch::default());
        scratch.heap.clear();
        scratch.level.clear();
        scratch.distance[start as usize] = 0;
        scratch.level.push(start);
        let mut distance = 0;
        loop {
            // Most arcs of a cheapest circulation cost nothing more by reduced costs, so most nodes need no heap.
            let node = if let Some(node) = scratch.level.pop() {
                node
            } else if let Some(Reverse((farther, node))) = scratch.heap.pop() {
                if farther > scratch.distance[node as usize] {
                    continue;
                }
                distance = farther;
                node
            } else {
                break;
            };
            scratch.looks += 1;
            if goal == node {
                break;
            }
            for &touch in &network.touching[node as usize] {
                let Some((next, cost)) = self.residual(network, touch) else {
                    continue;
                };
                let reduced = cost + self.potential[node as usize] - self.potential[next as usize];
                debug_assert!(reduced >= 0, "{touch:?}: {reduced}");
                let longer = distance + reduced;
                if longer < scratch.distance[next as usize] && longer <= limit {
                    scratch.distance[next as usize] = longer;
                    scratch.by[next as usize] = touch;
                    if reduced == 0 {
                        scratch.level.push(next);
                    } else {
                        scratch.heap.push(Reverse((longer, next)));
                    }
                }
            }
        }
        let distance = scratch.distance[goal as usize];
        let real = distance + self.potential[goal as usize] - self.potential[start as usize];
        (distance < FAR).then_some(real)
    }

    /// Where an arc leads from a node it touches, and what that costs; backwards only what is
    /// not required can be taken back.
    fn residual(&self, network: &Network, touch: Touch) -> Option<(u32, i64)> {
        let index = touch.arc as usize;
        let arc = network.arcs[index];
        if !touch.comes_in {
            return (self.flow[index] < arc.most).then_some((arc.to, arc.cost));
        }
        (self.flow[index] > self.required[index]).then_some((arc.from, -arc.cost))
    }

    /// Takes the distances of the last search into the potentials, none beyond `limit`.
    fn settle(&mut self, limit: i64, scratch: &Scratch) {
        for (potential, &distance) in self.potential.iter_mut().zip(&scratch.distance) {
            *potential += distance.min(limit);
        }
    }

    /// Sends one unit along the way that the last search found.
    fn push(&mut self, network: &Network, start: u32, goal: u32, scratch: &Scratch) {
        let mut node = goal;
        while node != start {
            let touch = scratch.by[node as usize];
            let arc = touch.arc as usize;
            if touch.comes_in {
                self.flow[arc] -= 1;
                node = network.arcs[arc].to;
            } else {
                self.flow[arc] += 1;
                node = network.arcs[arc].from;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::network::{FlowArc, Network};
    use super::{Circulation, Scratch};
    use crate::model::Seed;

    fn random_network(seed: Seed) -> Network {
        let n_nodes = 6;
        let mut arcs: Vec<FlowArc> = (0..n_nodes)
            .map(|node| FlowArc {
                from: node,
                to: (node + 1) % n_nodes,
                cost: 7,
                most: u32::MAX,
            })
            .collect();
        for number in 0..12 {
            let draw = |purpose| seed.mix(number).mix(purpose).0;
            arcs.push(FlowArc {
                from: (draw(0) % u64::from(n_nodes)) as u32,
                to: (draw(1) % u64::from(n_nodes)) as u32,
                cost: i64::try_from(draw(2) % 9).expect("small"),
                // A few have little room; the ring has enough for everything.
                most: if draw(3) % 4 == 0 { 1 } else { u32::MAX },
            });
        }
        Network::new(n_nodes as usize, arcs)
    }

    fn check(network: &Network, circulation: &Circulation) {
        let mut balance = vec![0_i64; 6];
        let mut cost = 0;
        for (arc, (&flow, &required)) in network
            .arcs
            .iter()
            .zip(circulation.flow.iter().zip(&circulation.required))
        {
            assert!(flow >= required && flow <= arc.most);
            balance[arc.from as usize] -= i64::from(flow);
            balance[arc.to as usize] += i64::from(flow);
            cost += i64::from(flow) * arc.cost;
        }
        assert!(balance.iter().all(|&b| b == 0), "{balance:?}");
        assert_eq!(cost, circulation.cost);
    }

    #[test]
    fn what_comes_and_goes_leaves_the_cheapest_circulation() {
        let mut scratch = Scratch::default();
        for number in 0..200 {
            let seed = Seed(number);
            let network = random_network(seed);
            let n_arcs = network.arcs.len() as u64;
            let mut circulation = Circulation::new(&network);
            let mut wanted = vec![0_u32; network.arcs.len()];
            for turn in 0..40 {
                let arc = (seed.mix(turn).mix(9).0 % n_arcs) as usize;
                if wanted[arc] > 0 && seed.mix(turn).mix(10).0.is_multiple_of(2) {
                    circulation.release(&network, arc, &mut scratch);
                    wanted[arc] -= 1;
                } else if wanted[arc] < network.arcs[arc].most {
                    assert!(circulation.require(&network, arc, &mut scratch));
                    wanted[arc] += 1;
                }
                check(&network, &circulation);
                assert_eq!(circulation.required, wanted);
            }
            let mut afresh = Circulation::new(&network);
            for (arc, &times) in wanted.iter().enumerate() {
                for _ in 0..times {
                    assert!(afresh.require(&network, arc, &mut scratch));
                }
            }
            assert_eq!(afresh.cost, circulation.cost, "seed {number}");
        }
    }
}
