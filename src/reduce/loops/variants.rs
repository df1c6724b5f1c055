//! L(τ), lazily: the variants of a trace with loops removed, shortest first.
//!
//! Positions 0..=n of the trace are nodes; a step leads from i to i + 1, a hop from a position
//! to the next one with the same screen (a loop removed). The cost still ahead is computed
//! exactly for each position and set of open groups, so the best-first search never looks at
//! a partial variant that cannot be completed at the cost it promises; prefixes known not to
//! replay are dropped as soon as they appear.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::needs::Needs;
use crate::model::{ScreenId, Suite};
use crate::reduce::evidence::Node;
use crate::reduce::{Evidence, Proven};

const UNREACHABLE: u32 = u32::MAX;

/// What the search found next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The steps of the next variant, as positions in the trace.
    Variant(Vec<usize>),
    /// There are no more.
    Exhausted,
    /// The bound on work was hit.
    LimitHit,
}

/// The search.
pub(super) struct Variants<'n, 'a> {
    needs: &'n Needs,
    suite: &'a Suite,
    /// For each position the next one with the same screen.
    next_same: Vec<Option<usize>>,
    ahead: FxHashMap<(usize, u128), u32>,
    partials: Vec<Partial>,
    queue: BinaryHeap<Reverse<(u32, u32, usize)>>,
    work_left: usize,
}

/// The beginning of a variant.
#[derive(Debug, Clone, Copy)]
struct Partial {
    parent: Option<usize>,
    position: usize,
    /// Groups that are still open.
    open: u128,
    steps: u32,
    hops: u32,
    /// Whether it came here by a hop, so that a chain of hops counts once.
    hopped: bool,
    /// Where its steps lead in the evidence, as of a version of it.
    node: Option<Node>,
    version: u64,
}

impl<'n, 'a> Variants<'n, 'a> {
    pub(super) fn new(
        trace: &Proven,
        needs: &'n Needs,
        evidence: &Evidence<'a>,
        suite: &'a Suite,
        work: usize,
    ) -> Self {
        let n = trace.n_steps();
        let mut next_same = vec![None; n + 1];
        let mut last: FxHashMap<ScreenId, usize> = FxHashMap::default();
        for position in (0..=n).rev() {
            next_same[position] = last.insert(trace.screen_at(suite, position), position);
        }
        let mut variants = Self {
            needs,
            suite,
            next_same,
            ahead: FxHashMap::default(),
            partials: Vec::new(),
            queue: BinaryHeap::new(),
            // A long trace needs some work for each of its steps whatever the bound.
            work_left: work.max(8 * n),
        };
        variants.push(Partial {
            parent: None,
            position: 0,
            open: needs.all_groups,
            steps: 0,
            hops: 0,
            hopped: false,
            node: evidence.root(trace.screen_at(suite, 0)),
            version: evidence.version(),
        });
        variants
    }

    /// The next shortest variant that no known broken prefix rules out.
    pub(super) fn next(&mut self, trace: &Proven, evidence: &Evidence) -> Next {
        while self.work_left > 0 {
            let Some(Reverse((_, _, index))) = self.queue.pop() else {
                return Next::Exhausted;
            };
            self.work_left -= 1;
            if self.partials[index].version != evidence.version() {
                match self.follow(index, trace, evidence) {
                    Err(Broken) => continue,
                    Ok(node) => {
                        self.partials[index].node = node;
                        self.partials[index].version = evidence.version();
                    }
                }
            }
            let partial = self.partials[index];
            if partial.open == 0 && self.needs.no_more_compulsory(partial.position) {
                return Next::Variant(self.steps(index));
            }
            self.extend(index, trace, evidence);
        }
        Next::LimitHit
    }

    fn extend(&mut self, index: usize, trace: &Proven, evidence: &Evidence) {
        let partial = self.partials[index];
        if partial.position < self.needs.groups.len() {
            let node = child(partial.node, partial.position, trace, evidence);
            if let Ok(node) = node {
                self.push(Partial {
                    parent: Some(index),
                    position: partial.position + 1,
                    open: partial.open & !self.needs.groups[partial.position],
                    steps: partial.steps + 1,
                    hopped: false,
                    node,
                    ..partial
                });
            }
        }
        if let Some(same) = self.next_same[partial.position]
            && self.needs.may_skip(partial.position, same)
        {
            self.push(Partial {
                parent: Some(index),
                position: same,
                hops: partial.hops + u32::from(!partial.hopped),
                hopped: true,
                ..partial
            });
        }
    }

    fn push(&mut self, partial: Partial) {
        let ahead = self.steps_ahead(partial.position, partial.open);
        if ahead != UNREACHABLE {
            let index = self.partials.len();
            self.partials.push(partial);
            let key = (partial.steps + ahead, partial.hops, index);
            self.queue.push(Reverse(key));
        }
    }

    /// The fewest steps from a position that cover what is open; computed without recursion,
    /// because traces may be long.
    fn steps_ahead(&mut self, position: usize, open: u128) -> u32 {
        let mut stack = vec![(position, open)];
        while let Some(&(at, open)) = stack.last() {
            if self.ahead.contains_key(&(at, open)) {
                stack.pop();
                continue;
            }
            if open == 0 && self.needs.no_more_compulsory(at) {
                self.ahead.insert((at, open), 0);
                continue;
            }
            if self.work_left == 0 {
                return UNREACHABLE;
            }
            let step =
                (at < self.needs.groups.len()).then(|| (at + 1, open & !self.needs.groups[at]));
            let hop = self.next_same[at]
                .filter(|&same| self.needs.may_skip(at, same))
                .map(|same| (same, open));
            let pending = [step, hop]
                .into_iter()
                .flatten()
                .find(|state| !self.ahead.contains_key(state));
            if let Some(state) = pending {
                self.work_left -= 1;
                stack.push(state);
                continue;
            }
            let known =
                |state: Option<(usize, u128)>| state.map_or(UNREACHABLE, |s| self.ahead[&s]);
            let fewest = known(step).saturating_add(1).min(known(hop));
            self.ahead.insert((at, open), fewest);
        }
        self.ahead[&(position, open)]
    }

    fn steps(&self, index: usize) -> Vec<usize> {
        let mut steps = Vec::new();
        let mut at = &self.partials[index];
        while let Some(parent) = at.parent {
            if !at.hopped {
                steps.push(at.position - 1);
            }
            at = &self.partials[parent];
        }
        steps.reverse();
        steps
    }

    /// Where the steps of a partial variant lead in the evidence.
    fn follow(
        &self,
        index: usize,
        trace: &Proven,
        evidence: &Evidence,
    ) -> Result<Option<Node>, Broken> {
        let root = evidence.root(trace.screen_at(self.suite, 0));
        if root.is_some_and(|root| evidence.is_broken(root)) {
            return Err(Broken);
        }
        self.steps(index)
            .into_iter()
            .try_fold(root, |node, position| {
                child(node, position, trace, evidence)
            })
    }
}

/// Where the next step of a trace leads in the evidence.
fn child(
    node: Option<Node>,
    position: usize,
    trace: &Proven,
    evidence: &Evidence,
) -> Result<Option<Node>, Broken> {
    let step = trace.script.steps[position];
    let child = node.and_then(|node| evidence.child(node, step.action, step.screen));
    if child.is_some_and(|child| evidence.is_broken(child)) {
        return Err(Broken);
    }
    Ok(child)
}

/// A prefix that is known not to replay.
struct Broken;
