//! Prices: what covering each element is worth, and the lower bound that follows.
//!
//! Lagrangian relaxation. With a price for every element, a cover costs at least what all
//! demands are worth, less what sets promise beyond their cost; good prices are found by
//! following subgradients. All numbers are integers in fixed point, so the bound is exact and
//! the same on every machine. One round costs two walks over the pairs.

use super::greedy;
use super::matrix::Matrix;

/// Digits behind the point, at most.
const MAX_SHIFT: u32 = 20;

/// One, for the length of a step.
const UNIT: i128 = 1 << 20;

/// Shorter steps lead nowhere.
const SHORTEST: i128 = 1 << 6;

/// In how many steps prices are lowered.
pub(super) const PARTS: i64 = 32;

/// How many rounds without progress halve the step.
const PATIENCE: u32 = 5;

/// A cover is looked for in each of so many rounds, and whenever the bound got better unless there
/// are more pairs than this: a cover takes longer than a round.
const COVER_EVERY: u32 = 4;
const MANY_PAIRS: usize = 1_000_000;

/// How many digits behind the point leave room for all sums; none if even whole numbers do not.
pub(super) fn shift(max_cost: u64, n_pairs: usize) -> Option<u32> {
    let bits = |number: u64| u64::BITS - number.leading_zeros();
    let used = bits(max_cost) + bits(n_pairs as u64) + 3;
    Some(62_u32.checked_sub(used)?.min(MAX_SHIFT))
}

/// Prices, what they prove, and the best cover met on the way.
pub(super) struct Priced {
    /// No cover costs less, in the fixed point of the prices.
    bound: i64,
    shift: u32,
    pub(super) prices: Vec<i64>,
    /// What is left of each set's cost at these prices.
    reduced: Vec<i64>,
    /// A cover, ascending.
    pub(super) chosen: Vec<u32>,
    pub(super) cost: u64,
}

impl Priced {
    /// No cover costs less.
    pub(super) fn bound(&self) -> u64 {
        ceil(self.bound, self.shift)
    }

    /// No cover with this set (or, where it is cheaper than its promise, without it) costs less.
    pub(super) fn bound_against(&self, set: u32) -> u64 {
        let reduced = self.reduced[set as usize];
        ceil(self.bound + reduced.abs(), self.shift)
    }

    /// Whether the prices speak for the set.
    pub(super) fn is_wanted(&self, set: u32) -> bool {
        self.reduced[set as usize] < 0
    }

    pub(super) fn reduced(&self, set: u32) -> i64 {
        self.reduced[set as usize]
    }
}

/// A number in fixed point, rounded up to a whole one that is not negative.
pub(super) fn ceil(fixed: i64, shift: u32) -> u64 {
    let fixed = fixed.max(0).cast_unsigned();
    fixed.div_ceil(1 << shift)
}

/// Looks for good prices until they prove that nothing below `cutoff` is possible, or that a
/// cover is the best, or for so many rounds.
pub(super) fn price(matrix: &Matrix, shift: u32, cutoff: u64, rounds: u32) -> Priced {
    let mut search = Search::new(matrix, shift);
    let mut step = 2 * UNIT;
    let mut idle = 0;
    for round in 0..rounds {
        let improved = search.look(round);
        if search.best.bound() >= search.best.cost.min(cutoff) {
            break;
        }
        if improved {
            idle = 0;
            step = (step + step / 8).min(2 * UNIT);
        } else {
            idle += 1;
        }
        if idle == PATIENCE {
            idle = 0;
            step /= 2;
            search.prices.clone_from(&search.best.prices);
            search.weigh();
        }
        if step < SHORTEST || !search.walk(step) {
            break;
        }
    }
    search.best.chosen.sort_unstable();
    search.best
}

struct Search<'m> {
    matrix: &'m Matrix,
    prices: Vec<i64>,
    reduced: Vec<i64>,
    /// How much more often each element is wanted than the wanted sets cover it.
    lack: Vec<i64>,
    best: Priced,
}

impl<'m> Search<'m> {
    fn new(matrix: &'m Matrix, shift: u32) -> Self {
        let chosen = greedy::complete(matrix, Vec::new(), &matrix.costs);
        let prices = starting_prices(matrix, shift, &chosen);
        let mut search = Self {
            matrix,
            reduced: vec![0; matrix.n_sets()],
            lack: vec![0; matrix.n_elements()],
            best: Priced {
                bound: -1,
                shift,
                prices: prices.clone(),
                reduced: Vec::new(),
                cost: matrix.cost_of(&chosen),
                chosen,
            },
            prices,
        };
        search.lower();
        search
    }

    /// Multiplies the prices by what makes them prove most.
    fn lower(&mut self) {
        let bound = self.weigh();
        let total = bound - self.reduced.iter().map(|&cost| cost.min(0)).sum::<i64>();
        let costs = self.matrix.costs.iter();
        let costs = costs.map(|&cost| (cost << self.best.shift).cast_signed());
        let part = best_part(total, &costs.zip(self.reduced.iter().copied()));
        for price in &mut self.prices {
            *price = *price / PARTS * part;
        }
    }

