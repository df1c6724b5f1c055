//! `restore`: put removed traces back, or take them out again.

use std::fmt::Write;

use super::show;
use crate::cli::args::RestoreArgs;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::{human_seconds, visible};
use crate::session::{self, JobError, Restore, RestoreReport};

pub(super) fn run(config: &Config, args: &RestoreArgs) -> Result<ExitCode, JobError> {
    let why = args.why.as_deref().filter(|_| !args.undo);
    if why.is_some_and(|why| why.trim().is_empty()) {
        let reason = "--why is empty; say why the trace is wanted, for whoever reads the report";
        return Err(JobError::Unfit(reason.to_owned()));
    }
    let asked = Restore {
        folder: &args.dir,
        traces: &args.traces,
        original: &args.original,
        why,
    };
    let report = session::restore(config, &asked)?;
    let folder = args.dir.display().to_string();
    show(&args.common, &report, || text(&report, &folder));
    Ok(ExitCode::Done)
}

fn text(report: &RestoreReport, folder: &str) -> String {
    let mut text = String::new();
    for one in &report.traces {
        let (trace, name) = (visible(&one.trace), visible(&one.name));
        let _ = if report.put_back {
            writeln!(text, "{trace} is back as {name}: {}", visible(&one.why))
        } else {
            writeln!(text, "{trace} is out again; it was {name}")
        };
    }
    let (before, now) = (&report.before, &report.output);
    let _ = writeln!(
        text,
        "The suite has {} traces now, and one replay takes {} (before: {} and {}).",
        now.traces,
        human_seconds(now.seconds),
        before.traces,
        human_seconds(before.seconds),
    );
    if !report.in_order {
        text.push_str(
            "The original suite is not at hand, so what is removed is listed in another order than \
             before; --original SUITE gives the same bytes.\n",
        );
    }
    if report.restored > 0 {
        let _ = writeln!(
            text,
            "Restored traces are not validated: no run has shown that they replay, and no figure of \
             coverage counts them.\n`cargo reduce-suite replay {}/suite.jsonl --device URL` tries them.",
            visible(folder)
        );
    }
    text
}
