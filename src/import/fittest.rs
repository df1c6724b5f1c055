//! Logs of the FITTEST logger, as XML: events of a web shop with the state after each.
//!
//! An event is named by its type and its widget, with its arguments between brackets:
//! `clickImage2(3)`. The state is a list of fields; together they are the screen, spelt by a
//! digest with the first few fields in front of it. The state before the first event is not in the
//! log, so the launch screen is `start`. Ids of the serialisation are no part of a state.

use std::borrow::Cow;
use std::io::{self, BufReader, Read as _};
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::collect::Collector;
use super::lines::LineFault;
use super::source::Source;
use super::wire::{WireLaunch, WireStep, WireTrace};
use super::{ImportError, Importer, Likeness, PLAIN};
use crate::model::{Fields, sha256};

pub(super) const IMPORTER: Importer = Importer {
    name: "fittest",
    extensions: &["fittest.xml"],
    shared: &["xml"],
    looks,
    read,
    ..PLAIN
};

/// Whether a text begins as such a log does.
fn looks(_: &Path, text: &str) -> Likeness {
    if text.contains("<E t=\"") && text.contains("eu.fittest.") {
        Likeness::Alike
    } else {
        Likeness::Foreign
    }
}

const LAUNCH: &str = "start";
const MOST_BYTES: u64 = 1 << 29;
/// How much of a state is spelt out before its digest.
const SPELT_CHARS: usize = 60;

fn read(source: &mut Source, collector: &mut Collector) -> Result<(), ImportError> {
    let stem = source.path().file_stem().unwrap_or_default();
    let id = stem.to_string_lossy().into_owned();
    let limits = *collector.limits();
    let log = parse(
        BufReader::new(source.by_ref().take(MOST_BYTES)),
        limits.max_line_bytes,
    );
    let steps = match log {
        Ok(steps) if steps.is_empty() => {
            collector.note(1, "no event in this log");
            return Ok(());
        }
        Ok(steps) => steps,
        Err(Fault {
            io: Some(error), ..
        }) => return Err(source.unreadable(error)),
        Err(Fault { offset, reason, .. }) => {
            let fault = LineFault {
                offset: 0,
                reason: format!("{reason} (byte {offset})"),
                advice: "give the XML form of a log, whole",
            };
            collector.report(1, b"", &fault);
            return Ok(());
        }
    };
    let trace = WireTrace {
        id: Some(Cow::Owned(id)),
        launch: WireLaunch {
            screen: Cow::Borrowed(LAUNCH),
            covers: Vec::new(),
            fields: Fields::new(),
        },
        steps,
        fields: Fields::new(),
    };
    collector.push_checked(1, trace);
    Ok(())
}

struct Fault {
    offset: u64,
    reason: String,
    /// The file could not be read, which says nothing about what is in it.
    io: Option<io::Error>,
}

/// What the log says about one event, while it is read.
#[derive(Default)]
struct Entry {
    target: String,
    kind: String,
    arguments: Vec<String>,
    state: Vec<String>,
}

/// Where the reader is: the names of the fields around it, and which of the two objects.
#[derive(Default)]
struct Cursor {
    fields: Vec<String>,
    objects: Vec<String>,
    entry: Option<Entry>,
    steps: Vec<WireStep<'static>>,
}

fn parse(input: impl std::io::BufRead, max_value: usize) -> Result<Vec<WireStep<'static>>, Fault> {
    let mut reader = Reader::from_reader(input);
    let mut cursor = Cursor::default();
    let mut buffer = Vec::new();
    let mut is_log = false;
    let mut depth = 0_usize;
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        let offset = reader.buffer_position();
        let fault = |reason: &str| Fault {
            offset,
            reason: reason.to_owned(),
            io: None,
        };
        match event {
            Err(quick_xml::Error::Io(error)) => {
                let io = Some(io::Error::new(error.kind(), error));
                return Err(Fault { io, ..fault("") });
            }
            Err(error) => return Err(fault(&format!("no well-formed XML: {error}"))),
            Ok(Event::Start(tag)) => {
                is_log |= tag.name().as_ref() == b"body";
                depth += 1;
                cursor.open(&tag, max_value);
            }
            Ok(Event::Empty(tag)) => {
                is_log |= tag.name().as_ref() == b"body";
                cursor.open(&tag, max_value);
                cursor.close(tag.name().as_ref());
            }
            Ok(Event::End(tag)) => {
                depth = depth.saturating_sub(1);
                cursor.close(tag.name().as_ref());
            }
            Ok(Event::Eof) if !is_log => return Err(fault("no <body> of a log")),
            Ok(Event::Eof) if depth > 0 => return Err(fault("the log is cut off")),
            Ok(Event::Eof) => return Ok(cursor.steps),
            Ok(_) => {}
        }
        if cursor.fields.len() + cursor.objects.len() > 200 {
            return Err(fault("objects are nested too deep"));
        }
    }
}

