//! How sure the reduced traces are, and what other settings would cost, in Markdown.

use std::io::{self, Write};

use super::{NAMED, more};
use crate::report::certainty::{Row, choices, expensive, flaky, posterior, weakest};
use crate::report::number::{at_least, counted, grouped, percent};
use crate::report::text::{markdown as code, markdown_remark as remark};
use crate::report::{Report, Validated, human_seconds};

/// What makes the bound as high as it is, and how reliable the whole is.
pub(super) fn sentences(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if let Some(names) = expensive(report, 5, code) {
        writeln!(out, "Most expensive to cover: {names}.\n")?;
    }
    match weakest(report) {
        Some(text) => writeln!(out, "As far as is known, {text}.\n"),
        None => Ok(()),
    }
}

/// The traces that may go another way more often than was asked for.
pub(super) fn flaky_list(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let flaky = flaky(report);
    if flaky.is_empty() {
        return Ok(());
    }
    let count = counted(flaky.len(), "trace");
    writeln!(out, "\n### ⚠️ Flaky, may go another way: {count}\n")?;
    for trace in flaky.iter().take(NAMED) {
        let name = code(&trace.trace);
        writeln!(out, "- {name}: {}", posterior(trace, report))?;
    }
    more(flaky.len(), out)
}

/// What other settings would give.
pub(super) fn choice_table(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let rows = choices(report);
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n### Size against risk\n\n\
         | setting | traces | steps | one replay | risk |\n|---|--:|--:|--:|--:|"
    )?;
    for row in rows.iter().take(NAMED) {
        writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            setting(row),
            grouped(row.traces),
            grouped(row.steps),
            human_seconds(row.seconds),
            row.risk()
        )?;
    }
    more(rows.len(), out)
}

fn setting(row: &Row) -> String {
    let Some(choice) = row.choice else {
        return "this suite".to_owned();
    };
    let (name, what) = (code(&choice.name), remark(&choice.what));
    format!("{name}: {what}{}", row.note())
}

/// Every trace with what is known of it; folded, since most readers do not need it.
pub(super) fn trace_table(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let traces = &report.validation.traces;
    let Some(confidence) = report.validation.confidence else {
        return Ok(());
    };
    if traces.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n<details><summary>How sure each trace is</summary>\n\n\
         | trace | replayed | at least, at {} confidence | expected to diverge | |\n\
         |---|--:|--:|--:|---|",
        percent(confidence, 1.0)
    )?;
    for trace in traces.iter().take(NAMED) {
        writeln!(out, "{}", trace_row(trace))?;
    }
    more(traces.len(), out)?;
    writeln!(out, "\n</details>")
}

fn trace_row(trace: &Validated) -> String {
    let unknown = || "–".to_owned();
    format!(
        "| {} | {} of {} | {} | {} | {} |",
        code(&trace.trace),
        trace.runs.saturating_sub(trace.diverged),
        trace.runs,
        trace.replays_at_least.map_or_else(unknown, at_least),
        trace.risk.map_or_else(unknown, |risk| percent(risk, 1.0)),
        if trace.flaky { "⚠️ flaky" } else { "" }
    )
}
