//! How sure the reduced traces are, and what other settings would cost, on the page.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::findings::FEW;
use super::table::{Cell, Table, Tone};
use crate::report::certainty::{Row, choices, flaky, weakest};
use crate::report::number::{and_more, at_least, grouped, percent};
use crate::report::text::html;
use crate::report::{Report, Validated, human_seconds};

/// How many expensive elements are named.
const NAMED: usize = 5;

/// What makes the bound as high as it is, and how reliable the whole is.
pub(super) fn notes(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let all = &report.bound.expensive;
    if !all.is_empty() {
        let first = all.iter().take(NAMED).map(|one| {
            let time = human_seconds(one.seconds);
            format!("<code>{}</code> ({time})", html(&one.element))
        });
        let first: Vec<String> = first.collect();
        let more = and_more(all.len() - first.len());
        let names = first.join(", ");
        writeln!(
            out,
            "<p class=\"note\">Most expensive to cover: {names}{more}.</p>"
        )?;
    }
    match weakest(report) {
        Some(text) => writeln!(
            out,
            "<p class=\"note\">As far as is known, {}.</p>",
            html(&text)
        ),
        None => Ok(()),
    }
}

/// The traces that may go another way more often than was asked for.
pub(super) fn flaky_traces(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let flaky = flaky(report);
    let table = Table {
        title: "Flaky traces",
        about: "Reduced traces that replayed in the end, but chance was seen, and they may go \
                another way more often than was asked for.",
        head: &["trace", "replayed", "at least", "may diverge"],
        tone: Tone::Warning,
        room: FEW,
    };
    table.write(
        out,
        flaky.into_iter().map(|trace| {
            let mut cells = vec![Cell::name(&trace.trace)];
            cells.extend(figures(trace));
            cells
        }),
    )
}

/// How often a trace replayed, how often it will at least, and how often it may not.
fn figures(trace: &Validated) -> [Cell; 3] {
    let unknown = || "–".to_owned();
    let replayed = trace.runs.saturating_sub(trace.diverged);
    let replayed = format!("{} of {}", grouped(replayed), grouped(trace.runs));
    let least = trace.replays_at_least.map_or_else(unknown, at_least);
    let risk = trace.risk.map_or_else(unknown, |risk| percent(risk, 1.0));
    [
        Cell::figure(&replayed).bad_if(trace.diverged > 0),
        Cell::figure(&least),
        Cell::figure(&risk),
    ]
}

/// The new suite, trace by trace.
pub(super) fn reduced(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut witnessed: BTreeMap<&str, usize> = BTreeMap::new();
    for witness in report.witness.values() {
        *witnessed.entry(&witness.trace).or_default() += 1;
    }
    let rows = report.validation.traces.iter().map(|trace| {
        let elements = witnessed.get(trace.trace.as_str()).copied().unwrap_or(0);
        let mut cells = vec![Cell::name(&trace.trace).flagged(trace.flaky.then_some("flaky"))];
        cells.extend(figures(trace));
        cells.push(Cell::figure(&grouped(elements)));
        cells
    });
    let promise = match report.validation.confidence {
        Some(confidence) => format!(
            " in how many runs it will at least (at {} confidence),",
            percent(confidence, 1.0)
        ),
        None => String::new(),
    };
    let about = format!(
        "The new suite: how often each trace replayed,{promise} \
         and how many elements it is the witness of."
    );
    let table = Table {
        title: "Reduced traces",
        about: &about,
        head: &["trace", "replayed", "at least", "may diverge", "witness of"],
        tone: Tone::Calm,
        room: FEW,
    };
    table.write(out, rows)
}

/// What other settings would give.
pub(super) fn choice_table(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let setting = |row: &Row| match row.choice {
        None => Cell::text("this suite"),
        Some(choice) => {
            let what = format!(" {}{}", choice.what, row.note());
            Cell::noted([(choice.name.as_str(), what)])
        }
    };
    let row = |row: Row| {
        vec![
            setting(&row).wide(),
            Cell::figure(&grouped(row.traces)),
            Cell::figure(&grouped(row.steps)),
            Cell::figure(&human_seconds(row.seconds)),
            Cell::figure(&row.risk()),
        ]
    };
    let table = Table {
        title: "Size against risk",
        about: "What other settings would give; the risk is the chance that one replay of the \
                whole suite goes another way.",
        head: &["setting", "traces", "steps", "one replay", "risk"],
        tone: Tone::Calm,
        room: FEW,
    };
    table.write(out, choices(report).into_iter().map(row))
}
