//! The findings of the page: what needs attention, what is flaky, and which element is covered where.

use std::io;

use super::anchor::Anchors;
use super::certainty;
use super::page::Page;
use super::table::{Cell, List, Table, Tone};
use crate::report::number::grouped;
use crate::report::source::source_files;
use crate::report::{Cut, Gone, Report};

/// Room for the rows of a list, in bytes.
pub(super) const FEW: usize = 300_000;

/// Room for the list of elements, which is long by nature.
const ELEMENTS: usize = 1_900_000;

/// What somebody has to look at.
pub(super) fn urgent(report: &Report, anchors: &Anchors, page: &mut Page) -> io::Result<()> {
    let lost = Table {
        list: List {
            id: "lost",
            title: "Lost elements",
            about: "Promised, but not covered by the reduced suite.",
            tone: Tone::Alarm,
        },
        head: &["element", "why"],
        room: FEW,
    };
    lost.write(page, report.lost.iter().map(gone_row))?;
    diverged(report, anchors, page)?;
    certainty::flaky_traces(report, anchors, page)
}

fn diverged(report: &Report, anchors: &Anchors, page: &mut Page) -> io::Result<()> {
    let traces = report.validation.traces.iter();
    let diverged: Vec<_> = traces.filter(|trace| trace.diverged > 0).collect();
    let rows = diverged.iter().map(|trace| {
        let runs = format!("{} of {}", trace.diverged, trace.runs);
        vec![
            Cell::safe(anchors.to_reduced(&trace.trace)),
            Cell::figure(&runs),
        ]
    });
    let table = Table {
        list: List {
            id: "diverged",
            title: "Diverged traces",
            about: "Reduced traces that did not replay every time in the end.",
            tone: Tone::Alarm,
        },
        head: &["trace", "runs off"],
        room: FEW,
    };
    table.write(page, rows)
}

/// What became of the elements of each source file, where elements carry one.
pub(super) fn files(report: &Report, page: &mut Page) -> io::Result<()> {
    let mut files: Vec<_> = source_files(report).into_iter().collect();
    files.sort_by_key(|(_, row)| std::cmp::Reverse((row.lost, row.unstable)));
    let rows = files.iter().map(|(file, row)| {
        vec![
            Cell::name(file),
            Cell::figure(&grouped(row.kept)),
            Cell::figure(&grouped(row.unstable)),
            Cell::figure(&grouped(row.lost)).bad_if(row.lost > 0),
        ]
    });
    let table = Table {
        list: List {
            id: "files",
            title: "Coverage by source file",
            about: "The elements whose names carry a source file: how many of them are covered, \
                    unstable and lost.",
            tone: Tone::Calm,
        },
        head: &["file", "covered", "unstable", "lost"],
        room: FEW,
    };
    table.write(page, rows)
}

fn gone_row(gone: &Gone) -> Vec<Cell> {
    vec![Cell::name(&gone.element), Cell::text(&gone.why).wide()]
}

/// Where replays left the recording, and what cannot be promised therefore.
pub(super) fn flaky_spots(report: &Report, anchors: &Anchors, page: &mut Page) -> io::Result<()> {
    let row = |cut: &Cut| {
        let seen = cut.seen.iter();
        let seen = seen.map(|seen| (seen.what.as_str(), format!(" {}×", seen.runs)));
        vec![
            Cell::safe(anchors.to_recorded(&cut.trace)),
            Cell::figure(&format!("{} of {}", cut.kept, cut.of)),
            Cell::name(&cut.expected),
            Cell::noted(seen),
            Cell::figure(&format!("{} of {}", cut.diverged, cut.runs)),
        ]
    };
    let table = Table {
        list: List {
            id: "spots",
            title: "Flaky spots",
            about: "Where replays of recorded traces showed another screen than the recording. Such a \
                    trace is used up to that step, counted from 0, only.",
            tone: Tone::Calm,
        },
        head: &["trace", "at step", "expected", "seen instead", "runs off"],
        room: FEW,
    };
    table.write(page, report.cut.iter().map(row))?;
    unstable(report, page)
}

fn unstable(report: &Report, page: &mut Page) -> io::Result<()> {
    let table = Table {
        list: List {
            id: "unstable",
            title: "Unstable elements",
            about: "Recorded, but no recorded trace shows them in every run: set aside, not promised.",
            tone: Tone::Calm,
        },
        head: &["element", "why"],
        room: FEW,
    };
    table.write(page, report.unstable.iter().map(gone_row))
}

/// Where the search was limited.
pub(super) fn limits(report: &Report, page: &mut Page) -> io::Result<()> {
    let table = Table {
        list: List {
            id: "limits",
            title: "Limits reached",
            about: "Where the search ended before it had tried everything.",
            tone: Tone::Calm,
        },
        head: &["phase", "trace", "limit"],
        room: FEW,
    };
    let rows = report.limits.iter().map(|hit| {
        vec![
            Cell::name(&hit.phase),
            hit.trace.as_deref().map_or(Cell::text("–"), Cell::name),
            Cell::text(&hit.limit),
        ]
    });
    table.write(page, rows)
}

/// Which step of which reduced trace covers each element.
pub(super) fn elements(report: &Report, anchors: &Anchors, page: &mut Page) -> io::Result<()> {
    let rows = report.witness.iter().map(|(element, witness)| {
        let step = witness.step;
        let step = step.map_or_else(|| "launch".to_owned(), |step| step.to_string());
        vec![
            Cell::name(element),
            Cell::safe(anchors.to_reduced(&witness.trace)),
            Cell::text(&step),
        ]
    });
    let table = Table {
        list: List {
            id: "elements",
            title: "Covered elements",
            about: "For each element the step of the new suite that is its witness: every run of that \
                    trace showed it there. Steps count from 0.",
            tone: Tone::Folded,
        },
        head: &["element", "trace", "step"],
        room: ELEMENTS,
    };
    table.write(page, rows)
}
