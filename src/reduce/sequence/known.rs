//! What is known of candidates: a prefix tree of all runs, with its unbranched parts in one piece.
//!
//! A run is cut where it is over, so a candidate that begins with a run that was over ends the
//! same way; and a candidate that is the beginning of a longer run misses, as that run did up
//! to there (paper 002, 4). Both hold where the same actions always do the same.

use rustc_hash::FxHashMap;

use super::port::Verdict;

/// No more actions than these are kept, so that endless searches stay within memory.
const MOST_ACTIONS: usize = 1 << 25;

/// A prefix tree over actions.
#[derive(Debug)]
pub(super) struct Known {
    nodes: Vec<Node>,
    /// The actions on the way into nodes, one after another.
    actions: Vec<u32>,
    children: FxHashMap<(u32, u32), u32>,
    /// Whether any run has shown what comes of the start.
    is_started: bool,
}

/// The end of a piece of the tree.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// Where the actions that lead here from the node before begin, and how many they are.
    start: usize,
    len: usize,
    /// How runs are over here, where they are.
    over: Option<Verdict>,
}

impl Default for Known {
    fn default() -> Self {
        let root = Node {
            start: 0,
            len: 0,
            over: None,
        };
        Self {
            nodes: vec![root],
            actions: Vec::new(),
            children: FxHashMap::default(),
            is_started: false,
        }
    }
}

impl Known {
    /// What a run of these actions would show, and how many of them it would perform.
    pub(super) fn find(&self, actions: &[u32]) -> Option<(Verdict, usize)> {
        let (mut node, mut at) = (0, 0);
        loop {
            if let Some(verdict) = self.nodes[node].over {
                return Some((verdict, at));
            }
            if at == actions.len() {
                return self.is_started.then_some((Verdict::Missed, at));
            }
            node = *self.children.get(&(node as u32, actions[at]))? as usize;
            let edge = self.edge(node);
            let common = common_prefix(edge, &actions[at..]);
            at += common;
            if common < edge.len() {
                return (at == actions.len()).then_some((Verdict::Missed, at));
            }
        }
    }

    /// Takes a run in that performed all of these actions.
    pub(super) fn add(&mut self, actions: &[u32], verdict: Verdict) {
        self.is_started = true;
        let over = (verdict != Verdict::Missed).then_some(verdict);
        let (mut node, mut at) = (0, 0);
        while at < actions.len() {
            let Some(&child) = self.children.get(&(node as u32, actions[at])) else {
                self.grow(node, &actions[at..], over);
                return;
            };
            let child = child as usize;
            let common = common_prefix(self.edge(child), &actions[at..]);
            node = if common < self.nodes[child].len {
                self.split(node, child, common)
            } else {
                child
            };
            at += common;
        }
        let known = &mut self.nodes[node].over;
        *known = known.or(over);
    }

    fn edge(&self, node: usize) -> &[u32] {
        let Node { start, len, .. } = self.nodes[node];
        &self.actions[start..start + len]
    }

    fn grow(&mut self, node: usize, actions: &[u32], over: Option<Verdict>) {
        if self.actions.len() + actions.len() > MOST_ACTIONS {
            return;
        }
        let start = self.actions.len();
        self.actions.extend_from_slice(actions);
        let child = self.push(Node {
            start,
            len: actions.len(),
            over,
        });
        self.children.insert((node as u32, actions[0]), child);
    }

    /// Puts a node into the way to `child`, `common` actions behind `node`.
    fn split(&mut self, node: usize, child: usize, common: usize) -> usize {
        let Node { start, len, .. } = self.nodes[child];
        let between = self.push(Node {
            start,
            len: common,
            over: None,
        });
        let (first, second) = (self.actions[start], self.actions[start + common]);
        self.children.insert((node as u32, first), between);
        self.children.insert((between, second), child as u32);
        self.nodes[child].start = start + common;
        self.nodes[child].len = len - common;
        between as usize
    }

    fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }
}

fn common_prefix(one: &[u32], other: &[u32]) -> usize {
    let len = one.len().min(other.len());
    if one[..len] == other[..len] {
        return len;
    }
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use super::{Known, Verdict};
    use crate::model::Seed;

    #[track_caller]
    fn check(runs: &[(&[u32], Verdict)], asked: &[u32], expect: Option<(Verdict, usize)>) {
        let mut known = Known::default();
        for (actions, verdict) in runs {
            known.add(actions, *verdict);
        }
        assert_eq!(known.find(asked), expect);
    }

    #[test]
    fn beginnings_of_a_run_are_known_to_miss() {
        let runs: [(&[u32], _); 1] = [(&[1, 2, 3], Verdict::Reproduced)];
        check(&runs, &[1, 2], Some((Verdict::Missed, 2)));
        check(&runs, &[1, 2, 3], Some((Verdict::Reproduced, 3)));
        check(&runs, &[], Some((Verdict::Missed, 0)));
        check(&runs, &[1, 3], None);
        check(&[], &[], None);
    }

    #[test]
    fn what_begins_like_a_run_that_was_over_ends_like_it() {
        let runs: [(&[u32], _); 2] = [
            (&[1, 2, 3], Verdict::Unresolved),
            (&[1, 4], Verdict::Missed),
        ];
        check(&runs, &[1, 2, 3, 9], Some((Verdict::Unresolved, 3)));
        check(&runs, &[1, 4], Some((Verdict::Missed, 2)));
        check(&runs, &[1, 4, 5], None);
        check(
            &[(&[], Verdict::Reproduced)],
            &[7],
            Some((Verdict::Reproduced, 0)),
        );
    }

    /// The same by looking at every run.
    fn slow(runs: &[(Vec<u32>, Verdict)], asked: &[u32]) -> Option<(Verdict, usize)> {
        for len in 0..=asked.len() {
            for (actions, verdict) in runs {
                if *actions == asked[..len] && *verdict != Verdict::Missed {
                    return Some((*verdict, len));
                }
            }
        }
        let missed = runs.iter().any(|(actions, _)| actions.starts_with(asked));
        missed.then_some((Verdict::Missed, asked.len()))
    }

    #[test]
    fn the_tree_answers_as_a_list_of_all_runs_does() {
        // A deterministic app: what a sequence shows is decided by its first over prefix.
        for case in 0..300 {
            let seed = Seed(case);
            let mut over: FxHashMap<Vec<u32>, Verdict> = FxHashMap::default();
            let mut known = Known::default();
            let mut runs = Vec::new();
            for round in 0..30 {
                let draw = |i: u64, limit: u64| (seed.mix(round).mix(i).0 % limit) as u32;
                let asked: Vec<u32> = (0..draw(99, 6)).map(|i| draw(u64::from(i), 3)).collect();
                assert_eq!(
                    known.find(&asked),
                    slow(&runs, &asked),
                    "{runs:?} {asked:?}"
                );
                let mut run = (asked.clone(), Verdict::Missed);
                for len in 0..=asked.len() {
                    let prefix = asked[..len].to_vec();
                    let kind = prefix.iter().fold(seed, |s, &a| s.mix(u64::from(a))).0 % 9;
                    let verdict = [Verdict::Reproduced, Verdict::Unresolved].get(kind as usize);
                    if let Some(&verdict) = verdict {
                        over.insert(prefix.clone(), verdict);
                        run = (prefix, verdict);
                        break;
                    }
                }
                known.add(&run.0, run.1);
                runs.push(run);
            }
        }
    }
}
