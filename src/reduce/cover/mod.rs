//! Weighted set cover: which sets to take so that everything is covered at the least cost.
//!
//! The problem is shrunk first; what is left falls apart into components, each of which gets a
//! greedy cover, prices that prove a lower bound, and a search that closes the gap between the
//! two as far as the effort allows. No clock is read: efforts are counts, so equal input gives
//! equal answers everywhere. What comes back is always a cover without a redundant set, with a
//! bound that is proven.

mod dive;
mod endgame;
mod greedy;
mod instance;
mod matrix;
mod prices;
mod recorded;
mod search;
mod shrink;
mod sift;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

pub use instance::{Instance, MAX_COST};
pub use recorded::{Recorded, traces_of};

use matrix::Matrix;
use sift::Sieve;

/// Problems of more pairs of a set and an element in it are sifted first.
const LARGE: usize = 4_000_000;

/// How hard to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// A good cover soon; often the best, and then known to be.
    Quick,
    /// The best cover, if splitting the problem so many times is enough to prove it, and some
    /// ten thousand million looks at pairs, which take about a minute.
    Exact {
        /// How often the problem may be split.
        max_nodes: u64,
    },
}

/// How many choices an exact cover may look at.
const MAX_NODES: u64 = 20_000;

impl Effort {
    /// The proven optimum where it is asked for, a good cover otherwise.
    #[must_use]
    pub fn asked(exact: bool) -> Self {
        if exact {
            Self::Exact {
                max_nodes: MAX_NODES,
            }
        } else {
            Self::Quick
        }
    }
}

/// A choice of sets that covers everything as often as it is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// The sets, ascending. None of them can be left out.
    pub chosen: Vec<u32>,
    /// What they cost together.
    pub cost: u64,
    /// What no choice costs less than.
    pub bound: u64,
    /// Whether this choice is known to be the best.
    pub optimal: bool,
}

/// The cheapest choice of sets that the effort finds.
#[must_use]
pub fn solve(instance: &Instance, effort: Effort) -> Cover {
    let demands = instance.demands();
    let (unit, shift) = scale(instance);
    let mut effort = limits(effort, shift);
    let answer = if instance.n_pairs() > LARGE {
        sieve(instance, &demands).solve(&mut effort)
    } else {
        let sets = (0..).zip(instance.costs()).zip(instance.sets());
        let sets = sets.map(|((label, &cost), elements)| (label, cost / unit, elements));
        let matrix = Matrix::new(sets, &demands, &vec![0; demands.len()]);
        search::solve(matrix, u64::MAX, 0, &mut effort)
    };
    finish(instance, answer.chosen, answer.bound.saturating_mul(unit))
}

fn sieve<'i>(instance: &'i Instance, demands: &'i [u32]) -> Sieve<'i> {
    let (unit, shift) = scale(instance);
    Sieve {
        instance,
        demands,
        unit,
        shift,
    }
}

/// What costs are counted in, and the digits behind the point of prices.
///
/// The unit divides all costs, so that bounds can be rounded up to it. Where costs are so high
/// that sums have no room, it is larger; bounds are valid then too, since costs are rounded down.
fn scale(instance: &Instance) -> (u64, u32) {
    let mut unit = instance.costs().iter().copied().fold(0, gcd).max(1);
    let max_cost = instance.costs().iter().copied().max().unwrap_or(0);
    loop {
        match prices::shift(max_cost / unit, instance.n_pairs()) {
            Some(shift) => return (unit, shift),
            None => unit *= 2,
        }
    }
}

fn limits(effort: Effort, shift: u32) -> search::Effort {
    match effort {
        Effort::Quick => search::Effort {
            nodes: 500,
            pairs: 400_000_000,
            dive: 50_000_000,
            rounds: (300, 40),
            shift,
        },
        Effort::Exact { max_nodes } => search::Effort {
            nodes: max_nodes,
            pairs: 40_000_000_000,
            dive: 2_000_000_000,
            rounds: (600, 40),
            shift,
        },
    }
}

/// Drops what is redundant, the costliest and then the last first, and counts.
fn finish(instance: &Instance, mut chosen: Vec<u32>, bound: u64) -> Cover {
    let mut spare: Vec<i64> = instance
        .demands()
        .into_iter()
        .map(|d| -i64::from(d))
        .collect();
    for &element in chosen.iter().flat_map(|&set| instance.set(set as usize)) {
        spare[element as usize] += 1;
    }
    chosen.sort_unstable_by_key(|&set| Reverse((instance.cost(set as usize), set)));
    chosen.retain(|&set| {
        let elements = instance.set(set as usize);
        let is_needed = elements.iter().any(|&e| spare[e as usize] == 0);
        if !is_needed {
            for &element in elements {
                spare[element as usize] -= 1;
            }
        }
        is_needed
    });
    chosen.sort_unstable();
    debug_assert!(instance.is_covered_by(&chosen), "covers cover");
    let costs = chosen.iter().map(|&set| instance.cost(set as usize));
    let cost = costs.fold(0, u64::saturating_add);
    Cover {
        chosen,
        cost,
        bound: bound.min(cost),
        optimal: bound >= cost,
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
