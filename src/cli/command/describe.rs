//! `describe`: traces in plain words.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::import::unused_text;
use super::{show, with_progress};
use crate::cli::args::DescribeArgs;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::visible;
use crate::session::{self, DescribedTrace, Description, JobError};

pub(super) fn run(config: &Config, args: &DescribeArgs) -> Result<ExitCode, JobError> {
    let description = with_progress(config, &args.common, false, |conditions| {
        session::describe(conditions.config, args.from.as_deref(), &args.off)
    })?;
    show(&args.common, &description, || {
        text(&description, args.brief)
    });
    Ok(ExitCode::Done)
}

fn text(description: &Description, brief: bool) -> String {
    let mut text = String::new();
    for (i, trace) in description.traces.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        trace_text(&mut text, trace, brief);
    }
    text.push_str(&unused_text(description.unused, &description.unused_lines));
    text
}

fn trace_text(text: &mut String, trace: &DescribedTrace, brief: bool) {
    let levels = ["Essential", "Major", "Minor", "Trivial"];
    let levels = levels
        .iter()
        .filter_map(|level| Some(format!("{} {level}", trace.levels.get(level)?)));
    let levels = levels.collect::<Vec<_>>().join(", ");
    let _ = writeln!(
        text,
        "{}: {} events ({levels})",
        visible(&trace.trace),
        trace.events.len()
    );
    for event in &trace.events {
        let sentence = visible(&event.text);
        match event.idle {
            None => {
                let _ = writeln!(text, "  {sentence}");
            }
            Some(_) if brief => {}
            Some(rule) => {
                let _ = writeln!(text, "  {sentence} (no effect: {rule})");
            }
        }
    }
    let idle: Vec<_> = trace
        .idle
        .iter()
        .map(|(rule, n)| format!("{n} {rule}"))
        .collect();
    let total: usize = trace.idle.values().sum();
    if total > 0 {
        let _ = writeln!(
            text,
            "{total} events have no effect by the rules: {}",
            idle.join(", ")
        );
    }
    let mut blind: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for rule in &trace.blind {
        blind.entry(&rule.why).or_default().push(&rule.rule);
    }
    for (why, rules) in blind {
        let _ = writeln!(text, "not fully tried: {} ({why})", rules.join(", "));
    }
    for dump in &trace.unused_dumps {
        let _ = writeln!(text, "not used: {}", visible(dump));
    }
}
