//! ddmin with parts that stay: complements first, runs cut where they reach the target.

use super::super::ask::{Item, Memory, Shrunk, Verdict};
use crate::model::Stop;

/// How finely the search begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Granularity {
    /// By halves, as ddmin does.
    Halves,
    /// Event by event, where most of them are known to matter.
    Single,
}

/// The shortest sequence known to reach the target.
pub(crate) struct Best {
    pub(crate) items: Vec<Item>,
}

impl Best {
    pub(crate) fn new(items: Vec<Item>) -> Self {
        Self { items }
    }

    /// Takes a sequence if it reaches the target, as far as it takes to get there.
    pub(crate) fn offer(
        &mut self,
        memory: &mut Memory,
        mut candidate: Vec<Item>,
    ) -> Result<bool, Stop> {
        let answer = memory.ask(&candidate)?;
        let reached = answer.verdict == Verdict::Reproduced;
        if reached {
            candidate.truncate(answer.played);
            self.items = candidate;
        }
        Ok(reached)
    }

    pub(crate) fn shrunk(self, stopped: Option<Stop>) -> Shrunk {
        Shrunk {
            best: self.items,
            stopped,
        }
    }
}

/// Plain ddmin, as the paper describes it in Table 3(a).
pub fn ddmin(sequence: Vec<Item>, memory: &mut Memory) -> Shrunk {
    let mut best = Best::new(sequence);
    let stopped = minimise(memory, &mut best, &[], Granularity::Halves).err();
    best.shrunk(stopped)
}

/// Removes what can go while the events of `pinned` stay.
pub(super) fn minimise(
    memory: &mut Memory,
    best: &mut Best,
    pinned: &[usize],
    start: Granularity,
) -> Result<(), Stop> {
    let mut n = match start {
        Granularity::Halves => 2,
        Granularity::Single => usize::MAX,
    };
    loop {
        let free = free(best, pinned);
        // Without pinned events one event must stay; with them all others may go.
        if free.len() + usize::from(!pinned.is_empty()) < 2 {
            return Ok(());
        }
        n = n.min(free.len());
        match round(memory, best, &free, n)? {
            Some(next) => n = next,
            None if n >= free.len() => return Ok(()),
            None => n *= 2,
        }
    }
}

/// The events that may go.
fn free(best: &Best, pinned: &[usize]) -> Vec<Item> {
    let free = best
        .items
        .iter()
        .filter(|item| !pinned.contains(&item.event));
    free.cloned().collect()
}

/// One round at a granularity; the next one if something could go.
fn round(
    memory: &mut Memory,
    best: &mut Best,
    free: &[Item],
    n: usize,
) -> Result<Option<usize>, Stop> {
    let part = |i: usize| &free[i * free.len() / n..(i + 1) * free.len() / n];
    for i in 0..n {
        let candidate = best.items.iter().filter(|item| !part(i).contains(item));
        if best.offer(memory, candidate.cloned().collect())? {
            return Ok(Some((n - 1).max(2)));
        }
    }
    // Of two halves each is the complement of the other; a single part is everything.
    for i in 0..if n > 2 { n } else { 0 } {
        let is_other = |item: &&Item| free.contains(item) && !part(i).contains(item);
        let candidate = best.items.iter().filter(|item| !is_other(item));
        if best.offer(memory, candidate.cloned().collect())? {
            return Ok(Some(2));
        }
    }
    Ok(None)
}
