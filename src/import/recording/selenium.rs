//! Projects of Selenium IDE (`.side`): each of their tests is a trace.
//!
//! Tests that call others (`run`) hold their commands; variables that `store` sets are filled in.
//! A test is taken up to its first `if`, loop or the like, since nobody knows which way it goes.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::collect::Collector;
use super::super::source::Source;
use super::super::{ImportError, Importer, PLAIN};
use super::{Lines, Locator, Recording, add_all, refuse, text};
use crate::model::act::Verb;
use crate::model::action::message;

pub(in super::super) const IMPORTER: Importer = Importer {
    name: "selenium-ide",
    extensions: &["side"],
    read,
    ..PLAIN
};

/// How deep tests may call each other.
const MOST_CALLS: usize = 16;
/// How many commands a test has with those it calls, so that calls cannot blow it up.
const MOST_COMMANDS: usize = 100_000;

#[derive(Deserialize)]
struct Project<'a> {
    #[serde(default)]
    url: String,
    #[serde(borrow)]
    tests: Vec<Test<'a>>,
}

#[derive(Deserialize)]
struct Test<'a> {
    #[serde(default)]
    name: String,
    #[serde(borrow, default)]
    commands: Vec<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Command {
    #[serde(rename = "command")]
    name: String,
    target: String,
    value: String,
    comment: String,
}

fn read(source: &mut Source, collector: &mut Collector) -> Result<(), ImportError> {
    let text = text(source)?;
    match parse(&text) {
        Ok(recordings) => add_all(source, collector, recordings),
        Err((line, reason)) => {
            refuse(
                collector,
                line,
                reason,
                "give a project that Selenium IDE saved",
            );
        }
    }
    Ok(())
}

pub(super) fn parse(text: &str) -> Result<Vec<Recording>, (usize, String)> {
    let project: Project = serde_json::from_str(text).map_err(|error| {
        (
            error.line().max(1),
            format!("no project: {}", message(&error)),
        )
    })?;
    let lines = Lines::new(text);
    let recordings = project.tests.iter().map(|test| {
        let first = test.commands.first().map_or(text, |first| first.get());
        let mut reader = Reader {
            lines: &lines,
            project: &project,
            variables: BTreeMap::new(),
            left: MOST_COMMANDS,
            recording: Recording {
                line: lines.of(first),
                name: test.name.clone(),
                ..Recording::default()
            },
        };
        reader.run(test, 0);
        reader.recording
    });
    Ok(recordings.collect())
}

struct Reader<'a> {
    lines: &'a Lines,
    project: &'a Project<'a>,
    variables: BTreeMap<String, String>,
    left: usize,
    recording: Recording,
}

impl Reader<'_> {
    /// Adds the commands of a test; false when the rest of it all cannot be known.
    fn run(&mut self, test: &Test, depth: usize) -> bool {
        for raw in &test.commands {
            let line = self.lines.of(raw.get());
            let Ok(command) = serde_json::from_str::<Command>(raw.get()) else {
                self.recording
                    .note(line, "a command that is none".to_owned());
                continue;
            };
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                self.recording
                    .note(line, "more commands than a test can have".to_owned());
                return false;
            }
            if !self.add(line, &command, depth) {
                return false;
            }
        }
        true
    }

    fn add(&mut self, line: usize, command: &Command, depth: usize) -> bool {
        let Command { name, .. } = command;
        let (target, value) = (self.filled(&command.target), self.filled(&command.value));
        match &**name {
            // Switched off, or an empty line.
            name if name.starts_with("//") || name.is_empty() => {}
            "if" | "else" | "elseIf" | "while" | "times" | "do" | "repeatIf" | "forEach"
            | "end" => {
                let reason = format!("`{name}`: the test is taken up to here");
                self.recording.note(line, reason);
                return false;
            }
            "run" => return self.call(line, &target, depth),
            "store" => {
                self.variables.insert(value, target);
            }
            "open" => {
                let url = absolute(&self.filled(&self.project.url), &target);
                self.recording.open(&url);
            }
            "setWindowSize" => {
                let size = target.split_once('x');
                let size = size.and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
                self.recording.viewport = size.or(self.recording.viewport);
            }
            _ => {
                let at = named(&command.comment, &target);
                self.act(line, name, &target, &value, at);
            }
        }
        true
    }

    fn call(&mut self, line: usize, name: &str, depth: usize) -> bool {
        let project = self.project;
        let called = project.tests.iter().find(|test| test.name == name);
        if let Some(test) = called.filter(|_| depth < MOST_CALLS) {
            return self.run(test, depth + 1);
        }
        let reason = format!("run: no test `{name}` that ends; the test is taken up to here");
        self.recording.note(line, reason);
        false
    }

    fn act(
        &mut self,
        line: usize,
        name: &str,
        target: &str,
        value: &str,
        at: Result<Locator, String>,
    ) {
        let recording = &mut self.recording;
        match name {
            "click" | "clickAt" | "check" | "uncheck" => recording.on(line, Verb::Tap, at),
            "doubleClick" | "doubleClickAt" => recording.on(line, Verb::Double, at),
            "mouseOver" => recording.on(line, Verb::Hover, at),
            "type" | "editContent" => recording.on(line, Verb::Type(value.to_owned()), at),
            "sendKeys" => send_keys(recording, line, &at, value),
            "select" | "addSelection" => {
                let option = value.split_once('=').map_or(value, |(_, option)| option);
                recording.on(line, Verb::Select(option.to_owned()), at);
            }
            "webdriverChooseOkOnVisibleConfirmation" | "assertAlert" => {
                recording.plain(Verb::Accept(None));
            }
            "webdriverChooseCancelOnVisibleConfirmation"
            | "webdriverChooseCancelOnVisiblePrompt" => recording.plain(Verb::Dismiss),
            "webdriverAnswerOnVisiblePrompt" => {
                recording.plain(Verb::Accept(Some(target.to_owned())));
            }
            _ => recording.note(line, format!("`{name}` is no action that can be replayed")),
        }
    }

    /// A text with its variables filled in; keys and unknown ones stay as they are.
    fn filled(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            let Some(end) = rest[start..].find('}') else {
                break;
            };
            let (name, whole) = (&rest[start + 2..start + end], &rest[start..=start + end]);
            out.push_str(&rest[..start]);
            out.push_str(self.variables.get(name).map_or(whole, String::as_str));
            rest = &rest[start + end + 1..];
        }
        out + rest
    }
}

