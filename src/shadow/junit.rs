//! JUnit files as test runners write them: surefire, Gradle, pytest, jest, nextest and their kin.
//!
//! Suites may be nested to any depth. A `failure` or an `error` is a failed test; `flakyFailure`
//! and `flakyError` tell of one that passed when it was tried again, `rerunFailure` and
//! `rerunError` of one that did not. Entities that a file defines itself are never expanded.

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::signature::signature;
use super::{Ending, Failure};

/// The most bytes of text that are looked at for a message.
const MOST_TEXT: usize = 4 << 10;
/// The most characters of a test's name.
const LONGEST_NAME: usize = 1 << 10;

/// Why a text is no JUnit file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {reason}")]
pub struct JunitError {
    /// The line, from 1.
    pub line: usize,
    /// The byte in the line, from 1.
    pub column: usize,
    /// What is wrong, and what to do.
    pub reason: String,
}

/// Reads a JUnit file; each test case is told in its order.
pub fn read(text: &[u8], mut tell: impl FnMut(String, Ending)) -> Result<(), JunitError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut reader = Reader::from_reader(text);
    let mut state = State::default();
    loop {
        let before = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| {
            let place = reader.error_position() as usize;
            failed(text, place, &not_xml(&error))
        })?;
        let wrong = |reason: String| failed(text, before, &reason);
        match event {
            Event::Start(tag) => state.open(&tag).map_err(wrong)?,
            Event::Empty(tag) => {
                state.open(&tag).map_err(wrong)?;
                state.close(&mut tell);
            }
            Event::End(_) => state.close(&mut tell),
            Event::Text(part) => state.text(&part),
            Event::CData(part) => state.text(&part),
            Event::GeneralRef(name) => state.text(&[b"&", &*name, b";"].concat()),
            Event::Eof => break,
            _ => {}
        }
    }
    let end = |reason: &str| Err(failed(text, text.len(), reason));
    match (state.has_root, state.depth) {
        (false, _) => end("there is no element in it, so it is no JUnit file"),
        (true, 0) => Ok(()),
        (true, _) => end("it ends inside an element: it is cut off, so fetch it again"),
    }
}

fn not_xml(error: &quick_xml::Error) -> String {
    let reason = error.to_string();
    // What the library calls the sort of error says nothing more.
    let (_, reason) = reason.split_once("syntax error: ").unwrap_or(("", &reason));
    let (_, reason) = reason
        .split_once("ill-formed document: ")
        .unwrap_or(("", reason));
    format!("this is not XML: {reason}; fetch the file again or leave it out")
}

fn failed(text: &[u8], place: usize, reason: &str) -> JunitError {
    let before = &text[..place.min(text.len())];
    let line_start = before
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |p| p + 1);
    JunitError {
        line: before.split(|&b| b == b'\n').count(),
        column: before.len() - line_start + 1,
        reason: reason.to_owned(),
    }
}

/// Where in a file the reader is.
#[derive(Default)]
struct State {
    has_root: bool,
    /// How many elements are open.
    depth: usize,
    case: Option<Case>,
}

/// A test case that is being read.
struct Case {
    test: String,
    /// The depth of its own element.
    depth: usize,
    is_skipped: bool,
    is_flaky: bool,
    failure: Option<Reason>,
}

/// Why a case failed, as far as it was read.
struct Reason {
    is_error: bool,
    sort: String,
    message: String,
    /// Whether the reader is inside of it, so that text belongs to it.
    is_open: bool,
}

impl State {
    fn open(&mut self, tag: &BytesStart) -> Result<(), String> {
        self.depth += 1;
        let name = tag.local_name();
        let name = name.as_ref();
        if !self.has_root {
            self.has_root = true;
            if name != b"testsuites" && name != b"testsuite" {
                return Err(format!(
                    "the first element is <{}>, not <testsuites> or <testsuite>: \
                     this is no JUnit file",
                    String::from_utf8_lossy(&name[..name.len().min(80)])
                ));
            }
        }
        match &mut self.case {
            None if name == b"testcase" => {
                self.case = Some(Case {
                    test: test_name(tag),
                    depth: self.depth,
                    is_skipped: false,
                    is_flaky: false,
                    failure: None,
                });
            }
            Some(case) if self.depth == case.depth + 1 => case.child(name, tag),
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, tell: &mut impl FnMut(String, Ending)) {
        if let Some(case) = &mut self.case {
            if self.depth == case.depth + 1
                && let Some(reason) = &mut case.failure
            {
                reason.is_open = false;
            }
            if self.depth == case.depth
                && let Some(case) = self.case.take()
            {
                let (test, ending) = case.ended();
                tell(test, ending);
            }
        }
        // The reader refuses an end without a start.
        self.depth = self.depth.saturating_sub(1);
    }

    fn text(&mut self, part: &[u8]) {
        let failure = self.case.as_mut().and_then(|case| case.failure.as_mut());
        if let Some(reason) = failure.filter(|reason| reason.is_open) {
            let room = MOST_TEXT.saturating_sub(reason.message.len());
            let part = String::from_utf8_lossy(&part[..part.len().min(room)]);
            reason.message.push_str(&unescaped(&part));
        }
    }
}

impl Case {
    fn child(&mut self, name: &[u8], tag: &BytesStart) {
        let (is_error, is_flaky) = match name {
            b"failure" | b"rerunFailure" => (false, false),
            b"error" | b"rerunError" => (true, false),
            b"flakyFailure" => (false, true),
            b"flakyError" => (true, true),
            b"skipped" => {
                self.is_skipped = true;
                return;
            }
            _ => return,
        };
        self.is_flaky = is_flaky;
        // The first failure stands for the test; further tries most often fail in the same way.
        if self.failure.is_none() {
            let message = attribute(tag, b"message").unwrap_or_default();
            self.failure = Some(Reason {
                is_error,
                sort: attribute(tag, b"type").unwrap_or_default(),
                is_open: message.trim().is_empty(),
                message,
            });
        }
    }

    fn ended(self) -> (String, Ending) {
        let failure = self.failure.map(|reason| Failure {
            is_error: reason.is_error,
            signature: signature(&reason.sort, &reason.message),
        });
        let ending = match failure {
            Some(failure) if self.is_flaky => Ending::Flaky(failure),
            Some(failure) => Ending::Failed(failure),
            None if self.is_skipped => Ending::Skipped,
            None => Ending::Passed,
        };
        (self.test, ending)
    }
}

/// Class and name of a test; some runners repeat one in the other.
fn test_name(tag: &BytesStart) -> String {
    let name = attribute(tag, b"name").unwrap_or_default();
    let class = attribute(tag, b"classname").unwrap_or_default();
    let whole = match (class.is_empty(), name.is_empty()) {
        (true, true) => "a test without a name".to_owned(),
        (true, false) => name,
        (false, true) => class,
        (false, false) if name == class => name,
        (false, false) => format!("{class}.{name}"),
    };
    match whole.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &whole[..end]),
        None => whole,
    }
}

/// The value of an attribute, as far as it is worth looking at.
fn attribute(tag: &BytesStart, name: &[u8]) -> Option<String> {
    let mut attributes = tag.attributes();
    // Looking for repeats would take long where there are very many.
    let mut attributes = attributes.with_checks(false).flatten();
    let found = attributes.find(|attribute| attribute.key.local_name().as_ref() == name)?;
    let value = &found.value[..found.value.len().min(MOST_TEXT)];
    Some(unescaped(&String::from_utf8_lossy(value)))
}

/// A text with its references resolved; as it is, where one is of an entity that XML lacks.
fn unescaped(text: &str) -> String {
    unescape(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests;
