//! The last few sets of a cover, by trying them all.
//!
//! Where no more than three sets can be paid for, prices say little and bitsets say all: a set
//! of the rarest open element must be among them, and no set covers more than the largest does.

use super::matrix::Matrix;

/// The most sets that are tried for.
pub(super) const MAX_SETS: u64 = 3;

/// The most words of bits that a problem may take: 32 MiB.
const MAX_WORDS: usize = 4 << 20;

/// The sets of a problem as bits.
pub(super) struct Endgame<'m> {
    matrix: &'m Matrix,
    n_words: usize,
    bits: Vec<u64>,
    cheapest: u64,
    /// The words that were looked at.
    pub(super) work: u64,
}

/// The sets that cover the rest, and what they cost.
type Ending = Option<(u64, Vec<u32>)>;

impl<'m> Endgame<'m> {
    /// Nothing if the problem is too large for it, or wants something more than once.
    pub(super) fn new(matrix: &'m Matrix) -> Option<Self> {
        let n_words = matrix.n_elements().div_ceil(64);
        let cheapest = matrix.costs.iter().copied().min()?;
        let is_simple = matrix.demands.iter().all(|&demand| demand == 1);
        if !is_simple || cheapest == 0 || n_words * matrix.n_sets() > MAX_WORDS {
            return None;
        }
        let mut bits = vec![0; n_words * matrix.n_sets()];
        for (set, elements) in matrix.sets.iter().enumerate() {
            for &element in elements {
                let (word, bit) = place(element);
                bits[set * n_words + word] |= bit;
            }
        }
        Some(Self {
            matrix,
            n_words,
            bits,
            cheapest,
            work: 0,
        })
    }

    /// How many sets can be had for less than `room`.
    pub(super) fn affordable(&self, room: u64) -> u64 {
        room.saturating_sub(1) / self.cheapest
    }

    /// The cheapest way to cover what `is_open` with free sets for less than `room`.
    pub(super) fn finish(
        &mut self,
        is_open: impl Iterator<Item = bool>,
        is_free: &mut [bool],
        room: u64,
    ) -> Ending {
        let mut open = vec![0; self.n_words];
        for (element, _) in (0..).zip(is_open).filter(|&(_, is_open)| is_open) {
            let (word, bit) = place(element);
            open[word] |= bit;
        }
        self.cover(&open, is_free, room)
    }

    fn cover(&mut self, open: &[u64], is_free: &mut [bool], room: u64) -> Ending {
        let n_open: u64 = open.iter().map(|word| u64::from(word.count_ones())).sum();
        let Some(rarest) = lowest(open) else {
            return (room > 0).then(|| (0, Vec::new()));
        };
        let n_sets = self.affordable(room);
        if n_sets == 0 {
            return None;
        }
        let elsewhere = match n_sets - 1 {
            0 => 0,
            others => others * self.largest(open, is_free),
        };
        let candidates: Vec<u32> = self.matrix.elements.get(rarest).to_vec();
        let mut best: Ending = None;
        let mut refused = Vec::new();
        for set in candidates {
            let room = best.as_ref().map_or(room, |(cost, _)| *cost);
            let at = set as usize;
            let cost = self.matrix.costs[at];
            if !is_free[at] || cost >= room || self.gain(set, open) + elsewhere < n_open {
                continue;
            }
            is_free[at] = false;
            refused.push(set);
            let rest = self.rest(set, open);
            if let Some((more, mut sets)) = self.cover(&rest, is_free, room - cost) {
                sets.push(set);
                best = Some((cost + more, sets));
            }
        }
        for set in refused {
            is_free[set as usize] = true;
        }
        best
    }

    fn words(&self, set: u32) -> &[u64] {
        let start = set as usize * self.n_words;
        &self.bits[start..start + self.n_words]
    }

    fn gain(&mut self, set: u32, open: &[u64]) -> u64 {
        self.work += self.n_words as u64;
        let both = self.words(set).iter().zip(open).map(|(a, b)| a & b);
        both.map(|word| u64::from(word.count_ones())).sum()
    }

    fn rest(&self, set: u32, open: &[u64]) -> Vec<u64> {
        let words = self.words(set).iter().zip(open);
        words.map(|(set, open)| open & !set).collect()
    }

    /// The most that one free set covers.
    fn largest(&mut self, open: &[u64], is_free: &[bool]) -> u64 {
        let free = (0..is_free.len() as u32).filter(|&set| is_free[set as usize]);
        free.map(|set| self.gain(set, open)).max().unwrap_or(0)
    }
}

fn place(element: u32) -> (usize, u64) {
    (element as usize / 64, 1 << (element % 64))
}

fn lowest(open: &[u64]) -> Option<u32> {
    let word = open.iter().position(|&word| word != 0)?;
    Some(word as u32 * 64 + open[word].trailing_zeros())
}
