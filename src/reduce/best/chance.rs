//! What the evidence says before anything is merged: how much is left to chance, and which covers
//! are noise.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{ActionId, Cover, ScreenId};
use crate::reduce::Evidence;
use crate::reduce::evidence::Node;

/// How likely an action is left to chance once it was seen to be.
const KNOWN: f64 = 0.95;
/// More kinds of covers than this share of the sightings of a step are noise, not state.
const NOISE: f64 = 0.3;

/// How often a node was passed.
pub(super) fn weight(evidence: &Evidence, node: Node) -> u32 {
    let prefix = evidence.prefix(node);
    prefix.recorded + prefix.live
}

/// What a node covered whenever it was passed.
pub(super) fn cover(evidence: &Evidence, node: Node) -> Option<Cover> {
    let prefix = evidence.prefix(node);
    match (&prefix.recorded_cover, &prefix.cover) {
        (Some(recorded), Some(live)) => Some(recorded.intersection(live)),
        (Some(cover), None) | (None, Some(cover)) => Some(cover.clone()),
        (None, None) => None,
    }
}

/// Numbers for the covers of all nodes, 0 where the same step covers something else nearly
/// every time.
pub(super) fn cover_numbers(evidence: &Evidence) -> Vec<u32> {
    let mut numbers: FxHashMap<Cover, u32> = FxHashMap::default();
    let mut kinds: FxHashMap<(ScreenId, ActionId, ScreenId), (FxHashSet<u32>, u32)> =
        FxHashMap::default();
    let mut covers = vec![0; evidence.len()];
    let triple = |node: usize| {
        let prefix = evidence.prefix(node as Node);
        let (before, action) = prefix.step?;
        Some((evidence.prefix(before).screen, action, prefix.screen))
    };
    for (node, number) in covers.iter_mut().enumerate() {
        let Some(cover) = cover(evidence, node as Node) else {
            continue;
        };
        let next = numbers.len() as u32 + 1;
        *number = *numbers.entry(cover).or_insert(next);
        if let Some(triple) = triple(node) {
            let (known, seen) = kinds.entry(triple).or_default();
            known.insert(*number);
            *seen += 1;
        }
    }
    for (node, number) in covers.iter_mut().enumerate() {
        let noisy = triple(node).and_then(|triple| kinds.get(&triple));
        if noisy.is_some_and(|(known, seen)| {
            known.len() > 6 && known.len() as f64 > NOISE * f64::from(*seen)
        }) {
            *number = 0;
        }
    }
    covers
}

/// Actions on screens that were seen to do different things, for whatever reason.
pub(super) fn contested(evidence: &Evidence, covers: &[u32]) -> FxHashSet<(ScreenId, ActionId)> {
    let mut first: FxHashMap<(ScreenId, ActionId), (ScreenId, u32)> = FxHashMap::default();
    let mut contested = FxHashSet::default();
    for node in 0..evidence.len() as Node {
        let prefix = evidence.prefix(node);
        contested.extend(
            prefix
                .refused
                .iter()
                .map(|(action, _)| (prefix.screen, *action)),
        );
        let Some((before, action)) = prefix.step else {
            continue;
        };
        if weight(evidence, node) == 0 {
            continue;
        }
        let pair = (evidence.prefix(before).screen, action);
        let outcome = (prefix.screen, covers[node as usize]);
        if *first.entry(pair).or_insert(outcome) != outcome {
            contested.insert(pair);
        }
    }
    contested
}

/// How much is left to chance, as far as the evidence tells.
pub(super) struct Chance {
    /// The share of actions that are.
    pub(super) share: f64,
    /// Actions on screens that did different things after the very same steps.
    seen: FxHashSet<(ScreenId, ActionId)>,
}

impl Chance {
    pub(super) fn of(&self, screen: ScreenId, action: ActionId) -> f64 {
        if self.seen.contains(&(screen, action)) {
            KNOWN
        } else {
            self.share
        }
    }
}

/// Finds actions that do different things after the very same steps.
pub(super) fn chance(evidence: &Evidence) -> Chance {
    let mut tried: FxHashMap<(ScreenId, ActionId), bool> = FxHashMap::default();
    for node in 0..evidence.len() as Node {
        let prefix = evidence.prefix(node);
        let mut by_action: FxHashMap<ActionId, (u32, u32)> = FxHashMap::default();
        for &child in &prefix.next {
            let Some((_, action)) = evidence.prefix(child).step else {
                continue;
            };
            let (kinds, times) = by_action.entry(action).or_default();
            *kinds += 1;
            *times += weight(evidence, child);
        }
        for &(action, times) in &prefix.refused {
            let (kinds, all) = by_action.entry(action).or_default();
            *kinds += 1;
            *all += times;
        }
        for (action, (kinds, times)) in by_action {
            if times > 1 {
                *tried.entry((prefix.screen, action)).or_default() |= kinds > 1;
            }
        }
    }
    let n_tried = tried.len() as f64;
    let seen = tried.into_iter().filter(|(_, by_chance)| *by_chance);
    let seen: FxHashSet<_> = seen.map(|(pair, _)| pair).collect();
    Chance {
        share: (seen.len() as f64 + 0.2) / (n_tried + 40.0),
        seen,
    }
}
