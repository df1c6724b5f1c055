//! `import`: files of other tools become a suite.

use std::fmt::Write as _;
use std::path::Path;

use super::{show, with_progress};
use crate::cli::args::ImportArgs;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::visible;
use crate::session::{self, ImportReport, JobError, UnusedLine};

/// How many lines that could not be used are shown.
const SHOWN: usize = 5;

pub(super) fn run(config: &Config, args: &ImportArgs) -> Result<ExitCode, JobError> {
    let common = &args.common;
    let out = common.out.as_deref().unwrap_or("suite.jsonl");
    let report = with_progress(config, common, false, |conditions| {
        let (from, screen) = (args.from.as_deref(), args.screen.as_deref());
        session::import(conditions.config, &args.files, from, screen, Path::new(out))
    })?;
    show(common, &report, || text(&report));
    Ok(ExitCode::Done)
}

/// What of the files could not be used, in at most a few lines.
pub(super) fn unused_text(unused: usize, lines: &[UnusedLine]) -> String {
    let mut text = String::new();
    if unused > 0 {
        let _ = writeln!(text, "{unused} lines could not be used:");
    }
    for line in lines.iter().take(SHOWN) {
        let (file, why) = (visible(&line.file), visible(&line.why));
        let _ = writeln!(text, "  {file}:{}: {why}", line.line);
    }
    if unused > SHOWN {
        text.push_str("  … --format json has more of them\n");
    }
    text
}

fn text(report: &ImportReport) -> String {
    let ImportReport {
        traces,
        steps,
        elements,
        ..
    } = report;
    let suite = visible(&report.suite);
    let mut text =
        format!("{traces} traces, {steps} steps and {elements} elements are in {suite} now\n");
    text.push_str(&unused_text(report.unused, &report.unused_lines));
    text
}
