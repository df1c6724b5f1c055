//! `import`: files of other tools become a suite.

use std::path::Path;

use super::{show, with_progress};
use crate::cli::args::ImportArgs;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::visible;
use crate::session::{self, ImportReport, JobError};

pub(super) fn run(config: &Config, args: &ImportArgs) -> Result<ExitCode, JobError> {
    let common = &args.common;
    let out = common.out.as_deref().unwrap_or("suite.jsonl");
    let report = with_progress(config, common, false, |conditions| {
        session::import(conditions.config, &args.files, &args.from, Path::new(out))
    })?;
    show(common, &report, || text(&report));
    Ok(ExitCode::Done)
}

fn text(report: &ImportReport) -> String {
    let ImportReport {
        traces,
        steps,
        elements,
        ..
    } = report;
    let suite = visible(&report.suite);
    format!("{traces} traces, {steps} steps and {elements} elements are in {suite} now\n")
}
