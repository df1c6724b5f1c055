//! Recordings of web pages: what four recorders wrote down becomes actions of a suite.
//!
//! A recording says what was done and where, not what came of it: there is no coverage, and the
//! screen of a step is the page that was open, as far as the recording tells. `explore --follow`
//! walks such traces on a device and writes down what they really show. Waits and assertions are
//! no actions; each is named as something that could not be used, and so is every step that needs
//! more than a target: frames, windows, scripts, drags.

mod devtools;
mod locator;
mod playwright_script;
mod playwright_trace;
mod selenium;

use std::borrow::Cow;
use std::io::Read as _;

use serde_json::Value;

use super::ImportError;
use super::collect::Collector;
use super::lines::LineFault;
use super::source::Source;
use super::wire::{WireLaunch, WireStep, WireTrace};
use crate::model::Fields;
use crate::model::act::{Act, Verb};
use locator::Locator;

pub(super) use devtools::IMPORTER as DEVTOOLS;
pub(super) use playwright_script::IMPORTER as PLAYWRIGHT_SCRIPT;
pub(super) use playwright_trace::IMPORTER as PLAYWRIGHT_TRACE;
pub(super) use selenium::IMPORTER as SELENIUM;

/// No recording by hand is larger.
const MOST_BYTES: u64 = 1 << 27;
/// The screen while the recording has not told of any page.
const UNKNOWN_PAGE: &str = "page";

/// One test that was recorded.
#[derive(Debug, Default)]
struct Recording {
    /// The line it begins at.
    line: usize,
    /// What it is called; the file's name counts when it is empty.
    name: String,
    /// The page that it begins on.
    url: Option<String>,
    /// The page that is open now.
    page: Option<String>,
    /// The size of the window, as width and height.
    viewport: Option<(u64, u64)>,
    /// Actions with the page after each.
    steps: Vec<(String, Option<String>)>,
    /// What could not be used, by its line.
    notes: Vec<(usize, String)>,
}

impl Recording {
    /// Adds an action on a widget, if the widget has a name.
    fn on(&mut self, line: usize, verb: Verb, at: Result<Locator, String>) {
        match at {
            Ok(at) => self.push(&Act::on(verb, at.0)),
            Err(reason) => self.note(line, format!("{}: {reason}", verb.name())),
        }
    }

    /// Adds an action that needs no widget.
    fn plain(&mut self, verb: Verb) {
        self.push(&Act::plain(verb));
    }

    fn push(&mut self, act: &Act) {
        self.steps.push((act.to_string(), self.page.clone()));
    }

    /// Opens a page: the first one is where the trace begins.
    fn open(&mut self, url: &str) {
        let path = path_of(url);
        if self.url.is_none() && self.steps.is_empty() {
            self.url = Some(url.to_owned());
            self.page = Some(path);
        } else {
            self.page = Some(path);
            self.plain(Verb::Open(url.to_owned()));
        }
    }

    /// Takes in that the last action led to a page.
    fn arrived(&mut self, url: &str) {
        self.page = Some(path_of(url));
        if let Some(last) = self.steps.last_mut() {
            last.1.clone_from(&self.page);
        }
    }

    fn note(&mut self, line: usize, reason: String) {
        self.notes.push((line, reason));
    }
}

/// The path of a URL with what tells pages of one path apart: `/a#/done`.
fn path_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| {
        rest.find(['/', '?', '#']).map_or("/", |at| &rest[at..])
    });
    if rest.is_empty() {
        "/".to_owned()
    } else {
        rest.to_owned()
    }
}

/// The whole file as text.
fn text(source: &mut Source) -> Result<String, ImportError> {
    let mut raw = Vec::new();
    let read = source.by_ref().take(MOST_BYTES).read_to_end(&mut raw);
    read.map_err(|error| source.unreadable(error))?;
    Ok(String::from_utf8_lossy(&raw)
        .trim_start_matches('\u{feff}')
        .to_owned())
}

