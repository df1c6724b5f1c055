//! The engine behind the reducers' port.
//!
//! The thread inside [`Replayer::replay`] would only wait, so it is the dispatcher: it alone
//! holds journal, budget and observers, and no lock is needed. Devices answer in any order;
//! runs are decided, charged and named in the order of the batch.

mod answers;
mod explorer;
mod passes;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::budget::Budget;
use super::cancel::Cancel;
use super::driver::{Driver, DriverError, Start};
use super::journal::{Journal, JournalError};
use super::live::Session;
use super::player::Lines;
use super::pool::{Answer, Pool, Shown, Task, Work};
use super::retry::Retry;
use super::tally::Tally;
use crate::model::{
    ActionId, Cover, Divergence, Job, Names, Observer, Run, RunEvent, Script, Seed, Stop, Suite,
    Usage, Walk,
};
use crate::reduce::{Plan, Replayer};
use passes::Ground;

pub use passes::{Pass, RestsOn};

/// How long the dispatcher sleeps at most before it looks for an interrupt.
const TICK: Duration = Duration::from_millis(50);

/// Replays on a pool of devices.
pub struct Engine<'a> {
    suite: &'a Suite,
    names: Names,
    seed: Seed,
    pool: Pool,
    journal: Journal,
    budget: Budget,
    retry: Retry,
    cancel: Cancel,
    tally: Tally,
    observer: &'a mut dyn Observer,
    lines: Option<(Arc<Script>, Arc<Lines>)>,
    covers: Vec<Option<Cover>>,
    /// The names as sessions got them last.
    handed_out: Arc<Names>,
    in_flight: FxHashMap<u64, Flight>,
    tickets: u64,
    /// What the reducers' decisions rest on.
    ground: Ground,
    /// Device time of what was used of the batch at hand.
    used: Vec<u64>,
    last_trouble: String,
}

/// A run or session that a device is at.
struct Flight {
    work: Work,
    attempt: u32,
    tried: u32,
}

/// Everything an engine is made of.
pub struct Parts<'a> {
    /// The suite that scripts refer to.
    pub suite: &'a Suite,
    /// Its names.
    pub names: Names,
    /// The seed of the whole reduction.
    pub seed: Seed,
    /// The devices.
    pub devices: Vec<Box<dyn Driver>>,
    /// The journal.
    pub journal: Journal,
    /// The budget.
    pub budget: Budget,
    /// Bounds on retries.
    pub retry: Retry,
    /// How the user stops it.
    pub cancel: Cancel,
    /// Who is told what happens.
    pub observer: &'a mut dyn Observer,
}

impl<'a> Engine<'a> {
    /// An engine with one thread a device.
    #[must_use]
    pub fn new(parts: Parts<'a>) -> Self {
        Self {
            suite: parts.suite,
            names: parts.names,
            seed: parts.seed,
            pool: Pool::new(parts.devices),
            journal: parts.journal,
            budget: parts.budget,
            retry: parts.retry,
            cancel: parts.cancel,
            tally: Tally::default(),
            observer: parts.observer,
            lines: None,
            covers: Vec::new(),
            handed_out: Arc::default(),
            in_flight: FxHashMap::default(),
            tickets: 0,
            ground: Ground::default(),
            used: Vec::new(),
            last_trouble: String::new(),
        }
    }