    /// Works out what the prices prove and keeps what is new; says whether the bound is better.
    fn look(&mut self, round: u32) -> bool {
        let bound = self.weigh();
        let is_small = self.matrix.n_pairs() <= MANY_PAIRS;
        if round.is_multiple_of(COVER_EVERY) || (is_small && bound > self.best.bound) {
            self.try_cover();
        }
        if bound <= self.best.bound {
            return false;
        }
        self.best.bound = bound;
        self.best.prices.clone_from(&self.prices);
        self.best.reduced.clone_from(&self.reduced);
        true
    }

    /// The bound at the prices of now, with the reduced costs and lacks behind it.
    fn weigh(&mut self) -> i64 {
        let matrix = self.matrix;
        let mut bound = 0;
        for (element, &demand) in matrix.demands.iter().enumerate() {
            bound += i64::from(demand) * self.prices[element];
            self.lack[element] = i64::from(demand);
        }
        for (set, elements) in matrix.sets.iter().enumerate() {
            let cost = (matrix.costs[set] << self.best.shift).cast_signed();
            let worth: i64 = elements.iter().map(|&e| self.prices[e as usize]).sum();
            self.reduced[set] = cost - worth;
            if cost < worth {
                bound += cost - worth;
                for &element in elements {
                    self.lack[element as usize] -= 1;
                }
            }
        }
        bound
    }

    /// Completes the wanted sets to a cover, cheap ones by reduced cost first.
    fn try_cover(&mut self) {
        let wanted = (0..self.matrix.n_sets() as u32).filter(|&s| self.reduced[s as usize] < 0);
        let costs: Vec<u64> = self
            .reduced
            .iter()
            .map(|&cost| cost.max(0).cast_unsigned())
            .collect();
        let chosen = greedy::complete(self.matrix, wanted.collect(), &costs);
        let cost = self.matrix.cost_of(&chosen);
        if cost < self.best.cost {
            self.best.cost = cost;
            self.best.chosen = chosen;
        }
    }

    /// Moves the prices towards what is lacking; says whether there was anywhere to go.
    fn walk(&mut self, step: i128) -> bool {
        let moves = |(lack, price): (&i64, &i64)| *lack > 0 || (*lack < 0 && *price > 0);
        let squares: i128 = self
            .lack
            .iter()
            .zip(&self.prices)
            .filter(|&pair| moves(pair))
            .map(|(&lack, _)| i128::from(lack) * i128::from(lack))
            .sum();
        if squares == 0 {
            return false;
        }
        let top = i128::from(self.best.cost) << self.best.shift;
        let gap = top - i128::from(self.best.bound);
        let length = (gap * step / squares).max(1);
        let most = highest_price(self.matrix, self.best.shift);
        for (price, &lack) in self.prices.iter_mut().zip(&self.lack) {
            let next = i128::from(*price) + length * i128::from(lack) / UNIT;
            *price = next.clamp(0, i128::from(most)) as i64;
        }
        true
    }
}

/// No element is worth more than the costliest set.
fn highest_price(matrix: &Matrix, shift: u32) -> i64 {
    let most = matrix.costs.iter().copied().max().unwrap_or(0);
    (most << shift).cast_signed()
}

/// The guesses of whoever made the problem; where there are none, what a greedy cover pays for
/// each element when it covers it.
fn starting_prices(matrix: &Matrix, shift: u32, chosen: &[u32]) -> Vec<i64> {
    let most = highest_price(matrix, shift);
    if matrix.guesses.iter().any(|&guess| guess > 0) {
        return matrix
            .guesses
            .iter()
            .map(|&guess| guess.min(most))
            .collect();
    }
    let mut prices = vec![0; matrix.n_elements()];
    let mut left = matrix.demands.clone();
    for &set in chosen {
        let elements = matrix.sets.get(set);
        let new = elements.iter().filter(|&&e| left[e as usize] > 0);
        let gain = new.count().max(1) as u64;
        let share = ((matrix.costs[set as usize] << shift) / gain).cast_signed();
        for &element in elements {
            let at = element as usize;
            if left[at] > 0 {
                left[at] -= 1;
                prices[at] = share;
            }
        }
    }
    prices
}

/// By how many of [`PARTS`] to multiply prices so that they prove most, given what they are worth
/// in all, and cost and reduced cost of each set.
pub(super) fn best_part(total: i64, sets: &(impl Iterator<Item = (i64, i64)> + Clone)) -> i64 {
    let proven = |part: i64| {
        let lack = |(cost, reduced): (i64, i64)| (cost - (cost - reduced) / PARTS * part).min(0);
        total / PARTS * part + sets.clone().map(lack).sum::<i64>()
    };
    let part = (1..=PARTS).max_by_key(|&part| proven(part));
    part.expect("there are parts")
}
