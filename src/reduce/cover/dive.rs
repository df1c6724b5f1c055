//! A search through small problems that spends little on each choice.
//!
//! The element with the fewest sets to spare is covered by each of them in turn. Prices are
//! handed down and bettered by a few steps; what they rule out is refused below. Complete unless
//! the work runs out, and then the best cover met is still a cover. A choice costs a few walks
//! over the pairs, and nothing is built anew.

use super::endgame::{Endgame, MAX_SETS};
use super::matrix::Matrix;

/// How deep choices may nest.
const MAX_DEPTH: usize = 200;

/// How many steps prices take for each choice.
const STEPS: u32 = 4;

/// What a dive came to.
pub(super) struct Dived {
    /// A cover below the cutoff, if one was met.
    pub(super) chosen: Option<Vec<u32>>,
    /// Whether no better one can have been missed.
    pub(super) complete: bool,
    /// The pairs that were looked at.
    pub(super) work: u64,
}

/// Looks for the cheapest cover below `cutoff`, from `prices` with `shift` digits behind the
/// point.
pub(super) fn dive(
    matrix: &Matrix,
    prices: &[i64],
    shift: u32,
    cutoff: u64,
    max_work: u64,
) -> Dived {
    let mut dive = Dive {
        matrix,
        endgame: Endgame::new(matrix),
        shift,
        is_free: vec![true; matrix.n_sets()],
        n_free: matrix
            .elements
            .iter()
            .map(|sets| sets.len() as u32)
            .collect(),
        left: matrix.demands.clone(),
        taken: Vec::new(),
        cost: 0,
        cutoff,
        chosen: None,
        work: 0,
        max_work,
        is_cut_short: false,
    };
    dive.explore(prices);
    Dived {
        chosen: dive.chosen,
        complete: !dive.is_cut_short,
        work: dive.work,
    }
}

struct Dive<'m> {
    matrix: &'m Matrix,
    endgame: Option<Endgame<'m>>,
    shift: u32,
    /// Which sets are neither taken nor refused.
    is_free: Vec<bool>,
    /// How many free sets each element has.
    n_free: Vec<u32>,
    /// How often each element is still wanted.
    left: Vec<u32>,
    taken: Vec<u32>,
    cost: u64,
    cutoff: u64,
    chosen: Option<Vec<u32>>,
    work: u64,
    max_work: u64,
    is_cut_short: bool,
}

/// What prices say about the choices so far.
struct Weighed {
    /// What covering the rest costs at least.
    bound: i64,
    reduced: Vec<i64>,
    lack: Vec<i64>,
}

