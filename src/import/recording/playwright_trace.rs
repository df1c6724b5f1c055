//! Traces of Playwright (`trace.zip`): each browser context in it is a trace.

use std::collections::BTreeSet;
use std::io::{Cursor, Read as _};
use std::path::Path;

use serde_json::Value;
use zip::ZipArchive;

use super::super::collect::Collector;
use super::super::source::Source;
use super::super::{ImportError, Importer, PLAIN};
use super::{Locator, MOST_BYTES, Recording, add_all, refuse};
use crate::model::act::Verb;

pub(in super::super) const IMPORTER: Importer = Importer {
    name: "playwright-trace",
    extensions: &["trace.zip"],
    read,
    ..PLAIN
};

/// The newest version of the format that is known.
const NEWEST: u64 = 8;
const MOST_FILES: usize = 10_000;
const ADVICE: &str = "give a trace.zip that Playwright wrote";

fn read(source: &mut Source, collector: &mut Collector) -> Result<(), ImportError> {
    let mut raw = Vec::new();
    let read = source.by_ref().take(MOST_BYTES).read_to_end(&mut raw);
    read.map_err(|error| source.unreadable(error))?;
    match parse(&raw) {
        Ok(recordings) if recordings.is_empty() => {
            let reason = "no actions of a browser in the trace".to_owned();
            refuse(collector, 1, reason, ADVICE);
        }
        Ok(recordings) => add_all(source, collector, recordings),
        Err(reason) => refuse(collector, 1, reason, ADVICE),
    }
    Ok(())
}

pub(super) fn parse(raw: &[u8]) -> Result<Vec<Recording>, String> {
    let no_zip = |error: zip::result::ZipError| format!("no zip file: {error}");
    let mut archive = ZipArchive::new(Cursor::new(raw)).map_err(no_zip)?;
    let names = archive.file_names().flatten();
    let mut names: Vec<String> = names.map(std::borrow::Cow::into_owned).collect();
    names.retain(|name| Path::new(name).extension().is_some_and(|e| e == "trace"));
    names.truncate(MOST_FILES);
    names.sort_unstable();
    let mut recordings = Vec::new();
    let mut left = MOST_BYTES;
    for name in names {
        let file = archive.by_name(&name).map_err(no_zip)?;
        let mut bytes = Vec::new();
        // A small zip file may unpack to anything.
        let read = file.take(left).read_to_end(&mut bytes);
        read.map_err(|error| format!("{name} cannot be unpacked: {error}"))?;
        left = left.saturating_sub(bytes.len() as u64);
        if left == 0 {
            return Err("it unpacks to more than a trace can be".to_owned());
        }
        let text = String::from_utf8_lossy(&bytes);
        recordings.extend(context(&text).map_err(|reason| format!("{name}: {reason}"))?);
    }
    Ok(recordings)
}

/// What was done in one context; none if the file is about something else.
fn context(text: &str) -> Result<Option<Recording>, String> {
    let mut lines = text.lines().zip(1..);
    let events: Vec<(Value, usize)> = lines
        .by_ref()
        .filter_map(|(line, number)| Some((serde_json::from_str(line).ok()?, number)))
        .collect();
    let Some((head, _)) = events
        .iter()
        .find(|(event, _)| event["type"] == "context-options")
    else {
        return Ok(None);
    };
    let version = head["version"].as_u64().unwrap_or(0);
    if version > NEWEST {
        let reason = format!("version {version} of the format; versions up to {NEWEST} are known");
        return Err(reason);
    }
    let size = &head["options"]["viewport"];
    let mut recording = Recording {
        line: 1,
        name: head["title"].as_str().unwrap_or_default().to_owned(),
        viewport: size["width"].as_u64().zip(size["height"].as_u64()),
        ..Recording::default()
    };
    let failed: BTreeSet<&str> = events
        .iter()
        .filter(|(event, _)| event["type"] == "after" && event["error"].is_object())
        .filter_map(|(event, _)| event["callId"].as_str())
        .collect();
    let mut last_call = "";
    for (event, line) in &events {
        match event["type"].as_str() {
            Some("before") => {
                let call = event["callId"].as_str().unwrap_or_default();
                if failed.contains(call) {
                    let method = &event["method"];
                    recording.note(*line, format!("{method}: it failed when it was recorded"));
                } else if add(&mut recording, *line, event, "class") {
                    last_call = call;
                }
            }
            // Versions before 4.
            Some("action") => {
                let metadata = &event["metadata"];
                if metadata["error"].is_null() {
                    add(&mut recording, *line, metadata, "type");
                }
            }
            Some("frame-snapshot") => arrive(&mut recording, &event["snapshot"], last_call),
            _ => {}
        }
    }
    Ok(Some(recording))
}