/// The widget of a command: by the name that an export left in its comment, else by its locator.
fn named(comment: &str, locator: &str) -> Result<Locator, String> {
    let exported = serde_json::from_str(comment).ok();
    exported.map_or_else(
        || Locator::of_selenium(locator),
        |target| Ok(Locator(target)),
    )
}

/// Text that is typed behind what is there, with keys between: `a${KEY_ENTER}`.
fn send_keys(recording: &mut Recording, line: usize, at: &Result<Locator, String>, keys: &str) {
    let mut rest = keys;
    while !rest.is_empty() {
        let start = rest.find("${KEY_").unwrap_or(rest.len());
        let (typed, behind) = rest.split_at(start);
        if !typed.is_empty() {
            recording.on(line, Verb::Type(typed.to_owned()), at.clone());
        }
        let Some(key) = behind.strip_prefix("${KEY_") else {
            return;
        };
        let (key, after) = key.split_once('}').unwrap_or((key, ""));
        match key_name(key) {
            Some(key) => {
                recording.on(line, Verb::Key(key.to_owned()), at.clone());
            }
            None => recording.note(line, format!("sendKeys: the key `{key}` is not known")),
        }
        rest = after;
    }
}

/// Selenium's name of a key as pages know it.
fn key_name(key: &str) -> Option<&'static str> {
    let key = match key {
        "ENTER" | "RETURN" => "Enter",
        "TAB" => "Tab",
        "ESC" | "ESCAPE" => "Escape",
        "BACKSPACE" | "BKSP" => "Backspace",
        "DELETE" | "DEL" => "Delete",
        "UP" | "ARROW_UP" => "ArrowUp",
        "DOWN" | "ARROW_DOWN" => "ArrowDown",
        "LEFT" | "ARROW_LEFT" => "ArrowLeft",
        "RIGHT" | "ARROW_RIGHT" => "ArrowRight",
        "HOME" => "Home",
        "END" => "End",
        "PAGE_UP" | "PGUP" => "PageUp",
        "PAGE_DOWN" | "PGDN" => "PageDown",
        "SPACE" => " ",
        _ => return None,
    };
    Some(key)
}

/// A page of a project by its path or its whole URL.
fn absolute(base: &str, path: &str) -> String {
    if path.contains("://") || base.is_empty() {
        return path.to_owned();
    }
    let origin_end = base.find("://").map_or(0, |at| at + 3);
    let path_at = base[origin_end..].find('/').map(|at| at + origin_end);
    let origin = &base[..path_at.unwrap_or(base.len())];
    if path.starts_with('/') {
        format!("{origin}{path}")
    } else if path.is_empty() {
        base.to_owned()
    } else {
        format!("{}/{path}", base.trim_end_matches('/'))
    }
}
