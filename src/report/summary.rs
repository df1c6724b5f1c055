//! The result in a dozen lines, for the terminal.

use super::certainty::{expensive, flaky, weakest};
use super::facts::{KindRow, bound_sentence, coverage, headline, listed, remarks};
use super::number::{counted, factor, grouped};
use super::text::{short, visible};
use super::{Report, Side, Since, human_seconds};

/// How many lost elements are named.
const NAMED: usize = 5;

/// What a release engineer wants to know at a glance; `files_dir` is where the files are.
#[must_use]
pub fn summary(report: &Report, files_dir: &str) -> String {
    let mut lines = vec![headline(report), String::new()];
    lines.extend(sizes(&report.input, &report.output));
    lines.push(labelled("covered", &kinds(report)));
    lines.push(labelled("spent", &spent(report)));
    if let Some(bound) = bound_sentence(report) {
        lines.push(labelled("bound", &bound));
    }
    lines.extend(expensive(report, 3, short).map(|text| labelled("expensive", &text)));
    lines.extend(weakest(report).map(|text| labelled("reliable", &text)));
    let since = report.since.as_ref().map(Since::line);
    lines.extend(since.map(|text| labelled("since", &text)));
    lines.extend(findings(report));
    lines.extend(choices(report));
    lines.push(labelled("files", &visible(files_dir)));
    lines.join("\n") + "\n"
}

pub(super) fn labelled(label: &str, text: &str) -> String {
    format!("  {label:<10} {text}")
}

/// Traces, steps and device time, before and after, as columns.
pub(super) fn sizes(old: &Side, new: &Side) -> Vec<String> {
    let rows = [
        ("traces", grouped(old.traces), grouped(new.traces)),
        ("steps", grouped(old.steps), grouped(new.steps)),
        (
            "one replay",
            human_seconds(old.seconds),
            human_seconds(new.seconds),
        ),
    ];
    let factors = [
        factor(old.traces as f64, new.traces as f64, "fewer"),
        factor(old.steps as f64, new.steps as f64, "fewer"),
        factor(old.seconds, new.seconds, "faster"),
    ];
    let left = rows.iter().map(|row| row.1.chars().count()).max();
    let right = rows.iter().map(|row| row.2.chars().count()).max();
    let (left, right) = (left.unwrap_or(0), right.unwrap_or(0));
    let line = |((label, before, after), factor): (_, Option<String>)| {
        let factor = factor.unwrap_or_default();
        let columns = format!("{before:>left$} → {after:<right$}   {factor}");
        labelled(label, columns.trim_end())
    };
    rows.into_iter().zip(factors).map(line).collect()
}

/// How much of what was recorded is still covered, by kind.
fn kinds(report: &Report) -> String {
    let shown = |row: &KindRow| {
        let (kept, of) = (grouped(row.kept), grouped(row.recorded));
        let kind = plural(row.kind, row.recorded);
        match remarks(row) {
            _ if row.kept == row.recorded => format!("all {of} {kind}"),
            remarks if remarks.is_empty() => format!("{kept} of {of} {kind}"),
            remarks => format!("{kept} of {of} {kind} ({})", remarks.join(", ")),
        }
    };
    let rows: Vec<String> = coverage(report).iter().map(shown).collect();
    if rows.is_empty() {
        return "nothing was recorded".to_owned();
    }
    rows.join(", ")
}

/// The kind's name for so many.
pub(super) fn plural(kind: &str, count: usize) -> String {
    let name = short(kind);
    match (count, kind) {
        (1, _) => name,
        (_, "branch") => "branches".to_owned(),
        (_, "activity") => "activities".to_owned(),
        _ => name + "s",
    }
}

fn spent(report: &Report) -> String {
    let device = &report.device;
    let retries = match device.retries {
        0 => String::new(),
        1 => ", 1 retry after device trouble".to_owned(),
        n => format!(", {} retries after device trouble", grouped(n)),
    };
    let clock = device.elapsed.get(&8).map_or_else(String::new, |&seconds| {
        format!(", {} by the clock on 8 devices", human_seconds(seconds))
    });
    format!(
        "{} of device time on reducing{clock} ({} launches, {} steps{retries})",
        human_seconds(device.seconds),
        grouped(device.launches),
        grouped(device.steps),
    )
}

/// What one replay would take with other settings.
fn choices(report: &Report) -> Option<String> {
    let choices = report.choices.iter().take(NAMED);
    let shown = choices.map(|choice| {
        let time = human_seconds(choice.seconds);
        format!("{} → {time}", short(&choice.name))
    });
    let shown: Vec<String> = shown.collect();
    (!shown.is_empty())
        .then(|| labelled("choices", &format!("one replay with {}", shown.join(", "))))
}

/// What needs somebody's attention.
fn findings(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    if !report.unstable.is_empty() {
        let count = counted(report.unstable.len(), "element");
        let text = format!("{count} set aside: no recorded trace shows them every time");
        lines.push(labelled("unstable", &text));
    }
    if !report.cut.is_empty() {
        let count = counted(report.cut.len(), "trace");
        let text = format!("{count} where replays left the recording");
        lines.push(labelled("cut", &text));
    }
    let flaky: Vec<&str> = flaky(report).iter().map(|t| t.trace.as_str()).collect();
    if !flaky.is_empty() {
        let names = listed(flaky.into_iter(), NAMED, short);
        let text = format!("{names} may go another way more often than was asked for");
        lines.push(labelled("flaky", &text));
    }
    if !report.restored.is_empty() {
        let names = report.restored.iter().map(|one| one.name.as_str());
        let text = format!(
            "{} put back by hand, not validated",
            listed(names, NAMED, short)
        );
        lines.push(labelled("restored", &text));
    }
    if !report.lost.is_empty() {
        let names = report.lost.iter().map(|gone| gone.element.as_str());
        lines.push(labelled("lost", &listed(names, NAMED, short)));
    }
    let traces = &report.validation.traces;
    let names: Vec<&str> = traces
        .iter()
        .filter(|trace| trace.diverged > 0)
        .map(|trace| trace.trace.as_str())
        .collect();
    if !names.is_empty() {
        let names = listed(names.into_iter(), NAMED, short);
        lines.push(labelled("diverged", &names));
    }
    if let Some(why) = &report.stopped {
        lines.push(labelled("stopped", &short(why)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::summary;
    use crate::report::sample::{broken, hostile, old, sample};

    #[test]
    fn the_summary_of_a_good_reduction_fits_a_glance() {
        insta::assert_snapshot!(summary(&sample(), "target/reduced"));
    }

    #[test]
    fn the_summary_of_a_broken_reduction_names_what_is_wrong() {
        insta::assert_snapshot!(summary(&broken(), "target/reduced"));
    }

    #[test]
    fn the_summary_of_an_old_report_leaves_out_what_it_does_not_know() {
        insta::assert_snapshot!(summary(&old(), "target/reduced"));
    }

    #[test]
    fn no_name_can_steer_the_terminal_or_add_a_line() {
        let text = summary(&hostile(), "out\u{1b}[2J\nCoverage kept");
        assert!(
            !text.contains(|c: char| c.is_control() && c != '\n'),
            "{text:?}"
        );
        assert!(!text.contains("\nCoverage kept"), "{text}");
        assert!(text.lines().count() < 21, "{text}");
    }
}
