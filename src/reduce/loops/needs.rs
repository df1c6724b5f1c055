//! What a variant of a trace must contain: steps that alone cover something needed, and
//! groups of steps of which one is enough.

use rustc_hash::FxHashMap;

use crate::model::{Coverage, ElementId, Names, Suite};
use crate::reduce::Proven;

/// How many groups a variant can keep track of.
const MAX_GROUPS: usize = 128;

/// What every variant of one trace has to cover, in terms of its steps.
#[derive(Debug)]
pub(super) struct Needs {
    /// How many compulsory steps there are before each position.
    pub(super) compulsory_before: Vec<u32>,
    /// The groups each step belongs to, as bits.
    pub(super) groups: Vec<u128>,
    /// All groups.
    pub(super) all_groups: u128,
    /// Whether there were too many groups, so that some were pinned to their first step.
    pub(super) approximate: bool,
}

impl Needs {
    pub(super) fn new(trace: &Proven, needed: &Coverage, suite: &Suite, names: &Names) -> Self {
        let mut steps_of: FxHashMap<ElementId, Vec<usize>> = FxHashMap::default();
        let mut order = Vec::new();
        let at_launch: Coverage = trace.elements_at(suite, names, 0).collect();
        for step in 0..trace.n_steps() {
            for element in trace.elements_at(suite, names, step + 1) {
                if needed.contains(element) && !at_launch.contains(element) {
                    let steps = steps_of.entry(element).or_insert_with(|| {
                        order.push(element);
                        Vec::new()
                    });
                    if steps.last() != Some(&step) {
                        steps.push(step);
                    }
                }
            }
        }
        let groups = order
            .into_iter()
            .map(|e| steps_of.remove(&e).expect("kept in step"));
        Self::from_groups(trace.n_steps(), groups.collect())
    }

    /// Each group is a list of ascending steps of which one must be taken.
    fn from_groups(n_steps: usize, mut groups: Vec<Vec<usize>>) -> Self {
        let mut compulsory = vec![false; n_steps];
        for group in groups.iter().filter(|group| group.len() == 1) {
            compulsory[group[0]] = true;
        }
        groups.retain(|group| !group.iter().any(|&step| compulsory[step]));
        groups.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        groups.dedup();
        let mut minimal: Vec<Vec<usize>> = Vec::new();
        let mut approximate = false;
        for group in groups {
            let implied = |small: &Vec<usize>| small.iter().all(|s| group.binary_search(s).is_ok());
            if minimal.iter().any(implied) || group.iter().any(|&step| compulsory[step]) {
                continue;
            }
            if minimal.len() == MAX_GROUPS {
                approximate = true;
                compulsory[group[0]] = true;
            } else {
                minimal.push(group);
            }
        }
        Self::index(&compulsory, &minimal, approximate)
    }

    fn index(compulsory: &[bool], minimal: &[Vec<usize>], approximate: bool) -> Self {
        let mut groups = vec![0_u128; compulsory.len()];
        for (bit, group) in minimal.iter().enumerate() {
            for &step in group {
                groups[step] |= 1 << bit;
            }
        }
        let mut compulsory_before = vec![0];
        for &is_compulsory in compulsory {
            let before = compulsory_before.last().copied().unwrap_or(0);
            compulsory_before.push(before + u32::from(is_compulsory));
        }
        Self {
            compulsory_before,
            all_groups: groups.iter().fold(0, |all, bits| all | bits),
            groups,
            approximate,
        }
    }

    /// Whether skipping the steps from `from` up to `to` leaves all compulsory ones in.
    pub(super) fn may_skip(&self, from: usize, to: usize) -> bool {
        self.compulsory_before[from] == self.compulsory_before[to]
    }

    /// Whether nothing compulsory lies at or behind this position.
    pub(super) fn no_more_compulsory(&self, position: usize) -> bool {
        self.compulsory_before[position] == self.compulsory_before[self.groups.len()]
    }
}
