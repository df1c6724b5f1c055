//! `export`: traces in the formats of other tools.

use std::fmt::Write as _;
use std::path::Path;

use super::{show, with_progress};
use crate::cli::args::ExportArgs;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::visible;
use crate::session::{self, ExportReport, JobError};

/// How many steps that could not be written are shown.
const SHOWN: usize = 5;

pub(super) fn run(config: &Config, args: &ExportArgs) -> Result<ExitCode, JobError> {
    let out = args.common.out.as_deref().unwrap_or("exported");
    let report = with_progress(config, &args.common, false, |conditions| {
        session::export(
            conditions.config,
            args.from.as_deref(),
            &args.to,
            Path::new(out),
        )
    })?;
    show(&args.common, &report, || text(&report, out));
    Ok(if report.unwritten.is_empty() {
        ExitCode::Done
    } else {
        ExitCode::Finding
    })
}

fn text(report: &ExportReport, out: &str) -> String {
    let mut text = format!("{} files are in {} now\n", report.files.len(), visible(out));
    if !report.unwritten.is_empty() {
        let _ = writeln!(
            text,
            "{} steps cannot be written in this format:",
            report.unwritten.len()
        );
    }
    for step in report.unwritten.iter().take(SHOWN) {
        let (trace, action) = (visible(&step.trace), visible(&step.action));
        let _ = writeln!(text, "  trace {trace}, step {}: {action}", step.step);
    }
    if report.unwritten.len() > SHOWN {
        text.push_str("  … --format json has all of them\n");
    }
    text
}
