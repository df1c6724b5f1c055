//! `ddmin` as published (Zeller and Hildebrandt, 2002): subsets, then complements, then finer parts.
//!
//! It is here for comparison. The only liberty is what the oracle gives for free: a run is cut
//! where the target is reached, and what is known is not run again.

use super::Recording;
use super::lab::Lab;
use super::minimal::{best, settle};
use crate::model::Stop;

/// Shortens the best candidate.
pub(super) fn reduce(lab: &mut Lab, _recording: &Recording) -> Result<(), Stop> {
    let groups = best(lab).into_iter().map(|event| vec![event]).collect();
    ddmin(lab, Vec::new(), groups)?;
    settle(lab)
}

/// Finds the groups of events that are needed beside the fixed ones.
pub(super) fn ddmin(
    lab: &mut Lab,
    mut fixed: Vec<u32>,
    mut groups: Vec<Vec<u32>>,
) -> Result<(), Stop> {
    let mut parts = 2;
    while !groups.is_empty() {
        parts = parts.min(groups.len());
        let chunks = chunks(&groups, parts);
        let subsets = chunks.iter().map(|chunk| joined(&fixed, chunk));
        let subsets: Vec<_> = subsets.collect();
        if let Some((at, events)) = lab.first(&subsets)?
            && groups.len() > 1
        {
            groups = left_of(chunks[at].to_vec(), &events);
            fixed.retain(|event| events.binary_search(event).is_ok());
            parts = 2;
            continue;
        }
        let complements: Vec<Vec<Vec<u32>>> = (0..chunks.len())
            .map(|at| complement(&chunks, at))
            .collect();
        let asked = complements.iter().map(|groups| joined(&fixed, groups));
        let asked: Vec<_> = asked.collect();
        if let Some((at, events)) = lab.first(&asked)? {
            groups = left_of(complements[at].clone(), &events);
            fixed.retain(|event| events.binary_search(event).is_ok());
            parts = (parts - 1).max(2);
        } else if parts < groups.len() {
            parts *= 2;
        } else {
            break;
        }
    }
    Ok(())
}

/// So many parts of nearly the same length.
fn chunks<T>(items: &[T], parts: usize) -> Vec<&[T]> {
    let bound = |part: usize| part * items.len() / parts;
    (0..parts)
        .map(|part| &items[bound(part)..bound(part + 1)])
        .collect()
}

fn complement(chunks: &[&[Vec<u32>]], at: usize) -> Vec<Vec<u32>> {
    let others = chunks.iter().enumerate().filter(|(other, _)| *other != at);
    others.flat_map(|(_, chunk)| chunk.to_vec()).collect()
}

/// The events of the groups and the fixed ones, in order.
fn joined(fixed: &[u32], groups: &[Vec<u32>]) -> Vec<u32> {
    let mut events = [fixed, &groups.concat()].concat();
    events.sort_unstable();
    events
}

/// The groups without events that a cut run does not have any more.
fn left_of(groups: Vec<Vec<u32>>, events: &[u32]) -> Vec<Vec<u32>> {
    let groups = groups.into_iter().map(|mut group| {
        group.retain(|event| events.binary_search(event).is_ok());
        group
    });
    groups.filter(|group| !group.is_empty()).collect()
}
