//! Putting removed traces back into a reduced suite, and taking them out again: the one place that
//! changes a finished reduction.
//!
//! Every figure stays true. What the output is made of counts a restored trace: traces, steps,
//! device time, digest, gap to the bound, and how often screens and transitions are in it. What
//! runs have shown does not: coverage, witnesses, losses and validation stay those of the validated
//! traces, and the chance that the whole suite goes another way becomes unknown. Phases and the
//! work on devices stay what the reduction left. What `removed` and `dropped` said of the trace
//! moves into `restored`, so that taking it out again gives the same bytes as before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::JobError;
use super::explain::n_kept;
use super::finished::Finished;
use super::near::did_you_mean;
use super::output::Aside;
use super::reduction::{Original, Reduction};
use crate::config::Config;
use crate::export::{ReducedTrace, write_reduced};
use crate::import::Loaded;
use crate::model::{Costs, Script, TraceIdx, sha256};
use crate::report::{
    self, ATTESTATION, Cost, Report, Restored, Shown, Side, Strip, System, VERSION,
};

/// What is to be put back or taken out.
#[derive(Debug, Clone, Copy)]
pub struct Restore<'a> {
    /// The output folder of a finished reduction.
    pub folder: &'a Path,
    /// The traces, by their names in the original.
    pub traces: &'a [String],
    /// The original, where the settings do not name it.
    pub original: &'a [PathBuf],
    /// Why they are put back; nothing: they are taken out again.
    pub why: Option<&'a str>,
}

/// What was put back or taken out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RestoreReport {
    /// Version of the format.
    pub version: u32,
    /// Whether traces were put back, as against taken out.
    pub put_back: bool,
    /// These traces.
    pub traces: Vec<Restored>,
    /// The suite before.
    pub before: Side,
    /// The suite now.
    pub output: Side,
    /// How many traces are in it that somebody put back.
    pub restored: usize,
    /// Whether what is gone is listed in the order of the original, which has to be at hand.
    pub in_order: bool,
}

/// Changes the reduction in a folder as asked.
pub fn restore(config: &Config, asked: &Restore) -> Result<RestoreReport, JobError> {
    let reduction = Reduction::read(asked.folder, config)?;
    let original = reduction.original(asked.original, config)?;
    let before = reduction.report.output.clone();
    let mut change = Change::new(reduction, asked.folder)?;
    let mut traces = Vec::new();
    for name in asked.traces {
        traces.push(match (asked.why, &original) {
            (Some(why), Original::AtHand(original)) => change.put_back(name, why, original)?,
            (Some(_), Original::Missing(why)) => return Err(JobError::Unfit(why.clone())),
            (None, _) => change.take_out(name)?,
        });
    }
    if let Original::AtHand(original) = &original {
        change.sort(original);
    }
    let report = change.commit(asked.folder)?;
    Ok(RestoreReport {
        version: VERSION,
        put_back: asked.why.is_some(),
        traces,
        before,
        restored: report.restored.len(),
        in_order: matches!(original, Original::AtHand(_)),
        output: report.output,
    })
}

/// A reduction on its way to another one.
struct Change {
    report: Report,
    costs: Costs,
    /// The lines of the suite, each with the name of its trace.
    lines: Vec<(String, Vec<u8>)>,
    /// The suite as it was read.
    suite: Loaded,
    strips: Vec<Strip>,
}

impl Change {
    fn new(reduction: Reduction, folder: &Path) -> Result<Self, JobError> {
        let Reduction {
            report,
            suite,
            strips,
            text,
        } = reduction;
        let Some(cost) = report.subject.cost else {
            return Err(JobError::Unfit(format!(
                "{}: this report is of an older version that does not say what devices cost; run \
                 the same `reduce` again, which makes it anew from its journal",
                folder.join("report.json").display()
            )));
        };
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        let lines = lines.filter(|line| !line.trim_ascii().is_empty());
        let names = suite.suite.traces().map(|(_, trace)| trace.id.to_string());
        Ok(Self {
            lines: names.zip(lines.map(<[u8]>::to_vec)).collect(),
            costs: costs(cost),
            report,
            suite,
            strips,
        })
    }

