//! The pool: one thread owns one device and talks by channel; the engine dispatches.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::driver::{Driver, DriverError, Start};
use super::live::{Session, fly};
use super::player::{Lines, play};
use super::record::{Flown, Showing};
use super::roam::{Roaming, roam};
use super::watch::Watched;

/// Something for a device to do.
pub(super) struct Task {
    pub(super) ticket: u64,
    pub(super) work: Work,
    pub(super) start: Start,
}

/// What devices do.
#[derive(Clone)]
pub(super) enum Work {
    /// Replay a script.
    Script(Arc<Lines>),
    /// Walk live.
    Session(Arc<Session>),
    /// Explore.
    Roam(Arc<Roaming>),
}

/// What devices show.
pub(super) enum Shown {
    /// A script replayed.
    Script(Showing),
    /// A live session.
    Session(Flown),
}

impl Work {
    /// Its identity.
    pub(super) fn key(&self) -> &str {
        match self {
            Self::Script(lines) => &lines.key,
            Self::Session(session) => &session.key,
            Self::Roam(roaming) => &roaming.key,
        }
    }

    fn carry_out(&self, device: &mut dyn Driver, start: Start) -> Result<Shown, DriverError> {
        match self {
            Self::Script(lines) => play(device, lines, start).map(Shown::Script),
            Self::Session(session) => fly(device, session, start).map(Shown::Session),
            Self::Roam(roaming) => roam(device, &*roaming.quest, start).map(Shown::Session),
        }
    }
}

/// What came of a task.
pub(super) struct Answer {
    pub(super) worker: usize,
    pub(super) ticket: u64,
    pub(super) result: Result<Shown, DriverError>,
}

/// How long devices may take to put back what they changed, at the end.
const FAREWELL: Duration = Duration::from_secs(5);

/// The devices and who of them is busy with what.
pub(super) struct Pool {
    workers: Vec<Worker>,
    answers: Receiver<Answer>,
    farewells: Receiver<usize>,
}

struct Worker {
    name: String,
    tasks: Option<Sender<Task>>,
    busy: Option<(u64, Instant)>,
    /// How often it has answered, and how often it had when it was looked at last.
    answered: Arc<AtomicU64>,
    seen: u64,
    failures: u32,
}

impl Pool {
    pub(super) fn new(devices: Vec<Box<dyn Driver>>) -> Self {
        let (answer, answers) = channel();
        let (farewell, farewells) = channel();
        let workers = devices
            .into_iter()
            .enumerate()
            .map(|(index, device)| Worker::start(index, device, answer.clone(), farewell.clone()));
        Self {
            workers: workers.collect(),
            answers,
            farewells,
        }
    }

    /// Whether any device is left.
    pub(super) fn is_empty(&self) -> bool {
        self.workers.iter().all(|worker| worker.tasks.is_none())
    }

    /// A device that has nothing to do; the one that failed least comes first.
    pub(super) fn idle(&self) -> Option<usize> {
        let workers = self.workers.iter().enumerate();
        let idle = workers.filter(|(_, worker)| worker.tasks.is_some() && worker.busy.is_none());
        idle.min_by_key(|(_, worker)| worker.failures)
            .map(|(index, _)| index)
    }

    /// Whether a device has just failed while another one has not: a run that failed before
    /// then waits for that one, or devices that are dead would use up its tries.
    pub(super) fn is_suspect(&self, worker: usize) -> bool {
        let sound = |worker: &Worker| worker.tasks.is_some() && worker.failures == 0;
        self.workers[worker].failures > 0 && self.workers.iter().any(sound)
    }

    /// Gives a task to an idle device.
    pub(super) fn give(&mut self, worker: usize, task: Task) {
        let worker = &mut self.workers[worker];
        worker.busy = Some((task.ticket, Instant::now()));
        // A worker outlives its sender, so this only fails once it is out of the pool.
        if let Some(tasks) = &worker.tasks {
            let _ = tasks.send(task);
        }
    }

    /// Waits for an answer.
    pub(super) fn wait(&mut self, limit: Duration) -> Option<Answer> {
        match self.answers.recv_timeout(limit) {
            Ok(answer) => {
                let worker = &mut self.workers[answer.worker];
                // An answer that comes after all from a device taken out is of no use.
                worker.tasks.as_ref()?;
                worker.busy = None;
                match answer.result {
                    Ok(_) => worker.failures = 0,
                    Err(_) => worker.failures += 1,
                }
                Some(answer)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// How often in a row a device has failed.
    pub(super) fn failures(&self, worker: usize) -> u32 {
        self.workers[worker].failures
    }

    /// Takes a device out; gives its name.
    pub(super) fn take_out(&mut self, worker: usize) -> String {
        let worker = &mut self.workers[worker];
        worker.tasks = None;
        worker.busy = None;
        worker.name.clone()
    }

    /// The device that was silent for too long, with the task it has. A session may take longer
    /// than that, as long as the device answers on the way.
    pub(super) fn silent(&mut self, limit: Duration) -> Option<(usize, u64)> {
        self.workers
            .iter_mut()
            .enumerate()
            .find_map(|(index, worker)| {
                let (ticket, since) = worker.busy?;
                let answered = worker.answered.load(Ordering::Relaxed);
                if answered != worker.seen {
                    worker.seen = answered;
                    worker.busy = Some((ticket, Instant::now()));
                    return None;
                }
                (since.elapsed() > limit).then_some((index, ticket))
            })
    }
}

/// Devices put back what they changed when they are let go, and the program should not end before;
/// those that are out are not waited for.
impl Drop for Pool {
    fn drop(&mut self) {
        let workers = self.workers.iter_mut().enumerate();
        let mut awaited: Vec<usize> = workers
            .filter_map(|(index, worker)| worker.tasks.take().map(|_| index))
            .collect();
        let since = Instant::now();
        while !awaited.is_empty() {
            let left = FAREWELL.saturating_sub(since.elapsed());
            match self.farewells.recv_timeout(left) {
                Ok(gone) => awaited.retain(|index| *index != gone),
                Err(_) => return,
            }
        }
    }
}

impl Worker {
    fn start(
        index: usize,
        mut device: Box<dyn Driver>,
        answers: Sender<Answer>,
        farewells: Sender<usize>,
    ) -> Self {
        let (tasks, inbox) = channel::<Task>();
        let name = device.name().to_owned();
        let answered = Arc::new(AtomicU64::new(0));
        let mark = Arc::clone(&answered);
        // Not joined: a device that hangs must not keep the program from ending. The loop ends
        // when the pool drops its sender, and every result is sent.
        thread::spawn(move || {
            for task in inbox {
                let played = catch_unwind(AssertUnwindSafe(|| {
                    let mut watched = Watched {
                        device: device.as_mut(),
                        answers: &mark,
                    };
                    task.work.carry_out(&mut watched, task.start)
                }));
                let result = played.unwrap_or_else(|panic| {
                    let text = panic.downcast_ref::<&str>().copied();
                    let text = text.or(panic.downcast_ref::<String>().map(String::as_str));
                    Err(DriverError::Panicked(text.unwrap_or("panic").to_owned()))
                });
                let answer = Answer {
                    worker: index,
                    ticket: task.ticket,
                    result,
                };
                if answers.send(answer).is_err() {
                    break;
                }
            }
            drop(device);
            // The pool may not wait for this one.
            let _ = farewells.send(index);
        });
        Self {
            name,
            tasks: Some(tasks),
            busy: None,
            answered,
            seen: 0,
            failures: 0,
        }
    }
}
