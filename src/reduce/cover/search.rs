//! Branch and bound on top of shrinking, parts and prices.
//!
//! Every node is a problem of its own: it is shrunk, falls apart into components, and each of
//! them gets prices. What the prices rule out against the best cover known goes; where cover and
//! bound still differ, the problem is split by whether one set is taken. Bounds count nodes and
//! pairs looked at, never time, so the answer is the same on every machine. The bound that comes
//! back is proven even where the search was cut short.

use super::dive::dive;
use super::matrix::Matrix;
use super::prices::{self, Priced};
use super::shrink::{components, shrink};

/// How deep problems may be split.
const MAX_DEPTH: u32 = 300;

/// A dive must be able to look at all pairs so often to be worth its while.
const MIN_CHOICES: u64 = 200;

/// Prices of the largest problems are looked for this often.
const FEWEST_ROUNDS: u32 = 10;

/// A cover of a problem by labels, and what no cover of it costs less than.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) chosen: Vec<u32>,
    pub(super) cost: u64,
    pub(super) bound: u64,
}

/// How much may still be done.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// How often a problem may be split.
    pub(super) nodes: u64,
    /// How many pairs may be looked at, roughly.
    pub(super) pairs: u64,
    /// How many of them at once to look through a problem without making a new one.
    pub(super) dive: u64,
    /// For how many rounds prices are looked for, at first and later on.
    pub(super) rounds: (u32, u32),
    /// Digits behind the point of prices.
    pub(super) shift: u32,
}

impl Effort {
    /// For how many rounds prices of so many pairs are looked for, of a budget for all of them:
    /// all the rounds on millions of pairs would take longer than everything else. What they are
    /// charged is the same, so that problems of this size are not split.
    fn charge_rounds(&mut self, depth: u32, n_pairs: usize, budget: u64) -> u32 {
        let (first, later) = self.rounds;
        let rounds = if depth == 0 { first } else { later };
        let n_pairs = n_pairs as u64;
        self.pairs = self.pairs.saturating_sub(u64::from(rounds) * n_pairs);
        if depth > 0 {
            return later;
        }
        let affordable = u32::try_from(budget / n_pairs.max(1)).unwrap_or(first);
        first.min(affordable.max(FEWEST_ROUNDS))
    }
}

/// The best cover that the effort finds. Covers that cost `cutoff` or more are of no interest,
/// and where the bound reaches that, nobody looks further.
pub(super) fn solve(matrix: Matrix, cutoff: u64, depth: u32, effort: &mut Effort) -> Answer {
    let shrunk = shrink(matrix);
    let mut answer = Answer {
        chosen: shrunk.forced,
        cost: shrunk.cost,
        bound: shrunk.cost,
    };
    let mut parts = Vec::new();
    let budget = effort.pairs;
    for part in components(shrunk.core) {
        let cutoff = cutoff.saturating_sub(answer.bound);
        let part = Part::new(part, (depth, budget), cutoff, effort);
        answer.bound += part.bound;
        parts.push(part);
    }
    for mut part in parts {
        if part.cost > part.bound && answer.bound < cutoff {
            let others = answer.bound - part.bound;
            part.search(cutoff - others, depth, effort);
            answer.bound = others + part.bound;
        }
        answer.cost = answer.cost.saturating_add(part.cost);
        answer.chosen.extend(part.chosen);
    }
    answer
}

/// A component with what is known about it.
struct Part {
    matrix: Matrix,
    priced: Priced,
    chosen: Vec<u32>,
    cost: u64,
    bound: u64,
}

impl Part {
    /// With the budget that all components at this depth share.
    fn new(
        mut matrix: Matrix,
        (depth, budget): (u32, u64),
        cutoff: u64,
        effort: &mut Effort,
    ) -> Self {
        let rounds = effort.charge_rounds(depth, matrix.n_pairs(), budget);
        let priced = prices::price(&matrix, effort.shift, cutoff, rounds);
        matrix.guesses.clone_from(&priced.prices);
        Self {
            chosen: matrix.labels_of(&priced.chosen).collect(),
            cost: priced.cost,
            bound: priced.bound(),
            matrix,
            priced,
        }
    }

