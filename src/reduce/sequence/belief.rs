//! How dense needed events are believed to be, learnt from those that were found.
//!
//! A mixture of densities that halve from one to the next: what was seen of events so far
//! weighs them, so both 3 of 2,000 and 20 of 100 are soon believed.

/// How many densities are weighed: from 1/2 down to 1/16384.
const DENSITIES: usize = 14;

/// Weights of densities.
#[derive(Debug, Clone)]
pub(super) struct Belief {
    weights: [f64; DENSITIES],
    /// The logarithm of the share of events that are not needed, of each density.
    logs: [f64; DENSITIES],
}

impl Default for Belief {
    fn default() -> Self {
        let mut belief = Self {
            weights: [1.0 / DENSITIES as f64; DENSITIES],
            logs: [0.0; DENSITIES],
        };
        for j in 0..DENSITIES {
            belief.logs[j] = (-density(j)).ln_1p();
        }
        belief
    }
}

fn density(j: usize) -> f64 {
    1.0 / f64::from(2_u32 << j)
}

impl Belief {
    /// So many more events turned out not to be needed.
    pub(super) fn free(&mut self, n: usize) {
        for j in 0..DENSITIES {
            self.weights[j] *= (n as f64 * self.logs[j]).exp();
        }
        self.scale();
    }

    /// One more event seems to be needed.
    pub(super) fn needed(&mut self) {
        for j in 0..DENSITIES {
            self.weights[j] *= density(j);
        }
        self.scale();
    }

    fn scale(&mut self) {
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= sum);
    }

    /// The chance that none of the next `n` events is needed.
    pub(super) fn all_free(&self, n: usize) -> f64 {
        let chances = self.weights.iter().zip(&self.logs);
        chances
            .map(|(weight, log)| weight * (n as f64 * log).exp())
            .sum()
    }

    /// How many of the next `most` events are all free with a chance of about one half.
    pub(super) fn piece(&self, most: usize) -> usize {
        self.largest(most, 0.5)
    }

    /// Of `len` events at least one is needed: with about even chances the first of them is
    /// among the next so many.
    pub(super) fn half(&self, len: usize) -> usize {
        self.largest(len - 1, 0.5 * (1.0 + self.all_free(len)))
    }

    /// The most events, from 1 to `most`, that are all free with no less than this chance.
    fn largest(&self, most: usize, chance: f64) -> usize {
        let (mut low, mut high) = (1, most.max(1) + 1);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.all_free(middle) >= chance {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::Belief;

    #[test]
    fn pieces_grow_while_nothing_is_needed_and_shrink_when_much_is() {
        let mut belief = Belief::default();
        let first = belief.piece(10_000);
        belief.free(1_000);
        let later = belief.piece(10_000);
        assert!(later > 4 * first, "{first} {later}");
        for _ in 0..40 {
            belief.needed();
        }
        let last = belief.piece(10_000);
        assert!((8..40).contains(&last), "{last}: 40 of 1,040 are needed");
    }

    #[test]
    fn a_split_leaves_something_on_both_sides() {
        let belief = Belief::default();
        for len in 2..200 {
            assert!((1..len).contains(&belief.half(len)), "{len}");
        }
    }
}
