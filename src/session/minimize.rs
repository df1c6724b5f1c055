//! Minimising: failing sequences go in, one minimal sequence a failure comes out.

mod failures;
mod policies;
mod result;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

pub use policies::{scheduler_names, solve_side_by_side};

use failures::{Failure, failures};
use result::{Found, found, report, traces};

use super::describe::dumps;
use super::output::{Aside, JOURNAL, prepare};
use super::{Conditions, JobError, Opened, engine, suite_text, synced};
use crate::import::Loaded;
use crate::model::window::Window;
use crate::model::{Phase, RunEvent, Stop, Suite, TraceIdx};
use crate::reduce::Replayer;
use crate::reduce::sequence::nd3min::Repeats;
use crate::reduce::sequence::rddmin::log::{Words, logs};
use crate::reduce::sequence::rddmin::mine::mine;
use crate::reduce::sequence::rddmin::rewrite::rewrite;
use crate::reduce::sequence::{
    self, Counts, Lab, OnDevices, Recording, Runs, Sequence, SequenceReducer, Target, chard,
    recorded_screens,
};
use crate::replay::{Engine, Journal};
use crate::report::{MinimizeReport, NotReproduced};

/// How many runs go on side by side, as rounds are counted.
const LANES: usize = 15;
/// How many passing traces rules are mined from.
const MOST_PASSING: usize = 1_000;
/// How sure a rule must be that passing traces teach: four places where it held.
const CONFIDENCE: f64 = 0.9;
/// How many traces are tried for one failure before it counts as not reproduced.
const MOST_TRIED: usize = 5;

/// What is to be minimised, and how.
#[derive(Debug, Clone, Copy)]
pub struct Minimize<'a> {
    /// What to reach; without it every recorded fault.
    pub target: Option<&'a str>,
    /// The only trace to look at.
    pub trace: Option<&'a str>,
    /// The name of the reducer.
    pub algorithm: &'a str,
    /// The name of the scheduler, for reducers that run candidates often.
    pub scheduler: &'a str,
    /// The folder that solved schedules are kept in, instead of the user's.
    pub cache: Option<&'a Path>,
    /// How many fresh runs the result gets.
    pub check: u32,
}

/// The names of all sequence reducers with what they do, the default first.
#[must_use]
pub fn algorithms() -> Vec<(&'static str, &'static str)> {
    let all = sequence::all().iter();
    all.map(|reducer| (reducer.name, reducer.about)).collect()
}

/// Minimises the failing traces of a configuration's suite and leaves the result in its output
/// folder.
pub fn minimize(mut conditions: Conditions, asked: &Minimize) -> Result<MinimizeReport, JobError> {
    let config = conditions.config;
    let reducer = sequence::all()
        .iter()
        .find(|one| one.name == asked.algorithm);
    let reducer = reducer.ok_or_else(|| unknown_algorithm(asked.algorithm))?;
    let repeats = match reducer.runs {
        Runs::One => Repeats::default(),
        Runs::Many => policies::repeats(asked.scheduler, LANES, asked.cache)?,
    };
    let opened = Opened::new(config)?;
    opened.check_actions(config)?;
    let failures = failures(&opened.loaded, asked)?;
    prepare(&config.out, conditions.fresh)?;
    let journal = Journal::open(&config.out.join(JOURNAL), &opened.identity(config))?;
    let Opened { loaded, fleet, .. } = opened;
    let tried = failures
        .iter()
        .flat_map(|f| f.traces.iter().take(MOST_TRIED));
    let dumps = tried
        .map(|&trace| (trace, dumps(&loaded, trace).0))
        .collect();
    let Loaded { suite, names, .. } = loaded;
    let mut engine = engine(&suite, names, fleet, journal, &mut conditions);
    let mut work = Work {
        suite: &suite,
        engine: &mut engine,
        reducer,
        recording: Recording {
            repeats,
            ..Recording::default()
        },
        dumps,
        check: asked.check,
    };
    let (mut done, mut missing) = (Vec::new(), Vec::new());
    for failure in &failures {
        let result = work.failure(failure);
        match synced(work.engine, result)? {
            Ok(found) => done.push(found),
            Err(gone) => missing.push(gone),
        }
    }
    if done.is_empty() {
        return Err(JobError::Unfit(nothing_reproduced(&missing, reducer)));
    }
    let text = suite_text(&suite, engine.names(), &traces(&suite, &done), config)?;
    let report = report(&done, missing, &suite, &engine, asked, config.seed);
    let mut aside = Aside::new(&config.out);
    aside.write("trace.jsonl", |out| out.write_all(&text))?;
    aside.write("minimize.json", |out| {
        serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
        out.write_all(b"\n")
    })?;
    aside.commit()?;
    Ok(report)
}

/// What all failures of a job have in common.
struct Work<'w, 'e> {
    suite: &'w Suite,
    engine: &'w mut Engine<'e>,
    reducer: &'static SequenceReducer,
    recording: Recording,
    /// What windows the traces that are tried showed, where they say.
    dumps: BTreeMap<TraceIdx, Vec<Option<Window>>>,
    check: u32,
}

