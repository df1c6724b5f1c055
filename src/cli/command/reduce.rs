//! `reduce`: the whole pipeline.

use super::{show, with_progress};
use crate::cli::args::ReduceArgs;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::{Report, summary};
use crate::session::{self, JobError};

pub(super) fn run(config: &Config, args: &ReduceArgs) -> Result<ExitCode, JobError> {
    let common = &args.common;
    let since = args.since.as_deref();
    let report = with_progress(config, common, args.start.fresh, |conditions| {
        session::reduce_since(conditions, since)
    })?;
    if let Some(file) = &args.summary {
        session::append_summary(&config.out, file)?;
    }
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
