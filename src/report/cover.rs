//! Which recorded traces suffice: the data of `cover` and its dozen lines for the terminal.

use serde::Serialize;

use super::number::{counted, grouped, percent};
use super::summary::{labelled, plural, sizes};
use super::text::visible;
use super::{Bound, Side, human_seconds};

/// Which recorded traces suffice, by the recordings alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoverReport {
    /// Version of the format.
    pub version: u32,
    /// Name and version of the tool.
    pub tool: String,
    /// What came in.
    pub input: Side,
    /// What suffices.
    pub output: Side,
    /// What no choice of recorded traces takes less device time than.
    pub bound: Bound,
    /// Whether this choice is proven to be the best.
    pub optimal: bool,
    /// The kinds that are covered again.
    pub preserve: Vec<String>,
    /// How many of the traces cover each element, where the input has so many.
    pub min_witness: u32,
    /// The traces that suffice, in order of arrival.
    pub traces: Vec<String>,
    /// The file that they were written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// What somebody wants to know at a glance.
#[must_use]
pub fn cover_summary(report: &CoverReport) -> String {
    let (input, output) = (&report.input, &report.output);
    let mut lines = vec![headline(report), String::new()];
    lines.extend(sizes(input, output));
    let kinds = output.coverage.iter();
    let kinds: Vec<_> = kinds
        .map(|(kind, &count)| format!("{} {}", grouped(count), plural(kind, count)))
        .collect();
    lines.push(labelled("covered", &kinds.join(", ")));
    lines.push(labelled("bound", &bound_text(report)));
    if let Some(file) = &report.file {
        lines.push(labelled("file", &visible(file)));
    }
    lines.join("\n") + "\n"
}

fn headline(report: &CoverReport) -> String {
    let twice = match report.min_witness {
        1 => String::new(),
        n => format!(", everything {n} times where the input does"),
    };
    format!(
        "{} of {} cover the same as all of them{twice}.",
        grouped(report.output.traces),
        counted(report.input.traces, "trace"),
    )
}

fn bound_text(report: &CoverReport) -> String {
    if report.optimal {
        return "This is the best choice of recorded traces, proven.".to_owned();
    }
    format!(
        "At most {} longer than the best choice of recorded traces, which takes {} or more.",
        percent(report.bound.gap.max(0.0), 1.0),
        human_seconds(report.bound.seconds),
    )
}
