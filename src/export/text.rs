//! Writes the notation for people, so that reading it gives the same trace again.

use super::{Exported, Exporter};
use crate::model::{ElementId, Names, Step, Suite, TraceIdx};

pub(super) const EXPORTER: Exporter = Exporter {
    name: "text",
    extension: "trace",
    write: |suite, names, idx| Exported {
        text: trace_text(suite, names, idx) + "\n",
        unwritten: Vec::new(),
    },
};

/// A trace on one line, without its times and unknown fields.
#[must_use]
pub fn trace_text(suite: &Suite, names: &Names, idx: TraceIdx) -> String {
    let trace = suite.trace(idx);
    let mut out = name(trace.id) + ": " + &name(names.screen_name(trace.launch_screen));
    let covers = suite.recorded(trace.launch_covers);
    out += &braces(covers.iter().map(|&e| name(names.element_name(e))));
    for step in suite.steps(idx) {
        out += &step_text(suite, names, step);
    }
    out
}

fn step_text(suite: &Suite, names: &Names, step: &Step) -> String {
    let covers = suite.recorded(step.covers).iter();
    let covers = covers.map(|&e| name(names.element_name(e)));
    let fault = step
        .fault
        .map(|fault| format!("!{}", name(signature(names, fault))));
    let action = action(names.action_text(step.action));
    let screen = name(names.screen_name(step.screen));
    format!(" -{action}{}-> {screen}", braces(covers.chain(fault)))
}

fn signature(names: &Names, fault: ElementId) -> &str {
    let spelling = names.element_name(fault);
    spelling.strip_prefix("fault:").unwrap_or(spelling)
}

fn braces(items: impl Iterator<Item = String>) -> String {
    let items: Vec<_> = items.collect();
    if items.is_empty() {
        String::new()
    } else {
        format!("{{{}}}", items.join(","))
    }
}

/// The canonical text of an action is JSON already where it begins like JSON.
fn action(text: &str) -> String {
    if text.starts_with(['{', '"']) {
        text.to_owned()
    } else {
        name(text)
    }
}

fn name(text: &str) -> String {
    if is_plain(text) {
        text.to_owned()
    } else {
        serde_json::to_string(text).expect("strings are valid JSON")
    }
}

fn is_plain(text: &str) -> bool {
    let is_inner = |c: char| c.is_alphanumeric() || "_.:/$@()[];=+-".contains(c);
    text.starts_with(|c: char| c.is_alphanumeric() || c == '_') && text.chars().all(is_inner)
}