    fn put_back(&mut self, name: &str, why: &str, original: &Loaded) -> Result<Restored, JobError> {
        let unfit = |reason: String| Err(JobError::Unfit(reason));
        if let Some(restored) = self.report.restored.iter().find(|r| r.trace == name) {
            let (now, why) = (&restored.name, &restored.why);
            return unfit(format!(
                "`{name}` is back already, as {now} ({why}); `--undo` takes it out again"
            ));
        }
        let mut traces = original.suite.traces();
        let Some((idx, _)) = traces.find(|(_, trace)| *trace.id == *name) else {
            let names = original.suite.traces().map(|(_, trace)| trace.id);
            let near = did_you_mean(name, names);
            return unfit(format!("the original suite has no trace `{name}`{near}"));
        };
        let n_steps = original.suite.steps(idx).len();
        let is_removed = self.report.removed.iter().any(|r| r.trace == name);
        if !is_removed && n_kept(name, &self.strips) == n_steps {
            return unfit(format!(
                "`{name}` was not removed: all of it is still in the reduced suite"
            ));
        }
        let report = &mut self.report;
        let removed = report.removed.iter().position(|r| r.trace == name);
        let removed = removed.map(|position| report.removed.remove(position));
        let is_of_it = |dropped: &mut report::Dropped| dropped.trace == name;
        let dropped: Vec<_> = report.dropped.extract_if(.., is_of_it).collect();
        let fresh = self.fresh_name();
        let suite_risk = self.report.restored.first().map_or_else(
            || self.report.validation.suite_risk,
            |earlier| earlier.suite_risk,
        );
        let restored = Restored {
            trace: name.to_owned(),
            name: fresh.clone(),
            why: why.to_owned(),
            removed,
            dropped,
            suite_risk,
        };
        self.lines.push((fresh.clone(), line(original, idx, fresh)));
        self.count(original, idx, |kept| *kept += 1);
        self.report.restored.push(restored.clone());
        Ok(restored)
    }

    fn take_out(&mut self, name: &str) -> Result<Restored, JobError> {
        let report = &mut self.report;
        let found = report.restored.iter().position(|r| r.trace == name);
        let Some(position) = found else {
            let names = report.restored.iter().map(|r| r.trace.as_str());
            let near = did_you_mean(name, names);
            return Err(JobError::Unfit(format!(
                "`{name}` was not put back, so it cannot be taken out{near}"
            )));
        };
        let restored = report.restored.remove(position);
        report.removed.extend(restored.removed.clone());
        report.dropped.extend(restored.dropped.clone());
        self.lines.retain(|(id, _)| *id != restored.name);
        let mut traces = self.suite.suite.traces();
        let found = traces.find(|(_, trace)| *trace.id == *restored.name);
        if let Some((idx, _)) = found {
            let kept = |kept: &mut usize| *kept = kept.saturating_sub(1);
            count(&mut self.report.system, &self.suite, idx, kept);
        }
        if self.report.restored.is_empty() {
            self.report.validation.suite_risk = restored.suite_risk;
        }
        Ok(restored)
    }

    /// The first name behind those in use.
    fn fresh_name(&self) -> String {
        let names = (self.lines.len() + 1..).map(|number| format!("r{number}"));
        let mut free = names.filter(|name| self.lines.iter().all(|(used, _)| used != name));
        free.next().expect("there are more numbers than traces")
    }

    fn count(&mut self, loaded: &Loaded, trace: TraceIdx, change: impl Fn(&mut usize)) {
        count(&mut self.report.system, loaded, trace, change);
    }

    /// What is gone in the order of the original, as a reduction lists it.
    fn sort(&mut self, original: &Loaded) {
        let places = original.suite.traces();
        let places: BTreeMap<&str, TraceIdx> = places.map(|(idx, t)| (t.id, idx)).collect();
        let place = |name: &str| places.get(name).copied();
        self.report.removed.sort_by_key(|r| place(&r.trace));
        self.report
            .dropped
            .sort_by_key(|d| (place(&d.trace), d.first));
    }

