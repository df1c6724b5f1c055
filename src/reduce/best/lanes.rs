//! What lanes do while the longest new walk is under way: other options where plans seldom hold,
//! and further runs of what is kept, looks good or was recorded.
//!
//! None of it makes a round longer by the clock on as many devices as there are lanes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::Search;
use super::follow::{Following, guide};
use super::options::Choice;
use super::pilot::{Tour, machine_key};
use crate::model::Script;
use crate::reduce::Plan;

/// A new walk as arcs of the machine, and as a script.
pub(super) type Fresh = (Vec<usize>, Arc<Script>);

/// When each lane is free.
struct Lanes {
    free: BinaryHeap<Reverse<u64>>,
    /// When the last one is.
    until: u64,
}

impl Lanes {
    fn new(lanes: usize, walks: impl Iterator<Item = u64>) -> Self {
        let mut free: BinaryHeap<_> = (0..lanes.max(1)).map(|_| Reverse(0)).collect();
        let mut until = 0;
        for micros in walks {
            if let Some(mut lane) = free.peek_mut() {
                lane.0 += micros;
                until = until.max(lane.0);
            }
        }
        Self { free, until }
    }

    /// Gives a walk to the lane that is free first, if it ends there in time.
    fn take(&mut self, micros: u64) -> bool {
        match self.free.peek_mut() {
            Some(mut lane) if lane.0 + micros <= self.until => {
                lane.0 += micros;
                true
            }
            _ => false,
        }
    }
}

impl Search<'_, '_> {
    /// All sessions of a round, and the walks of other options among them: these come right behind
    /// the new walks, and before the recorded traces that are to be tried.
    pub(super) fn sessions(
        &self,
        fresh: &[Fresh],
        choice: &Choice,
        others: &[Choice],
        recorded: &[Arc<Script>],
    ) -> (Vec<Arc<dyn Plan>>, Vec<Fresh>) {
        let micros = |script: &Arc<Script>| self.micros(std::slice::from_ref(script));
        let new = fresh.iter().map(|(_, script)| script).chain(recorded);
        let new = new.map(micros);
        let mut lanes = Lanes::new(self.bench.settings.lanes, new);
        let mut also: Vec<Fresh> = Vec::new();
        if !self.luck.is_good() {
            for (walk, script) in others.iter().flat_map(|other| self.walks_of(other)) {
                let known = fresh.iter().chain(&also).any(|(_, known)| *known == script);
                if !known && self.passes(&script) == Some(0) && lanes.take(micros(&script)) {
                    also.push((walk, script));
                }
            }
        }
        let key = machine_key(&self.machine);
        let tour = |(walk, _): &Fresh| -> Arc<dyn Plan> {
            Arc::new(Tour {
                machine: Arc::clone(&self.machine),
                walk: walk.clone(),
                machine_key: Arc::clone(&key),
            })
        };
        let mut plans: Vec<Arc<dyn Plan>> = fresh.iter().chain(&also).map(tour).collect();
        let repeats = self.repeats(choice, &mut lanes);
        for script in recorded.iter().chain(&repeats) {
            plans.push(Arc::new(Following::anew(guide(script))));
        }
        // What holds needs more runs in any case.
        let first_recorded = fresh.len() + also.len();
        let good = if self.luck.is_good() { fresh } else { &[] };
        let good = good.iter().map(|(_, script)| script).zip(0..);
        let good: Vec<_> = good.collect();
        let old: Vec<_> = recorded.iter().zip(first_recorded..).collect();
        for some in [good, old] {
            for _ in 1..self.bench.settings.runs {
                for &(script, number) in &some {
                    if lanes.take(micros(script)) {
                        plans.push(Arc::clone(&plans[number]));
                    }
                }
            }
        }
        (plans, also)
    }

    /// Further runs of what is kept as it is, fewest first.
    fn repeats(&self, choice: &Choice, lanes: &mut Lanes) -> Vec<Arc<Script>> {
        let growing = |number: usize| choice.planned.longer.iter().any(|(end, _)| *end == number);
        let kept = choice.kept.iter().enumerate();
        let mut open: Vec<(u32, &Arc<Script>)> = kept
            .filter(|(number, _)| !growing(*number))
            .filter_map(|(_, walk)| Some((self.passes(walk)?, walk)))
            .filter(|(passes, _)| *passes < self.bench.settings.runs)
            .collect();
        let mut repeats = Vec::new();
        while let Some(next) = (0..open.len()).min_by_key(|&at| open[at].0) {
            let (passes, walk) = &mut open[next];
            if lanes.take(self.micros(std::slice::from_ref(walk))) {
                repeats.push(Arc::clone(walk));
                *passes += 1;
            } else {
                *passes = self.bench.settings.runs;
            }
            open.retain(|(passes, _)| *passes < self.bench.settings.runs);
        }
        repeats
    }
}

#[cfg(test)]
mod tests {
    use super::Lanes;

    #[test]
    fn what_is_added_makes_no_round_longer() {
        let mut lanes = Lanes::new(3, [10, 4].into_iter());
        assert!(lanes.take(10), "the third lane is idle");
        assert!(
            !lanes.take(7) && lanes.take(6),
            "the second one is free at 4"
        );
        assert!(!lanes.take(1));
        assert!(!Lanes::new(3, [].into_iter()).take(1), "nothing goes on");
    }
}
