//! What changed since an earlier reduction, in Markdown.

use std::io::{self, Write};

use crate::report::text::markdown as code;
use crate::report::{Followed, Report};

/// How many changes and elements are listed.
const LISTED: usize = 20;

/// The changes, if an earlier reduction was followed.
pub(super) fn list(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let Some(since) = &report.since else {
        return Ok(());
    };
    writeln!(out, "\n### Since the earlier reduction\n")?;
    writeln!(out, "- {}", since.line())?;
    let changed: Vec<&Followed> = since
        .traces
        .iter()
        .filter(|t| t.changed.is_some())
        .collect();
    for trace in changed.iter().take(LISTED) {
        if let Some(changed) = &trace.changed {
            let place = changed
                .step
                .map_or("its launch".to_owned(), |s| format!("step {s}"));
            writeln!(
                out,
                "- {} changed at {place}: {} before, {} now",
                code(&trace.trace),
                code(&changed.expected),
                code(&changed.seen)
            )?;
        }
    }
    if changed.len() > LISTED {
        writeln!(out, "- … and {} more traces", changed.len() - LISTED)?;
    }
    for (label, elements) in [("Gained", &since.gained), ("Gone", &since.gone)] {
        if elements.is_empty() {
            continue;
        }
        let shown: Vec<String> = elements.iter().take(LISTED).map(|e| code(e)).collect();
        let more = match elements.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        writeln!(out, "- {label}: {}{more}", shown.join(", "))?;
    }
    Ok(())
}
