//! The whole pipeline: a suite goes in, a small one and its report come out.

use std::fs;
use std::path::Path;

use super::assemble::Assembly;
use super::certificate::{Ground, certify};
use super::finished::Finished;
use super::output::{Aside, JOURNAL, RESTS_ON, prepare};
use super::since::Earlier;
use super::{Conditions, JobError, Opened, engine, settings, suite_text, synced};
use crate::export::ReducedTrace;
use crate::import::Loaded;
use crate::model::sha256;
use crate::reduce::{self, Outcome, Replayer};
use crate::replay::{JOURNAL_FILE, Journal, RestsOn};
use crate::report::{self, Report, Shown};

/// Reduces the suite of a configuration and leaves the result in its output folder.
pub fn reduce(conditions: Conditions) -> Result<Report, JobError> {
    reduce_since(conditions, None)
}

/// The same, keeping what still holds of the earlier reduction in a folder.
pub fn reduce_since(mut conditions: Conditions, since: Option<&Path>) -> Result<Report, JobError> {
    let config = conditions.config;
    let earlier = since.map(|folder| Earlier::read(folder, config));
    let earlier = earlier.transpose()?;
    let opened = Opened::new(config)?;
    opened.check_actions(config)?;
    let identity = opened.identity(config);
    let mut answer_settings = config.answer_settings();
    prepare(&config.out, conditions.fresh)?;
    if let Some(earlier) = &earlier {
        answer_settings["since"] = earlier.sha256().into();
    }
    if let Some(report) = Finished::report(&config.out, &identity, &answer_settings) {
        return Ok(report);
    }
    let journal = config.out.join(JOURNAL);
    if let Some(earlier) = &earlier
        && earlier.ran_on(&opened.fleet.sha256)
    {
        Journal::adopt(&journal, &earlier.folder.join(JOURNAL), &identity)?;
    }
    let journal = Journal::open(&journal, &identity)?;
    let Opened {
        loaded,
        fleet,
        costs,
    } = opened;
    let Loaded {
        suite,
        mut names,
        sha256: input_sha256,
        digests,
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
    let mut settings = settings(config, costs);
    if let Some(earlier) = &earlier {
        let is_same = earlier.ran_on(&subject.sha256) && earlier.has_seed(config.seed);
        settings.guides = earlier.guides(&mut names, is_same);
    }
    let mut engine = engine(&suite, names, fleet, journal, &mut conditions);
    let outcome = reduce::reduce(&suite, &settings, &mut engine);
    let outcome = synced(&mut engine, outcome)?;
    if outcome.shipped.is_empty() && !suite.coverage(engine.names()).is_empty() {
        return Err(JobError::Unfit(nothing_replays(&outcome)));
    }
    let traces = reduced_traces(&outcome);
    let text = suite_text(&suite, engine.names(), &traces, config)?;
    let rests_on = engine.rests_on();
    let mut report = Assembly {
        suite: &suite,
        names: engine.names(),
        outcome: &outcome,
        tally: engine.tally(),
        config,
        costs,
        input_sha256,
        output: &text,
        subject,
        ids: traces.iter().map(|trace| trace.id.as_str()).collect(),
    }
    .report();
    let ground = Ground {
        suite: &suite,
        engine: &engine,
        rests_on: &rests_on,
        inputs: &digests,
        traces: &traces,
    };
    certify(&mut report, &ground);
    if let Some(earlier) = earlier {
        let since = earlier.since(&report, &settings.guides, &traces, &engine);
        report.since = Some(since);
        report::seal(&mut report);
    }
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
    aside.write(report::ATTESTATION, |out| {
        report::write_attestation(&shown, out)
    })?;
    aside.commit()?;
    rests_on_file(&config.out, &rests_on);
    Finished::mark(&config.out, &identity, &answer_settings);
    Ok(report)
}

/// Says which records of the journal the result rests on, and what the journal is now. Without
/// it an audit checks the runs one by one and says that it could not check the journal as a whole,
/// so it is no error if it cannot be written.
fn rests_on_file(folder: &Path, rests_on: &RestsOn) {
    let folder = folder.join(JOURNAL);
    let Ok(journal) = fs::read(folder.join(JOURNAL_FILE)) else {
        return;
    };
    let Ok(mut value) = serde_json::to_value(rests_on) else {
        return;
    };
    value["bytes"] = journal.len().into();
    value["bytes_sha256"] = sha256(&journal).into();
    let _ = fs::write(folder.join(RESTS_ON), value.to_string());
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
