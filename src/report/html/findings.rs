//! The lists of the page: what needs attention, then what became of each trace.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::table::{Cell, Table};
use crate::report::number::grouped;
use crate::report::{Cut, Gone, Report};

/// Room for the rows of a list, in bytes: the whole page stays below 5 MB.
const FEW: usize = 400_000;

/// Room for the list that is long by nature.
const MANY: usize = 2_200_000;

/// What somebody has to look at.
pub(super) fn urgent(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let lost = Table {
        title: "Lost elements",
        about: "Promised, but not covered by the reduced suite.",
        head: &["element", "why"],
        alarm: true,
        room: FEW,
    };
    lost.write(out, report.lost.iter().map(gone_row))?;
    diverged(report, out)
}

fn diverged(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let traces = report.validation.traces.iter();
    let diverged: Vec<_> = traces.filter(|trace| trace.diverged > 0).collect();
    let rows = diverged.iter().map(|trace| {
        let runs = format!("{} of {}", trace.diverged, trace.runs);
        vec![Cell::name(&trace.trace), Cell::figure(&runs)]
    });
    let table = Table {
        title: "Diverged traces",
        about: "Reduced traces that did not replay every time in the end.",
        head: &["trace", "runs off"],
        alarm: true,
        room: FEW,
    };
    table.write(out, rows)
}

/// What is good to know.
pub(super) fn rest(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    cut(report, out)?;
    unstable(report, out)?;
    limits(report, out)?;
    reduced(report, out)?;
    removed(report, out)
}

fn gone_row(gone: &Gone) -> Vec<Cell> {
    vec![Cell::name(&gone.element), Cell::text(&gone.why)]
}

fn cut(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let row = |cut: &Cut| {
        let seen = cut.seen.iter();
        let seen = seen.map(|seen| (seen.what.as_str(), format!(" {}×", seen.runs)));
        vec![
            Cell::name(&cut.trace),
            Cell::figure(&format!("{} of {}", grouped(cut.kept), grouped(cut.of))),
            Cell::figure(&format!("{} of {}", cut.diverged, cut.runs)),
            Cell::name(&cut.expected),
            Cell::noted(seen),
        ]
    };
    let table = Table {
        title: "Flaky spots",
        about: "Recorded traces that were cut where replays left the recording.",
        head: &[
            "trace",
            "steps kept",
            "runs off",
            "expected",
            "seen instead",
        ],
        alarm: false,
        room: FEW,
    };
    table.write(out, report.cut.iter().map(row))
}

fn unstable(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let table = Table {
        title: "Unstable elements",
        about: "Recorded, but no recorded trace shows them in every run: set aside, not promised.",
        head: &["element", "why"],
        alarm: false,
        room: FEW,
    };
    table.write(out, report.unstable.iter().map(gone_row))
}

fn limits(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let table = Table {
        title: "Limits reached",
        about: "Where the search ended before it had tried everything.",
        head: &["phase", "trace", "limit"],
        alarm: false,
        room: FEW,
    };
    let rows = report.limits.iter().map(|hit| {
        vec![
            Cell::name(&hit.phase),
            hit.trace.as_deref().map_or(Cell::text("–"), Cell::name),
            Cell::text(&hit.limit),
        ]
    });
    table.write(out, rows)
}

fn reduced(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut witnessed: BTreeMap<&str, usize> = BTreeMap::new();
    for witness in report.witness.values() {
        *witnessed.entry(&witness.trace).or_default() += 1;
    }
    let rows = report.validation.traces.iter().map(|trace| {
        let elements = witnessed.get(trace.trace.as_str()).copied().unwrap_or(0);
        vec![
            Cell::name(&trace.trace),
            Cell::figure(&grouped(trace.runs)),
            Cell::figure(&grouped(trace.diverged)).bad_if(trace.diverged > 0),
            Cell::figure(&grouped(elements)),
        ]
    });
    let table = Table {
        title: "Reduced traces",
        about: "The new suite, how often each trace was replayed in the end, \
                and how many elements it is the named witness of.",
        head: &["trace", "runs", "diverged", "witness of"],
        alarm: false,
        room: FEW,
    };
    table.write(out, rows)
}

fn removed(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let rows = report.removed.iter().map(|removed| {
        vec![
            Cell::name(&removed.trace),
            Cell::text(&removed.why),
            Cell::names(removed.covered_by.iter().map(String::as_str)),
        ]
    });
    let table = Table {
        title: "Removed traces",
        about: "Recorded traces that the new suite does not contain, and what covers their part.",
        head: &["trace", "why", "covered by"],
        alarm: false,
        room: MANY,
    };
    table.write(out, rows)
}