/// Where the lines of a text begin.
struct Lines {
    start: usize,
    ends: Vec<usize>,
}

impl Lines {
    fn new(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self {
            start: text.as_ptr() as usize,
            ends: ends.map(|(at, _)| at).collect(),
        }
    }

    /// The line of a part of the text, from 1.
    fn of(&self, part: &str) -> usize {
        let offset = (part.as_ptr() as usize).saturating_sub(self.start);
        1 + self.ends.partition_point(|end| *end < offset)
    }
}

/// Reports a file that is none of a format.
fn refuse(collector: &mut Collector, line: usize, reason: String, advice: &'static str) {
    let fault = LineFault {
        offset: 0,
        reason,
        advice,
    };
    collector.report(line, b"", &fault);
}

/// Adds what was recorded; a file of one recording gives its name to it.
fn add_all(source: &Source, collector: &mut Collector, recordings: Vec<Recording>) {
    let stem = file_id(source, collector.has_many_files());
    let is_one = recordings.len() == 1;
    let mut taken: Vec<String> = Vec::new();
    for recording in recordings {
        let mut id = match (is_one, &*recording.name) {
            (true, _) | (_, "") => stem.clone(),
            (_, name) if collector.has_many_files() => format!("{stem}/{name}"),
            (_, name) => name.to_owned(),
        };
        let same = taken.iter().filter(|other| **other == id).count();
        taken.push(id.clone());
        if same > 0 {
            id = format!("{id} ({})", same + 1);
        }
        add(collector, id, recording);
    }
}

/// The name of the file, with its folders where it is one of many.
fn file_id(source: &Source, is_one_of_many: bool) -> String {
    let path = source.path();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').find(|part| !part.is_empty());
    let stem = stem.unwrap_or("recording").to_owned();
    let folder = path.parent().filter(|_| is_one_of_many);
    let folder = folder.map(|folder| folder.to_string_lossy().into_owned());
    match folder.filter(|folder| !folder.is_empty()) {
        Some(folder) => format!("{}/{stem}", folder.trim_start_matches(['/', '.'])),
        None => stem,
    }
}

fn add(collector: &mut Collector, id: String, recording: Recording) {
    for (line, reason) in &recording.notes {
        collector.note(*line, reason);
    }
    let page = |page: Option<String>| Cow::Owned(page.unwrap_or_else(|| UNKNOWN_PAGE.to_owned()));
    let first = recording.url.as_deref().map(path_of);
    let mut launch = Fields::new();
    if let Some(url) = &recording.url {
        let open = Act::plain(Verb::Open(url.clone())).to_string();
        launch.push(("action".into(), open.into()));
    }
    let mut fields = Fields::new();
    if !recording.name.is_empty() {
        fields.push((
            "title".into(),
            Value::from(&*recording.name).to_string().into(),
        ));
    }
    if let Some((width, height)) = recording.viewport {
        let viewport = format!("{{\"height\":{height},\"width\":{width}}}");
        fields.push(("viewport".into(), viewport.into()));
    }
    let steps = recording.steps.into_iter().map(|(action, after)| WireStep {
        action: Cow::Owned(action),
        covers: Vec::new(),
        screen: page(after),
        fault: None,
        millis: None,
        fields: Fields::new(),
    });
    let trace = WireTrace {
        id: Some(Cow::Owned(id)),
        launch: WireLaunch {
            screen: page(first),
            covers: Vec::new(),
            fields: launch,
        },
        steps: steps.collect(),
        fields,
    };
    let limit = collector.limits().max_name_bytes;
    if trace.names().any(|name| name.len() > limit) {
        let reason = format!("a name of more than {limit} bytes");
        refuse(
            collector,
            recording.line.max(1),
            reason,
            "raise the limit on names if it is meant",
        );
        return;
    }
    collector.push(recording.line.max(1), b"", trace);
}

#[cfg(test)]
mod tests;
