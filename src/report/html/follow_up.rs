//! What came after: traces that somebody put back, and what changed since an earlier reduction.

use std::io;

use super::anchor::Anchors;
use super::findings::FEW;
use super::page::Page;
use super::table::{Cell, List, Table, Tone};
use crate::report::Report;

/// The traces of an earlier reduction and what became of them.
pub(super) fn since(report: &Report, anchors: &Anchors, page: &mut Page) -> io::Result<()> {
    let Some(since) = &report.since else {
        return Ok(());
    };
    let about = format!("{}.", since.line());
    let rows = since.traces.iter().map(|trace| {
        let now = trace.now.as_deref();
        let now = now.map_or_else(
            || Cell::text("gone"),
            |now| Cell::safe(anchors.to_reduced(now)),
        );
        let changed = match &trace.changed {
            None => Cell::text("nothing"),
            Some(changed) => Cell::text(&format!(
                "{}: {} before, {} now",
                changed
                    .step
                    .map_or("launch".to_owned(), |step| format!("step {step}")),
                changed.expected,
                changed.seen
            )),
        };
        vec![Cell::name(&trace.trace), now, changed.wide()]
    });
    let table = Table {
        list: List {
            id: "since",
            title: "Since the earlier reduction",
            about: &about,
            tone: Tone::Calm,
        },
        head: &["earlier trace", "now", "what changed"],
        room: FEW,
    };
    table.write(page, rows)?;
    let gained = since.gained.iter().map(|e| (e, "gained"));
    let gone = since.gone.iter().map(|e| (e, "gone"));
    let elements: Vec<(&String, &str)> = gone.chain(gained).collect();
    let rows = elements.iter();
    let rows = rows.map(|(element, what)| vec![Cell::name(element), Cell::text(what)]);
    let table = Table {
        list: List {
            id: "changed-elements",
            title: "Elements gained and gone",
            about: "Covered now and not before, or the other way round.",
            tone: Tone::Calm,
        },
        head: &["element", "since"],
        room: FEW,
    };
    table.write(page, rows)
}

/// The traces that somebody put back.
pub(super) fn restored(report: &Report, anchors: &Anchors, page: &mut Page) -> io::Result<()> {
    let rows = report.restored.iter().map(|restored| {
        vec![
            Cell::name(&restored.trace),
            Cell::safe(anchors.to_reduced(&restored.name)),
            Cell::text(&restored.why).wide(),
        ]
    });
    let table = Table {
        list: List {
            id: "restored",
            title: "Restored traces",
            about: "Recorded traces that somebody put back after the reduction; no run speaks for them.",
            tone: Tone::Calm,
        },
        head: &["recorded trace", "now", "why"],
        room: FEW,
    };
    table.write(page, rows)
}
