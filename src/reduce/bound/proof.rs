//! Prices that hold, in whole microseconds: what they add up to is a lower bound.
//!
//! Every place has a worth, what being there may still earn at most; nowhere is worth nothing.
//! An arc has room for prices: what it costs, less what the place it leads to is worth more than
//! the one it leaves. If on no arc the prices of its demands exceed its room, a walk never earns
//! more than it costs: along a walk from nowhere the worths cancel out but for the last, which is
//! not negative. A suite meets every demand, so it costs at least the sum of all prices.
//!
//! The guide says where to look; nothing here trusts it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::network::Network;

/// Where good prices may be, in microseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guide<'a> {
    /// A price for each demand.
    pub(super) prices: &'a [f64],
    /// A worth for each place.
    pub(super) worths: &'a [f64],
}

/// Prices that hold.
#[derive(Debug, Clone)]
pub(super) struct Prices(Vec<u64>);

impl Prices {
    /// What any suite that meets all demands costs at least.
    pub(super) fn total(&self) -> u128 {
        self.0.iter().map(|&price| u128::from(price)).sum()
    }

    /// The price of each demand.
    pub(super) fn by_demand(&self) -> &[u64] {
        &self.0
    }
}

/// Prices near those of the guide that hold; none of them can be raised alone.
pub(super) fn prove(network: &Network, guide: Option<Guide>) -> Prices {
    let mut room = rooms(network, guide.map(|guide| guide.worths));
    let mut prices = match guide {
        None => vec![0; network.n_demands()],
        Some(guide) => {
            // A cast ends at the limits of the type and makes nothing of what is no number.
            #[expect(clippy::cast_sign_loss, reason = "the cast ends at zero")]
            let mut prices: Vec<_> = guide.prices.iter().map(|&price| price as u64).collect();
            prices.resize(network.n_demands(), 0);
            lower(network, &room, &mut prices);
            prices
        }
    };
    for (room, demands) in room.iter_mut().zip(network.meets.iter()) {
        *room -= sum(&prices, demands);
    }
    raise(network, &mut room, &mut prices);
    Prices(prices)
}

fn sum(prices: &[u64], demands: &[u32]) -> u128 {
    let prices = demands.iter().map(|&demand| prices[demand as usize]);
    prices.map(u128::from).sum()
}

/// The room for prices on each arc, never negative.
fn rooms(network: &Network, worths: Option<&[f64]>) -> Vec<u128> {
    let worths = worths.map(|worths| least_worths(network, worths));
    let worth = |place: u32| worths.as_ref().map_or(0, |worths| worths[place as usize]);
    let arcs = network.arcs.iter();
    let room = arcs.map(|arc| {
        let before = u128::from(arc.micros) + u128::from(worth(arc.from));
        before - u128::from(worth(arc.to))
    });
    room.collect()
}

/// The worths of the guide, lowered until no place is worth more than the way to it costs.
fn least_worths(network: &Network, guide: &[f64]) -> Vec<u64> {
    #[expect(clippy::cast_sign_loss, reason = "the cast ends at zero")]
    let mut worths: Vec<_> = guide.iter().map(|&worth| worth as u64).collect();
    worths[network.nowhere() as usize] = 0;
    let leaving = network.leaving();
    let places = (0_u32..).zip(&worths);
    let mut queue: BinaryHeap<_> = places
        .map(|(place, &worth)| Reverse((worth, place)))
        .collect();
    while let Some(Reverse((worth, place))) = queue.pop() {
        if worth > worths[place as usize] {
            continue;
        }
        for &arc in leaving.row(place as usize) {
            let arc = network.arcs[arc as usize];
            let most = worth.saturating_add(arc.micros);
            let there = &mut worths[arc.to as usize];
            if most < *there {
                *there = most;
                queue.push(Reverse((most, arc.to)));
            }
        }
    }
    worths
}

/// Lowers prices where an arc has no room for all of them.
fn lower(network: &Network, room: &[u128], prices: &mut [u64]) {
    for (&room, demands) in room.iter().zip(network.meets.iter()) {
        let asked = sum(prices, demands);
        if asked > room {
            for &demand in demands {
                let price = &mut prices[demand as usize];
                *price = share(*price, room, asked);
            }
        }
    }
}

/// `price * room / asked`, rounded down; `room` is below `asked`.
fn share(price: u64, room: u128, asked: u128) -> u64 {
    // Both are sums of less than 2^64 numbers below 2^64; halving keeps the product in range.
    let shift = 64_u32.saturating_sub(asked.leading_zeros());
    let (room, asked) = (room >> shift, (asked >> shift) + u128::from(shift > 0));
    u64::try_from(u128::from(price) * room / asked).unwrap_or(price)
}

/// Raises prices, those of demands that few arcs meet first, as far as there is room.
fn raise(network: &Network, room: &mut [u128], prices: &mut [u64]) {
    for (price, arcs) in prices.iter_mut().zip(network.met_by.iter()) {
        let most = arcs.iter().map(|&arc| room[arc as usize]).min();
        let most = most.unwrap_or(0).min(u128::from(u64::MAX - *price));
        *price += most as u64;
        for &arc in arcs {
            room[arc as usize] -= most;
        }
    }
}
