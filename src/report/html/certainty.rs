//! How sure the reduced traces are, and what other settings would cost, on the page.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};

use super::anchor::Anchors;
use super::findings::FEW;
use super::page::Page;
use super::table::{Cell, List, Row as Line, Table, Tone};
use crate::report::certainty::{Row, choices, flaky, weakest};
use crate::report::number::{and_more, at_least, grouped, percent};
use crate::report::text::{html, html_escaped};
use crate::report::{Report, Shown, Validated, human_seconds};

/// How many expensive elements are named.
const NAMED: usize = 5;

/// What makes the bound as high as it is.
pub(super) fn expensive(report: &Report, page: &mut Page) -> io::Result<()> {
    let all = &report.bound.expensive;
    if all.is_empty() {
        return Ok(());
    }
    let first = all.iter().take(NAMED).map(|one| {
        let time = human_seconds(one.seconds);
        format!("<code>{}</code> ({time})", html(&one.element))
    });
    let first: Vec<String> = first.collect();
    let more = and_more(all.len() - first.len());
    let names = first.join(", ");
    writeln!(
        page,
        "<p class=\"foot\">Most expensive to cover: {names}{more}.</p>"
    )
}

/// How reliable the whole is.
pub(super) fn reliability(report: &Report, page: &mut Page) -> io::Result<()> {
    match weakest(report) {
        Some(text) => writeln!(
            page,
            "<p class=\"note\">As far as is known, {}.</p>",
            html_escaped(&text)
        ),
        None => Ok(()),
    }
}

/// The traces that may go another way more often than was asked for.
pub(super) fn flaky_traces(report: &Report, anchors: &Anchors, page: &mut Page) -> io::Result<()> {
    let flaky = flaky(report);
    let table = Table {
        list: List {
            id: "flaky",
            title: "Flaky traces",
            about: "Reduced traces that replayed in the end, but chance was seen, and they may go \
                    another way more often than was asked for.",
            tone: Tone::Warning,
        },
        head: &["trace", "replayed", "at least", "may diverge"],
        room: FEW,
    };
    table.write(
        page,
        flaky.into_iter().map(|trace| {
            let mut cells = vec![Cell::safe(anchors.to_reduced(&trace.trace))];
            cells.extend(figures(trace));
            cells
        }),
    )
}

/// How sure a trace is, in a few words.
pub(super) fn trace_figures(trace: &Validated, report: &Report) -> String {
    let replayed = trace.runs.saturating_sub(trace.diverged);
    let told = format!("replayed in {replayed} of {} runs", trace.runs);
    html(
        &match (trace.replays_at_least, report.validation.confidence) {
            (Some(least), Some(_)) => format!("{told}, will in at least {}", at_least(least)),
            _ => told,
        },
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

/// The new suite, trace by trace, where its screens are not at hand.
pub(super) fn reduced(shown: &Shown, anchors: &Anchors, page: &mut Page) -> io::Result<()> {
    let report = shown.report;
    let mut witnessed: BTreeMap<&str, usize> = BTreeMap::new();
    for witness in report.witness.values() {
        *witnessed.entry(&witness.trace).or_default() += 1;
    }
    let strips: BTreeSet<&str> = shown.strips.iter().map(|strip| strip.id.as_str()).collect();
    let traces = report.validation.traces.iter();
    let traces: Vec<_> = traces
        .filter(|trace| !strips.contains(trace.trace.as_str()))
        .collect();
    let rows = traces.into_iter().map(|trace| {
        let elements = witnessed.get(trace.trace.as_str()).copied().unwrap_or(0);
        let mut cells = vec![Cell::name(&trace.trace).flagged(trace.flaky.then_some("flaky"))];
        cells.extend(figures(trace));
        cells.push(Cell::figure(&grouped(elements)));
        Line::at(anchors.reduced_id(&trace.trace), cells)
    });
    let promise = match report.validation.confidence {
        Some(confidence) => format!(
            " in how many runs it will at least (at {} confidence),",
            percent(confidence, 1.0)
        ),
        None => String::new(),
    };
    let about = format!(
        "How often each trace replayed,{promise} and how many elements it is the witness of; \
         their screens are not at hand."
    );
    let table = Table {
        list: List {
            id: "reduced-figures",
            title: "Reduced traces in figures",
            about: &about,
            tone: Tone::Calm,
        },
        head: &["trace", "replayed", "at least", "may diverge", "witness of"],
        room: FEW,
    };
    table.write(page, rows)
}

/// What other settings would give.
pub(super) fn choice_table(report: &Report, page: &mut Page) -> io::Result<()> {
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
        list: List {
            id: "choices",
            title: "Size against risk",
            about: "What other settings would give; the risk is the chance that one replay of the \
                    whole suite goes another way.",
            tone: Tone::Calm,
        },
        head: &["setting", "traces", "steps", "one replay", "risk"],
        room: FEW,
    };
    table.write(page, choices(report).into_iter().map(row))
}
