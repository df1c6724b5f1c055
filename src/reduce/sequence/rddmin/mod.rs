//! rddmin (paper 002): rewrite rules mined from passing logs say where to look for a failure.
//!
//! [`mine`] learns rules such as "adding an item and deleting it again changes nothing" from logs
//! that passed; [`rewrite`] shortens the failing sequence by them without playing anything. What is
//! left need not reach the target, nor even be playable, so it is used as a hint. Algorithm 1 of the
//! paper looks for a part of the rest that makes the hint reach the target, and minimises what it
//! has then ([`as_published`]). [`rddmin`] does better: while it minimises the rest, the hint stays
//! in, so that only the few events that the hint lacks have to be found among many, and the hint
//! itself is looked at one event at a time. Both give 1-minimal results where playing is
//! deterministic and cost at most a constant factor of what minimising without a hint may cost.

pub mod log;
pub mod mine;
mod minimise;
pub mod rewrite;

pub use minimise::ddmin;

use super::ask::{Item, Memory, Shrunk, items};
use crate::model::Stop;
use minimise::{Best, Granularity, minimise};

/// Minimises a sequence of `n_events` that reaches the target, with the events `hint` of it as what
/// probably matters.
pub fn rddmin(n_events: usize, hint: &[usize], memory: &mut Memory) -> Shrunk {
    let mut best = Best::new(items(0..n_events));
    let stopped = search(hint, memory, &mut best).err();
    best.shrunk(stopped)
}

fn search(hint: &[usize], memory: &mut Memory, best: &mut Best) -> Result<(), Stop> {
    let hinted = items(hint.iter().copied());
    if hint.is_empty() || best.offer(memory, hinted)? {
        return minimise(memory, best, &[], Granularity::Halves);
    }
    minimise(memory, best, hint, Granularity::Halves)?;
    minimise(memory, best, &[], Granularity::Single)
}

/// Algorithm 1 of the paper, to the letter but for its order of tests: like the paper's own example
/// it tests complements first.
pub fn as_published(n_events: usize, hint: &[usize], memory: &mut Memory) -> Shrunk {
    let mut best = Best::new(items(0..n_events));
    let stopped = published(hint, memory, &mut best).err();
    best.shrunk(stopped)
}

fn published(hint: &[usize], memory: &mut Memory, best: &mut Best) -> Result<(), Stop> {
    let hinted = items(hint.iter().copied());
    if hint.is_empty() || best.offer(memory, hinted)? {
        return minimise(memory, best, &[], Granularity::Halves);
    }
    extend(hint, memory, best)
}

/// `rddmin'` of the paper: looks for a part of the rest that makes the hint reach the target.
pub(crate) fn extend(hint: &[usize], memory: &mut Memory, best: &mut Best) -> Result<(), Stop> {
    let rest: Vec<Item> = best
        .items
        .iter()
        .filter(|item| !hint.contains(&item.event))
        .cloned()
        .collect();
    let mut n = 2;
    while n < rest.len() {
        let parts: Vec<&[Item]> = (0..n)
            .map(|i| &rest[i * rest.len() / n..(i + 1) * rest.len() / n])
            .collect();
        let complements = parts.iter().map(|part| {
            let others = rest.iter().filter(|item| !part.contains(item));
            others.cloned().collect::<Vec<_>>()
        });
        let subsets = parts
            .iter()
            .map(|part| part.to_vec())
            .take(if n > 2 { n } else { 0 });
        for more in complements.chain(subsets) {
            let mut candidate = items(hint.iter().copied());
            candidate.extend(more);
            candidate.sort_by_key(|item| item.event);
            if best.offer(memory, candidate)? {
                return minimise(memory, best, &[], Granularity::Halves);
            }
        }
        n = (2 * n).min(rest.len());
    }
    minimise(memory, best, &[], Granularity::Halves)
}

#[cfg(test)]
mod tests;
