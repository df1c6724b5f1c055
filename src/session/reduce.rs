//! The whole pipeline: a suite goes in, a small one and its report come out.

use super::assemble::Assembly;
use super::finished::Finished;
use super::output::{Aside, JOURNAL, prepare};
use super::{Conditions, JobError, Opened, engine, settings, suite_text, synced};
use crate::export::ReducedTrace;
use crate::import::Loaded;
use crate::reduce::{self, Outcome, Replayer};
use crate::replay::Journal;
use crate::report::{self, Report, Shown};

/// Reduces the suite of a configuration and leaves the result in its output folder.
pub fn reduce(mut conditions: Conditions) -> Result<Report, JobError> {
    let config = conditions.config;
    let opened = Opened::new(config)?;
    opened.check_actions(config)?;
    let identity = opened.identity(config);
    let answer_settings = config.answer_settings();
    prepare(&config.out, conditions.fresh)?;
    if let Some(report) = Finished::report(&config.out, &identity, &answer_settings) {
        return Ok(report);
    }
    let journal = Journal::open(&config.out.join(JOURNAL), &identity)?;
    let Opened {
        loaded,
        fleet,
        costs,
    } = opened;
    let Loaded {
        suite,
        names,
        sha256,
        ..
    } = loaded;
    let subject = report::Subject {
        device: fleet.kind.to_owned(),
        sha256: fleet.sha256.clone(),
        cost: Some(report::Cost {
            restart_seconds: costs.restart_micros as f64 / 1e6,
            action_seconds: costs.action_micros as f64 / 1e6,
        }),
    };
    let settings = settings(config, costs);
    let mut engine = engine(&suite, names, fleet, journal, &mut conditions);
    let outcome = reduce::reduce(&suite, &settings, &mut engine);
    let outcome = synced(&mut engine, outcome)?;
    if outcome.shipped.is_empty() && !suite.coverage(engine.names()).is_empty() {
        return Err(JobError::Unfit(nothing_replays(&outcome)));
    }
    let traces = reduced_traces(&outcome);
    let text = suite_text(&suite, engine.names(), &traces, config)?;
    let report = Assembly {
        suite: &suite,
        names: engine.names(),
        outcome: &outcome,
        tally: engine.tally(),
        config,
        costs,
        input_sha256: sha256,
        output: &text,
        subject,
        ids: traces.iter().map(|trace| trace.id.as_str()).collect(),
    }
    .report();
    let strips = report::strips(&text).unwrap_or_default();
    let shown = Shown {
        report: &report,
        strips: &strips,
    };
    let mut aside = Aside::new(&config.out);
    aside.write("suite.jsonl", |out| out.write_all(&text))?;
    for renderer in report::all() {
        aside.write(renderer.file, |out| (renderer.render)(&shown, out))?;
    }
    aside.commit()?;
    Finished::mark(&config.out, &identity, &answer_settings);
    Ok(report)
}

fn nothing_replays(outcome: &Outcome) -> String {
    let cut = outcome.cuts.len();
    format!(
        "no step of the suite replays on this app ({cut} traces diverge at once); \
         is this the app the suite was recorded on?"
    )
}

fn reduced_traces(outcome: &Outcome) -> Vec<ReducedTrace> {
    let shipped = outcome.shipped.iter().zip(1..);
    shipped
        .map(|(shipped, number)| ReducedTrace {
            id: format!("r{number}"),
            script: (*shipped.proven.script).clone(),
            covers: shipped.proven.covers.clone(),
        })
        .collect()
}
