//! `stabilize`: replay every trace, keep what replays.

use std::fmt::Write;

use super::replay::seen_text;
use super::{show, with_progress};
use crate::cli::args::Common;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::{Cut, human_seconds, visible};
use crate::session::{self, JobError, StabilizeReport};

/// How many cut traces are listed.
const LISTED: usize = 10;

pub(super) fn run(config: &Config, common: &Common, fresh: bool) -> Result<ExitCode, JobError> {
    let report = with_progress(config, common, fresh, session::stabilize)?;
    show(common, &report, || text(&report, config));
    Ok(ExitCode::Done)
}

fn text(report: &StabilizeReport, config: &Config) -> String {
    let (input, output) = (&report.input, &report.output);
    let mut text = format!(
        "{} of {} traces and {} of {} steps replay in all {} runs ({} of device time)\n",
        output.traces,
        input.traces,
        output.steps,
        input.steps,
        report.runs_per_trace,
        human_seconds(report.device.seconds),
    );
    let n_cut = report.cut.len();
    if n_cut > 0 {
        let _ = writeln!(text, "{n_cut} traces do not replay to their end:");
    }
    for cut in report.cut.iter().take(LISTED) {
        let _ = writeln!(text, "  {}", cut_text(cut));
    }
    if n_cut > LISTED {
        let more = n_cut - LISTED;
        let _ = writeln!(text, "  … and {more} more; stabilize.json has them all");
    }
    let _ = writeln!(text, "files: {}", config.out.display());
    text
}

fn cut_text(cut: &Cut) -> String {
    let Cut {
        kept,
        of,
        diverged,
        runs,
        ..
    } = cut;
    format!(
        "{}: {kept} of {of} steps kept; then {} in {diverged} of {runs} runs",
        visible(&cut.trace),
        seen_text(&cut.expected, &cut.seen),
    )
}
