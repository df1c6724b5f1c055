//! Redundant traces (paper 004, Algorithm 1, part 1): keep a trace when it adds coverage to
//! those kept before it, in order of arrival.
//!
//! Needs no device. Linear in the number of steps.

use super::Proven;
use crate::model::{Coverage, Names, Suite};

/// The positions of the traces that add something to `goal`'s coverage, in order of arrival.
pub(super) fn non_redundant(
    traces: &[Proven],
    goal: &Coverage,
    suite: &Suite,
    names: &Names,
) -> Vec<usize> {
    let mut covered = Coverage::default();
    let mut kept = Vec::new();
    for (index, trace) in traces.iter().enumerate() {
        let mut adds = false;
        for position in 0..trace.covers.len() {
            for element in trace.elements_at(suite, names, position) {
                adds |= goal.contains(element) && covered.insert(element);
            }
        }
        if adds {
            kept.push(index);
        }
    }
    kept
}
