//! Spreads branches unevenly over the edges of an app.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::draft::Draft;
use super::splitmix::SplitMix;

/// Gives every branch to at least one edge that can be reached, or to the launch.
///
/// Half of the branches belong to one slot alone, most others to a few, and some are shared by many, as the code of a
/// common menu or of a list would be.
pub(super) fn spread(draft: &mut Draft, branches: usize, random: &mut SplitMix) {
    let used: BTreeSet<usize> = draft.slots.values().flatten().copied().collect();
    // The order decides which slots are rich: a draw favours the early ones.
    let mut order: Vec<Option<usize>> = used.into_iter().map(Some).chain([None]).collect();
    random.shuffle(&mut order);
    let mut covers: BTreeMap<Option<usize>, Vec<Value>> = BTreeMap::new();
    for branch in 0..branches {
        let owners: BTreeSet<Option<usize>> = (0..popularity(order.len(), random))
            .map(|_| order[random.below(order.len()).min(random.below(order.len()))])
            .collect();
        for owner in owners {
            covers
                .entry(owner)
                .or_default()
                .push(Value::from(format!("b{branch}")));
        }
    }
    draft.app.covers = covers.get(&None).cloned().unwrap_or_default();
    for (id, state) in &mut draft.app.states {
        for (edge, slot) in state
            .edges
            .iter_mut()
            .zip(draft.slots.get(id).into_iter().flatten())
        {
            edge.covers = covers.get(&Some(*slot)).cloned().unwrap_or_default();
        }
    }
}

fn popularity(slots: usize, random: &mut SplitMix) -> usize {
    match random.below(100) {
        0..55 => 1,
        55..85 => 2 + random.below(4),
        _ => 2 + random.below(slots / 20 + 1),
    }
}
