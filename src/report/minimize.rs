//! What is left of failing sequences: the data of `minimize.json` and its few lines for the terminal.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::human_seconds;
use super::number::{counted, grouped};
use super::summary::labelled;
use super::text::visible;

/// How many events are listed.
const LISTED: usize = 12;

/// The category of what somebody did.
pub const BEHAVIOUR: &str = "behaviour";

/// What minimising found; the figures of all failures together, and then each on its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MinimizeReport {
    /// Version of the format.
    pub version: u32,
    /// Name and version of the tool.
    pub tool: String,
    /// The seed.
    pub seed: u64,
    /// How events were chosen.
    pub algorithm: String,
    /// What was to be reached, as it was asked for; several faults are separated by blanks.
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
    /// Failures that the budget left no time for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_open: Vec<String>,
    /// What was spent on devices.
    pub device: DeviceUse,
    /// Why it ended early, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// How long a sequence is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Length {
    /// Its steps.
    pub steps: usize,
}

/// What a search asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Sensitive bytes by category: typed text that looks private, and as behaviour what is left
    /// of the actions when what they type is not counted.
    #[serde(default)]
    pub private: BTreeMap<String, PrivateBytes>,
    /// The steps that are left which type something private, or typed it before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub private_steps: Vec<PrivateStep>,
    /// Rules of the algorithm that could not see enough, and what is missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blind: Vec<BlindRule>,
    /// Why the search ended early, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// How much text of a category was typed, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrivateBytes {
    /// In the recorded sequence.
    pub before: usize,
    /// In what is left of it.
    pub after: usize,
}

/// A step that types something private.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrivateStep {
    /// Its place among those that are left, from 0.
    pub step: usize,
    /// What the recorded text looks like.
    pub category: String,
    /// How long the text is that is typed now, in bytes.
    pub bytes: usize,
    /// Whether that is another text than the recorded one.
    pub replaced: bool,
}

/// A rule that could not see enough.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlindRule {
    /// Its name.
    pub rule: String,
    /// What is missing.
    pub why: String,
}

/// A failure that no run showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotReproduced {
    /// What was to be reached.
    pub target: String,
    /// The traces that were tried.
    pub tried: Vec<String>,
}

/// What was spent on devices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
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
    if let Some(stopped) = stopped(report) {
        lines.push(labelled("stopped", &stopped));
    }
    lines.push(labelled("files", &visible(files_dir)));
    lines.join("\n") + "\n"
}

/// Why it ended early, and what to do about it.
fn stopped(report: &MinimizeReport) -> Option<String> {
    let open = match report.left_open.len() {
        0 => String::new(),
        n => format!("before {} was looked at; ", counted(n, "failure")),
    };
    if report.stopped.is_none() && open.is_empty() {
        return None;
    }
    let why = report.stopped.as_deref().unwrap_or("the budget is used up");
    let why = visible(why);
    Some(format!(
        "{why}; {open}the same command with more --budget or --wall goes on from there"
    ))
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
    lines.extend(private(failure).map(|private| labelled("private", &private)));
    lines.extend(blind(failure).map(|blind| labelled("blind", &blind)));
    lines
}

/// What looks private, before and after; what somebody did is in the list of events.
fn private(failure: &Minimized) -> Option<String> {
    let private = failure.private.iter();
    let private = private.filter(|(category, _)| *category != BEHAVIOUR);
    let private = private.map(|(category, bytes)| {
        let (after, before) = (bytes.after, counted(bytes.before, "byte"));
        format!("{} of {before} that look like {category}", grouped(after))
    });
    let private: Vec<String> = private.collect();
    if private.is_empty() {
        return None;
    }
    let replaced = failure.private_steps.iter().filter(|step| step.replaced);
    let replaced = match replaced.count() {
        0 => String::new(),
        n => format!("; {} typed otherwise", counted(n, "text")),
    };
    Some(format!("left are {}{replaced}", private.join(", ")))
}

/// The rules that could not be tried in full, by what is missing.
fn blind(failure: &Minimized) -> Option<String> {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in &failure.blind {
        by_reason.entry(&one.why).or_default().push(&one.rule);
    }
    let told = by_reason
        .iter()
        .map(|(why, rules)| format!("{} ({why})", rules.join(", ")));
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("not fully tried: {}", told.join("; ")))
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
