//! The reduced suite as an audit looks at it: texts, fragments, and what each trace covers.

use std::collections::{HashMap, HashSet};

use super::{Book, Case, Findings};
use crate::model::{ElementId, TraceIdx};
use crate::report::{Fragment, Line};

/// The reduced suite.
pub(super) struct Reduced<'a> {
    /// What the reduction left.
    pub(super) traces: Vec<ReducedTrace<'a>>,
    /// What somebody put back as it was recorded; no run speaks for it.
    pub(super) restored: Vec<ReducedTrace<'a>>,
    by_id: HashMap<&'a str, usize>,
    /// The original trace of a name.
    originals: HashMap<&'a str, TraceIdx>,
}

/// One reduced trace.
pub(super) struct ReducedTrace<'a> {
    pub(super) id: &'a str,
    /// The launch and the steps with what they cover, faults included, screens not.
    pub(super) lines: Vec<Line<'a>>,
    pub(super) fragments: Vec<Fragment>,
    /// Everything it covers, spelt as in a report; screens included.
    pub(super) covered: HashSet<&'a str>,
}

impl<'a> Reduced<'a> {
    pub(super) fn new(case: &Case<'a>, findings: &mut Findings) -> Self {
        let traces = case.reduced.suite.traces();
        let traces = traces.map(|(idx, _)| ReducedTrace::new(case.reduced, idx, findings));
        let restored = case.report.restored.iter();
        let restored: HashSet<&str> = restored.map(|restored| &*restored.name).collect();
        let (restored, traces): (Vec<_>, Vec<_>) =
            traces.partition(|trace| restored.contains(trace.id));
        let by_id = traces.iter().enumerate().map(|(at, t)| (t.id, at));
        let originals = case.original.suite.traces();
        Self {
            by_id: by_id.collect(),
            originals: originals.map(|(idx, trace)| (trace.id, idx)).collect(),
            traces,
            restored,
        }
    }

    /// All traces of the suite.
    pub(super) fn all(&self) -> impl Iterator<Item = &ReducedTrace<'a>> {
        self.traces.iter().chain(&self.restored)
    }

    /// The trace of a name that the reduction left.
    pub(super) fn trace(&self, id: &str) -> Option<&ReducedTrace<'a>> {
        self.by_id.get(id).map(|&at| &self.traces[at])
    }

    /// The original trace of a name.
    pub(super) fn original(&self, id: &str) -> Option<TraceIdx> {
        self.originals.get(id).copied()
    }

    /// Everything that the reduction left covers.
    pub(super) fn covered(&self) -> HashSet<&'a str> {
        let covered = self.traces.iter().flat_map(|trace| &trace.covered);
        covered.copied().collect()
    }
}

impl<'a> ReducedTrace<'a> {
    fn new(book: Book<'a>, idx: TraceIdx, findings: &mut Findings) -> Self {
        let trace = book.suite.trace(idx);
        let from = trace.fields.iter().find(|(name, _)| **name == *"from");
        let fragments = match from.map(|(_, json)| serde_json::from_str(json)) {
            Some(Ok(fragments)) => fragments,
            Some(Err(error)) => {
                findings.wrong(trace.id, format!("`from` is no list of fragments: {error}"));
                Vec::new()
            }
            None => {
                findings.wrong(trace.id, "it does not say what it was made from");
                Vec::new()
            }
        };
        let lines = lines(book, idx);
        let mut covered: HashSet<&str> = HashSet::new();
        for (position, (_, _, covers)) in lines.iter().enumerate() {
            covered.extend(covers);
            covered.insert(screen_element(book, idx, position));
        }
        Self {
            id: trace.id,
            lines,
            fragments,
            covered,
        }
    }

    pub(super) fn n_steps(&self) -> usize {
        self.lines.len() - 1
    }

    /// Whether a place of it covers an element; no step is the launch.
    pub(super) fn covers_at(&self, step: Option<u32>, element: &str) -> bool {
        let position = step.map_or(0, |step| step as usize + 1);
        let Some((_, screen, covers)) = self.lines.get(position) else {
            return false;
        };
        covers.contains(&element) || element.strip_prefix("screen:") == Some(screen)
    }
}

/// The launch and the steps of a trace as texts.
pub(super) fn lines(book: Book<'_>, idx: TraceIdx) -> Vec<Line<'_>> {
    let (suite, names) = (book.suite, book.names);
    let trace = suite.trace(idx);
    let texts = |elements: &[ElementId]| -> Vec<&str> {
        elements.iter().map(|&e| names.element_name(e)).collect()
    };
    let launch = (
        "",
        names.screen_name(trace.launch_screen),
        texts(suite.cover(trace.launch_covers).elements()),
    );
    let steps = suite.steps(idx).iter().map(|step| {
        (
            names.action_text(step.action),
            names.screen_name(step.screen),
            texts(suite.step_cover(step).elements()),
        )
    });
    std::iter::once(launch).chain(steps).collect()
}

/// How the screen at a position is spelt as an element.
fn screen_element(book: Book<'_>, idx: TraceIdx, position: usize) -> &str {
    let screen = match position.checked_sub(1) {
        None => book.suite.trace(idx).launch_screen,
        Some(step) => book.suite.steps(idx)[step].screen,
    };
    book.names.element_name(book.names.screen_element(screen))
}

/// A place of a trace in words.
pub(super) fn place(trace: &str, step: Option<usize>) -> String {
    match step {
        None => format!("the launch of {trace}"),
        Some(step) => format!("step {step} of {trace}"),
    }
}
