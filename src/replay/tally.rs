//! The tally: what was spent in which phase, what was tried, where a bound was hit.

use super::clock::Clock;
use crate::model::{Limit, Observer, Phase, RunEvent, TraceIdx, Usage};

/// The phases of a reduction, minimising and exploring.
const N_PHASES: usize = Phase::ALL.len() + 2;

/// What one phase spent on devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseUse {
    /// The phase.
    pub phase: Phase,
    /// What it spent.
    pub usage: Usage,
}

/// Counts events.
#[derive(Debug, Clone)]
pub struct Tally {
    phase: Phase,
    by_phase: [Usage; N_PHASES],
    clock: Clock,
    /// Candidates tried on devices while searching.
    pub candidates: u64,
    /// Those that were not accepted.
    pub rejected: u64,
    /// Runs started again because of device trouble.
    pub retries: u64,
    /// Bounds that cut a search short.
    pub limits: Vec<(Phase, Option<TraceIdx>, Limit)>,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            phase: Phase::Stabilize,
            by_phase: [Usage::default(); N_PHASES],
            clock: Clock::default(),
            candidates: 0,
            rejected: 0,
            retries: 0,
            limits: Vec::new(),
        }
    }
}

impl Tally {
    /// What each phase of a reduction spent, in order.
    pub fn by_phase(&self) -> impl Iterator<Item = PhaseUse> + '_ {
        Phase::ALL.into_iter().map(|phase| PhaseUse {
            phase,
            usage: self.by_phase[phase as usize],
        })
    }

    /// What was spent in all.
    #[must_use]
    pub fn total(&self) -> Usage {
        let mut total = Usage::default();
        self.by_phase.iter().for_each(|&usage| total += usage);
        total
    }

    /// Takes in that a batch ended, given by the microseconds of each run of it that was used,
    /// in order.
    pub fn batch_ended(&mut self, runs: &[u64]) {
        self.clock.batch(runs);
    }

    /// Numbers of devices with the microseconds that everything so far takes on them by the
    /// clock, however many there really were.
    pub fn elapsed(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.clock.elapsed()
    }
}

impl Observer for Tally {
    fn on(&mut self, event: &RunEvent) {
        match *event {
            RunEvent::PhaseStarted { phase, .. } => self.phase = phase,
            RunEvent::RunUsed { usage, retries, .. } => {
                self.by_phase[self.phase as usize] += usage;
                self.retries += u64::from(retries);
            }
            RunEvent::CandidateDecided { accepted } if self.phase != Phase::Validate => {
                self.candidates += 1;
                self.rejected += u64::from(!accepted);
            }
            RunEvent::LimitHit { trace, limit, .. } => {
                let hit = (self.phase, trace, limit);
                if !self.limits.contains(&hit) {
                    self.limits.push(hit);
                }
            }
            RunEvent::CandidateDecided { .. }
            | RunEvent::Progress { .. }
            | RunEvent::Grown { .. }
            | RunEvent::Untold { .. }
            | RunEvent::DeviceOut { .. } => {}
        }
    }
}
