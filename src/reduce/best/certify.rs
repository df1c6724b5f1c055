//! Certification: every trace that ships holds in all of its runs, and what breaks on the way is
//! mended.
//!
//! Runs go out in batches that all devices share: first tries of new traces beside the next
//! runs of older ones, so that mending does not leave devices idle. A trace that breaks leaves
//! its beginning, with the runs that went through it; what is missing is planned anew.

use std::sync::Arc;

use super::Search;
use super::doubt::Doubt;
use crate::model::{Coverage, Job, Limit, Phase, RunEvent, Script, Stop};
use crate::reduce::Proven;
use crate::reduce::evidence::Known;

/// How many runs a lane gets at once.
const RUNS_A_LANE: usize = 5;
/// A beginning with fewer runs than this is planned anew rather than kept.
const WORTH_KEEPING: u32 = 4;
/// How many runs a lane gets at once while much may still break.
const SHAKE_RUNS: usize = 2;
/// How often drafts are run while what breaks is planned anew.
const SHAKE_OUTS: usize = 40;
/// How often batches are put together at most.
const BATCHES: usize = 2000;

impl Search<'_, '_> {
    /// Certifies drafts and whatever is needed beside them.
    pub(super) fn certify(&mut self, mut drafts: Vec<Arc<Script>>) -> Result<Vec<Proven>, Stop> {
        for _ in 0..BATCHES {
            let missing = self.missing(&drafts);
            let untried = drafts.iter().any(|script| self.passes(script) == Some(0));
            if !missing.is_empty() && !untried {
                let more = self.cover_missing(&missing, &drafts);
                drafts.extend(more);
            }
            let batch = self.next_batch(&drafts, RUNS_A_LANE);
            if batch.is_empty() {
                if self.missing(&drafts).is_empty() {
                    return Ok(self.settle(drafts));
                }
                continue;
            }
            self.replay(&batch)?;
            self.mend(&mut drafts);
            let done = self.coverage(&drafts).intersection(&self.goal).len();
            self.bench.replayer.emit(RunEvent::Progress { done });
        }
        self.bench.replayer.emit(RunEvent::LimitHit {
            phase: Phase::Validate,
            trace: None,
            limit: Limit::Repairs,
        });
        Ok(self.settle(drafts))
    }

    /// Gives drafts their runs, few at first: what chance breaks is planned anew together with
    /// what is left of it, which is cheaper than a patch later.
    pub(super) fn shake_out(
        &mut self,
        mut drafts: Vec<Arc<Script>>,
    ) -> Result<Vec<Arc<Script>>, Stop> {
        let mut runs_a_lane = SHAKE_RUNS;
        for _ in 0..SHAKE_OUTS {
            let mut batch = self.next_batch(&drafts, runs_a_lane);
            if batch.is_empty() {
                break;
            }
            // What no plan covers is tried by recorded traces beside that.
            let mut open = self.set_aside.clone();
            open.subtract(&self.coverage(&drafts));
            open.subtract(&self.given_up);
            let recorded = self.rescue(&open, &drafts);
            batch.extend(recorded.iter().map(|script| self.job(script)));
            batch.sort_by_key(|job| std::cmp::Reverse(job.script.steps.len()));
            self.replay(&batch)?;
            drafts.extend(
                recorded
                    .into_iter()
                    .filter(|script| self.passes(script).is_some()),
            );
            self.set_aside.subtract(&self.coverage(&drafts));
            if drafts.iter().any(|script| self.passes(script).is_none()) {
                drafts = self.scout(drafts)?;
                runs_a_lane = SHAKE_RUNS;
            } else {
                runs_a_lane = RUNS_A_LANE.min(runs_a_lane + 1);
            }
        }
        Ok(drafts)
    }

    /// How many runs a script still needs.
    pub(super) fn runs_left(&self, script: &Arc<Script>, wanted: u32) -> u32 {
        self.passes(script)
            .map_or(0, |passes| wanted.saturating_sub(passes))
    }

    /// How many runs each trace is to hold in: as many as asked for, and where the whole suite
    /// has a limit on its risk, more for the riskiest ones until it is kept or no trace may have
    /// more.
    fn runs_wanted(&mut self, drafts: &[Arc<Script>]) -> Vec<u32> {
        let settings = self.bench.settings;
        let mut wanted = vec![settings.runs; drafts.len()];
        let passes: Vec<u32> = drafts
            .iter()
            .map(|script| self.passes(script).unwrap_or(0))
            .collect();
        let Some(limit) = settings.suite_flake else {
            return wanted;
        };
        if passes.iter().any(|&passes| passes < settings.runs) {
            return wanted;
        }
        self.learn();
        let risks = drafts
            .iter()
            .map(|script| Doubt::of(script, &self.machine).risk);
        let risks: Vec<f64> = risks.collect();
        let holds: f64 = risks.iter().map(|risk| 1.0 - risk).product();
        let riskiest = (0..drafts.len())
            .filter(|&index| passes[index] < settings.max_runs)
            .max_by(|&one, &other| risks[one].total_cmp(&risks[other]).then(other.cmp(&one)));
        if let Some(riskiest) = riskiest.filter(|_| 1.0 - holds > limit) {
            let more = settings.lanes as u32;
            wanted[riskiest] = (passes[riskiest] + more).min(settings.max_runs);
        }
        wanted
    }

