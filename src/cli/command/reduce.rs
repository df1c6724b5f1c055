//! `reduce`: the whole pipeline.

use super::{show, with_progress};
use crate::cli::args::Common;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::{Report, summary};
use crate::session::{self, JobError};

pub(super) fn run(config: &Config, common: &Common, fresh: bool) -> Result<ExitCode, JobError> {
    let report = with_progress(config, common, fresh, session::reduce)?;
    show(common, &report, || {
        summary(&report, &config.out.display().to_string())
    });
    Ok(exit_code(&report))
}

fn exit_code(report: &Report) -> ExitCode {
    let diverged = report
        .validation
        .traces
        .iter()
        .any(|trace| trace.diverged > 0);
    if report.preserved && report.lost.is_empty() && !diverged {
        ExitCode::Done
    } else {
        ExitCode::Finding
    }
}
