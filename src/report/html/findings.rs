//! The lists of the page: what needs attention, then what became of each trace.

use std::io::{self, Write};

use super::certainty;
use super::table::{Cell, Table, Tone};
use crate::report::number::grouped;
use crate::report::{Cut, Gone, Report};

/// Room for the rows of a list, in bytes: the whole page stays below 5 MB.
pub(super) const FEW: usize = 300_000;

/// Room for the list that is long by nature.
const MANY: usize = 2_200_000;

/// What somebody has to look at.
pub(super) fn urgent(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let lost = Table {
        title: "Lost elements",
        about: "Promised, but not covered by the reduced suite.",
        head: &["element", "why"],
        tone: Tone::Alarm,
        room: FEW,
    };
    lost.write(out, report.lost.iter().map(gone_row))?;
    diverged(report, out)?;
    certainty::flaky_traces(report, out)
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
        tone: Tone::Alarm,
        room: FEW,
    };
    table.write(out, rows)
}

/// What is good to know.
pub(super) fn rest(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    cut(report, out)?;
    unstable(report, out)?;
    limits(report, out)?;
    certainty::reduced(report, out)?;
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
        tone: Tone::Calm,
        room: FEW,
    };
    table.write(out, report.cut.iter().map(row))
}

fn unstable(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let table = Table {
        title: "Unstable elements",
        about: "Recorded, but no recorded trace shows them in every run: set aside, not promised.",
        head: &["element", "why"],
        tone: Tone::Calm,
        room: FEW,
    };
    table.write(out, report.unstable.iter().map(gone_row))
}

fn limits(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let table = Table {
        title: "Limits reached",
        about: "Where the search ended before it had tried everything.",
        head: &["phase", "trace", "limit"],
        tone: Tone::Calm,
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
        tone: Tone::Calm,
        room: MANY,
    };
    table.write(out, rows)
}
