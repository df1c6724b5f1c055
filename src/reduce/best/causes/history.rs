//! What contested actions did, and the steps that went before.

use rustc_hash::{FxHashMap, FxHashSet};

use super::register::Step;
use super::told::{KINDS, told, untold_apart};
use crate::model::{ActionId, ScreenId};
use crate::reduce::Evidence;
use crate::reduce::best::chance::weight;
use crate::reduce::evidence::Node;

/// How many sightings of an action are looked at, and how many steps before each.
const SIGHTINGS: usize = 600;
const STEPS: usize = 300;

/// What an action does: the screen it shows and what it covers, by number; nothing where it could not be done.
type Outcome = Option<(ScreenId, u32)>;

/// What an action did after some steps.
pub(super) struct Sighting {
    /// The steps by number, the first one first.
    pub(super) steps: Vec<u32>,
    /// The outcome by number, the most frequent one first.
    pub(super) kind: usize,
}

/// An action on a screen, and all that was seen of it.
pub(super) struct Contested {
    pub(super) pair: (ScreenId, ActionId),
    pub(super) seen: Vec<Sighting>,
    /// How much is told of what it does by nothing but how often it does what.
    pub(super) untold: f64,
}

/// All steps of the evidence.
pub(super) struct History<'e, 'a> {
    evidence: &'e Evidence<'a>,
    /// Each step once, by number.
    pub(super) steps: Vec<Step>,
    /// The number of the step that leads to each node.
    step_of: Vec<Option<u32>>,
}

impl<'e, 'a> History<'e, 'a> {
    pub(super) fn new(evidence: &'e Evidence<'a>) -> Self {
        let mut numbers: FxHashMap<Step, u32> = FxHashMap::default();
        let mut steps = Vec::new();
        let step_of = (0..evidence.len() as Node).map(|node| {
            let step = step_to(evidence, node)?;
            let number = numbers.entry(step).or_insert_with(|| {
                steps.push(step);
                steps.len() as u32 - 1
            });
            Some(*number)
        });
        let step_of = step_of.collect();
        Self {
            evidence,
            steps,
            step_of,
        }
    }

    /// How many actions on screens were tried.
    pub(super) fn n_actions(&self) -> usize {
        let steps = self.steps.iter();
        let actions: FxHashSet<_> = steps.map(|&(from, action, _)| (from, action)).collect();
        actions.len()
    }

    /// What each of these actions did, in the order of screens and actions.
    pub(super) fn contested(
        &self,
        covers: &[u32],
        contested: &FxHashSet<(ScreenId, ActionId)>,
    ) -> Vec<Contested> {
        let mut all: FxHashMap<(ScreenId, ActionId), Vec<(Node, Outcome)>> = FxHashMap::default();
        for node in 0..self.evidence.len() as Node {
            let prefix = self.evidence.prefix(node);
            for &(action, _) in &prefix.refused {
                let pair = (prefix.screen, action);
                all.entry(pair).or_default().push((node, None));
            }
            let Some((before, action)) = prefix.step else {
                continue;
            };
            let pair = (self.evidence.prefix(before).screen, action);
            if contested.contains(&pair) && weight(self.evidence, node) > 0 {
                let outcome = (prefix.screen, covers[node as usize]);
                all.entry(pair).or_default().push((before, Some(outcome)));
            }
        }
        let mut all: Vec<_> = all.into_iter().collect();
        all.sort_unstable_by_key(|(pair, _)| *pair);
        let all = all.into_iter().map(|(pair, seen)| {
            let seen = self.sightings(&seen);
            let untold = told(&untold_apart(&seen));
            Contested { pair, seen, untold }
        });
        all.collect()
    }

    fn sightings(&self, seen: &[(Node, Outcome)]) -> Vec<Sighting> {
        let mut times: FxHashMap<Outcome, usize> = FxHashMap::default();
        for (_, outcome) in seen {
            *times.entry(*outcome).or_default() += 1;
        }
        let mut kinds: Vec<_> = times.into_iter().collect();
        kinds.sort_unstable_by_key(|(outcome, times)| (std::cmp::Reverse(*times), *outcome));
        let kind = |outcome: &Outcome| kinds.iter().position(|(kind, _)| kind == outcome);
        // What came last is always among them.
        let every = seen.len().div_ceil(SIGHTINGS).max(1);
        let seen = seen.iter().rev().step_by(every);
        seen.map(|(before, outcome)| Sighting {
            steps: self.before(*before),
            kind: kind(outcome).unwrap_or(0).min(KINDS - 1),
        })
        .collect()
    }

    /// The steps that lead to a node.
    fn before(&self, mut node: Node) -> Vec<u32> {
        let mut steps = Vec::new();
        while let (Some((before, _)), Some(step)) =
            (self.evidence.prefix(node).step, self.step_of[node as usize])
        {
            if steps.len() == STEPS {
                break;
            }
            steps.push(step);
            node = before;
        }
        steps.reverse();
        steps
    }
}

/// The step that leads to a node; none to where a trace starts.
pub(super) fn step_to(evidence: &Evidence, node: Node) -> Option<Step> {
    let prefix = evidence.prefix(node);
    let (before, action) = prefix.step?;
    Some((evidence.prefix(before).screen, action, prefix.screen))
}
