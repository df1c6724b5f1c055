//! Minimising: failing sequences go in, one minimal sequence a failure comes out.

mod failures;
mod policies;
mod private;
mod result;
mod work;

use std::io;
use std::path::Path;

pub use policies::{scheduler_names, solve_side_by_side};

use failures::{Failure, failures};
use result::{report, traces};
use work::Work;

use super::describe::{dumps, rule_names};
use super::near::did_you_mean;
use super::output::{Aside, JOURNAL, prepare};
use super::{Conditions, JobError, Opened, engine, suite_text, synced};
use crate::import::Loaded;
use crate::model::Stop;
use crate::reduce::Replayer;
use crate::reduce::sequence::chard::rules::Choice;
use crate::reduce::sequence::guimin::privacy::Patterns;
use crate::reduce::sequence::nd3min::Repeats;
use crate::reduce::sequence::{self, Recording, Runs, SequenceReducer};
use crate::replay::Journal;
use crate::report::{MinimizeReport, NotReproduced};

/// How many runs go on side by side, as rounds are counted.
const LANES: usize = 15;
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
        Runs::Many => {
            let candidates = config.minimize.solved_candidates;
            policies::repeats(asked.scheduler, candidates, LANES, asked.cache)?
        }
    };
    let rules = rules(&config.minimize.rules_off)?;
    let opened = Opened::new(config)?;
    opened.check_actions(config)?;
    let failures = failures(&opened.loaded, asked)?;
    prepare(&config.out, conditions.fresh)?;
    let journal = Journal::open(&config.out.join(JOURNAL), &opened.identity(config))?;
    let Opened { loaded, fleet, .. } = opened;
    let tried = failures.iter().flat_map(Failure::tried);
    let dumps = tried
        .map(|trace| (trace, dumps(&loaded, trace).0))
        .collect();
    let Loaded { suite, names, .. } = loaded;
    let mut engine = engine(&suite, names, fleet, journal, &mut conditions);
    let mut work = Work {
        suite: &suite,
        engine: &mut engine,
        reducer,
        recording: Recording {
            rules,
            repeats,
            ..Recording::default()
        },
        dumps,
        patterns: Patterns::new(&config.minimize.private),
        replace_text: config.minimize.replace_text,
        check: asked.check,
    };
    let (mut done, mut missing) = (Vec::new(), Vec::new());
    let mut open = Vec::new();
    for (at, failure) in failures.iter().enumerate() {
        let result = work.failure(failure);
        match synced(work.engine, result) {
            Ok(Ok(found)) => done.push(found),
            Ok(Err(gone)) => missing.push(gone),
            // What was found before the budget was used up is worth having.
            Err(Stop::Budget(_)) if !done.is_empty() => {
                open = failures[at..]
                    .iter()
                    .map(|f| f.target.to_string())
                    .collect();
                break;
            }
            Err(stop) => return Err(stop.into()),
        }
    }
    if done.is_empty() {
        return Err(JobError::Unfit(nothing_reproduced(&missing, reducer)));
    }
    let text = suite_text(&suite, engine.names(), &traces(&suite, &done), config)?;
    let patterns = Patterns::new(&config.minimize.private);
    let mut report = report(
        &done,
        missing,
        &suite,
        (&engine, &patterns),
        asked,
        config.seed,
    );
    report.left_open = open;
    let mut aside = Aside::new(&config.out);
    aside.write("trace.jsonl", |out| out.write_all(&text))?;
    aside.write("minimize.json", |out| {
        serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
        out.write_all(b"\n")
    })?;
    aside.commit()?;
    Ok(report)
}

/// The rules of `chard` without those that are off.
fn rules(off: &[String]) -> Result<Choice, JobError> {
    let known = rule_names();
    if let Some(wrong) = off.iter().find(|name| !known.contains(&name.as_str())) {
        let near = did_you_mean(wrong, known.iter().copied());
        return Err(JobError::Unfit(format!(
            "minimize.rules_off: there is no rule `{wrong}`{near}; the rules are {}",
            known.join(", ")
        )));
    }
    Ok(Choice {
        off: off.to_vec(),
        ..Choice::default()
    })
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
        let more = gone.tried.len().saturating_sub(MOST_TRIED);
        let named = gone.tried[..gone.tried.len() - more].join(", ");
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (gone.target.clone(), named + &more)
    });
    let advice = if reducer.runs == Runs::Many {
        "is this the app it was recorded on?"
    } else {
        "is this the app it was recorded on? If it comes and goes, use --algorithm nd3min"
    };
    format!("{target} is not reached on this app (tried: {tried}); {advice}")
}
