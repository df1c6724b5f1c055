//! The search for good prices: a primal-dual hybrid gradient method with reflected Halpern steps
//! and restarts (Lu and Yang, 2024; Applegate et al., 2021).
//!
//! It moves the flow against what arcs cost and prices with what demands lack, each by what the
//! other shows, and pulls both back to an anchor less and less. Where it stands when its work is
//! used up is as good a guide as it is; nothing is promised of it. Work is counted in looks at
//! pairs of arc and demand, so the same network gives the same guide on every machine.

use super::columns::{Columns, columns};
use super::network::Network;
use super::proof::Guide;

/// Most looks at pairs of arc and row, all rounds together.
const MOST_LOOKS: usize = 600_000_000;

/// Most steps of a round.
const MOST_STEPS: usize = 20_000;

/// Steps between two looks at how far it still is.
const CHECK: usize = 100;

/// It is near enough when gap and violations are below this part of the whole.
const NEAR: f64 = 2e-5;

/// A restart after this much of the way, or after that much once it gets worse.
const SUFFICIENT: f64 = 0.2 * 0.2;
const NECESSARY: f64 = 0.8 * 0.8;

/// Where the search stands: a flow on columns, and a height for each row (demands, then places).
#[derive(Debug, Default)]
pub(super) struct Ascent {
    columns: Columns,
    n_demands: usize,
    weight: f64,
    looks: usize,
    flow: Side,
    height: Side,
    prices: Vec<f64>,
    worths: Vec<f64>,
    by_arc: Vec<f64>,
}

/// One side of the pair of problems.
#[derive(Debug, Default)]
struct Side {
    now: Vec<f64>,
    anchor: Vec<f64>,
    next: Vec<f64>,
    /// Step sizes before they are weighted.
    reach: Vec<f64>,
}

impl Side {
    fn new(start: Vec<f64>, reach: Vec<f64>) -> Self {
        Self {
            now: start.clone(),
            anchor: start.clone(),
            next: start,
            reach,
        }
    }

    fn restart(&mut self) -> f64 {
        let moved = self.next.iter().zip(&self.anchor).zip(&self.reach);
        let moved = moved.map(|((next, anchor), reach)| (next - anchor).powi(2) / reach);
        let moved = moved.filter(|square| square.is_finite()).sum::<f64>();
        self.now.copy_from_slice(&self.next);
        self.anchor.copy_from_slice(&self.next);
        moved.sqrt()
    }
}

impl Ascent {
    /// Goes on from where it stands, on a network that may have new demands.
    pub(super) fn climb(&mut self, network: &Network) {
        self.prepare(network);
        let mut lacks = vec![0.0; self.height.now.len()];
        let (mut step, mut since, mut first, mut last) = (0, 0, f64::INFINITY, f64::INFINITY);
        while step < MOST_STEPS && self.looks < MOST_LOOKS {
            let moved = self.step(since, &mut lacks);
            self.looks += self.columns.n_looks() + lacks.len();
            step += 1;
            if since == 0 {
                first = moved;
            }
            since += 1;
            let enough = moved <= SUFFICIENT * first
                || (moved <= NECESSARY * first && moved > last)
                || since * 3 > step.max(CHECK);
            last = moved;
            if enough {
                self.restart();
                since = 0;
                last = f64::INFINITY;
            }
            if step % CHECK == 0 && self.is_near(&mut lacks) {
                break;
            }
        }
        self.finish(network);
    }

