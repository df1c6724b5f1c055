//! Places that only one arc leads to, and that arc meets no demand: nobody stops there, so what
//! leaves such a place may as well leave where the arc comes from, and cost as much more.
//!
//! Long traces through screens that nothing else reaches become single columns this way; without
//! it the search would carry every price back one arc a step.

use super::network::Network;

/// What became of each place.
#[derive(Debug, Default)]
pub(super) struct Chains {
    /// The only arc to each place that is skipped.
    via: Vec<Option<u32>>,
    /// The place that each place is left from, and what the way from there costs.
    starts: Vec<(u32, u64)>,
    /// The places that are skipped, each behind those on the way to it.
    order: Vec<u32>,
}

impl Chains {
    /// The chains among some arcs of a network.
    pub(super) fn new(network: &Network, arcs: &[u32]) -> Self {
        let n = network.n_places;
        let mut n_entering = vec![0_u32; n];
        let mut via = vec![None; n];
        for &index in arcs {
            let to = network.arcs[index as usize].to as usize;
            n_entering[to] += 1;
            let alone = n_entering[to] == 1 && network.meets.row(index as usize).is_empty();
            via[to] = alone.then_some(index);
        }
        let mut chains = Self {
            via,
            starts: (0..n as u32).map(|place| (place, 0)).collect(),
            order: Vec::new(),
        };
        chains.follow(network);
        chains
    }

    fn follow(&mut self, network: &Network) {
        let mut known = vec![false; self.via.len()];
        let mut way = Vec::new();
        for place in 0..self.via.len() {
            let mut at = place;
            while let (Some(arc), false) = (self.via[at], known[at]) {
                // Known from here on, so that a circle ends where it began.
                known[at] = true;
                way.push(at);
                at = network.arcs[arc as usize].from as usize;
            }
            while let Some(next) = way.pop() {
                let Some(arc) = self.via[next] else {
                    continue;
                };
                let arc = network.arcs[arc as usize];
                let (start, micros) = self.starts[arc.from as usize];
                if start as usize == next {
                    self.via[next] = None;
                    continue;
                }
                self.starts[next] = (start, micros.saturating_add(arc.micros));
                self.order.push(next as u32);
            }
        }
    }

    /// Whether an arc is only part of the way to others.
    pub(super) fn skips(&self, arc: u32, to: u32) -> bool {
        self.via[to as usize] == Some(arc)
    }

    /// Where those who leave a place come from, and what the way from there costs.
    pub(super) fn start(&self, place: u32) -> (u32, u64) {
        self.starts[place as usize]
    }

    /// Adds to each skipped arc what flows on behind it.
    pub(super) fn fill(&self, network: &Network, flow: &mut [f64]) {
        let mut leaving = vec![0.0; self.via.len()];
        for (arc, &flow) in network.arcs.iter().zip(flow.iter()) {
            leaving[arc.from as usize] += flow;
        }
        for &place in self.order.iter().rev() {
            if let Some(arc) = self.via[place as usize] {
                let carried = leaving[place as usize];
                flow[arc as usize] = carried;
                leaving[network.arcs[arc as usize].from as usize] += carried;
            }
        }
    }

    /// Makes each skipped place worth as much more than its start as the way costs.
    pub(super) fn lift(&self, worths: &mut [f64]) {
        for &place in &self.order {
            let (start, cost) = self.starts[place as usize];
            worths[place as usize] = worths[start as usize] + cost as f64;
        }
    }
}
