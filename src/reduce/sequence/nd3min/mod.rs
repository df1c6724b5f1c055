//! `nd3min`: delta debugging for apps that leave something to chance (paper 001).
//!
//! A candidate passes when it reaches the target in enough of its runs. Which candidates run how
//! often in a round is up to a [`Scheduler`]. Beyond the paper, runs of a candidate count
//! wherever it comes up again, and what is left must not reach the target more rarely than what
//! it was made from: before a result is final it is run anew, and if it is rarer, the search
//! goes back to the last one that was not, and never takes that way again. Our own scheduler
//! begins with a sweep in which one run counts as the truth, and then checks how far that held.

mod heuristic;
mod mdp;
mod naive;
mod posterior;
mod schedule;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use super::lab::Lab;
use super::port::{Candidate, Try, Verdict};
use super::sweep;
use super::{Recording, Rule, without};
use crate::model::Stop;

pub use mdp::{Each, Optimal, Parameters};
pub use schedule::{Scheduler, Schedulers, schedulers};

/// The share of the original's runs that must reach the target: 15 of 20 in the paper.
const ENOUGH: f64 = 0.75;
/// How often the search goes back before it takes what it has.
const MOST_RETREATS: usize = 8;

/// Runs of a candidate: those that reached the target, and those that did not.
pub type Score = (u32, u32);

/// How candidates are judged, and by what plan they are run.
#[derive(Clone, Default)]
pub struct Repeats {
    /// What makes a candidate pass.
    pub rule: Rule,
    /// In how many parts a sequence is cut at first.
    pub parts: Option<usize>,
    /// Who plans the rounds.
    pub scheduler: Schedulers,
}

impl std::fmt::Debug for Repeats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Repeats {{ rule: {:?} }}", self.rule)
    }
}

/// Shortens the whole sequence.
pub(super) fn reduce(lab: &mut Lab, recording: &Recording) -> Result<(), Stop> {
    let mut search = Search {
        lab,
        rule: recording.repeats.rule,
        parts: recording.repeats.parts.unwrap_or(5),
        scheduler: &recording.repeats.scheduler,
        scores: FxHashMap::default(),
        barred: Vec::new(),
    };
    let all: Vec<u32> = (0..search.lab.n_events() as u32).collect();
    let Some(start) = search.original(&all)? else {
        return Ok(());
    };
    search.lab.settle(start.clone());
    let mut chain = vec![start];
    if search.scheduler.sweeps_first() {
        search.sweep(&mut chain)?;
    }
    search.guarded(chain)
}

/// Whether the search ended because no candidate without one event passed.
#[expect(clippy::unnecessary_wraps, reason = "other reducers have to ask")]
pub(super) fn is_minimal(lab: &mut Lab, _events: &[u32]) -> Result<bool, Stop> {
    Ok(!lab.is_open())
}

struct Search<'s, 'l> {
    lab: &'s mut Lab<'l>,
    rule: Rule,
    parts: usize,
    scheduler: &'s Schedulers,
    scores: FxHashMap<Candidate, Score>,
    /// Candidates that passed once and then turned out to be too rare.
    barred: Vec<Vec<u32>>,
}

impl Search<'_, '_> {
    /// The original, cut where all its runs had reached the target; nothing if that is too rare.
    fn original(&mut self, all: &[u32]) -> Result<Option<Vec<u32>>, Stop> {
        let events = Candidate::from(all);
        let runs = (0..self.rule.runs).map(|attempt| Try {
            events: events.clone(),
            attempt,
        });
        let runs: Vec<_> = runs.collect();
        let trials = self.lab.run_all(&runs)?;
        let reached = trials.iter().filter(|t| t.verdict == Verdict::Reproduced);
        let (hits, ran) = (reached.clone().count(), reached.map(|t| t.ran).max());
        let score = (hits as u32, self.rule.runs - hits as u32);
        self.scores.insert(events, score);
        let is_enough = hits as f64 >= ENOUGH * f64::from(self.rule.runs);
        Ok(ran.filter(|_| is_enough).map(|ran| all[..ran].to_vec()))
    }

    /// Sweeps as if one run told all, and keeps the shortest of what was found on the way that
    /// really passes: found by halving, since what was taken out on luck stays out.
    fn sweep(&mut self, chain: &mut Vec<Vec<u32>>) -> Result<(), Stop> {
        let found = sweep::sweep_by_single_runs(self.lab, &chain[0])?;
        let (mut low, mut high) = (0, found.len());
        while low < high {
            // From the end, as most apps leave little to chance.
            let at = if high == found.len() {
                high - 1
            } else {
                low.midpoint(high)
            };
            if self.passing(vec![found[at].clone()])?.is_some() {
                chain.push(found[at].clone());
                low = at + 1;
            } else {
                high = at;
            }
        }
        self.lab.settle(chain[chain.len() - 1].clone());
        Ok(())
    }

