//! `SimplyDroid`'s `execute.log` beside a `script.log`: the activity after each event, and the crash.
//!
//! The lines are cut at the pauses that follow each event of the script; the last line of the
//! n-th group tells the state after the n-th event.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::bytes;
use super::fault::Crash;
use super::gestures::Draft;
use crate::model::gesture::component;
use crate::model::sha256;

/// What the companion of a script tells.
#[derive(Debug)]
pub(super) struct States {
    /// For each event of the script the activity after it and whether it was injected.
    events: Vec<(String, bool)>,
    fault: Option<String>,
    /// Which file it was, as JSON.
    pub(super) source: String,
}

const MOST_BYTES: u64 = 1 << 28;

/// Whether a line is one of these: `41;MonkeyTouchEvent;package;activity;1`.
pub(super) fn is_line(line: &str) -> bool {
    fields(line).is_some()
}

fn fields(line: &str) -> Option<(&str, &str, &str, &str)> {
    let mut parts = line.trim().split(';');
    parts.next()?.parse::<u64>().ok()?;
    let fields = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    fields.0.starts_with("Monkey").then_some(fields)
}

impl States {
    /// Whether a file is such a companion of a script.
    pub(super) fn is_beside_a_script(path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        let end = name.and_then(|name| name.strip_prefix("execute"));
        end.is_some_and(|end| path.with_file_name(format!("script{end}")).is_file())
    }

    /// The companion of a script, if it has one.
    pub(super) fn beside(script: &Path) -> Option<Self> {
        let name = script.file_name()?.to_str()?;
        let name = format!("execute{}", name.strip_prefix("script")?);
        let file = File::open(script.with_file_name(&name)).ok()?;
        let mut raw = Vec::new();
        file.take(MOST_BYTES).read_to_end(&mut raw).ok()?;
        let mut states = Self::parse(&bytes::text(&raw));
        let name = serde_json::Value::from(name);
        states.source = format!("{{\"states\":{name},\"sha256\":\"{}\"}}", sha256(&raw));
        Some(states)
    }

    pub(super) fn parse(text: &str) -> Self {
        let mut states = Self {
            events: Vec::new(),
            fault: None,
            source: String::new(),
        };
        let mut group: Option<(String, bool)> = None;
        for line in text.lines() {
            if let Some((class, package, activity, code)) = fields(line) {
                if class == "MonkeyThrottleEvent" {
                    states.events.extend(group.take());
                } else {
                    let injected = group.is_none_or(|(_, injected)| injected);
                    group = Some((component(package, activity), injected && code == "1"));
                }
            } else if let Some((_, crash)) = line.split_once("// CRASH:") {
                states.fault = Some(Crash::joined(crash).signature());
            }
        }
        states.events.extend(group);
        states
    }

    /// Puts the activities into a draft, if it has as many events; the crash ends it.
    pub(super) fn fill(&self, draft: &mut Draft) -> Result<(), String> {
        let in_script = draft.steps.len() + usize::from(draft.launch.is_some());
        if in_script != self.events.len() {
            let told = self.events.len();
            return Err(format!(
                "the execute log beside it tells of {told} events and not of {in_script}, so it is not used"
            ));
        }
        let mut events = self.events.iter();
        if draft.launch.is_some()
            && let Some((activity, _)) = events.next()
        {
            draft.launch_screen.clone_from(activity);
        }
        for (step, (activity, injected)) in draft.steps.iter_mut().zip(events) {
            step.screen.clone_from(activity);
            step.injected &= injected;
        }
        if let Some(step) = draft.steps.last_mut() {
            step.fault.clone_from(&self.fault);
        }
        Ok(())
    }
}
