//! The arcs that a cheapest flow may need, as columns for the search.
//!
//! An arc is left out when another one between the same screens costs no more and meets all its
//! demands, or when it leads back to where it starts and meets none: prices that hold on the rest
//! hold on it.

use super::chains::Chains;
use super::network::{Network, Rows};

/// How many arcs between the same screens an arc is compared with.
const MOST_COMPARED: usize = 32;

/// Arcs with their demands, in units of their mean cost.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// The arc behind each column.
    pub(super) arcs: Vec<u32>,
    /// What each column costs.
    pub(super) costs: Vec<f64>,
    /// The places that columns leave or lead to; their rows are behind those of demands.
    pub(super) places: Vec<u32>,
    /// The rows of the places before and after.
    ends: Vec<(u32, u32)>,
    demands: Rows,
    scale: f64,
    /// The places that columns pass without a stop.
    pub(super) chains: Chains,
}

/// The columns of a network.
pub(super) fn columns(network: &Network) -> Columns {
    let mut arcs = undominated(network);
    let chains = Chains::new(network, &arcs);
    arcs.retain(|&arc| !chains.skips(arc, network.arcs[arc as usize].to));
    let sum: f64 = network.arcs.iter().map(|arc| arc.micros as f64).sum();
    let scale = (sum / network.arcs.len() as f64).max(1.0);
    let mut columns = Columns {
        scale,
        ..Columns::default()
    };
    let mut row_of = vec![u32::MAX; network.n_places];
    for &index in &arcs {
        let arc = network.arcs[index as usize];
        let (from, way) = chains.start(arc.from);
        let ends = [from, arc.to].map(|place| {
            let row = &mut row_of[place as usize];
            if *row == u32::MAX {
                *row = (network.n_demands() + columns.places.len()) as u32;
                columns.places.push(place);
            }
            *row
        });
        let demands = network.meets.row(index as usize);
        columns.demands.push(demands.iter().copied());
        columns.ends.push(ends.into());
        columns.costs.push((arc.micros as f64 + way as f64) / scale);
    }
    columns.arcs = arcs;
    columns.chains = chains;
    columns
}

impl Columns {
    /// How many microseconds a cost of 1 is.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// How many entries a step looks at, beside rows.
    pub(super) fn n_looks(&self) -> usize {
        self.demands.n_entries() + 4 * self.arcs.len()
    }

    /// What a unit of flow earns on a column at these heights.
    pub(super) fn earned(&self, column: usize, heights: &[f64]) -> f64 {
        let (from, to) = self.ends[column];
        let demands = self.demands.row(column).iter();
        let prices: f64 = demands.map(|&demand| heights[demand as usize]).sum();
        prices + heights[to as usize] - heights[from as usize]
    }

    /// Takes a flow on a column off what rows lack.
    pub(super) fn take(&self, column: usize, flow: f64, lacks: &mut [f64]) {
        let (from, to) = self.ends[column];
        for &demand in self.demands.row(column) {
            lacks[demand as usize] -= flow;
        }
        lacks[to as usize] -= flow;
        lacks[from as usize] += flow;
    }

    /// How far a step may move the flow of each column.
    pub(super) fn flow_reaches(&self) -> Vec<f64> {
        let rows = self.demands.iter().zip(&self.ends);
        rows.map(|(demands, (from, to))| {
            let ends = if from == to { 0 } else { 2 };
            1.0 / (demands.len() + ends).max(1) as f64
        })
        .collect()
    }

    /// How far a step may move the height of each row.
    pub(super) fn height_reaches(&self, n_rows: usize) -> Vec<f64> {
        let mut n = vec![0_u32; n_rows];
        for (demands, &(from, to)) in self.demands.iter().zip(&self.ends) {
            for &demand in demands {
                n[demand as usize] += 1;
            }
            if from != to {
                n[from as usize] += 1;
                n[to as usize] += 1;
            }
        }
        let reaches = n.into_iter().map(|n| 1.0 / f64::from(n.max(1)));
        reaches.collect()
    }
}

/// Arcs without those that another one makes needless.
fn undominated(network: &Network) -> Vec<u32> {
    let ends = |&index: &u32| {
        let arc = network.arcs[index as usize];
        (arc.from, arc.to)
    };
    let order = |&index: &u32| {
        let demands = network.meets.row(index as usize).len();
        let micros = network.arcs[index as usize].micros;
        (ends(&index), micros, std::cmp::Reverse(demands), index)
    };
    let mut arcs: Vec<_> = (0..network.arcs.len() as u32).collect();
    arcs.sort_unstable_by_key(order);
    let mut kept = Vec::new();
    for group in arcs.chunk_by(|a, b| ends(a) == ends(b)) {
        let first = kept.len();
        for &arc in group {
            let demands = network.meets.row(arc as usize);
            let (from, to) = ends(&arc);
            let needless = from == to && demands.is_empty();
            let known = kept[first..].iter().take(MOST_COMPARED);
            let mut known = known.map(|&other: &u32| network.meets.row(other as usize));
            if !needless && !known.any(|other| contains(other, demands)) {
                kept.push(arc);
            }
        }
    }
    kept
}

/// Whether one ascending list contains another.
fn contains(all: &[u32], some: &[u32]) -> bool {
    let mut all = all.iter();
    some.iter()
        .all(|wanted| all.by_ref().any(|have| have == wanted))
}