/// Takes in the page that the last action led to.
fn arrive(recording: &mut Recording, snapshot: &Value, last_call: &str) {
    let is_after = snapshot["snapshotName"]
        .as_str()
        .and_then(|name| name.strip_prefix("after@"))
        .is_some_and(|call| call == last_call);
    if let Some(url) = snapshot["frameUrl"].as_str()
        && is_after
        && snapshot["isMainFrame"] == true
    {
        recording.arrived(url);
    }
}

/// Adds a call; true when it is an action.
fn add(recording: &mut Recording, line: usize, call: &Value, class: &str) -> bool {
    let (class, method) = (
        call[class].as_str().unwrap_or_default(),
        call["method"].as_str().unwrap_or_default(),
    );
    let params = &call["params"];
    let word = |name: &str| params[name].as_str().unwrap_or_default();
    let at = || Locator::of_playwright(word("selector"));
    let before = recording.steps.len();
    match (class, method) {
        ("Frame", "goto") => recording.open(word("url")),
        ("Frame", "click" | "tap" | "check" | "uncheck")
            if !matches!(word("button"), "" | "left") =>
        {
            recording.note(line, format!("click: with the {} button", word("button")));
        }
        ("Frame", "click" | "tap" | "check" | "uncheck") => recording.on(line, Verb::Tap, at()),
        ("Frame", "dblclick") => recording.on(line, Verb::Double, at()),
        ("Frame", "hover") => recording.on(line, Verb::Hover, at()),
        ("Frame", "fill") => recording.on(line, Verb::Type(word("value").to_owned()), at()),
        ("Frame", "type") => recording.on(line, Verb::Type(word("text").to_owned()), at()),
        ("Frame", "press") => recording.on(line, Verb::Key(word("key").to_owned()), at()),
        ("Frame", "selectOption") => select(recording, line, params),
        ("Page", "keyboardPress") => recording.plain(Verb::Key(word("key").to_owned())),
        ("Page", "goBack") => recording.plain(Verb::Back),
        ("Dialog", "accept") => match word("promptText") {
            "" => recording.plain(Verb::Accept(None)),
            text => recording.plain(Verb::Accept(Some(text.to_owned()))),
        },
        ("Dialog", "dismiss") => recording.plain(Verb::Dismiss),
        // What prepares the browser and asks it is no action of the test.
        ("BrowserContext" | "Browser" | "Tracing" | "Test" | "BrowserType", _) => {}
        _ => {
            let reason = format!("`{class}.{method}` is no action that can be replayed");
            recording.note(line, reason);
        }
    }
    recording.steps.len() > before || method == "goto"
}

fn select(recording: &mut Recording, line: usize, params: &Value) {
    let option = &params["options"][0];
    let keys = ["valueOrLabel", "label", "value"];
    let option = keys.iter().find_map(|key| option[key].as_str());
    match option {
        Some(option) => {
            let at = Locator::of_playwright(params["selector"].as_str().unwrap_or_default());
            recording.on(line, Verb::Select(option.to_owned()), at);
        }
        None => recording.note(line, "select: by its place in the list".to_owned()),
    }
}
