//! `audit`: whether a reduction kept what it promised, by its files alone.

use std::fmt::Write;

use super::{show, with_progress};
use crate::audit::{Audit, Violation};
use crate::cli::args::AuditArgs;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::visible;
use crate::session::{self, JobError};

/// How many violations of each check are listed.
const LISTED: usize = 5;

pub(super) fn run(config: &Config, args: &AuditArgs) -> Result<ExitCode, JobError> {
    let common = &args.common;
    let audit = with_progress(config, common, false, |mut conditions| {
        session::audit(&args.dir, args.replay, &mut conditions)
    })?;
    show(common, &audit, || text(&audit));
    Ok(if audit.holds {
        ExitCode::Done
    } else {
        ExitCode::Finding
    })
}

fn text(audit: &Audit) -> String {
    let looked_at: usize = audit.checks.iter().map(|check| check.looked_at).sum();
    let mut text = if audit.holds {
        format!("Everything holds: {looked_at} statements were checked against the files.\n\n")
    } else {
        let wrong = audit.violations.len();
        format!("Audit failed: {wrong} of {looked_at} statements do not hold.\n\n")
    };
    for check in &audit.checks {
        let (mark, count) = match (check.violations, check.looked_at) {
            (0, 0) => ("-", "not checked".to_owned()),
            (0, looked_at) => ("✓", format!("{looked_at} hold")),
            (wrong, _) => ("✕", format!("{wrong} do not hold")),
        };
        let _ = writeln!(
            text,
            "  {mark} {:<11} {count:<18} {}",
            check.name, check.about
        );
    }
    if !audit.violations.is_empty() {
        text.push('\n');
    }
    for of_one_check in audit
        .violations
        .chunk_by(|one, other| one.check == other.check)
    {
        for violation in of_one_check.iter().take(LISTED) {
            let _ = writeln!(text, "  {}", line(violation));
        }
        if of_one_check.len() > LISTED {
            let more = of_one_check.len() - LISTED;
            let _ = writeln!(text, "  … and {more} more; --format json lists them all");
        }
    }
    for note in &audit.notes {
        let _ = writeln!(text, "\nNote: {}", visible(note));
    }
    text
}

fn line(violation: &Violation) -> String {
    let place = visible(&violation.place);
    let what = visible(&violation.what);
    match &violation.element {
        Some(element) => format!(
            "{}: {} at {place}: {what}",
            violation.check,
            visible(element)
        ),
        None => format!("{}: {place}: {what}", violation.check),
    }
}
