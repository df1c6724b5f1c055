//! What is left of failing sequences: the data of `minimize.json` and its few lines for the terminal.

use std::collections::BTreeMap;

use serde::Serialize;

use super::human_seconds;
use super::number::{counted, grouped};
use super::summary::labelled;
use super::text::visible;

/// How many events are listed.
const LISTED: usize = 12;

/// What minimising found; the figures of all failures together, and then each on its own.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MinimizeReport {
    /// Version of the format.
    pub version: u32,
    /// Name and version of the tool.
    pub tool: String,
    /// The seed.
    pub seed: u64,
    /// How events were chosen.
    pub algorithm: String,
    /// What was to be reached; several are separated by blanks.
    pub target: String,
    /// The sequences as recorded.
    pub input: Length,
    /// What is left of them.
    pub output: Length,
    /// What the search asked for.
    pub oracle: OracleUse,
    /// Fresh runs of what is left.
    pub check: Check,
    /// Whether no single event that is left can go.
    pub one_minimal: bool,
    /// Each failure with its minimal sequence.
    pub failures: Vec<Minimized>,
    /// Failures that no run showed.
    pub not_reproduced: Vec<NotReproduced>,
    /// What was spent on devices.
    pub device: DeviceUse,
    /// Why it ended early, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// How long a sequence is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Length {
    /// Its steps.
    pub steps: usize,
}

/// What a search asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct OracleUse {
    /// Runs.
    pub calls: u64,
    /// Questions that earlier runs answered.
    pub cached: u64,
    /// Events performed.
    pub steps: u64,
    /// Rounds of runs side by side, with so many lanes.
    pub rounds: u64,
    /// How many runs go on side by side in a round.
    pub lanes: usize,
}

/// Fresh runs of what is left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Check {
    /// How many.
    pub runs: u32,
    /// How many of them reached the target.
    pub accepted: u32,
    /// The chance that it reaches the target in 85 % of all runs or more.
    pub p_reliable: f64,
    /// The chance that it is minimal, by what the runs without one of its events can tell.
    pub p_minimal: f64,
}

/// A failure and what is left of a sequence that shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Minimized {
    /// The name of what is left, in `trace.jsonl`.
    pub trace: String,
    /// What is reached.
    pub target: String,
    /// The recorded trace it was made from.
    pub from: String,
    /// All recorded traces that show this failure.
    pub shown_by: Vec<String>,
    /// The sequence as recorded.
    pub input: Length,
    /// What is left of it.
    pub output: Length,
    /// What the search asked for.
    pub oracle: OracleUse,
    /// Fresh runs of what is left.
    pub check: Check,
    /// Whether no single event that is left can go.
    pub one_minimal: bool,
    /// The actions that are left.
    pub actions: Vec<String>,
    /// Typed text that looks private, by category.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub private: BTreeMap<String, PrivateBytes>,
    /// Why the search ended early, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// How much text of a category was typed, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PrivateBytes {
    /// In the recorded sequence.
    pub before: usize,
    /// In what is left of it.
    pub after: usize,
}

/// A failure that no run showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotReproduced {
    /// What was to be reached.
    pub target: String,
    /// The traces that were tried.
    pub tried: Vec<String>,
}

/// What was spent on devices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct DeviceUse {
    /// Clean starts.
    pub launches: u64,
    /// Actions.
    pub steps: u64,
    /// Device time in seconds.
    pub seconds: f64,
}

impl Minimized {
    /// Whether what is left reached its target in nearly all fresh runs.
    #[must_use]
    pub fn is_reliable(&self) -> bool {
        self.check.runs > 0 && self.check.accepted * 10 >= self.check.runs * 9
    }
}

