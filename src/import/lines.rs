//! Formats of one trace a line: chunks are read and hashed while the one before is parsed, its
//! lines side by side, and then taken in order.

use std::io::{self, BufRead as _, Read};
use std::mem;

use rayon::prelude::*;

use super::collect::Collector;
use super::source::Source;
use super::wire::WireTrace;
use super::{ImportError, Limits};

/// What is wrong with a line.
pub(super) struct LineFault {
    /// Where, in bytes from the start of the line.
    pub(super) offset: usize,
    pub(super) reason: String,
    pub(super) advice: &'static str,
}

/// Makes a trace of a line, given with its number, or nothing of one that is only a comment.
pub(super) type ParseLine =
    dyn for<'a> Fn(&'a str, usize, &Limits) -> Result<Option<WireTrace<'a>>, LineFault> + Sync;

const CHUNK_BYTES: usize = 4 << 20;

/// Reads all lines of a file.
pub(super) fn read(
    source: &mut Source,
    collector: &mut Collector,
    parse: &ParseLine,
) -> Result<(), ImportError> {
    let result = read_chunks(source, collector, parse, CHUNK_BYTES);
    result.map_err(|error| source.unreadable(error))
}

fn read_chunks(
    source: &mut (dyn Read + Send),
    collector: &mut Collector,
    parse: &ParseLine,
    chunk_bytes: usize,
) -> io::Result<()> {
    let mut chunks = Chunks {
        source,
        chunk_bytes,
        max_line_bytes: collector.limits().max_line_bytes,
        rest: Vec::new(),
        at_end: false,
    };
    let (mut current, mut next) = (Vec::new(), Vec::new());
    let mut first_line = 1;
    chunks.fill(&mut current)?;
    while !current.is_empty() {
        let (filled, n_lines) = rayon::join(
            || chunks.fill(&mut next),
            || take(&current, first_line, collector, parse),
        );
        if collector.gives_up() {
            break;
        }
        filled?;
        first_line += n_lines;
        mem::swap(&mut current, &mut next);
    }
    Ok(())
}

/// Cuts a stream at ends of lines.
struct Chunks<'s> {
    source: &'s mut (dyn Read + Send),
    chunk_bytes: usize,
    max_line_bytes: usize,
    rest: Vec<u8>,
    at_end: bool,
}

impl Chunks<'_> {
    /// Reads whole lines, the beginning of one that is too long, or nothing at the end.
    fn fill(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        bytes.append(&mut self.rest);
        while !self.at_end {
            let before = bytes.len();
            bytes.reserve(self.chunk_bytes);
            let mut part = (&mut *self.source).take(self.chunk_bytes as u64);
            self.at_end = part.read_to_end(bytes)? < self.chunk_bytes;
            if let Some(end) = bytes[before..].iter().rposition(|&b| b == b'\n') {
                self.rest.extend_from_slice(&bytes[before + end + 1..]);
                bytes.truncate(before + end + 1);
                break;
            }
            // All of it is one line whose end is still to come; what is too long is not read on.
            self.at_end |= bytes.len() > self.max_line_bytes.saturating_add(1);
        }
        Ok(())
    }
}

/// Takes the lines of a chunk and tells how many they were.
fn take(chunk: &[u8], first_line: usize, collector: &mut Collector, parse: &ParseLine) -> usize {
    let limits = *collector.limits();
    let lines = split(chunk, first_line == 1);
    let traces: Vec<_> = lines
        .par_iter()
        .enumerate()
        .map(|(i, &line)| trace_on(line, first_line + i, &limits, parse))
        .collect();
    let n_lines = lines.len();
    for ((i, line), trace) in lines.into_iter().enumerate().zip(traces) {
        match trace {
            Ok(Some(trace)) => collector.push(first_line + i, line, trace),
            Ok(None) => {}
            Err(fault) => collector.report(first_line + i, line, &fault),
        }
    }
    n_lines
}

fn split(mut bytes: &[u8], starts_file: bool) -> Vec<&[u8]> {
    if starts_file {
        bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    }
    let mut lines = Vec::new();
    while !bytes.is_empty() {
        let all = bytes;
        let len = bytes.skip_until(b'\n').expect("memory can be read");
        let line = &all[..len];
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        lines.push(line.strip_suffix(b"\r").unwrap_or(line));
    }
    lines
}

fn trace_on<'a>(
    line: &'a [u8],
    number: usize,
    limits: &Limits,
    parse: &ParseLine,
) -> Result<Option<WireTrace<'a>>, LineFault> {
    if line.len() > limits.max_line_bytes {
        return Err(LineFault {
            offset: limits.max_line_bytes,
            reason: format!("a line of more than {} bytes", limits.max_line_bytes),
            advice: "put each trace on a line of its own, or raise the limit on lines",
        });
    }
    match std::str::from_utf8(line) {
        Ok(text) if text.trim_ascii().is_empty() => Ok(None),
        Ok(text) => parse(text, number, limits),
        Err(error) => Err(LineFault {
            offset: error.valid_up_to(),
            reason: "bytes that are not UTF-8".into(),
            advice: "save the file as UTF-8",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Chunks, Collector, Limits, ParseLine, read_chunks, split};
    use crate::import::jsonl::parse_line;

    #[track_caller]
    fn check(text: &str, chunk_bytes: usize, max_line_bytes: usize, expect: &[&str]) {
        let mut source = text.as_bytes();
        let mut chunks = Chunks {
            source: &mut source,
            chunk_bytes,
            max_line_bytes,
            rest: Vec::new(),
            at_end: false,
        };
        let mut seen = Vec::new();
        let mut chunk = Vec::new();
        loop {
            chunks.fill(&mut chunk).unwrap();
            if chunk.is_empty() {
                break;
            }
            seen.push(String::from_utf8_lossy(&chunk).into_owned());
        }
        assert_eq!(seen, expect);
    }

    #[test]
    fn chunks_end_where_lines_end() {
        check("ab\ncd\nef\n", 4, 9, &["ab\n", "cd\n", "ef\n"]);
        check("ab\ncd", 100, 9, &["ab\n", "cd"]);
        check("abcdefgh\nij\n", 4, 9, &["abcdefgh\nij\n"]);
        check("", 4, 9, &[]);
    }

    #[test]
    fn a_line_that_is_too_long_is_not_read_whole() {
        check(&"x".repeat(1000), 4, 9, &[&"x".repeat(12)]);
    }

    #[test]
    fn the_size_of_chunks_makes_no_difference() {
        let line = |i| format!("{{\"id\":{i},\"launch\":{{\"screen\":\"s{i}\"}},\"steps\":[]}}\n");
        let mut text: String = (1..20).map(line).collect();
        text += "oops";
        for chunk_bytes in [1, 7, 64, 100_000] {
            let limits = Limits {
                max_line_bytes: 1000,
                max_name_bytes: 1000,
            };
            let mut collector = Collector::new(limits, 1, None);
            collector.start_file("s".as_ref());
            let mut source = text.as_bytes();
            let parse: &ParseLine = &|line, _, limits| parse_line(line, limits);
            read_chunks(&mut source, &mut collector, parse, chunk_bytes).unwrap();
            let error = collector.finish(String::new()).unwrap_err().to_string();
            assert!(error.starts_with("s:20:1: expected value"), "{error}");
        }
    }

    #[test]
    fn lines_lose_their_ends_and_the_first_its_byte_order_mark() {
        let lines = split(b"\xEF\xBB\xBFa\r\n\nb\n", true);
        assert_eq!(lines, [&b"a"[..], b"", b"b"]);
    }
}
