//! Exploring: devices walk through an app, and what they did is a suite.

mod suite;

use std::io;
use std::path::PathBuf;

use super::assemble::{device, side};
use super::finished::tool;
use super::output::{Aside, JOURNAL, prepare};
use super::{Conditions, JobError, engine, limits, setup};
use crate::config::Config;
use crate::drivers;
use crate::explore::{self, Deny, End, Exploration, Explorer as _, Settings};
use crate::export::write_suite;
use crate::import;
use crate::model::{Names, Seed, Stop, Suite, sha256};
use crate::replay::{Identity, Journal};
use crate::report::{Actions, ExploreReport, GrowthPoint, VERSION, write_explore_page};

/// Explores as a configuration says and leaves the suite in its output folder. Recordings are
/// walked first.
pub fn explore(
    mut conditions: Conditions,
    recordings: &[PathBuf],
) -> Result<ExploreReport, JobError> {
    let config = conditions.config;
    let settings = settings(config, recordings)?;
    let fleet = drivers::open(&config.device, &setup(config))?;
    prepare(&config.out, conditions.fresh)?;
    let app = format!("{}:{}", fleet.kind, fleet.sha256);
    let costs = fleet.costs.unwrap_or_else(|| config.cost.costs());
    // Sessions are known by what they are after, so one journal serves all strategies.
    let identity = Identity::new(&sha256(b"explore"), &app, config.seed);
    let journal = Journal::open(&config.out.join(JOURNAL), &identity)?;
    let empty = Suite::default();
    let mut engine = engine(&empty, Names::default(), fleet, journal, &mut conditions);
    let exploration = explore::explore(&settings, &mut engine);
    let synced = engine.sync();
    synced.map_err(|error| Stop::Journal(error.to_string()))?;
    let ended = ended(&exploration)?;
    let opening = config.device.first().and_then(|url| drivers::opening(url));
    let made = suite::made(&settings, &exploration, engine.known(), opening.as_ref());
    let mut text = Vec::new();
    write_suite(&made.suite, &made.names, &mut text).map_err(|source| JobError::Output {
        path: config.out.join("suite.jsonl"),
        source,
    })?;
    let sizes = (made.suite.n_traces(), made.suite.n_steps());
    let covered = made.suite.coverage(&made.names);
    let mut suite = side(sizes, &covered, sha256(&text), costs, &made.names);
    suite.seconds = exploration.usage.seconds();
    let growth = growth(&exploration);
    let (done, offered) = exploration.done;
    let report = ExploreReport {
        version: VERSION,
        tool: tool(),
        seed: config.seed,
        strategy: settings.strategy.name().to_owned(),
        ended,
        suite,
        device: device(engine.tally()),
        screens: growth.last().map_or(0, |last| last.screens),
        actions: Actions { offered, done },
        growth,
        faults: made.faults,
        denied: made.denied,
        followed: made.followed,
    };
    write(config, &report, &text)?;
    Ok(report)
}

fn write(config: &Config, report: &ExploreReport, suite: &[u8]) -> Result<(), JobError> {
    let mut aside = Aside::new(&config.out);
    aside.write("suite.jsonl", |out| out.write_all(suite))?;
    aside.write("explore.json", |out| {
        serde_json::to_writer_pretty(&mut *out, report).map_err(io::Error::from)?;
        out.write_all(b"\n")
    })?;
    aside.write("explore.html", |out| write_explore_page(report, out))?;
    aside.commit()
}

fn settings(config: &Config, recordings: &[PathBuf]) -> Result<Settings, JobError> {
    let chosen = &config.explore;
    let mut limits_of = chosen.budget;
    let device = config.budget.device.map(|time| time.as_micros() as u64);
    limits_of.micros = limits_of.micros.into_iter().chain(device).min();
    let denied = chosen.deny.iter().chain(&chosen.also_deny);
    let follow = if recordings.is_empty() {
        Vec::new()
    } else {
        recorded(config, recordings)?
    };
    Ok(Settings {
        strategy: chosen.strategy,
        seed: Seed(config.seed),
        limits: limits_of,
        max_steps: chosen.max_steps,
        lanes: chosen.lanes,
        deny: Deny::new(denied.map(String::as_str)),
        texts: chosen.texts.clone(),
        follow,
    })
}

/// The actions of recorded traces, whatever they are said to have shown.
fn recorded(config: &Config, paths: &[PathBuf]) -> Result<Vec<(String, Vec<String>)>, JobError> {
    let loaded = import::load(paths, &limits(config))?;
    let (suite, names) = (&loaded.suite, &loaded.names);
    let recorded = suite.traces().map(|(idx, trace)| {
        let steps = suite.steps(idx).iter();
        let actions = steps.map(|step| names.action_text(step.action).to_owned());
        (trace.id.to_string(), actions.collect())
    });
    Ok(recorded.collect())
}

/// Why it ended, in words; a stop that is no limit is an error, and progress is saved.
fn ended(exploration: &Exploration) -> Result<String, JobError> {
    match &exploration.end {
        End::Limit(what) => Ok(format!("the budget of {what} is used up")),
        End::NothingToDo => Ok("no screen offers anything that may be done".to_owned()),
        End::Stopped(stop @ Stop::Budget(_)) => Ok(stop.to_string()),
        End::Stopped(stop) => Err(stop.clone().into()),
    }
}

fn growth(exploration: &Exploration) -> Vec<GrowthPoint> {
    let growth = exploration.growth.iter().map(|point| GrowthPoint {
        traces: point.traces,
        steps: point.steps,
        elements: point.elements,
        screens: point.screens,
    });
    growth.collect()
}
