//! Monkey logs and Monkey scripts: low-level input becomes gestures, activities become screens.
//!
//! Logs are what `adb shell monkey -v` prints; scripts are what `monkey -f` replays, `SimplyDroid`'s
//! included. The first start of an app is the launch of the trace and every gesture after it a step,
//! its action spelt as a command of Monkey scripts. The screen is the activity that was started
//! last. A log that holds several runs gives several traces. Beside `script.log`, `execute.log` is
//! read for the activity after each event, as `SimplyDroid` writes the two.
//!
//! What a line says that cannot be used is noted with its place; a file without any event is an
//! error. Steps carry `ids`, the numbers of the low-level events they are made of, `injected` where
//! the input failed, and `rejected` where Monkey refused to start something.

pub(super) mod bytes;
pub(super) mod fault;
pub(super) mod gestures;
mod line;
mod states;

use std::borrow::Cow;
use std::path::{Component, Path};

use gestures::{Draft, DraftStep};
use states::States;

use super::collect::Collector;
use super::lines::LineFault;
use super::source::Source;
use super::wire::{WireLaunch, WireStep, WireTrace};
use super::{ImportError, Importer, Likeness, PLAIN};
use crate::model::Fields;

pub(super) const IMPORTER: Importer = Importer {
    name: "monkey",
    extensions: &["monkey", "monkey.log", "monkey.txt"],
    shared: &["log", "txt"],
    looks,
    read,
    ..PLAIN
};

/// No log of a run that ever ended is larger.
const MOST_BYTES: u64 = 1 << 29;

/// Whether a text begins as a Monkey log or script does.
fn looks(path: &Path, text: &str) -> Likeness {
    let signs = [
        ":Monkey: seed=",
        "start data >>",
        "LaunchActivity(",
        "Sending Touch (ACTION_",
    ];
    if signs.iter().any(|sign| text.contains(sign)) {
        Likeness::Alike
    } else if States::is_beside_a_script(path) {
        Likeness::Beside
    } else {
        Likeness::Foreign
    }
}

fn read(source: &mut Source, collector: &mut Collector) -> Result<(), ImportError> {
    let text = source.text(MOST_BYTES)?;
    let stem = trace_id(source.path(), collector.has_many_files());
    let (drafts, notes) = gestures::gather(&text);
    for note in notes {
        collector.note(note.line, &note.reason);
    }
    if drafts.is_empty() {
        collector.report(1, first_line(&text), &nothing_found(&text));
        return Ok(());
    }
    let states = States::beside(source.path());
    for (i, draft) in drafts.into_iter().enumerate() {
        let id = if i == 0 {
            stem.clone()
        } else {
            format!("{stem}-{}", i + 1)
        };
        add(collector, draft, id, states.as_ref().filter(|_| i == 0));
    }
    Ok(())
}

fn first_line(text: &str) -> &[u8] {
    text.lines().next().unwrap_or("").as_bytes()
}

fn nothing_found(text: &str) -> LineFault {
    let advice = if text.lines().next().is_some_and(states::is_line) {
        "it says what was injected but not where, so give the script.log beside it"
    } else {
        "give what `adb shell monkey -v -v` printed, or a script for `monkey -f`"
    };
    LineFault {
        offset: 0,
        reason: "no event of Monkey in the file".to_owned(),
        advice,
    }
}

/// The name of the file, with its folders where it is one of many.
pub(super) fn trace_id(path: &Path, is_one_of_many: bool) -> String {
    let path = path.with_extension("");
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    let parts: Vec<_> = parts.collect();
    match parts.last() {
        Some(name) if !is_one_of_many => name.clone().into_owned(),
        _ => parts.join("/"),
    }
}

/// Adds a trace, with the activities that a companion tells if it fits.
fn add(collector: &mut Collector, mut draft: Draft, id: String, states: Option<&States>) {
    let mut source = None;
    if let Some(states) = states {
        match states.fill(&mut draft) {
            Ok(()) => source = Some(states.source.clone()),
            Err(reason) => collector.note(draft.line, &reason),
        }
    }
    let fields = source.map(|source| ("source".into(), source.into()));
    let mut launch_fields = Fields::new();
    if let Some(action) = &draft.launch {
        launch_fields.push(("action".into(), json(&action.to_string())));
        launch_fields.push(("ids".into(), "[1]".into()));
    }
    let trace = WireTrace {
        id: Some(Cow::Owned(id)),
        launch: WireLaunch {
            screen: Cow::Owned(draft.launch_screen),
            covers: Vec::new(),
            fields: launch_fields,
        },
        steps: draft.steps.into_iter().map(wire_step).collect(),
        fields: fields.into_iter().collect(),
    };
    collector.push_checked(draft.line, trace);
}

fn wire_step(step: DraftStep) -> WireStep<'static> {
    let mut fields = Fields::new();
    let ids: Vec<_> = step.ids.iter().map(u32::to_string).collect();
    fields.push(("ids".into(), format!("[{}]", ids.join(",")).into()));
    if !step.injected {
        fields.push(("injected".into(), "false".into()));
    }
    if !step.rejected.is_empty() {
        let rejected: Vec<_> = step.rejected.iter().map(|what| json(what)).collect();
        fields.push((
            "rejected".into(),
            format!("[{}]", rejected.join(",")).into(),
        ));
    }
    WireStep {
        action: Cow::Owned(step.gesture.to_string()),
        covers: Vec::new(),
        screen: Cow::Owned(step.screen),
        fault: step.fault.map(Cow::Owned),
        millis: step.millis,
        fields,
    }
}

fn json(text: &str) -> Box<str> {
    serde_json::Value::from(text).to_string().into()
}

#[cfg(test)]
mod tests;
