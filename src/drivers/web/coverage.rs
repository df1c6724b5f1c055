//! What V8 counts, as elements: the functions that were entered, and the blocks inside them.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::blocks::Blocks;
use super::place;

/// The most scripts whose blocks are kept.
const MOST: usize = 5000;

/// Scripts of one page by their numbers, which a browser gives anew at every start.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    names: HashMap<String, String>,
}

/// The blocks of all scripts that were ever seen, by their names.
#[derive(Debug, Default)]
pub(super) struct Library {
    blocks: HashMap<String, Blocks>,
}

/// A range that V8 counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    start: u32,
    end: u32,
    count: u64,
}

impl Library {
    /// How many scripts are known.
    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Takes in the text of a script.
    pub(super) fn learn(&mut self, name: String, text: &str) {
        if self.blocks.len() < MOST {
            self.blocks.insert(name, Blocks::of(text));
        }
    }
}

impl Scripts {
    /// Takes in that a script was parsed (`Debugger.scriptParsed`): it is named by its path, and by
    /// its length where it is a part of a page. What has no address is nobody's file, unless it was
    /// given a name for debuggers.
    pub(super) fn parsed(&mut self, params: &Value, host: &str) {
        let (Some(id), Some(url)) = (params["scriptId"].as_str(), params["url"].as_str()) else {
            return;
        };
        self.names.remove(id);
        let starts = |starts: &[&str]| starts.iter().any(|start| url.starts_with(start));
        let mut name = if starts(&["http://", "https://", "file://"]) {
            place(url, host)
        } else if params["hasSourceURL"] == true && !url.is_empty() && !starts(&["blob:", "data:"])
        {
            url.to_owned()
        } else {
            return;
        };
        let endings = [".js", ".mjs", ".cjs", ".ts", ".jsx", ".tsx"];
        if !endings.iter().any(|ending| name.ends_with(ending)) {
            name = format!("{name}[{}]", params["length"].as_u64().unwrap_or_default());
        }
        self.names.insert(id.to_owned(), name);
    }

    /// The scripts of a report whose text is not known yet: their numbers and names.
    pub(super) fn unknown(&self, report: &Value, library: &Library) -> Vec<(String, String)> {
        let mut unknown: Vec<(String, String)> = Vec::new();
        for script in list(&report["result"]) {
            let Some((id, name)) = self.named(script) else {
                continue;
            };
            let is_new = !library.blocks.contains_key(name);
            if is_new && unknown.iter().all(|(_, other)| other != name) {
                unknown.push((id.to_owned(), name.to_owned()));
            }
        }
        unknown
    }

    /// The elements of a report of `Profiler.takePreciseCoverage`.
    pub(super) fn covered(&self, report: &Value, library: &Library) -> BTreeSet<String> {
        let mut covered = BTreeSet::new();
        for script in list(&report["result"]) {
            let Some((_, name)) = self.named(script) else {
                continue;
            };
            let blocks = library.blocks.get(name);
            for function in list(&script["functions"]) {
                let ranges = ranges(function);
                let Some(whole) = ranges.first().filter(|whole| whole.count > 0) else {
                    continue;
                };
                let called = function["functionName"].as_str().unwrap_or_default();
                let Range { start, end, .. } = *whole;
                covered.insert(format!("block:{name}:{called}@{start}-{end}"));
                let inside = blocks
                    .into_iter()
                    .flat_map(|blocks| blocks.within(start, end));
                let entered = entered(&ranges);
                for block in inside.filter(|block| is_within(&entered, block.start)) {
                    let (start, end) = (block.start, block.end);
                    covered.insert(format!("block:{name}:{called}@{start}-{end}"));
                }
            }
        }
        covered
    }

    fn named<'a>(&'a self, script: &'a Value) -> Option<(&'a str, &'a str)> {
        let id = script["scriptId"].as_str()?;
        Some((id, self.names.get(id)?))
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn ranges(function: &Value) -> Vec<Range> {
    let range = |range: &Value| {
        Some(Range {
            start: range["startOffset"].as_u64()? as u32,
            end: range["endOffset"].as_u64()? as u32,
            count: range["count"].as_u64()?,
        })
    };
    list(&function["ranges"]).iter().filter_map(range).collect()
}

/// The parts of a function that were entered, in order: ranges nest, and the innermost decides.
/// Those around others come first.
fn entered(ranges: &[Range]) -> Vec<(u32, u32)> {
    let mut parts = Vec::new();
    let mut open: Vec<Range> = Vec::new();
    let mut at = 0;
    let mut until = |place: u32, inner: Option<&Range>, at: &mut u32| {
        if inner.is_some_and(|range| range.count > 0) && place > *at {
            parts.push((*at, place));
        }
        *at = place.max(*at);
    };
    for range in ranges {
        while let Some(inner) = open.last().filter(|inner| inner.end <= range.start) {
            until(inner.end, Some(inner), &mut at);
            open.pop();
        }
        until(range.start, open.last(), &mut at);
        open.push(*range);
    }
    while let Some(inner) = open.pop() {
        until(inner.end, Some(&inner), &mut at);
    }
    parts
}

fn is_within(parts: &[(u32, u32)], place: u32) -> bool {
    let after = parts.partition_point(|(start, _)| *start <= place);
    after > 0 && place < parts[after - 1].1
}

#[cfg(test)]
mod tests;
