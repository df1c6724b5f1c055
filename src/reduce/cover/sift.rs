//! Problems too large to be looked at from both sides: prices pick the sets worth looking at.
//!
//! Prices are found on a core of a few sets for each element and tried on all sets, which proves
//! a bound on the whole problem and shows which sets belong into the core; a few rounds of that
//! are enough. The cover comes from the core. Sets that the prices rule out against its cost are
//! ruled out for good, and where few are left the rest is searched as any small problem is.
//! One round costs two walks over all pairs and two numbers for each set.

use super::instance::Instance;
use super::matrix::Matrix;
use super::prices::{self, PARTS};
use super::search::{self, Answer, Effort};

/// How often the core is chosen anew.
const ROUNDS: u32 = 5;

/// How many pairs all rounds of prices on one core may look at.
const CORE_WORK: usize = 200_000_000;

/// How many sets for each element are in the core, and how few where there are many elements.
const PER_ELEMENT: usize = 6;
const MANY_ELEMENTS: usize = 200_000;

/// Up to how many pairs the rest is searched.
const SMALL: usize = 2_000_000;

/// A large problem with its costs in `unit`s and prices with `effort.shift` digits.
pub(super) struct Sieve<'i> {
    pub(super) instance: &'i Instance,
    pub(super) demands: &'i [u32],
    pub(super) unit: u64,
    pub(super) shift: u32,
}

impl Sieve<'_> {
    /// A cover and a bound on all covers.
    pub(super) fn solve(&self, effort: &mut Effort) -> Answer {
        let mut prices = self.starting_prices();
        let mut best = (-1, Vec::new());
        let mut core = Vec::new();
        for round in 0..ROUNDS {
            let reduced = self.tried(&mut prices, &mut best);
            core.extend(self.pick(&reduced));
            core.sort_unstable();
            core.dedup();
            if round == 0 {
                // A greedy cover of the core knows better what elements are worth.
                prices.fill(0);
            }
            let (matrix, numbers) = self.matrix(&core, &prices);
            let rounds = (CORE_WORK / matrix.n_pairs().max(1)).clamp(5, 120) as u32;
            let found = prices::price(&matrix, self.shift, u64::MAX, rounds);
            for (&element, &price) in numbers.iter().zip(&found.prices) {
                prices[element as usize] = price;
            }
        }
        self.tried(&mut prices, &mut best);
        let (best_bound, best_prices) = best;
        let (matrix, _) = self.matrix(&core, &best_prices);
        let answer = search::solve(matrix, u64::MAX, 0, effort);
        self.close(answer, best_bound, &best_prices, effort)
    }

    /// Tries prices on all sets, lower ones too, since prices from a core promise sets outside
    /// of it too much; leaves the ones that prove most and keeps them if they are the best so far.
    fn tried(&self, prices: &mut [i64], best: &mut (i64, Vec<i64>)) -> Vec<i64> {
        let (bound, reduced) = self.weigh(prices);
        let total = bound - reduced.iter().map(|&cost| cost.min(0)).sum::<i64>();
        let costs = self.instance.costs().iter().map(|&cost| self.fixed(cost));
        let part = prices::best_part(total, &costs.zip(reduced.iter().copied()));
        for price in prices.iter_mut() {
            *price = *price / PARTS * part;
        }
        let (bound, reduced) = self.weigh(prices);
        if bound > best.0 {
            *best = (bound, prices.to_vec());
        }
        reduced
    }

    fn fixed(&self, cost: u64) -> i64 {
        ((cost / self.unit) << self.shift).cast_signed()
    }

    /// What the prices prove about all sets, and what is left of each set's cost.
    fn weigh(&self, prices: &[i64]) -> (i64, Vec<i64>) {
        let demands = self.demands.iter().zip(prices);
        let mut bound: i64 = demands
            .map(|(&demand, price)| i64::from(demand) * price)
            .sum();
        let mut reduced = Vec::with_capacity(self.instance.n_sets());
        for (elements, cost) in self.instance.sets().zip(self.instance.costs()) {
            let cost = self.fixed(*cost);
            let worth: i64 = elements.iter().map(|&e| prices[e as usize]).sum();
            bound += (cost - worth).min(0);
            reduced.push(cost - worth);
        }
        (bound, reduced)
    }

    /// For each element the sets that cost least at these prices.
    fn pick(&self, reduced: &[i64]) -> Vec<u32> {
        let n_elements = self.demands.len();
        let demand = self.demands.iter().copied().max().unwrap_or(1) as usize;
        let width = if n_elements > MANY_ELEMENTS {
            demand + 1
        } else {
            demand.max(PER_ELEMENT)
        };
        let mut best = vec![(i64::MAX, u32::MAX); n_elements * width];
        for (set, (elements, &cost)) in (0..).zip(self.instance.sets().zip(reduced)) {
            for &element in elements {
                let at = element as usize * width;
                let places = &mut best[at..at + width];
                if cost < places[width - 1].0 {
                    let place = places.partition_point(|&(other, _)| other <= cost);
                    places[place..].rotate_right(1);
                    places[place] = (cost, set);
                }
            }
        }
        let mut core: Vec<u32> = best.into_iter().map(|(_, set)| set).collect();
        core.sort_unstable();
        core.dedup();
        core.retain(|&set| set != u32::MAX);
        core
    }

    /// The problem of some sets, and which element each of its elements is.
    fn matrix(&self, sets: &[u32], prices: &[i64]) -> (Matrix, Vec<u32>) {
        let sets = sets.iter().map(|&set| {
            let at = set as usize;
            (
                set,
                self.instance.cost(at) / self.unit,
                self.instance.set(at),
            )
        });
        Matrix::numbered(sets, self.demands, prices)
    }

    /// Searches what the prices leave open, if that is little enough.
    fn close(&self, answer: Answer, bound: i64, prices: &[i64], effort: &mut Effort) -> Answer {
        let proven = prices::ceil(bound, self.shift).min(answer.cost);
        let answer = Answer {
            bound: proven,
            ..answer
        };
        if proven >= answer.cost {
            return answer;
        }
        let (_, reduced) = self.weigh(prices);
        let is_open = |set: &u32| {
            let against = bound + reduced[*set as usize].max(0);
            prices::ceil(against, self.shift) < answer.cost
        };
        let open: Vec<u32> = (0..self.instance.n_sets() as u32).filter(is_open).collect();
        let n_pairs: usize = open
            .iter()
            .map(|&s| self.instance.set(s as usize).len())
            .sum();
        let (matrix, _) = match n_pairs {
            0..=SMALL => self.matrix(&open, prices),
            _ => return answer,
        };
        if !matrix.meets(self.demands) {
            let bound = answer.cost;
            return Answer { bound, ..answer };
        }
        let searched = search::solve(matrix, answer.cost, 0, effort);
        let bound = proven.max(searched.bound.min(answer.cost));
        if searched.cost < answer.cost {
            return Answer { bound, ..searched };
        }
        Answer { bound, ..answer }
    }

    /// An equal share of the set that asks the least for an element.
    fn starting_prices(&self) -> Vec<i64> {
        let mut prices = vec![i64::MAX; self.demands.len()];
        for (elements, cost) in self.instance.sets().zip(self.instance.costs()) {
            let cost = (cost / self.unit) << self.shift;
            let share = (cost / elements.len().max(1) as u64).cast_signed();
            for &element in elements {
                let price = &mut prices[element as usize];
                *price = share.min(*price);
            }
        }
        for price in prices.iter_mut().filter(|price| **price == i64::MAX) {
            *price = 0;
        }
        prices
    }
}
