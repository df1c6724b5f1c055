//! What became of a recorded trace: why it is gone and what covers each of its elements now.

use std::collections::BTreeSet;

use super::Facts;
use crate::import::Loaded;
use crate::model::{Coverage, TraceIdx};
use crate::report::{ElementState, Piece, Removed, Strip, TraceFate, TraceStory};
use crate::session::JobError;
use crate::session::places::places;

impl Facts<'_> {
    pub(super) fn trace(&self, name: &str) -> Result<TraceStory, JobError> {
        let report = self.report();
        let recorded = self.recorded(name);
        let removed = report.removed.iter().find(|r| r.trace == name);
        let restored = report.restored.iter().find(|r| r.trace == name);
        let strips = &self.reduction.strips;
        let steps = recorded.map(|(loaded, idx)| loaded.suite.steps(idx).len());
        let pieces = self.pieces(name);
        let cut = report.cut.iter().find(|cut| cut.trace == name);
        let is_known = recorded.is_some()
            || removed.is_some()
            || restored.is_some()
            || !pieces.is_empty()
            || cut.is_some();
        if !is_known {
            return Err(self.no_such_trace(name));
        }
        let fate = match (restored, removed) {
            (Some(_), _) => TraceFate::Restored,
            (None, Some(_)) => TraceFate::Removed,
            _ if pieces.iter().any(|piece| piece.why.is_some()) => TraceFate::KeptInPart,
            // A trace of which just the launch is used is in no list.
            _ if steps.is_some_and(|steps| n_kept(name, strips) < steps) => TraceFate::KeptInPart,
            _ => TraceFate::Kept,
        };
        let reason = removed.or_else(|| restored.and_then(|r| r.removed.as_ref()));
        let list =
            |of: fn(&Removed) -> &Vec<String>| reason.map_or_else(Vec::new, |r| of(r).clone());
        Ok(TraceStory {
            trace: name.to_owned(),
            fate,
            why: reason.map(|removed| removed.why.clone()),
            recorded: recorded.map(|(loaded, idx)| loaded.place(idx)),
            steps,
            covered_by: list(|removed| &removed.covered_by),
            now: list(|removed| &removed.now),
            pieces,
            cut: cut.cloned(),
            restored: restored.cloned(),
            elements: recorded.map(|(loaded, idx)| self.elements_of(loaded, idx)),
            note: self.note.clone(),
        })
    }

    /// The trace in the original.
    fn recorded(&self, name: &str) -> Option<(&Loaded, TraceIdx)> {
        let loaded = self.original?;
        let found = loaded.suite.traces().find(|(_, trace)| *trace.id == *name);
        found.map(|(idx, _)| (loaded, idx))
    }

    fn elements_of(&self, loaded: &Loaded, trace: TraceIdx) -> Vec<ElementState> {
        let Loaded { suite, names, .. } = loaded;
        let mut seen = Coverage::default();
        let mut states = Vec::new();
        for (step, elements) in places(suite, names, trace) {
            for element in elements.into_iter().filter(|&e| seen.insert(e)) {
                states.push(self.state(names.element_name(element), names.kind(element), step));
            }
        }
        states
    }

    /// What of a trace is in the output and what is not, in order; nothing if all is gone.
    fn pieces(&self, name: &str) -> Vec<Piece> {
        let dropped = self.report().dropped.iter();
        let dropped = dropped.filter(|dropped| dropped.trace == name);
        let dropped = dropped.map(|dropped| Piece {
            first: dropped.first,
            last: dropped.last,
            kept_in: Vec::new(),
            why: Some(dropped.why.clone()),
            now: dropped.now.clone(),
        });
        let mut pieces = kept_pieces(name, &self.reduction.strips);
        pieces.extend(dropped);
        pieces.sort_by_key(|piece| (piece.first, piece.last));
        pieces
    }

    fn no_such_trace(&self, name: &str) -> JobError {
        let reduced = self.reduction.suite.suite.traces();
        if reduced.into_iter().any(|(_, trace)| *trace.id == *name) {
            return JobError::Unfit(format!(
                "`{name}` is a trace of the reduced suite, so ask for `explain kept {name}`"
            ));
        }
        let report = self.report();
        let told = report.removed.iter().map(|r| r.trace.as_str());
        let told = told.chain(report.dropped.iter().map(|d| d.trace.as_str()));
        let recorded = self.original.into_iter().flat_map(|l| l.suite.traces());
        let names: BTreeSet<&str> = recorded.map(|(_, t)| t.id).chain(told).collect();
        let (what, more) = match (&self.note, self.original) {
            (Some(note), None) => ("the report does not speak of a trace", format!(" ({note})")),
            _ => ("the original suite has no trace", String::new()),
        };
        Self::unknown(what, name, names.into_iter(), &more)
    }
}

/// How many steps of a recorded trace the output has.
pub(in crate::session) fn n_kept(name: &str, strips: &[Strip]) -> usize {
    let pieces = kept_pieces(name, strips);
    let steps = pieces.iter().map(|piece| piece.last - piece.first + 1);
    steps.sum::<u32>() as usize
}

/// The pieces of a recorded trace that reduced traces are made of, each with all that have it.
fn kept_pieces(name: &str, strips: &[Strip]) -> Vec<Piece> {
    let of_trace = |strip: &Strip| -> Vec<(u32, u32)> {
        let of = strip
            .from
            .iter()
            .filter(|f| f.trace.as_deref() == Some(name));
        of.map(|fragment| (fragment.first, fragment.last)).collect()
    };
    // Where fragments of several traces overlap, the pieces are cut at every end of one.
    let spans: Vec<(u32, u32, &str)> = strips
        .iter()
        .flat_map(|strip| of_trace(strip).into_iter().map(|(f, l)| (f, l, &*strip.id)))
        .collect();
    let ends: BTreeSet<u32> = spans.iter().flat_map(|s| [s.0, s.1 + 1]).collect();
    let ends: Vec<u32> = ends.into_iter().collect();
    let pieces = ends.windows(2).map(|pair| {
        let having = spans
            .iter()
            .filter(|s| s.0 <= pair[0] && pair[1] <= s.1 + 1);
        let kept_in: BTreeSet<&str> = having.map(|s| s.2).collect();
        Piece {
            first: pair[0],
            last: pair[1] - 1,
            kept_in: kept_in.into_iter().map(str::to_owned).collect(),
            why: None,
            now: Vec::new(),
        }
    });
    pieces.filter(|piece| !piece.kept_in.is_empty()).collect()
}