    /// What was spent and tried so far.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Makes sure that all runs are on disk.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.journal.sync()
    }

    /// Gives jobs from `next` on to idle devices.
    fn dispatch(&mut self, jobs: &[(Work, u32)], again: &mut VecDeque<Flight>, next: &mut usize) {
        while let Some(worker) = self.pool.idle() {
            let retry = if self.pool.is_suspect(worker) {
                None
            } else {
                again.pop_front()
            };
            let flight = if let Some(flight) = retry {
                flight
            } else {
                let Some((work, attempt)) = jobs.get(*next) else {
                    return;
                };
                *next += 1;
                if self.is_known(work, *attempt) {
                    continue;
                }
                Flight {
                    work: work.clone(),
                    attempt: *attempt,
                    tried: 0,
                }
            };
            self.send(worker, flight);
        }
    }

    fn is_known(&self, work: &Work, attempt: u32) -> bool {
        let written = match work {
            Work::Script(lines) => self.journal.find(&lines.key, attempt).is_some(),
            Work::Session(_) | Work::Roam(_) => {
                self.journal.find_walk(work.key(), attempt).is_some()
            }
        };
        written
            || self
                .in_flight
                .values()
                .any(|flight| flight.attempt == attempt && flight.work.key() == work.key())
    }

    fn send(&mut self, worker: usize, flight: Flight) {
        let purpose = match flight.work {
            Work::Script(_) => "run",
            Work::Session(_) | Work::Roam(_) => "live",
        };
        let run = self.seed.derive(purpose).mix(u64::from(flight.attempt));
        let trouble = self.seed.derive("trouble").derive(flight.work.key());
        let trouble = trouble
            .mix(u64::from(flight.attempt))
            .mix(u64::from(flight.tried));
        self.tickets += 1;
        let task = Task {
            ticket: self.tickets,
            work: flight.work.clone(),
            start: Start { seed: run, trouble },
        };
        self.in_flight.insert(self.tickets, flight);
        self.pool.give(worker, task);
    }

    /// Waits for something to happen and takes it in.
    fn listen(&mut self, again: &mut VecDeque<Flight>) -> Result<(), Stop> {
        if let Some(Answer {
            worker,
            ticket,
            result,
        }) = self.pool.wait(TICK)
        {
            let Some(flight) = self.in_flight.remove(&ticket) else {
                return Ok(());
            };
            let (key, attempt, tried) = (flight.work.key(), flight.attempt, flight.tried);
            let written = match result {
                Ok(Shown::Script(showing)) => self.journal.add(key, attempt, showing, tried),
                Ok(Shown::Session(flown)) => self.journal.add_walk(key, attempt, flown, tried),
                Err(error) => {
                    self.trouble(worker, flight, &error, again)?;
                    Ok(())
                }
            };
            written.map_err(|error| Stop::Journal(error.to_string()))?;
        }
        if let Some((worker, ticket)) = self.pool.silent(self.retry.hang) {
            let error = DriverError::TimedOut(self.retry.hang);
            self.take_out(worker, &error);
            if let Some(flight) = self.in_flight.remove(&ticket) {
                again.push_back(self.retried(flight, &error)?);
            }
        }
        Ok(())
    }

    fn trouble(
        &mut self,
        worker: usize,
        flight: Flight,
        error: &DriverError,
        again: &mut VecDeque<Flight>,
    ) -> Result<(), Stop> {
        if self.pool.failures(worker) >= self.retry.per_device {
            self.take_out(worker, error);
        }
        again.push_back(self.retried(flight, error)?);
        Ok(())
    }

    fn take_out(&mut self, worker: usize, error: &DriverError) {
        let device = self.pool.take_out(worker);
        self.last_trouble = format!("{device}: {error}");
        self.emit(RunEvent::DeviceOut {
            device,
            reason: error.to_string(),
        });
    }

    fn retried(&self, mut flight: Flight, error: &DriverError) -> Result<Flight, Stop> {
        flight.tried += 1;
        if flight.tried >= self.retry.per_job {
            let tries = flight.tried;
            let text = format!("one run could not be had in {tries} tries; the last one: {error}");
            return Err(Stop::Devices(text));
        }
        Ok(flight)
    }

    /// Lets devices work until `take` has taken the results of all jobs in order, or has
    /// enough; it answers nothing while the result of its job is not in the journal.
    fn carry_out(
        &mut self,
        jobs: &[(Work, u32)],
        take: impl FnMut(&mut Self, usize) -> Option<bool>,
    ) -> Result<(), Stop> {
        let ended = self.work_through(jobs, take);
        self.tally.batch_ended(&std::mem::take(&mut self.used));
        ended
    }

    fn work_through(
        &mut self,
        jobs: &[(Work, u32)],
        mut take: impl FnMut(&mut Self, usize) -> Option<bool>,
    ) -> Result<(), Stop> {
        let mut again = VecDeque::new();
        let mut next = 0;
        let mut at = 0;
        while at < jobs.len() {
            if self.cancel.is_cancelled() {
                return Err(Stop::Interrupted);
            }
            // Time on the wall runs out while devices are silent, too.
            self.budget.check()?;
            match take(self, at) {
                Some(true) => return Ok(()),
                Some(false) => at += 1,
                None => {
                    if self.pool.is_empty() {
                        let text = format!("no device is left ({})", self.last_trouble);
                        return Err(Stop::Devices(text));
                    }
                    next = next.max(at);
                    self.dispatch(jobs, &mut again, &mut next);
                    self.listen(&mut again)?;
                }
            }
        }
        Ok(())
    }

    /// The names for sessions, copied only when there are new ones.
    fn names_now(&mut self) -> Arc<Names> {
        if !self.names.is_as_long_as(&self.handed_out) {
            self.handed_out = Arc::new(self.names.clone());
        }
        Arc::clone(&self.handed_out)
    }

    /// Charges and tells what a reducer used.
    fn used(&mut self, usage: Usage, retries: u32, diverged: Option<Divergence>) {
        self.budget.charge(usage);
        self.used.push(usage.micros);
        self.emit(RunEvent::RunUsed {
            usage,
            retries,
            diverged,
        });
    }
}