    /// Prices and worths, in microseconds.
    pub(super) fn guide(&self) -> Guide<'_> {
        Guide {
            prices: &self.prices,
            worths: &self.worths,
        }
    }

    /// The flow on each arc of the network.
    pub(super) fn flow(&self) -> &[f64] {
        &self.by_arc
    }

    /// Takes up flow, prices and worths as they were left.
    fn prepare(&mut self, network: &Network) {
        self.columns = columns(network);
        self.n_demands = network.n_demands();
        self.prices.resize(self.n_demands, 0.0);
        self.worths.resize(network.n_places, 0.0);
        self.by_arc.resize(network.arcs.len(), 0.0);
        let columns = &self.columns;
        let arcs = columns.arcs.iter();
        let flow = arcs.map(|&arc| self.by_arc[arc as usize]);
        let worths = columns.places.iter().map(|&p| self.worths[p as usize]);
        let heights = self.prices.iter().copied().chain(worths);
        let heights = heights.map(|micros| micros / columns.scale());
        self.flow = Side::new(flow.collect(), columns.flow_reaches());
        let n_rows = self.n_demands + columns.places.len();
        let mut reaches = columns.height_reaches(n_rows);
        let places = columns.places.iter();
        for (&place, reach) in places.zip(&mut reaches[self.n_demands..]) {
            if place == network.nowhere() {
                // Nowhere is worth nothing.
                *reach = 0.0;
            }
        }
        self.height = Side::new(heights.collect(), reaches);
        if self.weight == 0.0 {
            let costs: f64 = columns.costs.iter().map(|cost| cost * cost).sum();
            self.weight = (costs / self.n_demands as f64).sqrt().max(1e-6);
        }
    }

    /// One step; says how far it went.
    fn step(&mut self, since: usize, lacks: &mut [f64]) -> f64 {
        let pull = 1.0 / (since + 2) as f64;
        let mut moved = 0.0;
        lacks[..self.n_demands].fill(1.0);
        lacks[self.n_demands..].fill(0.0);
        let Side {
            now,
            anchor,
            next,
            reach,
        } = &mut self.flow;
        for column in 0..now.len() {
            let earned = self.columns.earned(column, &self.height.now);
            let was = now[column];
            let reach = reach[column] / self.weight;
            let new = (was + reach * (earned - self.columns.costs[column])).max(0.0);
            let mirrored = 2.0 * new - was;
            self.columns.take(column, mirrored, lacks);
            moved += (new - was).powi(2) / reach;
            next[column] = new;
            now[column] = mirrored + pull * (anchor[column] - mirrored);
        }
        let Side {
            now,
            anchor,
            next,
            reach,
        } = &mut self.height;
        for (row, lack) in lacks.iter().enumerate() {
            let was = now[row];
            let reach = reach[row] * self.weight;
            let new = (was + reach * lack).max(0.0);
            if reach > 0.0 {
                moved += (new - was).powi(2) / reach;
            }
            let mirrored = 2.0 * new - was;
            next[row] = new;
            now[row] = mirrored + pull * (anchor[row] - mirrored);
        }
        moved
    }

    /// Makes where it stands the new anchor, and weighs the sides by how far each has come.
    fn restart(&mut self) {
        let flow = self.flow.restart();
        let height = self.height.restart();
        if flow > 1e-9 && height > 1e-9 {
            self.weight = (self.weight * height / flow).sqrt();
        }
    }

    /// Whether flow and prices nearly meet, with little left undone on either side.
    fn is_near(&self, lacks: &mut [f64]) -> bool {
        lacks[..self.n_demands].fill(1.0);
        lacks[self.n_demands..].fill(0.0);
        let (mut cost, mut over) = (0.0, 0.0);
        for (column, &flow) in self.flow.next.iter().enumerate() {
            let price = self.columns.costs[column];
            cost += flow * price;
            let earned = self.columns.earned(column, &self.height.next);
            over += (earned - price).max(0.0) * flow.max(0.1);
            self.columns.take(column, flow, lacks);
        }
        let heights = &self.height.next;
        let earned: f64 = heights[..self.n_demands].iter().sum();
        let rows = lacks.iter().zip(heights).zip(&self.height.reach);
        let missing: f64 = rows
            .filter(|(_, reach)| **reach > 0.0)
            .map(|((lack, height), _)| lack.max(0.0) * height.max(0.1))
            .sum();
        let most = NEAR * (1.0 + cost + earned);
        (cost - earned).abs() < most && over < most && missing < most
    }

    /// Leaves flow, prices and worths as the network knows them.
    fn finish(&mut self, network: &Network) {
        self.by_arc.fill(0.0);
        for (&arc, &flow) in self.columns.arcs.iter().zip(&self.flow.next) {
            self.by_arc[arc as usize] = flow;
        }
        let micros = self.columns.scale();
        let (prices, worths) = self.height.next.split_at(self.n_demands);
        self.prices = prices.iter().map(|price| price * micros).collect();
        for (&place, worth) in self.columns.places.iter().zip(worths) {
            self.worths[place as usize] = worth * micros;
        }
        let chains = &self.columns.chains;
        chains.fill(network, &mut self.by_arc);
        chains.lift(&mut self.worths);
        // The rest is only needed on the way.
        self.columns = Columns::default();
        self.flow = Side::default();
        self.height = Side::default();
    }
}
