//! Gathers traces from all files into one suite, and what is wrong with them into one error.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::model::{Names, Slots, Suite, TraceIdx};

use super::lines::LineFault;
use super::wire::WireTrace;
use super::{ImportError, Limits, Loaded, Look, Note, Place, Problem, Problems};

/// The suite so far.
pub(super) struct Collector {
    limits: Limits,
    look: Option<Look>,
    suite: Suite,
    names: Names,
    files: Vec<PathBuf>,
    /// The file that is spoken of, as a number in `files`.
    current: u32,
    /// The traces by their ids.
    by_id: Slots,
    /// The file and line of each trace.
    lines: Vec<(u32, u32)>,
    problems: Problems,
    notes: Vec<Note>,
    more_notes: usize,
    /// Whether something is wrong with the current file.
    is_bad_file: bool,
    /// Whether the current file had anything in it.
    is_empty_file: bool,
}

impl Collector {
    /// For so many files.
    pub(super) fn new(limits: Limits, n_files: usize, look: Option<Look>) -> Self {
        Self {
            limits,
            look,
            suite: Suite::default(),
            names: Names::default(),
            files: Vec::new(),
            current: 0,
            by_id: Slots::default(),
            lines: Vec::new(),
            problems: Problems {
                files: n_files,
                ..Problems::default()
            },
            notes: Vec::new(),
            more_notes: 0,
            is_bad_file: false,
            is_empty_file: true,
        }
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// How windows become screens, where that is not left to the tool that recorded them.
    pub(super) fn look(&self) -> Option<&Look> {
        self.look.as_ref()
    }

    /// Whether one file is not all.
    pub(super) fn has_many_files(&self) -> bool {
        self.problems.files > 1
    }

    /// What follows is from this file.
    pub(super) fn start_file(&mut self, path: &Path) {
        self.go_on_with(path);
        self.is_bad_file = false;
        self.is_empty_file = true;
    }

    /// What follows is from another file of the same recording; its number.
    pub(super) fn go_on_with(&mut self, path: &Path) -> u32 {
        self.files.push(path.to_owned());
        self.current = self.files.len() as u32 - 1;
        self.current
    }

    /// The number of the file that is spoken of.
    pub(super) fn current(&self) -> u32 {
        self.current
    }

    /// What follows is about a file that was read before.
    pub(super) fn turn_to(&mut self, file: u32) {
        self.current = file;
    }

    fn path(&self) -> PathBuf {
        let path = self.files.get(self.current as usize);
        path.cloned().unwrap_or_default()
    }

    pub(super) fn end_file(&mut self) {
        if self.is_empty_file {
            self.problem(None, "no traces", "remove the file or record it again");
        }
    }

    /// Adds a trace, which must have an id of its own.
    pub(super) fn push(&mut self, number: usize, line: &[u8], trace: WireTrace<'_>) {
        self.is_empty_file = false;
        let id: Box<str> = match &trace.id {
            Some(id) => (&**id).into(),
            None => format!("t{}", self.suite.n_traces() + 1).into(),
        };
        let hash = Slots::hash(&*id);
        if let Some(first) = self.trace_named(&id, hash) {
            self.report_repeat(number, line, &trace, first);
            return;
        }
        self.by_id.insert(hash, self.suite.n_traces());
        let line = u32::try_from(number).unwrap_or(u32::MAX);
        self.lines.push((self.current, line));
        let (trace, steps) = trace.intern(id, &mut self.names);
        self.suite.push(trace, steps);
    }

    fn trace_named(&self, id: &str, hash: u32) -> Option<usize> {
        let is_meant = |index| self.suite.trace(TraceIdx::new(index)).id == id;
        self.by_id.find(hash, is_meant)
    }

    fn report_repeat(&mut self, number: usize, line: &[u8], trace: &WireTrace<'_>, first: usize) {
        let (file, first_line) = self.lines[first];
        let path = self.files[file as usize].display();
        let id = self.suite.trace(TraceIdx::new(first)).id;
        let id = printable(id.chars(), EXCERPT_CHARS);
        let fault = LineFault {
            offset: offset_in(line, trace.id.as_ref()),
            reason: format!("duplicate trace id `{id}`, first at {path}:{first_line}"),
            advice: "give each trace an id of its own",
        };
        self.report(number, line, &fault);
    }

    /// Adds a trace unless one of its names is too long.
    pub(super) fn push_checked(&mut self, number: usize, trace: WireTrace<'_>) {
        let limit = self.limits.max_name_bytes;
        let longest = trace.names().map(|name| name.len()).max();
        if longest.is_none_or(|bytes| bytes <= limit) {
            self.push(number, b"", trace);
            return;
        }
        let fault = LineFault {
            offset: 0,
            reason: format!("a name of more than {limit} bytes"),
            advice: "raise the limit on names if it is meant",
        };
        self.report(number, b"", &fault);
    }

    /// Whether a trace of this name is there already.
    pub(super) fn has_trace(&self, id: &str) -> bool {
        self.trace_named(id, Slots::hash(id)).is_some()
    }

    /// Notes what is wrong with a line.
    pub(super) fn report(&mut self, number: usize, line: &[u8], fault: &LineFault) {
        self.is_empty_file = false;
        let (column, excerpt) = around(line, fault.offset);
        let place = Place {
            line: number,
            column,
            excerpt,
        };
        self.problem(Some(place), &fault.reason, fault.advice);
    }

    /// Notes a line that cannot be used while the rest of the file can.
    pub(super) fn note(&mut self, line: usize, reason: &str) {
        if self.notes.len() >= MOST_NOTES {
            self.more_notes += 1;
            return;
        }
        self.notes.push(Note {
            path: self.path(),
            line,
            reason: printable(reason.chars(), REASON_CHARS),
        });
    }

    /// Notes a file that was found where files were looked for, and is none of them.
    pub(super) fn pass_over(&mut self, path: &Path, reason: &str) {
        let file = self.go_on_with(path);
        self.note(1, reason);
        self.files.truncate(file as usize);
    }

    fn problem(&mut self, place: Option<Place>, reason: &str, advice: &str) {
        self.problems.bad_files += usize::from(!self.is_bad_file);
        self.is_bad_file = true;
        self.problems.push(Problem {
            path: self.path(),
            place,
            // Reasons quote the input, which may be long or hold what upsets a terminal.
            reason: printable(reason.chars(), REASON_CHARS),
            advice: advice.to_owned(),
        });
    }

    /// Whether so much is wrong that reading on is of no use.
    pub(super) fn gives_up(&self) -> bool {
        self.problems.is_full()
    }

    pub(super) fn finish(self, sha256: String) -> Result<Loaded, ImportError> {
        if self.problems.shown.is_empty() {
            Ok(Loaded {
                suite: self.suite,
                names: self.names,
                sha256,
                files: self.files,
                digests: Vec::new(),
                lines: self.lines,
                notes: self.notes,
                more_notes: self.more_notes,
            })
        } else {
            Err(ImportError::Malformed(self.problems))
        }
    }
}

fn offset_in(line: &[u8], name: Option<&Cow<'_, str>>) -> usize {
    match name {
        Some(Cow::Borrowed(text)) => {
            (text.as_ptr() as usize).saturating_sub(line.as_ptr() as usize)
        }
        _ => 0,
    }
}

const MOST_NOTES: usize = 100;
const REASON_CHARS: usize = 300;
const EXCERPT_CHARS: usize = 60;
const EXCERPT_BEFORE: usize = 20;

/// The column of a byte in a line and what stands around it.
fn around(line: &[u8], offset: usize) -> (usize, String) {
    let (before, rest) = line.split_at(offset.min(line.len()));
    let before = String::from_utf8_lossy(before);
    let rest = String::from_utf8_lossy(&rest[..rest.len().min(4 * EXCERPT_CHARS)]);
    let start: Vec<char> = before.chars().rev().take(EXCERPT_BEFORE).collect();
    let excerpt = start.into_iter().rev().chain(rest.chars());
    (
        before.chars().count() + 1,
        printable(excerpt, EXCERPT_CHARS),
    )
}

/// At most `max_chars` of a text that may hold anything, for the eye.
fn printable(text: impl Iterator<Item = char>, max_chars: usize) -> String {
    let mut out = String::new();
    let mut left = max_chars;
    for c in text {
        let shown: String = if c.is_control() {
            c.escape_default().collect()
        } else {
            c.into()
        };
        match left.checked_sub(shown.chars().count()) {
            Some(fewer) => left = fewer,
            None => break,
        }
        out.push_str(&shown);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::around;

    #[track_caller]
    fn check(line: &[u8], offset: usize, column: usize, excerpt: &str) {
        assert_eq!(around(line, offset), (column, excerpt.to_owned()));
    }

    #[test]
    fn columns_count_characters() {
        check("äöü!".as_bytes(), 6, 4, "äöü!");
        check(b"", 7, 1, "");
    }

    #[test]
    fn excerpts_are_short_and_without_control_characters() {
        check(b"a\0b\x1b[c", 1, 2, "a\\u{0}b\\u{1b}[c");
        let line = [b'x'; 500];
        check(&line, 400, 401, &"x".repeat(60));
    }

    #[test]
    fn excerpts_survive_bytes_that_are_not_text() {
        check(b"ab\xff\xfe", 2, 3, "ab\u{FFFD}\u{FFFD}");
    }
}