    /// Closes the gap between cover and bound as far as the effort reaches.
    fn search(&mut self, cutoff: u64, depth: u32, effort: &mut Effort) {
        let cutoff = cutoff.min(self.cost);
        if effort.nodes == 0 || effort.pairs == 0 || depth >= MAX_DEPTH {
            return;
        }
        effort.nodes -= 1;
        if self.dive(cutoff, effort) {
            return;
        }
        let cutoff = cutoff.min(self.cost);
        let answer = self.fixed(cutoff, depth, effort);
        let answer = answer.unwrap_or_else(|| self.split(cutoff, depth, effort));
        self.bound = self.bound.max(answer.bound.min(cutoff));
        if answer.cost < self.cost {
            self.cost = answer.cost;
            self.chosen = answer.chosen;
        }
    }

    /// Looks through all of it, if that can be done soon; says whether it was done.
    fn dive(&mut self, cutoff: u64, effort: &mut Effort) -> bool {
        let prices = &self.priced.prices;
        let most = effort.dive.min(effort.pairs);
        if most / MIN_CHOICES < self.matrix.n_pairs() as u64 {
            return false;
        }
        let dived = dive(&self.matrix, prices, effort.shift, cutoff, most);
        effort.pairs = effort.pairs.saturating_sub(dived.work);
        if let Some(chosen) = dived.chosen {
            self.cost = self.matrix.cost_of(&chosen);
            self.chosen = self.matrix.labels_of(&chosen).collect();
        }
        if dived.complete {
            self.bound = cutoff.min(self.cost);
        }
        dived.complete
    }

    /// Goes on without what the prices rule out and with what they insist on, if that helps.
    fn fixed(&self, cutoff: u64, depth: u32, effort: &mut Effort) -> Option<Answer> {
        let all = 0..self.matrix.n_sets() as u32;
        let decided = all.filter(|&set| self.priced.bound_against(set) >= cutoff);
        let (inside, outside): (Vec<u32>, Vec<u32>) =
            decided.partition(|&set| self.priced.is_wanted(set));
        if inside.len() + outside.len() <= self.matrix.n_sets() / 20 {
            return None;
        }
        self.under(&inside, &outside, cutoff, depth, effort)
            .or_else(|| Some(self.nothing_better(cutoff)))
    }

    /// The best with and without one set.
    fn split(&self, cutoff: u64, depth: u32, effort: &mut Effort) -> Answer {
        let set = self.most_telling();
        let with = self.under(&[set], &[], cutoff, depth, effort);
        let with = with.unwrap_or_else(|| self.nothing_better(cutoff));
        let cutoff = cutoff.min(with.cost);
        let without = self.under(&[], &[set], cutoff, depth, effort);
        let without = without.unwrap_or_else(|| self.nothing_better(cutoff));
        let bound = with.bound.min(without.bound);
        let better = if without.cost < with.cost {
            without
        } else {
            with
        };
        Answer { bound, ..better }
    }

    /// The set to split by: the one that the prices want most, of the sets of the element that
    /// has the fewest for its demand.
    fn most_telling(&self) -> u32 {
        let matrix = &self.matrix;
        let elements = 0..matrix.n_elements() as u32;
        let spare = |e: &u32| {
            let (sets, demand) = (matrix.elements.get(*e), matrix.demands[*e as usize]);
            (
                sets.len() - demand as usize,
                -self.priced.prices[*e as usize],
            )
        };
        let element = elements.min_by_key(spare).expect("parts have elements");
        let sets = matrix.elements.get(element).iter().copied();
        sets.min_by_key(|&set| (self.priced.reduced(set), set))
            .expect("elements have sets")
    }

    /// The best cover with the sets inside and without those outside, if there is any.
    fn under(
        &self,
        inside: &[u32],
        outside: &[u32],
        cutoff: u64,
        depth: u32,
        effort: &mut Effort,
    ) -> Option<Answer> {
        let cost = self.matrix.cost_of(inside);
        let rest = self.matrix.under(inside, outside)?;
        let mut answer = solve(rest, cutoff.saturating_sub(cost), depth + 1, effort);
        answer.chosen.extend(self.matrix.labels_of(inside));
        answer.cost = answer.cost.saturating_add(cost);
        answer.bound = answer.bound.saturating_add(cost);
        Some(answer)
    }

    /// What to say where no cover is below the cutoff: the one that is known.
    fn nothing_better(&self, cutoff: u64) -> Answer {
        Answer {
            chosen: self.chosen.clone(),
            cost: self.cost,
            bound: cutoff,
        }
    }
}
