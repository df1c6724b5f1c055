//! Splitting a suite into shards of about the same device time that stay alike when it changes.
//!
//! Traces are laid on a line in the order of their keys, each as long as it takes, and the line is
//! cut into equal parts; a trace belongs to the part that its middle lies in. One trace more or
//! less shifts each cut by its own length at most, so only what lies that near to a cut moves.
//! Where a few long traces leave the parts uneven, single moves and swaps even them out, and no
//! more of these are made than are needed.

/// A trace as far as sharding looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Where it lies on the line; the same trace must have the same key in every suite.
    pub key: u64,
    /// How long it takes.
    pub micros: u64,
}

/// How uneven shards may be before traces are moved: their spread in thousandths of their mean.
const EVEN: u64 = 50;

/// The shard of each trace, from 0; every shard has one if there are as many traces as shards.
#[must_use]
pub fn shard(loads: &[Load], total: usize) -> Vec<usize> {
    // Along the line, so that no tie is broken by the order of the suite.
    let mut order: Vec<usize> = (0..loads.len()).collect();
    order.sort_by_key(|&trace| (loads[trace].key, trace));
    let line: Vec<Load> = order.iter().map(|&trace| loads[trace]).collect();
    let mut shards = Shards::cut(&line, total.max(1));
    shards.fill_empty();
    shards.even_out();
    let mut of = vec![0; loads.len()];
    for (trace, shard) in order.into_iter().zip(shards.of) {
        of[trace] = shard;
    }
    of
}

/// How far apart the longest and the shortest of these times are, as a fraction of their mean.
#[must_use]
pub fn spread(times: &[u64]) -> f64 {
    let (Some(&most), Some(&least)) = (times.iter().max(), times.iter().min()) else {
        return 0.0;
    };
    let sum: u64 = times.iter().sum();
    if sum == 0 {
        return 0.0;
    }
    (most - least) as f64 * times.len() as f64 / sum as f64
}

struct Shards<'a> {
    /// The traces in the order of their keys.
    loads: &'a [Load],
    of: Vec<usize>,
    times: Vec<u64>,
}

/// One step towards shards that are more even.
#[derive(Clone, Copy)]
struct Exchange {
    /// The trace that leaves the long shard.
    out: usize,
    /// The trace that comes back for it.
    back: Option<usize>,
}

impl<'a> Shards<'a> {
    fn cut(loads: &'a [Load], total: usize) -> Self {
        let sum: u128 = loads.iter().map(|load| u128::from(load.micros)).sum();
        let mut shards = Self {
            loads,
            of: vec![0; loads.len()],
            times: vec![0; total],
        };
        let mut before: u128 = 0;
        for (trace, load) in loads.iter().enumerate() {
            let micros = u128::from(load.micros);
            // Twice the middle, so that it is a whole number.
            let middle = 2 * before + micros;
            let part = (middle * total as u128).checked_div(2 * sum).unwrap_or(0);
            shards.of[trace] = (part as usize).min(total - 1);
            shards.times[shards.of[trace]] += load.micros;
            before += micros;
        }
        shards
    }

    fn members(&self, shard: usize) -> Vec<usize> {
        let all = 0..self.of.len();
        all.filter(|&trace| self.of[trace] == shard).collect()
    }

    fn put(&mut self, trace: usize, shard: usize) {
        let micros = self.loads[trace].micros;
        self.times[self.of[trace]] -= micros;
        self.times[shard] += micros;
        self.of[trace] = shard;
    }

    /// Gives each shard without a trace the shortest of the shard that has most of them.
    fn fill_empty(&mut self) {
        let mut counts = vec![0_usize; self.times.len()];
        for &shard in &self.of {
            counts[shard] += 1;
        }
        for empty in 0..counts.len() {
            if counts[empty] > 0 {
                continue;
            }
            let most = (0..counts.len()).max_by_key(|&shard| (counts[shard], self.times[shard]));
            let Some(most) = most.filter(|&shard| counts[shard] > 1) else {
                return;
            };
            let members = self.members(most);
            let shortest = members
                .into_iter()
                .min_by_key(|&t| (self.loads[t].micros, t));
            let Some(trace) = shortest else { return };
            self.put(trace, empty);
            counts[most] -= 1;
            counts[empty] += 1;
        }
    }

    /// Exchanges traces while the shards are too uneven and an exchange helps.
    fn even_out(&mut self) {
        // An exchange makes the sum of squares smaller, so this ends; the bound is for suites
        // of which every trace is different.
        for _ in 0..self.of.len() + self.times.len() {
            let sum: u64 = self.times.iter().sum();
            let far = |shards: &Self| {
                let most = shards.times.iter().max().copied().unwrap_or(0);
                let least = shards.times.iter().min().copied().unwrap_or(0);
                u128::from(most - least) * shards.times.len() as u128 * 1000
            };
            if far(self) <= u128::from(sum) * u128::from(EVEN) || !self.exchange() {
                return;
            }
        }
    }

    /// Makes the exchange that helps most, with the longest shard or with the shortest one.
    fn exchange(&mut self) -> bool {
        let mut order: Vec<usize> = (0..self.times.len()).collect();
        order.sort_by_key(|&shard| (self.times[shard], shard));
        let (&least, &most) = match (order.first(), order.last()) {
            (Some(least), Some(most)) if least != most => (least, most),
            _ => return false,
        };
        let with_most = order.iter().map(|&low| (most, low));
        let with_least = order.iter().rev().map(|&high| (high, least));
        // The two extremes first: what evens them out is what is asked for.
        for (high, low) in with_most.chain(with_least) {
            if self.times[high] <= self.times[low] {
                continue;
            }
            if let Some(Exchange { out, back }) = self.best_exchange(high, low) {
                self.put(out, low);
                if let Some(trace) = back {
                    self.put(trace, high);
                }
                return true;
            }
        }
        false
    }

    /// The exchange after which two shards are most alike, if they get more alike at all.
    fn best_exchange(&self, high: usize, low: usize) -> Option<Exchange> {
        let gap = self.times[high] - self.times[low];
        let long = self.members(high);
        let mut short = self.members(low);
        short.sort_by_key(|&trace| (self.loads[trace].micros, trace));
        let mut best: Option<(u64, Exchange)> = None;
        let mut consider = |moved: u64, exchange: Exchange| {
            let left = gap.abs_diff(2 * moved);
            if moved > 0 && moved < gap && best.is_none_or(|(least, _)| left < least) {
                best = Some((left, exchange));
            }
        };
        for out in long.iter().copied() {
            let micros = self.loads[out].micros;
            if long.len() > 1 {
                consider(micros, Exchange { out, back: None });
            }
            // What comes back should be shorter by half the gap; the two around that are the best.
            let wanted = micros.saturating_sub(gap / 2);
            let at = short.partition_point(|&trace| self.loads[trace].micros < wanted);
            for &back in short[at.saturating_sub(1)..].iter().take(2) {
                let moved = micros.saturating_sub(self.loads[back].micros);
                let back = Some(back);
                consider(moved, Exchange { out, back });
            }
        }
        best.map(|(_, exchange)| exchange)
    }
}

#[cfg(test)]
mod tests;
