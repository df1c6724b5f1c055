//! Covers by greed: the most new elements for the cost first, then what became redundant goes.
//!
//! Lazily evaluated: gains only shrink, so a set is looked at again when it comes to the top of
//! the queue with a stale gain, and not before. The cost is within a factor of ln n of the
//! optimum; the work is near the number of pairs in practice.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::matrix::Matrix;

/// A set with what it costs and how many open demands it meets.
#[derive(PartialEq, Eq)]
struct Offer {
    cost: u64,
    gain: u32,
    set: u32,
}

impl Ord for Offer {
    /// The better offer is the greater one; equal ones are told apart by number.
    fn cmp(&self, other: &Self) -> Ordering {
        let price = u128::from(self.cost) * u128::from(other.gain);
        let other_price = u128::from(other.cost) * u128::from(self.gain);
        let by_price = other_price.cmp(&price);
        by_price
            .then(self.gain.cmp(&other.gain))
            .then(Reverse(self.set).cmp(&Reverse(other.set)))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Adds sets to `chosen` until all demands are met, by `costs`, then drops what is not needed.
pub(super) fn complete(matrix: &Matrix, chosen: Vec<u32>, costs: &[u64]) -> Vec<u32> {
    let mut cover = Partial::new(matrix, chosen);
    let open = (0..matrix.n_sets() as u32).filter(|&set| !cover.is_chosen[set as usize]);
    let offers = open.filter_map(|set| cover.offer(set, costs));
    let mut queue: BinaryHeap<Offer> = offers.collect();
    while cover.n_open > 0 {
        let Some(offer) = queue.pop() else { break };
        match cover.offer(offer.set, costs) {
            Some(now) if now.gain == offer.gain => cover.add(offer.set),
            Some(now) => queue.push(now),
            None => {}
        }
    }
    cover.pruned()
}

/// A cover in the making.
struct Partial<'m> {
    matrix: &'m Matrix,
    /// How often each element is covered.
    counts: Vec<u32>,
    chosen: Vec<u32>,
    is_chosen: Vec<bool>,
    n_open: usize,
}

impl<'m> Partial<'m> {
    fn new(matrix: &'m Matrix, chosen: Vec<u32>) -> Self {
        let mut cover = Self {
            matrix,
            counts: vec![0; matrix.n_elements()],
            chosen: Vec::new(),
            is_chosen: vec![false; matrix.n_sets()],
            n_open: matrix.n_elements(),
        };
        for set in chosen {
            cover.add(set);
        }
        cover
    }

    fn is_open(&self, element: u32) -> bool {
        self.counts[element as usize] < self.matrix.demands[element as usize]
    }

    fn offer(&self, set: u32, costs: &[u64]) -> Option<Offer> {
        let elements = self.matrix.sets.get(set).iter();
        let gain = elements.filter(|&&element| self.is_open(element)).count() as u32;
        let cost = costs[set as usize];
        (gain > 0).then_some(Offer { cost, gain, set })
    }

    fn add(&mut self, set: u32) {
        self.chosen.push(set);
        self.is_chosen[set as usize] = true;
        for &element in self.matrix.sets.get(set) {
            let at = element as usize;
            self.counts[at] += 1;
            self.n_open -= usize::from(self.counts[at] == self.matrix.demands[at]);
        }
    }

    /// Drops sets that are not needed, the costliest and then the latest first.
    fn pruned(mut self) -> Vec<u32> {
        let matrix = self.matrix;
        let mut order: Vec<usize> = (0..self.chosen.len()).collect();
        order.sort_by_key(|&at| Reverse((matrix.costs[self.chosen[at] as usize], at)));
        for at in order {
            let set = self.chosen[at];
            let elements = matrix.sets.get(set);
            let can_go = |&e: &u32| self.counts[e as usize] > matrix.demands[e as usize];
            if elements.iter().all(can_go) {
                self.is_chosen[set as usize] = false;
                for &element in elements {
                    self.counts[element as usize] -= 1;
                }
            }
        }
        let mut chosen = self.chosen;
        chosen.retain(|&set| self.is_chosen[set as usize]);
        chosen
    }
}
