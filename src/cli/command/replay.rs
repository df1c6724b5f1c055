//! `replay`: which traces go another way than recorded.

use std::fmt::Write;

use super::{show, with_progress};
use crate::cli::args::Common;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::{SeenCount, human_seconds, visible};
use crate::session::{self, JobError, ReplayReport, ReplayedTrace};

/// How many diverging traces are listed.
const LISTED: usize = 20;

pub(super) fn run(config: &Config, common: &Common) -> Result<ExitCode, JobError> {
    let report = with_progress(config, common, false, session::replay)?;
    show(common, &report, || text(&report));
    Ok(match report.diverged {
        0 => ExitCode::Done,
        _ => ExitCode::Finding,
    })
}

fn text(report: &ReplayReport) -> String {
    let mut text = format!(
        "{} of {} traces replay in all {} runs ({} of device time)\n",
        report.traces.len() - report.diverged,
        report.traces.len(),
        report.runs_per_trace,
        human_seconds(report.device.seconds),
    );
    let diverged = report.traces.iter().filter(|trace| trace.diverged > 0);
    for trace in diverged.take(LISTED) {
        let _ = writeln!(text, "  {}", line(trace));
    }
    if report.diverged > LISTED {
        let more = report.diverged - LISTED;
        let _ = writeln!(text, "  … and {more} more; --format json lists them all");
    }
    text
}

fn line(trace: &ReplayedTrace) -> String {
    let expected = trace.expected.as_deref().unwrap_or("?");
    format!(
        "{}: diverged in {} of {} runs, first after {} of {} steps ({})",
        visible(&trace.trace),
        trace.diverged,
        trace.runs,
        trace.replayed,
        trace.of,
        seen_text(expected, &trace.seen),
    )
}

/// What was expected and what was seen instead.
pub(super) fn seen_text(expected: &str, seen: &[SeenCount]) -> String {
    let seen: Vec<_> = seen.iter().map(|seen| visible(&seen.what)).collect();
    format!("expected {}, saw {}", visible(expected), seen.join(", "))
}