impl Dive<'_> {
    fn explore(&mut self, prices: &[i64]) {
        let open = (0..self.left.len() as u32).filter(|&e| self.left[e as usize] > 0);
        let Some(element) = open.min_by_key(|&e| self.spare(e)) else {
            if self.cost < self.cutoff {
                self.cutoff = self.cost;
                self.chosen = Some(self.taken.clone());
            }
            return;
        };
        if self.work > self.max_work || self.taken.len() >= MAX_DEPTH {
            self.is_cut_short = true;
        }
        if self.is_cut_short || self.spare(element) < 0 {
            return;
        }
        if self.ends() {
            return;
        }
        let Some((prices, weighed)) = self.bettered(prices) else {
            return;
        };
        let ruled_out = self.refuse_hopeless(&weighed);
        self.try_each(element, &prices, &weighed);
        for set in ruled_out {
            self.release(set);
        }
    }

    /// Tries all endings where only a few sets can be paid for; says whether that was so.
    fn ends(&mut self) -> bool {
        let room = self.cutoff.saturating_sub(self.cost);
        let Some(endgame) = &mut self.endgame else {
            return false;
        };
        if endgame.affordable(room) > MAX_SETS {
            return false;
        }
        let is_open = self.left.iter().map(|&left| left > 0);
        if let Some((cost, sets)) = endgame.finish(is_open, &mut self.is_free, room) {
            self.cutoff = self.cost + cost;
            self.chosen = Some([&self.taken[..], &sets].concat());
        }
        self.work += std::mem::take(&mut endgame.work);
        true
    }

    /// How many free sets the element has beyond what is wanted of them.
    fn spare(&self, element: u32) -> i64 {
        let at = element as usize;
        i64::from(self.n_free[at]) - i64::from(self.left[at])
    }

    fn try_each(&mut self, element: u32, prices: &[i64], weighed: &Weighed) {
        let sets = self.matrix.elements.get(element).iter().copied();
        let mut sets: Vec<u32> = sets.filter(|&set| self.is_free[set as usize]).collect();
        sets.sort_by_key(|&set| (weighed.reduced[set as usize], set));
        let mut n_refused = 0;
        for &set in &sets {
            if self.is_cut_short || self.spare(element) < 0 {
                break;
            }
            self.take(set, prices);
            self.refuse(set);
            n_refused += 1;
        }
        for &set in &sets[..n_refused] {
            self.release(set);
        }
    }

    /// Explores what follows from a set.
    fn take(&mut self, set: u32, prices: &[i64]) {
        let matrix = self.matrix;
        let cost = matrix.costs[set as usize];
        if self.cost + cost >= self.cutoff {
            return;
        }
        self.refuse(set);
        let elements = matrix.sets.get(set).iter().copied();
        let met: Vec<u32> = elements.filter(|&e| self.left[e as usize] > 0).collect();
        for &element in &met {
            self.left[element as usize] -= 1;
        }
        self.cost += cost;
        self.taken.push(set);
        self.explore(prices);
        self.taken.pop();
        self.cost -= cost;
        for &element in &met {
            self.left[element as usize] += 1;
        }
        self.release(set);
    }

    fn refuse(&mut self, set: u32) {
        self.is_free[set as usize] = false;
        for &element in self.matrix.sets.get(set) {
            self.n_free[element as usize] -= 1;
        }
    }

    fn release(&mut self, set: u32) {
        self.is_free[set as usize] = true;
        for &element in self.matrix.sets.get(set) {
            self.n_free[element as usize] += 1;
        }
    }

    /// Refuses the sets that no cover below the cutoff has, as far as prices tell.
    fn refuse_hopeless(&mut self, weighed: &Weighed) -> Vec<u32> {
        let hopeless = |set: &u32| {
            let at = *set as usize;
            self.is_free[at] && self.reaches_cutoff(weighed.bound + weighed.reduced[at].max(0))
        };
        let all = 0..self.matrix.n_sets() as u32;
        let refused: Vec<u32> = all.filter(hopeless).collect();
        for &set in &refused {
            self.refuse(set);
        }
        refused
    }

    /// Whether a bound on the rest leaves nothing below the cutoff.
    fn reaches_cutoff(&self, bound: i64) -> bool {
        let room = u128::from(self.cutoff - self.cost - 1) << self.shift;
        bound > 0 && u128::from(bound.cast_unsigned()) > room
    }

    /// The best prices within a few steps; nothing if they prove that there is nothing here.
    fn bettered(&mut self, prices: &[i64]) -> Option<(Vec<i64>, Weighed)> {
        let mut best = (prices.to_vec(), self.weigh(prices));
        let mut prices = prices.to_vec();
        let mut lack = best.1.lack.clone();
        for step in 0..STEPS {
            if self.reaches_cutoff(best.1.bound) {
                return None;
            }
            if !self.walk(&mut prices, &lack, best.1.bound, 1 << step) {
                break;
            }
            let weighed = self.weigh(&prices);
            lack.clone_from(&weighed.lack);
            if weighed.bound > best.1.bound {
                best = (prices.clone(), weighed);
            }
        }
        (!self.reaches_cutoff(best.1.bound)).then_some(best)
    }

    fn weigh(&mut self, prices: &[i64]) -> Weighed {
        let matrix = self.matrix;
        let mut weighed = Weighed {
            bound: 0,
            reduced: vec![0; matrix.n_sets()],
            lack: self.left.iter().map(|&left| i64::from(left)).collect(),
        };
        for (&left, price) in self.left.iter().zip(prices) {
            weighed.bound += i64::from(left) * price;
        }
        for (set, elements) in matrix.sets.iter().enumerate() {
            if !self.is_free[set] {
                continue;
            }
            self.work += elements.len() as u64;
            let open = |e: &&u32| self.left[**e as usize] > 0;
            let worth = elements.iter().filter(open).map(|&e| prices[e as usize]);
            let reduced = (matrix.costs[set] << self.shift).cast_signed() - worth.sum::<i64>();
            weighed.reduced[set] = reduced;
            if reduced < 0 {
                weighed.bound += reduced;
                for &element in elements {
                    weighed.lack[element as usize] -= 1;
                }
            }
        }
        weighed
    }

    /// One step along the subgradient; says whether there was anywhere to go.
    fn walk(&self, prices: &mut [i64], lack: &[i64], bound: i64, part: i128) -> bool {
        let open = |at: usize| self.left[at] > 0 && (lack[at] > 0 || prices[at] > 0);
        let squares = (0..lack.len()).filter(|&at| open(at));
        let squares: i128 = squares.map(|at| i128::from(lack[at] * lack[at])).sum();
        if squares == 0 {
            return false;
        }
        let room = i128::from(self.cutoff - self.cost) << self.shift;
        let gap = (room - i128::from(bound)).max(1);
        let most = room.min(i128::from(i64::MAX >> 20));
        for (at, price) in prices.iter_mut().enumerate() {
            if self.left[at] > 0 {
                let moved = i128::from(*price) + gap * i128::from(lack[at]) / (squares * part);
                *price = moved.clamp(0, most) as i64;
            }
        }
        true
    }
}