/// What somebody wants to know at a glance; `files_dir` is where the files are.
#[must_use]
pub fn minimize_summary(report: &MinimizeReport, files_dir: &str) -> String {
    let mut lines = Vec::new();
    for failure in &report.failures {
        lines.extend(failure_lines(failure, report.failures.len() > 1));
        lines.push(String::new());
    }
    for gone in &report.not_reproduced {
        lines.push(not_reproduced(gone));
        lines.push(String::new());
    }
    lines.push(labelled("asked", &asked(&report.oracle)));
    let device = &report.device;
    let (launches, steps) = (device.launches as usize, device.steps as usize);
    lines.push(labelled(
        "spent",
        &format!(
            "{} of device time ({}, {})",
            human_seconds(device.seconds),
            counted(launches, "start"),
            counted(steps, "step"),
        ),
    ));
    lines.extend(
        report
            .stopped
            .iter()
            .map(|why| labelled("stopped", &visible(why))),
    );
    lines.push(labelled("files", &visible(files_dir)));
    lines.join("\n") + "\n"
}

fn failure_lines(failure: &Minimized, is_named: bool) -> Vec<String> {
    let name = if is_named {
        format!("{}: ", failure.trace)
    } else {
        String::new()
    };
    let mut lines = vec![format!(
        "{name}{} of {} reach {}.",
        grouped(failure.output.steps),
        counted(failure.input.steps, "event"),
        visible(&failure.target),
    )];
    let listed = failure.actions.iter().take(LISTED).zip(1..);
    lines.extend(listed.map(|(action, number)| format!("  {number:>4}  {}", visible(action))));
    if failure.actions.len() > LISTED {
        let more = failure.actions.len() - LISTED;
        lines.push(format!(
            "        … and {more} more; trace.jsonl has them all"
        ));
    }
    lines.push(String::new());
    lines.push(labelled("from", &origin(failure)));
    lines.push(labelled("minimal", minimal(failure)));
    lines.push(labelled("reliable", &reliable(&failure.check)));
    let private = failure.private.iter().map(|(category, bytes)| {
        let (after, before) = (bytes.after, counted(bytes.before, "byte"));
        format!("{} of {before} that look like {category}", grouped(after))
    });
    let private: Vec<String> = private.collect();
    if !private.is_empty() {
        lines.push(labelled(
            "private",
            &format!("left are {}", private.join(", ")),
        ));
    }
    lines
}

fn origin(failure: &Minimized) -> String {
    let others = failure.shown_by.len().saturating_sub(1);
    let from = visible(&failure.from);
    match others {
        0 => from.into_owned(),
        1 => format!("{from}; 1 other trace shows the same"),
        n => format!("{from}; {} other traces show the same", grouped(n)),
    }
}

fn minimal(failure: &Minimized) -> &'static str {
    match (failure.one_minimal, &failure.stopped) {
        (true, _) => "yes: without any one of these events it is not reached",
        (false, None) => "not shown: some event may still be taken out",
        (false, Some(_)) => "no: the search ended early",
    }
}

fn reliable(check: &Check) -> String {
    if check.runs == 0 {
        return "not checked".to_owned();
    }
    format!(
        "{} of {} fresh runs reach it (reliable with a chance of {}, minimal {})",
        check.accepted,
        check.runs,
        cut(check.p_reliable),
        cut(check.p_minimal)
    )
}

/// A chance in two digits, cut off so that it never promises too much.
fn cut(chance: f64) -> String {
    format!("{:.2}", (chance * 100.0).floor() / 100.0)
}

fn not_reproduced(gone: &NotReproduced) -> String {
    let tried: Vec<_> = gone.tried.iter().take(LISTED).map(|t| visible(t)).collect();
    format!(
        "No run reached {} (tried: {}). Is this the app it was recorded on? If it comes and goes, \
         use --algorithm nd3min.",
        visible(&gone.target),
        tried.join(", "),
    )
}

fn asked(oracle: &OracleUse) -> String {
    format!(
        "{} ({} more answered by earlier ones), {}, {} of {} side by side",
        counted(oracle.calls as usize, "run"),
        grouped(oracle.cached as usize),
        counted(oracle.steps as usize, "event"),
        counted(oracle.rounds as usize, "round"),
        oracle.lanes,
    )
}
