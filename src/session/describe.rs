//! Traces in plain words: a sentence for each event, and which of them the rules hold for idle.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use serde::Serialize;

use super::import::{UnusedLine, format, unused_lines};
use super::{JobError, limits};
use crate::config::Config;
use crate::import::dump;
use crate::import::{self, Loaded};
use crate::model::gesture::Gesture;
use crate::model::window::Window;
use crate::model::{StepRef, TraceIdx};
use crate::reduce::sequence::chard::events::events;
use crate::reduce::sequence::chard::rules::{self, Choice};
use crate::reduce::sequence::chard::sentence::{self, Sentence};
use crate::report::{BlindRule, VERSION};

/// Traces in words.
#[derive(Debug, Clone, Serialize)]
pub struct Description {
    /// Version of the format.
    pub version: u32,
    /// The traces.
    pub traces: Vec<DescribedTrace>,
    /// How many lines of the files could not be used.
    pub unused: usize,
    /// The first of them.
    pub unused_lines: Vec<UnusedLine>,
}

/// A trace in words.
#[derive(Debug, Clone, Serialize)]
pub struct DescribedTrace {
    /// Its id.
    pub trace: String,
    /// The start and then each step.
    pub events: Vec<DescribedEvent>,
    /// How many events there are of each significance.
    pub levels: BTreeMap<&'static str, usize>,
    /// How many steps each rule holds for idle.
    pub idle: BTreeMap<&'static str, usize>,
    /// Rules that could not see enough, and what is missing.
    pub blind: Vec<BlindRule>,
    /// Dumps that could not be used, and why.
    pub unused_dumps: Vec<String>,
}

/// An event in words.
#[derive(Debug, Clone, Serialize)]
pub struct DescribedEvent {
    /// Its place among the steps; none for the start.
    pub step: Option<usize>,
    /// The numbers of the low-level events it is made of.
    pub ids: Vec<u32>,
    /// The kind of event.
    pub kind: &'static str,
    /// How much it matters.
    pub level: &'static str,
    /// The rule that holds it for idle.
    pub idle: Option<&'static str>,
    /// The sentence.
    pub text: String,
}

/// The names of all rules for events without effect.
#[must_use]
pub fn rule_names() -> Vec<&'static str> {
    rules::all().iter().map(|rule| rule.name).collect()
}

/// Describes the suite of a configuration; `off` names the rules that are not to be tried.
pub fn describe(
    config: &Config,
    from: Option<&str>,
    off: &[String],
) -> Result<Description, JobError> {
    let from = from.map(format).transpose()?;
    let loaded = import::load_from(&config.suite, &limits(config), from)?;
    let choice = Choice {
        off: off.to_vec(),
        ..Choice::default()
    };
    let traces = loaded
        .suite
        .traces()
        .map(|(idx, _)| described(&loaded, idx, &choice));
    Ok(Description {
        version: VERSION,
        traces: traces.collect(),
        unused: loaded.notes.len() + loaded.more_notes,
        unused_lines: unused_lines(&loaded.notes),
    })
}

fn described(loaded: &Loaded, idx: TraceIdx, choice: &Choice) -> DescribedTrace {
    let Loaded { suite, names, .. } = loaded;
    let trace = suite.trace(idx);
    let (dumps, unused_dumps) = dumps(loaded, idx);
    let recording = events(suite, names, idx, &dumps);
    let finding = rules::apply(&recording, choice);
    let action = text_field(trace.launch_fields, "action");
    let action = action.as_deref().and_then(Gesture::parse);
    let launch = sentence::launch(&recording, names, action.as_ref());
    let mut events = vec![event(&launch, None, None)];
    let sentences = sentence::sentences(&recording, names);
    for (i, (sentence, why)) in sentences.iter().zip(&finding.why).enumerate() {
        events.push(event(sentence, Some(i), *why));
    }
    let mut levels = BTreeMap::new();
    let mut idle = BTreeMap::new();
    for event in &events {
        *levels.entry(event.level).or_default() += 1;
        if let Some(rule) = event.idle {
            *idle.entry(rule).or_default() += 1;
        }
    }
    DescribedTrace {
        trace: trace.id.to_string(),
        events,
        levels,
        idle,
        blind: blind_rules(&finding),
        unused_dumps,
    }
}

/// The rules that could not see enough.
pub(super) fn blind_rules(finding: &rules::Finding) -> Vec<BlindRule> {
    let blind = finding.blind.iter().map(|(rule, why)| BlindRule {
        rule: (*rule).to_owned(),
        why: (*why).to_owned(),
    });
    blind.collect()
}

fn event(sentence: &Sentence, step: Option<usize>, idle: Option<&'static str>) -> DescribedEvent {
    DescribedEvent {
        step,
        ids: sentence.ids.clone(),
        kind: sentence.kind,
        level: sentence.level.name(),
        idle,
        text: sentence.to_string(),
    }
}

fn text_field(fields: &[(Box<str>, Box<str>)], name: &str) -> Option<String> {
    let (_, json) = fields.iter().find(|(key, _)| **key == *name)?;
    serde_json::from_str(json).ok()
}

/// The dumps of the launch and of each step, and what is wrong with those that cannot be used.
pub(super) fn dumps(loaded: &Loaded, idx: TraceIdx) -> (Vec<Option<Window>>, Vec<String>) {
    let suite = &loaded.suite;
    let n_steps = suite.steps(idx).len() as u32;
    let steps = (0..n_steps).map(|step| suite.step_fields(StepRef { trace: idx, step }));
    let launch = suite.trace(idx).launch_fields;
    let mut unused = Vec::new();
    let mut windows = Vec::new();
    for (i, fields) in std::iter::once(launch).chain(steps).enumerate() {
        let place = if i == 0 {
            "launch".to_owned()
        } else {
            format!("step {}", i - 1)
        };
        let dump = fields.iter().any(|(name, _)| **name == *"dump");
        let read = dump.then(|| window(loaded, idx, text_field(fields, "dump")));
        windows.push(match read {
            Some(Ok(window)) => Some(window),
            Some(Err(reason)) => {
                unused.push(format!("{place}: {reason}"));
                None
            }
            None => None,
        });
    }
    (windows, unused)
}

/// No dump of a screen is larger.
const MOST_BYTES: u64 = 1 << 26;

/// A dump that is written out, or the name of a file in the folder of the suite.
fn window(loaded: &Loaded, idx: TraceIdx, dump: Option<String>) -> Result<Window, String> {
    let text = dump.ok_or("the dump is neither a text nor the name of a file")?;
    if text.trim_start().starts_with('<') {
        return dump::window(&text);
    }
    let name = Path::new(&text);
    if !name
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    {
        return Err(format!(
            "the dump `{text}` is not in the folder of the suite"
        ));
    }
    let folder = loaded.file(idx).parent().unwrap_or(Path::new(""));
    let path = folder.join(name);
    let unreadable = |error: std::io::Error| format!("the dump `{text}` cannot be read: {error}");
    let size = path.metadata().map_err(unreadable)?.len();
    if size > MOST_BYTES {
        return Err(format!(
            "the dump `{text}` has {size} bytes, more than any screen"
        ));
    }
    let bytes = std::fs::read(&path).map_err(unreadable)?;
    let window = dump::window(&String::from_utf8_lossy(&bytes));
    window.map_err(|reason| format!("the dump `{text}` is no window dump: {reason}"))
}
