//! The network behind a plan: nodes, arcs with a price, and the nearest way between two parts of it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Farther than any way is.
pub(super) const FAR: i64 = i64::MAX / 4;

/// An arc of the network.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlowArc {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) cost: i64,
    /// How often it can be used at most.
    pub(super) most: u32,
}

/// The arcs and where they touch each node.
#[derive(Debug)]
pub(super) struct Network {
    pub(super) arcs: Vec<FlowArc>,
    /// For each node its arcs.
    pub(super) touching: Vec<Vec<Touch>>,
}

/// An arc as a node sees it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Touch {
    pub(super) arc: u32,
    /// Whether it comes in, so that it can only be taken back from here.
    pub(super) comes_in: bool,
}

impl Network {
    pub(super) fn new(n_nodes: usize, arcs: Vec<FlowArc>) -> Self {
        let mut touching = vec![Vec::new(); n_nodes];
        for (index, arc) in arcs.iter().enumerate() {
            let arc_index = index as u32;
            touching[arc.from as usize].push(Touch {
                arc: arc_index,
                comes_in: false,
            });
            touching[arc.to as usize].push(Touch {
                arc: arc_index,
                comes_in: true,
            });
        }
        Self { arcs, touching }
    }

    /// The arcs that leave a node.
    pub(super) fn leaving(&self, node: u32) -> impl Iterator<Item = usize> + '_ {
        let arcs = self.touching[node as usize].iter();
        arcs.filter(|touch| !touch.comes_in)
            .map(|touch| touch.arc as usize)
    }

    /// The arcs of the cheapest way from any node of one kind to any node of another, by arcs
    /// that can be required.
    pub(super) fn nearest(
        &self,
        start: impl Fn(usize) -> bool,
        goal: impl Fn(usize) -> bool,
        open: impl Fn(usize) -> bool,
    ) -> Option<Vec<usize>> {
        let n_nodes = self.touching.len();
        let mut distance = vec![FAR; n_nodes];
        let mut by: Vec<Option<usize>> = vec![None; n_nodes];
        let mut heap = BinaryHeap::new();
        for node in (0..n_nodes).filter(|&node| start(node)) {
            distance[node] = 0;
            heap.push(Reverse((0, node as u32)));
        }
        while let Some(Reverse((so_far, node))) = heap.pop() {
            if so_far > distance[node as usize] {
                continue;
            }
            if goal(node as usize) {
                let mut way = Vec::new();
                let mut at = node as usize;
                while let Some(arc) = by[at] {
                    way.push(arc);
                    at = self.arcs[arc].from as usize;
                }
                way.reverse();
                return Some(way);
            }
            for index in self.leaving(node).filter(|&index| open(index)) {
                let FlowArc { to, cost, .. } = self.arcs[index];
                if so_far + cost < distance[to as usize] {
                    distance[to as usize] = so_far + cost;
                    by[to as usize] = Some(index);
                    heap.push(Reverse((so_far + cost, to)));
                }
            }
        }
        None
    }
}
