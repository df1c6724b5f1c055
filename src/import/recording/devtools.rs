//! Recordings of the Recorder panel of Chrome's `DevTools`, as JSON.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::collect::Collector;
use super::super::source::Source;
use super::super::{ImportError, Importer, Likeness, PLAIN};
use super::{Lines, Locator, Recording, add_all, refuse, text};
use crate::model::act::{Side, Verb};
use crate::model::action::message;

pub(in super::super) const IMPORTER: Importer = Importer {
    name: "devtools-recorder",
    extensions: &["recorder.json"],
    shared: &["json"],
    looks,
    read,
    ..PLAIN
};

const ADVICE: &str = "export it from the Recorder panel as JSON";
/// Keys that only change what other keys do.
const MODIFIERS: &[&str] = &["Alt", "Control", "Meta", "Shift"];

#[derive(Deserialize)]
struct Flow<'a> {
    #[serde(default)]
    title: Option<String>,
    #[serde(borrow)]
    steps: Vec<&'a RawValue>,
}

/// A flow has a title and steps, each of a type.
fn looks(_: &Path, text: &str) -> Likeness {
    let parts = ["\"title\"", "\"steps\"", "\"type\""];
    if text.trim_start().starts_with('{') && parts.iter().all(|part| text.contains(part)) {
        Likeness::Alike
    } else {
        Likeness::Foreign
    }
}

fn read(source: &mut Source, collector: &mut Collector) -> Result<(), ImportError> {
    let text = text(source)?;
    match parse(&text) {
        Ok(recording) => add_all(source, collector, vec![recording]),
        Err((line, reason)) => refuse(collector, line, reason, ADVICE),
    }
    Ok(())
}

pub(super) fn parse(text: &str) -> Result<Recording, (usize, String)> {
    let flow: Flow = serde_json::from_str(text).map_err(|error| {
        (
            error.line().max(1),
            format!("no recording: {}", message(&error)),
        )
    })?;
    let mut recording = Recording {
        line: 1,
        name: flow.title.unwrap_or_default(),
        ..Recording::default()
    };
    let lines = Lines::new(text);
    let mut keys = Keys::default();
    for step in flow.steps {
        let line = lines.of(step.get());
        let value: Value = serde_json::from_str(step.get()).unwrap_or_default();
        add(&mut recording, &mut keys, line, &value);
    }
    Ok(recording)
}

/// The keys that are held down.
#[derive(Default)]
struct Keys(Vec<String>);

impl Keys {
    /// A key with those that are held with it: `Control+a`.
    fn chord(&self, key: &str) -> String {
        let held = self.0.iter().map(String::as_str);
        held.chain([key]).collect::<Vec<_>>().join("+")
    }
}

fn add(recording: &mut Recording, keys: &mut Keys, line: usize, step: &Value) {
    let word = |name: &str| step[name].as_str().unwrap_or_default();
    let kind = word("type");
    let is_inside = |name: &str| step[name].as_array().is_some_and(|list| !list.is_empty());
    if is_inside("frame") || !matches!(word("target"), "" | "main") {
        recording.note(line, format!("{kind}: it is in a frame or another tab"));
        return;
    }
    let at = || Locator::of_recorder(&step["selectors"]);
    match kind {
        "setViewport" => {
            let size = step["width"].as_u64().zip(step["height"].as_u64());
            recording.viewport = size.or(recording.viewport);
        }
        "navigate" => recording.open(word("url")),
        "click" if !matches!(word("button"), "" | "primary") => {
            recording.note(line, format!("click: with the {} button", word("button")));
        }
        "click" => recording.on(line, Verb::Tap, at()),
        "doubleClick" => recording.on(line, Verb::Double, at()),
        "hover" => recording.on(line, Verb::Hover, at()),
        "change" => recording.on(line, Verb::Type(word("value").to_owned()), at()),
        "scroll" => scroll(recording, line, step),
        "keyDown" => {
            let key = word("key");
            if MODIFIERS.contains(&key) {
                keys.0.push(key.to_owned());
            } else {
                recording.plain(Verb::Key(keys.chord(key)));
            }
        }
        // The key went down before; letting go of it does nothing by itself.
        "keyUp" => keys.0.retain(|held| held != word("key")),
        _ => recording.note(line, format!("`{kind}` is no action that can be replayed")),
    }
    let events = step["assertedEvents"].as_array();
    for event in events.into_iter().flatten() {
        if let Some(url) = event["url"]
            .as_str()
            .filter(|_| event["type"] == "navigation")
        {
            recording.arrived(url);
        }
    }
}

fn scroll(recording: &mut Recording, line: usize, step: &Value) {
    let to = |axis: &str| step[axis].as_f64().unwrap_or(0.0);
    let side = Side::of(to("x"), to("y"));
    if step["selectors"].is_array() {
        let at = Locator::of_recorder(&step["selectors"]);
        recording.on(line, Verb::Scroll(side), at);
    } else {
        recording.plain(Verb::Scroll(side));
    }
}
