//! A proven lower bound on the device time of any suite that covers the same elements by walks
//! of recorded transitions (the flow relaxation).
//!
//! A set of walks is a flow: launches feed it, a transition carries it from screen to screen, it
//! may end anywhere. Every element of the goal demands that its transitions carry at least one
//! unit in all. The cheapest flow costs no more than the cheapest suite, and any prices on
//! elements at which no step of any walk earns more than it costs add up to no more than the
//! cheapest flow. `ascent` looks for such prices in floating point; `proof` makes them hold in
//! whole microseconds, and only what it adds up is reported. So the search can make the bound
//! low, never wrong.
//!
//! Cost: one pass over the steps, then work that is bounded by a count, about a tenth of a second
//! for some thousand transitions and some seconds for millions.

mod ascent;
mod chains;
mod columns;
mod cuts;
mod gather;
mod network;
mod proof;
mod shrink;
#[cfg(test)]
mod tests;

use super::Proven;
use crate::model::{Costs, Coverage, ElementId, Names, Suite};
use ascent::Ascent;
use network::Network;
use proof::Prices;

/// How many of the dearest elements are named.
const NAMED: usize = 8;

/// How often connections that the flow lacks are demanded, and the flow sought again.
const ROUNDS: usize = 6;

/// What no suite can go below, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// Device time in microseconds that no suite covering the goal can be below.
    pub micros: u64,
    /// The elements that demand most of it, dearest first, each with its share in microseconds.
    /// What several elements demand together stands at one of them.
    pub expensive: Vec<(ElementId, u64)>,
}

/// Device time that no suite covering `goal` can be below.
///
/// Elements that no known transition covers demand nothing.
#[must_use]
pub fn lower_bound(
    suite: &Suite,
    shipped: &[&Proven],
    goal: &Coverage,
    costs: Costs,
    names: &Names,
) -> Bound {
    if goal.is_empty() {
        return Bound {
            micros: 0,
            expensive: Vec::new(),
        };
    }
    let mut network = shrink::network(&gather::gather(suite, shipped, costs, names), goal, names);
    let prices = best_prices(&mut network);
    Bound {
        micros: rounded_up(prices.total(), network.unit()),
        expensive: expensive(&network, &prices),
    }
}

/// The dearest prices found; the network gains the demands they need.
fn best_prices(network: &mut Network) -> Prices {
    let mut best = proof::prove(network, None);
    let mut ascent = Ascent::default();
    for _ in 0..ROUNDS {
        ascent.climb(network);
        let prices = proof::prove(network, Some(ascent.guide()));
        if prices.total() > best.total() {
            best = prices;
        }
        if !cuts::add_missing(network, ascent.flow()) {
            break;
        }
    }
    best
}

/// The least multiple of `unit` that is not below `total`: every suite costs such a multiple.
fn rounded_up(total: u128, unit: u64) -> u64 {
    let unit = u128::from(unit.max(1));
    u64::try_from(total.div_ceil(unit) * unit).unwrap_or(u64::MAX)
}

fn expensive(network: &Network, prices: &Prices) -> Vec<(ElementId, u64)> {
    let demands = network.elements().zip(prices.by_demand());
    let mut all: Vec<_> = demands
        .filter_map(|(element, &price)| Some((element?, price)))
        .filter(|&(_, price)| price > 0)
        .collect();
    all.sort_unstable_by_key(|&(element, price)| (std::cmp::Reverse(price), element));
    all.truncate(NAMED);
    all
}