    /// Minimises, checks the result anew, and goes back where it got rarer.
    fn guarded(&mut self, mut chain: Vec<Vec<u32>>) -> Result<(), Stop> {
        for _ in 0..MOST_RETREATS {
            self.minimize(&mut chain)?;
            let mut is_settled = true;
            while chain.len() > 1 && self.got_rarer(&chain)? {
                self.barred.extend(chain.pop());
                is_settled = false;
            }
            self.lab.settle(chain[chain.len() - 1].clone());
            if is_settled {
                return Ok(());
            }
        }
        self.lab.leave_open();
        Ok(())
    }

    /// Whether the last of a chain reaches the target more rarely than the rule asks for, by so
    /// many more runs, and the one before it does not.
    fn got_rarer(&mut self, chain: &[Vec<u32>]) -> Result<bool, Stop> {
        let last = Candidate::from(&chain[chain.len() - 1][..]);
        let (hits, misses) = self.score(&last);
        if misses == 0 && hits >= 2 * self.rule.runs {
            return Ok(false);
        }
        self.run(&[(last.clone(), 2 * self.rule.runs)])?;
        let (hits, misses) = self.score(&last);
        // Passing with a margin: as often as a check passes that is repeated by others.
        let runs = f64::from(hits + misses);
        Ok(f64::from(misses)
            > 0.5 * runs * f64::from(self.rule.misses()) / f64::from(self.rule.runs))
    }

    /// `MinR` of the paper, from the last of a chain on; every step that passes joins the chain.
    fn minimize(&mut self, chain: &mut Vec<Vec<u32>>) -> Result<(), Stop> {
        let mut parts = self.parts;
        loop {
            let events = chain[chain.len() - 1].clone();
            if events.is_empty() {
                return Ok(());
            }
            parts = parts.min(events.len());
            let bound = |part: usize| part * events.len() / parts;
            let subsets = (0..parts).map(|part| events[bound(part)..bound(part + 1)].to_vec());
            let subsets: Vec<_> = if parts > 1 {
                subsets.collect()
            } else {
                Vec::new()
            };
            if let Some(passed) = self.passing(subsets)? {
                chain.push(passed);
                parts = self.parts;
                continue;
            }
            let complements = (0..parts).map(|part| without(&events, bound(part), bound(part + 1)));
            if let Some(passed) = self.passing(complements.collect())? {
                chain.push(passed);
                parts = (parts - 1).max(2);
            } else if parts < events.len() {
                parts *= 2;
            } else {
                return Ok(());
            }
        }
    }

    /// `get_passing` of the paper: one of these that passes, or none if none does.
    fn passing(&mut self, candidates: Vec<Vec<u32>>) -> Result<Option<Vec<u32>>, Stop> {
        let open = candidates
            .into_iter()
            .filter(|one| !self.barred.contains(one));
        let open: Vec<Candidate> = open.map(Candidate::from).collect();
        loop {
            let scores: Vec<Score> = open.iter().map(|one| self.score(one)).collect();
            let passed = scores.iter().position(|score| score.0 >= self.rule.accept);
            if let Some(passed) = passed {
                return Ok(Some(open[passed].to_vec()));
            }
            let live = |score: &Score| score.1 <= self.rule.misses();
            let live: Vec<usize> = (0..open.len()).filter(|&at| live(&scores[at])).collect();
            if live.is_empty() {
                return Ok(None);
            }
            let live_scores: Vec<Score> = live.iter().map(|&at| scores[at]).collect();
            let lanes = self.lab.lanes() as u32;
            let planned = self.scheduler.schedule(&live_scores, self.rule, lanes);
            let round = live.iter().zip(planned);
            let round: Vec<_> = round.map(|(&at, runs)| (open[at].clone(), runs)).collect();
            self.run(&round)?;
        }
    }

    fn score(&self, events: &Candidate) -> Score {
        self.scores.get(events).copied().unwrap_or_default()
    }

    /// Runs candidates so many more times.
    fn run(&mut self, round: &[(Candidate, u32)]) -> Result<(), Stop> {
        let mut tries = Vec::new();
        for (events, runs) in round {
            let (hits, misses) = self.score(events);
            tries.extend((0..*runs).map(|run| Try {
                events: events.clone(),
                // Runs by which a sweep chose the candidate do not count for it.
                attempt: 1 + hits + misses + run,
            }));
        }
        let trials = self.lab.run_all(&tries)?;
        for (one, trial) in tries.into_iter().zip(trials) {
            let score = self.scores.entry(one.events).or_default();
            match trial.verdict {
                Verdict::Reproduced => score.0 += 1,
                Verdict::Missed | Verdict::Unresolved => score.1 += 1,
            }
        }
        Ok(())
    }
}