    /// Makes the figures and all files anew.
    fn commit(mut self, folder: &Path) -> Result<Report, JobError> {
        let text = self.lines.iter().map(|(_, line)| line.as_slice());
        let text = text.collect::<Vec<_>>().concat();
        let strips = report::strips(&text).map_err(|(line, error)| {
            JobError::Unfit(format!("line {line} of the suite is no trace: {error}"))
        })?;
        let report = &mut self.report;
        let (traces, steps) = (strips.len(), strips.iter().map(|s| s.steps.len()).sum());
        report.output = Side {
            traces,
            steps,
            sha256: sha256(&text),
            coverage: report.output.coverage.clone(),
            seconds: self.costs.micros(traces, steps) as f64 / 1e6,
        };
        report.bound.gap = super::assemble::gap(report.output.seconds, report.bound.seconds);
        if !report.restored.is_empty() {
            report.validation.suite_risk = None;
        }
        let is_certified = !report.certificate.claims_sha256.is_empty();
        if is_certified {
            report::seal(report);
        }
        let shown = Shown {
            report,
            strips: &strips,
        };
        let mut aside = Aside::new(folder);
        // The report first: a suite that is still aside can then be told from a strange one.
        for renderer in report::all().iter().filter(|r| r.file == "report.json") {
            aside.write(renderer.file, |out| (renderer.render)(&shown, out))?;
        }
        aside.write("suite.jsonl", |out| out.write_all(&text))?;
        for renderer in report::all().iter().filter(|r| r.file != "report.json") {
            aside.write(renderer.file, |out| (renderer.render)(&shown, out))?;
        }
        if is_certified {
            aside.write(ATTESTATION, |out| report::write_attestation(&shown, out))?;
        }
        Finished::stays(folder, || aside.commit())?;
        Ok(self.report)
    }
}

/// What devices cost, in the unit that sums are made in.
#[expect(
    clippy::cast_sign_loss,
    reason = "a report with negative times is of no reduction, and they count as none"
)]
fn costs(cost: Cost) -> Costs {
    let micros = |seconds: f64| (seconds * 1e6).round() as u64;
    Costs {
        restart_micros: micros(cost.restart_seconds),
        action_micros: micros(cost.action_seconds),
    }
}

/// A recorded trace as a line of the reduced suite.
fn line(original: &Loaded, trace: TraceIdx, id: String) -> Vec<u8> {
    let Loaded { suite, names, .. } = original;
    let steps = suite.steps(trace);
    let launch = suite.cover(suite.trace(trace).launch_covers).clone();
    let covers = steps.iter().map(|step| suite.step_cover(step));
    let trace = ReducedTrace {
        id,
        script: Script::prefix_of(suite, trace, steps.len()),
        covers: [launch].into_iter().chain(covers).collect(),
    };
    let mut line = Vec::new();
    let written = write_reduced(suite, names, &[trace], &mut line);
    written.expect("memory can be written");
    line
}

/// Changes how often the output has the screens and transitions of a trace.
fn count(system: &mut System, loaded: &Loaded, trace: TraceIdx, change: impl Fn(&mut usize)) {
    let Loaded { suite, names, .. } = loaded;
    let mut screens: BTreeMap<String, usize> = BTreeMap::new();
    for (idx, screen) in system.screens.iter().enumerate() {
        screens.insert(screen.name.clone(), idx);
    }
    let mut hops: BTreeMap<(usize, String, usize), usize> = BTreeMap::new();
    for (idx, hop) in system.transitions.iter().enumerate() {
        hops.insert((hop.from, hop.action.clone(), hop.to), idx);
    }
    let launch = screens.get(names.screen_name(suite.trace(trace).launch_screen));
    let mut before = launch.copied();
    if let Some(screen) = before {
        change(&mut system.screens[screen].kept);
    }
    for step in suite.steps(trace) {
        let after = screens.get(names.screen_name(step.screen)).copied();
        if let Some(screen) = after {
            change(&mut system.screens[screen].kept);
        }
        if let (Some(from), Some(to)) = (before, after) {
            let action = names.action_text(step.action).to_owned();
            // A transition may have been left out for want of room.
            if let Some(&hop) = hops.get(&(from, action, to)) {
                change(&mut system.transitions[hop].kept);
            }
        }
        before = after;
    }
}
