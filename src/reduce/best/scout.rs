//! Scouting: plans are walked live, and planned again with what the walks have shown, until
//! planning anew would not make things clearly cheaper.
//!
//! A session that was surprised went on all the same, so what it did is a trace that happened,
//! if not the planned one; it stands in for the plan until a better one has held.

use std::sync::Arc;

use super::Search;
use super::pilot::{Tour, machine_key};
use super::plan::Planned;
use crate::model::{ActionId, Coverage, Job, RunEvent, ScreenId, Script, Stop, Walk};
use crate::reduce::Plan;

/// How often is planned at most.
const ROUNDS: usize = 40;
/// How many times the device time of the first plan may be spent on scouting.
const SPEND: u64 = 5;
/// The same where something has held already and broke later.
const SPEND_AGAIN: u64 = 1;
/// How often recorded traces are tried for what one plan leaves out.
const RESCUES: usize = 2;
/// How much dearer than a new plan what has held may be, in percent.
const CONTENT: u64 = 102;

impl Search<'_, '_> {
    /// Finds walks that cover what can be covered by plans and have held once.
    pub(super) fn scout(&mut self, held: Vec<Arc<Script>>) -> Result<Vec<Arc<Script>>, Stop> {
        let costs = self.bench.settings.costs;
        let share = if held.is_empty() { SPEND } else { SPEND_AGAIN };
        let mut held = held;
        let mut best: Option<(u64, Vec<Arc<Script>>)> = None;
        let mut spent = 0;
        for _ in 0..ROUNDS {
            self.learn();
            held.retain(|script| self.passes(script).is_some());
            let fresh = self.plan_all()?;
            let missing = self.missing(&held);
            let patch = self.plan(&missing);
            let mended = self.micros(&held) + patch.micros(costs);
            // Whoever follows an earlier reduction wants what holds of it, even if another plan
            // were cheaper.
            let content = if self.bench.settings.guides.is_empty() {
                fresh.micros(costs) * CONTENT / 100
            } else {
                u64::MAX
            };
            // What a cheaper suite saves, it saves in every run of certification.
            let known = best.as_ref().map_or(mended, |(cost, _)| *cost);
            let saves = known.saturating_sub(fresh.micros(costs));
            let runs = u64::from(self.bench.settings.runs);
            let limit = share * fresh.micros(costs) + saves * runs / 2;
            if patch.walks.is_empty() && !held.is_empty() {
                let cheaper = best.as_ref().is_none_or(|(cost, _)| mended < *cost);
                if cheaper {
                    best = Some((mended, held.clone()));
                }
            }
            let settled = best.as_ref().is_some_and(|(cost, _)| *cost <= content);
            if settled || (spent > limit && best.is_some()) {
                break;
            }
            let walks = if mended <= content || spent > limit {
                patch.walks
            } else {
                held.clear();
                fresh.walks
            };
            if walks.is_empty() {
                break;
            }
            spent += self.try_out(walks, &mut held)?;
            let done = self.coverage(&held).intersection(&self.goal).len();
            self.bench.replayer.emit(RunEvent::Progress { done });
        }
        Ok(best.map_or(held, |(_, held)| held))
    }

    /// Plans for everything; what no plan covers is tried by recorded traces, and what of them
    /// holds is pinned, so that plans can take that way.
    fn plan_all(&mut self) -> Result<Planned, Stop> {
        for attempt in 0.. {
            let mut goal = self.goal.clone();
            goal.subtract(&self.given_up);
            goal.subtract(&self.set_aside);
            let fresh = self.plan(&goal);
            if fresh.missing.is_empty() {
                return Ok(fresh);
            }
            if attempt == RESCUES {
                self.set_aside.union_with(&fresh.missing);
                return Ok(fresh);
            }
            let traces = self.rescue(&fresh.missing, &[]);
            let batch: Vec<Job> = traces.iter().map(|script| self.job(script)).collect();
            self.replay(&batch)?;
            for script in traces {
                let accepted = self.passes(&script).is_some();
                self.bench
                    .replayer
                    .emit(RunEvent::CandidateDecided { accepted });
                if accepted {
                    self.pinned.extend(self.bench.evidence.walk(&script));
                }
            }
            self.learn();
        }
        unreachable!("the loop ends by its bound")
    }

    /// Walks what has not been walked yet, and adds what came of it to what has held; tells the
    /// device time.
    fn try_out(
        &mut self,
        walks: Vec<Vec<usize>>,
        held: &mut Vec<Arc<Script>>,
    ) -> Result<u64, Stop> {
        let mut fresh = Vec::new();
        for walk in walks {
            let Some(script) = self.script(&walk) else {
                continue;
            };
            if self.passes(&script).is_some_and(|passes| passes > 0) {
                held.push(script);
            } else {
                fresh.push((walk, script));
            }
        }
        let walked = self.walk_live(fresh.iter().map(|(walk, _)| walk.clone()))?;
        for ((_, planned), walk) in fresh.iter().zip(&walked) {
            let accepted = self.passes(planned).is_some_and(|passes| passes > 0);
            self.bench
                .replayer
                .emit(RunEvent::CandidateDecided { accepted });
            let script = if accepted {
                Some(Arc::clone(planned))
            } else {
                self.as_walked(walk, held)
            };
            held.extend(script);
        }
        // By the price list and not by the clock: what is decided must not depend on how fast
        // the devices happened to be.
        let costs = self.bench.settings.costs;
        let cost = |walk: &Walk| costs.micros(1, walk.usage.steps as usize);
        Ok(walked.iter().map(cost).sum())
    }

    /// What a session did as a script, without the tail that covers nothing needed.
    fn as_walked(&self, walk: &Walk, held: &[Arc<Script>]) -> Option<Arc<Script>> {
        let shown = walk.steps.iter().filter_map(|step| {
            let (screen, _) = step.shown.as_ref()?;
            Some((step.action, *screen))
        });
        let steps: Vec<_> = shown.collect();
        self.needed_of(&steps, held)
    }

    /// Steps that held as a script, without the tail that covers nothing needed.
    pub(super) fn needed_of(
        &self,
        steps: &[(ActionId, ScreenId)],
        held: &[Arc<Script>],
    ) -> Option<Arc<Script>> {
        let suite = self.bench.suite;
        let script = self.origins.script(suite, self.launch_trace, steps)?;
        let observed = script.steps.iter().any(|step| step.step().is_none());
        if observed && !self.bench.settings.allow_observed {
            return None;
        }
        let proven = self.measured(&Arc::new(script))?;
        let needed: Coverage = self.needed(&proven, held);
        let cut = proven.cut_tail(suite, self.bench.names(), &needed).script;
        (!needed.is_empty() && cut.steps.len() <= self.bench.settings.max_steps).then_some(cut)
    }

    fn walk_live(&mut self, walks: impl Iterator<Item = Vec<usize>>) -> Result<Vec<Walk>, Stop> {
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
        self.explore(&plans)
    }

    /// Walks plans live and takes in what they show.
    pub(super) fn explore(&mut self, plans: &[Arc<dyn Plan>]) -> Result<Vec<Walk>, Stop> {
        let first = self.next_session;
        let walked = self.bench.replayer.explore(plans, first)?;
        for (walk, session) in walked.iter().zip(first..) {
            self.origins.add(session, walk);
            self.bench.evidence.record_walk(walk);
        }
        self.next_session += plans.len() as u32;
        Ok(walked)
    }
}
