//! What was missed, for the terminal.

use super::{FlakyTest, Gate, MissedBuild, MissedFailure, Rate, ShadowReport};
use crate::report::facts::listed;
use crate::report::number::{counted, grouped, percent};
use crate::report::summary::labelled;
use crate::report::text::short;

/// How many rows of one sort are shown.
const ROWS: usize = 10;
/// How many names of one sort are shown in a row.
const NAMED: usize = 5;

/// What somebody wants to know at a glance.
#[must_use]
pub fn shadow_summary(report: &ShadowReport) -> String {
    let mut lines = vec![headline(report), String::new()];
    let builds = format!(
        "{} compared: {} failed by the full suite, {} by the reduced one",
        grouped(report.builds),
        grouped(report.failed),
        grouped(report.failed_reduced),
    );
    lines.push(labelled("builds", &builds));
    lines.push(labelled("misses", &rate("failed build", &report.by_build)));
    lines.push(labelled("failures", &rate("failure", &report.by_failure)));
    missed(&mut lines, "missed", &report.missed);
    missed(&mut lines, "unseen", &report.unseen);
    if !report.only_reduced.is_empty() {
        let names = report.only_reduced.iter().map(String::as_str);
        let text = format!(
            "{} failed by the reduced suite alone",
            listed(names, NAMED, short)
        );
        lines.push(labelled("alarms", &text));
    }
    let flaky: Vec<String> = report.flaky.iter().map(flaky_row).collect();
    rows(&mut lines, "flaky", &flaky);
    if !report.unpaired.is_empty() {
        let names = report.unpaired.iter().map(|one| one.build.as_str());
        let text = format!(
            "{}: run on one suite only, so not counted",
            listed(names, NAMED, short)
        );
        lines.push(labelled("unpaired", &text));
    }
    lines.extend(
        report
            .gate
            .iter()
            .map(|gate| labelled("limit", &gate_text(gate))),
    );
    lines.join("\n") + "\n"
}

fn headline(report: &ShadowReport) -> String {
    let Rate { missed, of, .. } = report.by_build;
    match (missed, of) {
        (_, 0) => "No build failed, so this says nothing about what would be missed.".to_owned(),
        (0, _) => format!(
            "Nothing missed: the reduced suite failed {} that the full one failed.",
            match of {
                1 => "the one build".to_owned(),
                of => format!("all {} builds", grouped(of)),
            }
        ),
        _ => format!(
            "Missed: {} of {} that the full suite failed, the reduced one did not.",
            grouped(missed),
            counted(of, "build"),
        ),
    }
}

/// A rate with its interval.
fn rate(noun: &str, rate: &Rate) -> String {
    let Some(share) = rate.rate else {
        return format!("no {noun} to miss");
    };
    format!(
        "{} of {}: {}, at {} confidence {} to {} (Clopper-Pearson)",
        grouped(rate.missed),
        counted(rate.of, noun),
        percent(share, 1.0),
        percent(rate.confidence, 1.0),
        percent(rate.low, 1.0),
        percent(rate.high, 1.0),
    )
}

fn missed(lines: &mut Vec<String>, label: &str, builds: &[MissedBuild]) {
    let all = builds.iter().flat_map(|missed| {
        let build = short(&missed.build);
        let failures = missed.failures.iter();
        failures.map(move |failure| format!("{build}: {}", failure_text(failure)))
    });
    rows(lines, label, &all.collect::<Vec<_>>());
}

fn failure_text(failure: &MissedFailure) -> String {
    let tests = listed(failure.tests.iter().map(String::as_str), NAMED, short);
    let word = if failure.error { "error" } else { "failure" };
    format!("{tests} ({word}: {})", short(&failure.signature))
}

fn flaky_row(flaky: &FlakyTest) -> String {
    format!(
        "{}: {} of the {} suite failed and passed ({})",
        short(&flaky.build),
        short(&flaky.test),
        short(&flaky.suite),
        short(&flaky.signature),
    )
}

fn gate_text(gate: &Gate) -> String {
    let what = match (gate.by_failure, gate.strict) {
        (false, false) => "failed builds missed",
        (true, false) => "failures missed",
        (false, true) => "failed builds missed at worst",
        (true, true) => "failures missed at worst",
    };
    let value = gate
        .value
        .map_or_else(|| "unknown".to_owned(), |value| percent(value, 1.0));
    let verdict = if gate.holds { "holds" } else { "is exceeded" };
    format!(
        "{} of {what} {verdict}: {value}",
        percent(gate.max_miss, 1.0)
    )
}

fn rows(lines: &mut Vec<String>, label: &str, rows: &[String]) {
    for (idx, row) in rows.iter().take(ROWS).enumerate() {
        lines.push(labelled(if idx == 0 { label } else { "" }, row));
    }
    if rows.len() > ROWS {
        let more = grouped(rows.len() - ROWS);
        let text = format!("… and {more} more; --format json lists them all");
        lines.push(labelled("", &text));
    }
}
