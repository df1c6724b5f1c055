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
use super::player::Lines;
use super::pool::{Answer, Pool, Task};
use super::record::{End, RunRecord};
use super::retry::Retry;
use super::tally::Tally;
use crate::model::{
    Cover, Divergence, Job, Names, Observer, Run, RunEvent, Script, Seed, Seen, Stop, Suite, hex,
};
use crate::reduce::Replayer;

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

/// A run that a device is at.
struct Flight {
    lines: Arc<Lines>,
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
        let action = |at| {
            self.names
                .action_text(self.suite.step(script.steps[at]).action)
        };
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
    fn dispatch(
        &mut self,
        jobs: &[(Arc<Lines>, u32)],
        again: &mut VecDeque<Flight>,
        next: &mut usize,
    ) {
        while let Some(worker) = self.pool.idle() {
            let retry = if self.pool.is_suspect(worker) {
                None
            } else {
                again.pop_front()
            };
            let flight = if let Some(flight) = retry {
                flight
            } else {
                let Some((lines, attempt)) = jobs.get(*next) else {
                    return;
                };
                *next += 1;
                if self.is_known(lines, *attempt) {
                    continue;
                }
                Flight {
                    lines: Arc::clone(lines),
                    attempt: *attempt,
                    tried: 0,
                }
            };
            self.send(worker, flight);
        }
    }

    fn is_known(&self, lines: &Lines, attempt: u32) -> bool {
        self.journal.find(&lines.key, attempt).is_some()
            || self
                .in_flight
                .values()
                .any(|flight| flight.attempt == attempt && flight.lines.key == lines.key)
    }

    fn send(&mut self, worker: usize, flight: Flight) {
        let run = self.seed.derive("run").mix(u64::from(flight.attempt));
        let trouble = self.seed.derive("trouble").derive(&flight.lines.key);
        let trouble = trouble
            .mix(u64::from(flight.attempt))
            .mix(u64::from(flight.tried));
        self.tickets += 1;
        let task = Task {
            ticket: self.tickets,
            lines: Arc::clone(&flight.lines),
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
            match result {
                Ok(showing) => self
                    .journal
                    .add(&flight.lines.key, flight.attempt, showing, flight.tried)
                    .map_err(|error| Stop::Journal(error.to_string()))?,
                Err(error) => self.trouble(worker, flight, &error, again)?,
            }
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

    /// Replays a batch into `runs`, which has those that were used even if it is stopped.
    fn play(
        &mut self,
        batch: &[Job],
        enough: &dyn Fn(&Run) -> bool,
        runs: &mut Vec<Run>,
    ) -> Result<(), Stop> {
        let jobs: Vec<_> = batch
            .iter()
            .map(|job| (self.lines(&job.script), job.attempt))
            .collect();
        let mut again = VecDeque::new();
        let mut next = 0;
        while runs.len() < batch.len() {
            if self.cancel.is_cancelled() {
                return Err(Stop::Interrupted);
            }
            // Time on the wall runs out while devices are silent, too.
            self.budget.check()?;
            let at = runs.len();
            if let Some(run) = self.finished(&jobs[at].0, &batch[at]) {
                self.budget.charge(run.usage);
                self.emit(RunEvent::RunUsed {
                    usage: run.usage,
                    retries: run.retries,
                    diverged: run.diverged,
                });
                let done = enough(&run);
                runs.push(run);
                if done {
                    break;
                }
                continue;
            }
            if self.pool.is_empty() {
                let text = format!("no device is left ({})", self.last_trouble);
                return Err(Stop::Devices(text));
            }
            next = next.max(at);
            self.dispatch(&jobs, &mut again, &mut next);
            self.listen(&mut again)?;
        }
        Ok(())
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
        let mut runs = Vec::with_capacity(batch.len());
        let ended = self.play(batch, enough, &mut runs);
        let used: Vec<u64> = runs.iter().map(|run| run.usage.micros).collect();
        self.tally.batch_ended(&used);
        ended.map(|()| runs)
    }

    fn emit(&mut self, event: RunEvent) {
        self.tally.on(&event);
        self.observer.on(&event);
    }

    fn names(&self) -> &Names {
        &self.names
    }
}