impl Work<'_, '_> {
    /// The first trace of a failure that shows it on the devices, minimised.
    fn failure(&mut self, failure: &Failure) -> Result<Result<Found, NotReproduced>, Stop> {
        let mut tried = Vec::new();
        for &trace in failure.traces.iter().take(MOST_TRIED) {
            let len = failure.len(self.suite, self.engine.names(), trace);
            if let Some(found) = self.trace(failure, trace, len)? {
                return Ok(Ok(found));
            }
            tried.push(self.suite.trace(trace).id.to_string());
        }
        Ok(Err(NotReproduced {
            target: failure.target.to_string(),
            tried,
        }))
    }

    /// The events of a trace that rules leave which the passing traces of the suite teach.
    fn hint(&self, failure: &Failure, trace: TraceIdx, len: usize) -> Vec<usize> {
        let passing = self.suite.traces().map(|(idx, _)| idx);
        let passing = passing.filter(|idx| !failure.traces.contains(idx));
        let mut chosen: Vec<_> = passing.take(MOST_PASSING).collect();
        chosen.push(trace);
        let mut words = Words::default();
        let mut logs = logs(self.suite, self.engine.names(), &chosen, &mut words);
        let Some(failing) = logs.pop() else {
            return Vec::new();
        };
        let rules = mine(&logs, CONFIDENCE);
        rewrite(&failing.events[..len], &rules).left
    }

    /// The events of a trace with what was on the screen.
    fn events(&self, trace: TraceIdx, len: usize) -> chard::events::Recording {
        let dumps = self.dumps.get(&trace).map_or(&[][..], Vec::as_slice);
        let mut events = chard::events::events(self.suite, self.engine.names(), trace, dumps);
        events.events.truncate(len);
        events
    }

    fn trace(
        &mut self,
        failure: &Failure,
        trace: TraceIdx,
        len: usize,
    ) -> Result<Option<Found>, Stop> {
        let steps = &self.suite.steps(trace)[..len];
        let launch = self.suite.trace(trace).launch_screen;
        self.recording.screens = recorded_screens(launch, steps);
        self.recording.hint = self.hint(failure, trace, len);
        self.recording.events = Some(self.events(trace, len));
        self.engine.emit(RunEvent::PhaseStarted {
            phase: Phase::Minimize,
            total: Some(len),
        });
        let actions = steps.iter().map(|step| step.action).collect();
        let target: Target = failure.target.clone();
        let sequence = Arc::new(Sequence::new(actions, target, self.engine.names()));
        let mut devices = OnDevices {
            replayer: self.engine,
            sequence: Arc::clone(&sequence),
            shortest: len,
        };
        let Some(searched) = search(self.reducer, &mut devices, &self.recording)? else {
            return Ok(None);
        };
        let (screens, events) = (&self.recording.screens, &searched.events);
        self.recording.prior.learn(len, screens, events);
        let found = found(failure, trace, searched, self.check, &mut devices)?;
        Ok(Some(found))
    }
}

/// What a search came to.
struct Searched {
    events: Vec<u32>,
    counts: Counts,
    one_minimal: bool,
    stopped: Option<Stop>,
}

/// Runs a reducer; nothing if the target was never reached. A used-up budget ends the search
/// with the best so far.
fn search(
    reducer: &SequenceReducer,
    devices: &mut OnDevices,
    recording: &Recording,
) -> Result<Option<Searched>, Stop> {
    let actions = devices.sequence.actions.iter();
    let actions = actions.map(|action| action.index() as u32).collect();
    let mut lab = Lab::new(devices, actions, LANES);
    let ended = sequence::reduce(reducer, &mut lab, recording);
    let stopped = match ended {
        Ok(()) => None,
        Err(stop @ Stop::Budget(_)) if lab.best().is_some() => Some(stop),
        Err(stop) => return Err(stop),
    };
    let Some(events) = lab.best().map(<[u32]>::to_vec) else {
        return Ok(None);
    };
    let counts = lab.counts();
    let one_minimal = stopped.is_none() && (reducer.is_minimal)(&mut lab, &events)?;
    Ok(Some(Searched {
        events,
        counts,
        one_minimal,
        stopped,
    }))
}

fn unknown_algorithm(name: &str) -> JobError {
    let names: Vec<_> = algorithms().iter().map(|(name, _)| *name).collect();
    JobError::Unfit(format!(
        "there is no algorithm `{name}`; it must be one of {}",
        names.join(", ")
    ))
}

fn nothing_reproduced(missing: &[NotReproduced], reducer: &SequenceReducer) -> String {
    let gone = missing.first();
    let (target, tried) = gone.map_or((String::new(), String::new()), |gone| {
        (gone.target.clone(), gone.tried.join(", "))
    });
    let advice = if reducer.runs == Runs::Many {
        "is this the app it was recorded on?"
    } else {
        "is this the app it was recorded on? If it comes and goes, use --algorithm nd3min"
    };
    format!("{target} is not reached on this app (tried: {tried}); {advice}")
}