fn attribute(tag: &BytesStart, name: &[u8], most: usize) -> String {
    let found = tag
        .attributes()
        .flatten()
        .find(|attribute| attribute.key.as_ref() == name);
    let Some(found) = found else {
        return String::new();
    };
    let raw = String::from_utf8_lossy(&found.value);
    let text = quick_xml::escape::unescape(&raw)
        .map_or_else(|_| raw.clone().into_owned(), Cow::into_owned);
    let text = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
        .unwrap_or(&text);
    text.chars().take(most).collect()
}

impl Cursor {
    fn open(&mut self, tag: &BytesStart, max_value: usize) {
        match tag.name().as_ref() {
            b"E" => self.entry = Some(Entry::default()),
            b"O" => self.objects.push(attribute(tag, b"ty", 200)),
            b"fd" => self.fields.push(attribute(tag, b"n", 200)),
            b"V" => self.value(attribute(tag, b"v", max_value)),
            _ => {}
        }
    }

    fn close(&mut self, name: &[u8]) {
        match name {
            b"E" => self.end_entry(),
            b"O" => {
                self.objects.pop();
            }
            b"fd" => {
                self.fields.pop();
            }
            _ => {}
        }
    }

    fn value(&mut self, value: String) {
        let Some(entry) = &mut self.entry else {
            return;
        };
        let Some(object) = self.objects.first() else {
            return;
        };
        let names: Vec<&str> = self.fields.iter().map(String::as_str).collect();
        if names.last() == Some(&"I") {
            return;
        }
        if object.ends_with("RecordEvent") {
            match *names {
                ["targetID"] => entry.target = value,
                ["type"] => entry.kind = value,
                ["args", ..] => entry.arguments.push(value),
                _ => {}
            }
        } else {
            entry.state.push(format!("{}={value}", names.join(".")));
        }
    }

    fn end_entry(&mut self) {
        let Some(entry) = self.entry.take() else {
            return;
        };
        let Entry {
            target,
            kind,
            arguments,
            state,
        } = entry;
        if target.is_empty() && kind.is_empty() {
            return;
        }
        let state = state.join(" ");
        let spelt: String = state.chars().take(SPELT_CHARS).collect();
        let digest = sha256(state.as_bytes());
        let text = format!("{kind}{target}({})", arguments.join(","));
        self.steps.push(WireStep {
            action: Cow::Owned(crate::model::action::plain(text.into()).into_owned()),
            covers: Vec::new(),
            screen: Cow::Owned(format!("{spelt} #{}", &digest[..12])),
            fault: None,
            millis: None,
            fields: Fields::new(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[track_caller]
    fn check(xml: &str, expect: Result<&[(&str, &str)], &str>) {
        let read = parse(xml.as_bytes(), 100);
        let read = read.map(|steps| {
            let steps = steps.into_iter().map(|step| {
                let screen = step
                    .screen
                    .split(" #")
                    .next()
                    .unwrap_or_default()
                    .to_owned();
                (step.action.into_owned(), screen)
            });
            steps.collect::<Vec<_>>()
        });
        let expect = expect.map(|steps| {
            steps
                .iter()
                .map(|(a, s)| ((*a).to_owned(), (*s).to_owned()))
                .collect()
        });
        assert_eq!(
            read.map_err(|fault| fault.reason),
            expect.map_err(str::to_owned)
        );
    }

    const EVENT: &str = "<E t=\"1\"><O ty=\"x::RecordEvent\"><fd n=\"I\"><V v=\"0\"/></fd>\
        <fd n=\"targetID\"><V v=\"&quot;Image2&quot;\"/></fd><fd n=\"type\"><V v=\"&quot;click&quot;\"/></fd>\
        <fd n=\"args\"><O ty=\"Array\"><fd n=\"elem\"><V v=\"3\"/></fd></O></fd></O>\
        <O ty=\"AppAbstractState\"><fd n=\"I\"><V v=\"9\"/></fd><fd n=\"cart\"><V v=\"1\"/></fd>\
        <fd n=\"all\"><O ty=\"Array\"><fd n=\"I\"><V v=\"4\"/></fd><fd n=\"elem\"><V v=\"7\"/></fd></O></fd></O></E>";

    #[test]
    fn events_have_their_arguments_and_the_state_after_them() {
        let log = format!("<?xml version='1.0' ?><body>{EVENT}</body>");
        check(&log, Ok(&[("clickImage2(3)", "cart=1 all.elem=7")]));
    }

    #[test]
    fn what_is_no_log_is_told() {
        check("<a/>", Err("no <body> of a log"));
        check(&format!("<body>{EVENT}"), Err("the log is cut off"));
        check(
            &format!("<body><E>{}", "<fd n=\"a\">".repeat(300)),
            Err("objects are nested too deep"),
        );
        check("<body/>", Ok(&[]));
    }
}