    /// The next runs, fewest passes first, long ones before short ones.
    fn next_batch(&mut self, drafts: &[Arc<Script>], runs_a_lane: usize) -> Vec<Job> {
        let wanted = self.runs_wanted(drafts);
        let lanes = self.bench.settings.lanes;
        let mut left: Vec<u32> = drafts
            .iter()
            .zip(wanted)
            .map(|(script, wanted)| self.runs_left(script, wanted))
            .collect();
        // A trace that was never tried most often breaks at once if it breaks at all.
        let mut later: Vec<u32> = vec![0; left.len()];
        for ((script, left), later) in drafts.iter().zip(&mut left).zip(&mut later) {
            if self.passes(script) == Some(0) {
                *later = left.saturating_sub(1);
                *left = 1;
            }
        }
        let mut chosen: Vec<usize> = Vec::new();
        // Lanes that would be idle try new traces again at once.
        deal(&mut left, runs_a_lane * lanes, &mut chosen);
        deal(&mut later, lanes, &mut chosen);
        chosen.sort_by_key(|&index| std::cmp::Reverse(drafts[index].steps.len()));
        chosen
            .into_iter()
            .map(|index| self.job(&drafts[index]))
            .collect()
    }

    /// Leaves of broken drafts what is worth keeping.
    fn mend(&mut self, drafts: &mut Vec<Arc<Script>>) {
        let broken =
            |search: &Self, script: &Arc<Script>| match search.bench.evidence.known_live(script, 1)
            {
                Known::Broken(position) => Some(position),
                Known::Open(_) | Known::Proven(_) => None,
            };
        let (whole, torn): (Vec<_>, Vec<_>) = drafts
            .drain(..)
            .partition(|script| broken(self, script).is_none());
        *drafts = whole;
        for script in torn {
            self.bench
                .replayer
                .emit(RunEvent::CandidateDecided { accepted: false });
            let Some(len) = broken(self, &script).and_then(|position| position.checked_sub(1))
            else {
                continue;
            };
            let beginning = Arc::new(Script {
                launch: script.launch,
                steps: script.steps[..len].to_vec(),
            });
            let Some(proven) = self.measured(&beginning) else {
                continue;
            };
            let needed = self.needed(&proven, drafts);
            if needed.is_empty() || self.passes(&beginning) < Some(WORTH_KEEPING) {
                continue;
            }
            let (suite, names) = (self.bench.suite, self.bench.names());
            drafts.push(proven.cut_tail(suite, names, &needed).script);
        }
    }

    /// What a trace covers that the others do not.
    pub(super) fn needed(&self, proven: &Proven, others: &[Arc<Script>]) -> Coverage {
        self.bench
            .coverage(proven)
            .intersection(&self.missing(others))
    }

    /// New traces for what is missing: planned ones where the machine knows a way, recorded
    /// ones elsewhere.
    fn cover_missing(&mut self, missing: &Coverage, drafts: &[Arc<Script>]) -> Vec<Arc<Script>> {
        self.learn();
        let mut wanted = Coverage::default();
        let mut rest = Coverage::default();
        for element in missing.iter() {
            let tries = self.tries.entry(element).or_default();
            *tries += 1;
            if *tries <= super::rescue::PLANS {
                wanted.insert(element);
            } else {
                rest.insert(element);
            }
        }
        let planned = self.plan(&wanted);
        rest.union_with(&planned.missing);
        let scripts = planned.walks.iter().filter_map(|walk| self.script(walk));
        let mut scripts: Vec<_> = scripts
            .filter(|script| self.passes(script).is_some() && !drafts.contains(script))
            .collect();
        scripts.extend(self.rescue(&rest, drafts));
        scripts
    }

    /// Drops what is not needed and cuts off tails, dearest traces first.
    pub(super) fn settle(&self, drafts: Vec<Arc<Script>>) -> Vec<Proven> {
        let mut kept: Vec<Arc<Script>> = drafts;
        let mut order: Vec<usize> = (0..kept.len()).collect();
        order.sort_by_key(|&index| kept[index].steps.len());
        let mut gone = vec![false; kept.len()];
        for &index in &order {
            let others: Vec<_> = (0..kept.len())
                .filter(|&other| other != index && !gone[other])
                .map(|other| Arc::clone(&kept[other]))
                .collect();
            let Some(proven) = self.measured(&kept[index]) else {
                gone[index] = true;
                continue;
            };
            let needed = self.needed(&proven, &others);
            if needed.is_empty() {
                gone[index] = true;
            } else {
                let (suite, names) = (self.bench.suite, self.bench.names());
                kept[index] = proven.cut_tail(suite, names, &needed).script;
            }
        }
        let left = kept.into_iter().zip(gone).filter(|(_, gone)| !gone);
        left.filter_map(|(script, _)| self.measured(&script))
            .collect()
    }
}

/// Gives each in turn one of the runs it has left, until there are as many as there is room for.
fn deal(left: &mut [u32], room: usize, chosen: &mut Vec<usize>) {
    while chosen.len() < room && left.iter().any(|&left| left > 0) {
        for (index, left) in left.iter_mut().enumerate() {
            if *left > 0 && chosen.len() < room {
                *left -= 1;
                chosen.push(index);
            }
        }
    }
}
