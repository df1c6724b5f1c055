//! `minimize`: shrink failing traces to the few events that matter.

use super::{show, with_progress};
use crate::cli::args::MinimizeArgs;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::{MinimizeReport, Minimized, minimize_summary};
use crate::session::{self, JobError, Minimize};

pub(super) fn run(config: &Config, args: &MinimizeArgs) -> Result<ExitCode, JobError> {
    let asked = Minimize {
        target: args.target.as_deref(),
        trace: args.trace.as_deref(),
        algorithm: &args.algorithm,
        scheduler: &args.scheduler,
        cache: args.cache.as_deref(),
        check: args.check,
    };
    let fresh = args.start.fresh;
    let report = with_progress(config, &args.common, fresh, |conditions| {
        session::minimize(conditions, &asked)
    })?;
    show(&args.common, &report, || {
        minimize_summary(&report, &config.out.display().to_string())
    });
    Ok(exit_code(&report))
}

/// Done when every failure has a sequence that is minimal and reliable; a budget that was too
/// small is no finding.
fn exit_code(report: &MinimizeReport) -> ExitCode {
    if report.stopped.is_some() || !report.left_open.is_empty() {
        return ExitCode::Infrastructure;
    }
    let kept = |failure: &Minimized| failure.one_minimal && failure.is_reliable();
    if report.not_reproduced.is_empty() && report.failures.iter().all(kept) {
        ExitCode::Done
    } else {
        ExitCode::Finding
    }
}
