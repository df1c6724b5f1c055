//! Scouting: plans are walked live, and planned again with what the walks have shown, until a
//! plan holds.

use std::sync::Arc;

use super::Search;
use super::pilot::{Tour, machine_key};
use crate::model::{RunEvent, Script, Stop};
use crate::reduce::Plan;

/// How often is planned at most before certification takes over.
const ROUNDS: usize = 6;
/// How much dearer a mended plan may be than a new one, in percent, before the new one is taken.
const MENDED: u64 = 102;

impl Search<'_, '_> {
    /// Finds walks that cover the goal and have held once.
    pub(super) fn scout(&mut self) -> Result<Vec<Arc<Script>>, Stop> {
        let mut held: Vec<Arc<Script>> = Vec::new();
        for _ in 0..ROUNDS {
            self.learn();
            held.retain(|script| self.passes(script).is_some());
            let walks = self.next_walks(&mut held);
            let scripts: Vec<_> = walks.iter().filter_map(|walk| self.script(walk)).collect();
            let (known, fresh): (Vec<_>, Vec<_>) = walks
                .into_iter()
                .zip(scripts)
                .partition(|(_, script)| self.passes(script).is_some_and(|passes| passes > 0));
            held.extend(known.into_iter().map(|(_, script)| script));
            if fresh.is_empty() {
                break;
            }
            self.walk_live(fresh.iter().map(|(walk, _)| walk.clone()))?;
            for (_, script) in fresh {
                let accepted = self.passes(&script).is_some_and(|passes| passes > 0);
                let event = RunEvent::CandidateDecided { accepted };
                self.bench.replayer.emit(event);
                if accepted {
                    held.push(script);
                }
            }
            let done = self.coverage(&held).intersection(&self.goal).len();
            self.bench.replayer.emit(RunEvent::Progress { done });
        }
        Ok(held)
    }

    /// What to walk next: what is missing beside the walks that held, or everything anew where
    /// that is clearly cheaper.
    fn next_walks(&mut self, held: &mut Vec<Arc<Script>>) -> Vec<Vec<usize>> {
        let costs = self.bench.settings.costs;
        let missing = self.missing(held);
        let patch = self.plan(&missing);
        if held.is_empty() || patch.walks.is_empty() {
            return patch.walks;
        }
        let goal = self.goal.clone();
        let fresh = self.plan(&goal);
        let mended = self.micros(held) + patch.micros(costs);
        if mended * 100 <= fresh.micros(costs) * MENDED {
            return patch.walks;
        }
        held.clear();
        fresh.walks
    }

    fn walk_live(&mut self, walks: impl Iterator<Item = Vec<usize>>) -> Result<(), Stop> {
        let machine_key = machine_key(&self.machine);
        let plans: Vec<Arc<dyn Plan>> = walks
            .map(|walk| {
                let tour: Arc<dyn Plan> = Arc::new(Tour {
                    machine: Arc::clone(&self.machine),
                    walk,
                    machine_key: Arc::clone(&machine_key),
                });
                tour
            })
            .collect();
        let first = self.next_session;
        let walked = self.bench.replayer.explore(&plans, first)?;
        for (walk, session) in walked.iter().zip(first..) {
            self.origins.add(session, walk);
            self.bench.evidence.record_walk(walk);
        }
        self.next_session += plans.len() as u32;
        Ok(())
    }
}
