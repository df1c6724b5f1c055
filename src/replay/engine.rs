//! The engine behind the reducers' port.
//!
//! The thread inside [`Replayer::replay`] would only wait, so it is the dispatcher: it alone
//! holds journal, budget and observers, and no lock is needed. Devices answer in any order;
//! runs are decided, charged and named in the order of the batch.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use super::budget::Budget;
use super::cancel::Cancel;
use super::driver::{Driver, DriverError, Start};
use super::journal::{Journal, JournalError};
use super::live::Session;
use super::player::Lines;
use super::pool::{Answer, Pool, Shown, Task, Work};
use super::record::{End, RunRecord};
use super::retry::Retry;
use super::tally::Tally;
use crate::model::{
    Cover, Divergence, Job, Names, Observer, Run, RunEvent, Script, Seed, Seen, Stop, Suite, Usage,
    Walk, WalkStep, hex,
};
use crate::reduce::{Plan, Replayer};

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
    in_flight: FxHashMap<u64, Flight>,
    tickets: u64,
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
            in_flight: FxHashMap::default(),
            tickets: 0,
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

    fn lines(&mut self, script: &Arc<Script>) -> Arc<Lines> {
        if let Some((known, lines)) = &self.lines
            && Arc::ptr_eq(known, script)
        {
            return Arc::clone(lines);
        }
        let screen = |at| {
            self.names
                .screen_name(script.screen_at(self.suite, at))
                .to_owned()
        };
        let action = |at: usize| self.names.action_text(script.steps[at].action);
        let steps = (0..script.steps.len()).map(|at| (action(at).to_owned(), screen(at + 1)));
        let mut lines = Lines {
            key: String::new(),
            launch: screen(0),
            steps: steps.collect(),
        };
        lines.key = key_of(&lines);
        let lines = Arc::new(lines);
        self.lines = Some((Arc::clone(script), Arc::clone(&lines)));
        lines
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
            Work::Session(session) => self.journal.find_walk(&session.key, attempt).is_some(),
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
            Work::Session(_) => "live",
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

    /// Charges and tells what a reducer used.
    fn used(&mut self, usage: Usage, retries: u32, diverged: Option<Divergence>) {
        self.budget.charge(usage);
        self.emit(RunEvent::RunUsed {
            usage,
            retries,
            diverged,
        });
    }

    /// A live session, once it is in the journal.
    fn walked(&mut self, key: &str, session: u32) -> Option<Walk> {
        let record = self.journal.find_walk(key, session)?.clone();
        let launch = self.names.screen(&record.launch.0);
        let launch_cover = self.cover(record.launch.1);
        let mut steps = Vec::with_capacity(record.steps.len());
        for (action, shown) in &record.steps {
            let action = self.names.action(action);
            let shown = shown.as_ref();
            let shown =
                shown.map(|(screen, cover)| (self.names.screen(screen), self.cover(*cover)));
            steps.push(WalkStep { action, shown });
        }
        Some(Walk {
            launch,
            launch_cover,
            steps,
            usage: record.usage(),
            retries: record.retries,
        })
    }

    /// The run of a job, once it is in the journal.
    fn finished(&mut self, lines: &Lines, job: &Job) -> Option<Run> {
        let record = self.journal.find(&lines.key, job.attempt)?.clone();
        let covers = record.covers.iter().map(|&cover| self.cover(cover));
        let covers: Vec<Cover> = covers.collect();
        let seen = match &record.end {
            End::Complete => None,
            End::Screen(name) => Some(Seen::Screen(self.names.screen(name))),
            End::NotEnabled => Some(Seen::NotEnabled),
            End::Dead => Some(Seen::Dead),
        };
        Some(self.run(job, &record, covers, seen))
    }

    fn run(&self, job: &Job, record: &RunRecord, covers: Vec<Cover>, seen: Option<Seen>) -> Run {
        let position = covers.len();
        let diverged = seen.map(|seen| Divergence {
            position,
            expected: job.script.screen_at(self.suite, position),
            seen,
        });
        Run {
            covers,
            diverged,
            usage: record.usage(),
            retries: record.retries,
        }
    }

    /// A cover of the journal by ids; names are given in order of use, so that ids do not
    /// depend on which device was quicker.
    fn cover(&mut self, number: u32) -> Cover {
        let index = number as usize;
        if self.covers.len() <= index {
            self.covers.resize(index + 1, None);
        }
        if let Some(cover) = &self.covers[index] {
            return cover.clone();
        }
        let names = &mut self.names;
        let elements = self.journal.cover(number).iter();
        let cover: Cover = elements.map(|element| names.element(element)).collect();
        self.covers[index] = Some(cover.clone());
        cover
    }
}

/// Identity of a script: what it does and what it expects, whatever suite it came from.
fn key_of(lines: &Lines) -> String {
    let mut hasher = Sha256::new();
    let mut add = |text: &str| {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    add(&lines.launch);
    for (action, screen) in &lines.steps {
        add(action);
        add(screen);
    }
    hex(&hasher.finalize()[..16])
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
            engine.used(run.usage, run.retries, run.diverged);
            let done = enough(&run);
            runs.push(run);
            Some(done)
        })?;
        Ok(runs)
    }

    fn explore(&mut self, plans: &[Arc<dyn Plan>], first: u32) -> Result<Vec<Walk>, Stop> {
        let names = Arc::new(self.names.clone());
        let session = |plan: &Arc<dyn Plan>| Session {
            key: plan.key(),
            plan: Arc::clone(plan),
            names: Arc::clone(&names),
        };
        let sessions = plans
            .iter()
            .map(|plan| Work::Session(Arc::new(session(plan))));
        let jobs: Vec<_> = sessions.zip(first..).collect();
        let mut walks = Vec::with_capacity(jobs.len());
        self.carry_out(&jobs, |engine, at| {
            let (work, number) = &jobs[at];
            let walk = engine.walked(work.key(), *number)?;
            engine.used(walk.usage, walk.retries, None);
            walks.push(walk);
            Some(false)
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
}