impl Replayer for Engine<'_> {
    fn replay(&mut self, batch: &[Job], enough: &dyn Fn(&Run) -> bool) -> Result<Vec<Run>, Stop> {
        let lines: Vec<_> = batch.iter().map(|job| self.lines(&job.script)).collect();
        let jobs = lines.iter().zip(batch);
        let jobs: Vec<_> = jobs
            .map(|(lines, job)| (Work::Script(Arc::clone(lines)), job.attempt))
            .collect();
        let mut runs: Vec<Run> = Vec::with_capacity(batch.len());
        self.carry_out(&jobs, |engine, at| {
            let run = engine.finished(&lines[at], &batch[at])?;
            engine.ground.run(&lines[at].key, &batch[at]);
            engine.used(run.usage, run.retries, run.diverged);
            let done = enough(&run);
            runs.push(run);
            Some(done)
        })?;
        Ok(runs)
    }

    fn walk(
        &mut self,
        sessions: &[(Arc<dyn Plan>, u32)],
        enough: &dyn Fn(&Walk) -> bool,
    ) -> Result<Vec<Walk>, Stop> {
        let names = self.names_now();
        let session = |plan: &Arc<dyn Plan>| Session {
            key: plan.key(),
            plan: Arc::clone(plan),
            names: Arc::clone(&names),
        };
        let jobs = sessions.iter();
        let jobs: Vec<_> = jobs
            .map(|(plan, number)| (Work::Session(Arc::new(session(plan))), *number))
            .collect();
        let mut walks = Vec::with_capacity(jobs.len());
        self.carry_out(&jobs, |engine, at| {
            let (work, number) = &jobs[at];
            let walk = engine.walked(work.key(), *number)?;
            engine.ground.session(work.key(), *number);
            engine.used(walk.usage, walk.retries, None);
            let done = enough(&walk);
            walks.push(walk);
            Some(done)
        })?;
        Ok(walks)
    }

    fn emit(&mut self, event: RunEvent) {
        self.tally.on(&event);
        self.observer.on(&event);
    }

    fn names(&self) -> &Names {
        &self.names
    }

    fn action(&mut self, text: &str) -> ActionId {
        self.names.action(text)
    }
}
