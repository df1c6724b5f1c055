//! The native suite: JSON Lines, one trace a line.

use std::borrow::Cow;

use serde_json::error::Category;

use super::canonical::message;
use super::lines::{self, LineFault};
use super::wire::WireTrace;
use super::{Importer, Limits};

pub(super) const IMPORTER: Importer = Importer {
    name: "jsonl",
    extensions: &["jsonl", "jsonl.zst", "ndjson"],
    read: |source, collector| lines::read(source, collector, parse_line),
};

/// The trace on a line that is not blank.
pub(super) fn parse_line<'a>(
    line: &'a str,
    limits: &Limits,
) -> Result<Option<WireTrace<'a>>, LineFault> {
    let trace: WireTrace = serde_json::from_str(line).map_err(|error| fault(line, &error))?;
    check_names(&trace, line, limits)?;
    Ok(Some(trace))
}

fn fault(line: &str, error: &serde_json::Error) -> LineFault {
    if let Some(offset) = line.find('\0') {
        return LineFault {
            offset,
            reason: "a NUL byte".into(),
            advice: "save the file as UTF-8, or record it again if it was cut off",
        };
    }
    let advice = match error.classify() {
        Category::Eof => "write each trace whole on a line of its own",
        Category::Syntax | Category::Io => "each line must be one JSON object",
        Category::Data => {
            "a trace has `id`, `launch` with `screen`, and `steps` with `action` and `screen`"
        }
    };
    let mut offset = error.column().saturating_sub(1).min(line.len());
    while !line.is_char_boundary(offset) {
        offset -= 1;
    }
    LineFault {
        offset,
        reason: message(error),
        advice,
    }
}

/// Refuses names above the limit.
pub(super) fn check_names(
    trace: &WireTrace<'_>,
    line: &str,
    limits: &Limits,
) -> Result<(), LineFault> {
    // A name that had escapes is a copy; the borrowed one before it is near enough.
    let mut offset = 0;
    for name in trace.names() {
        if let Cow::Borrowed(text) = name {
            offset = (text.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
        }
        if name.len() > limits.max_name_bytes {
            let (len, max) = (name.len(), limits.max_name_bytes);
            return Err(LineFault {
                offset,
                reason: format!("a name of {len} bytes, where {max} are allowed"),
                advice: "shorten it, or raise the limit on names",
            });
        }
    }
    Ok(())
}
