//! What is gone of the input: whole traces, and pieces of traces that are partly kept.

use std::collections::{BTreeMap, BTreeSet};

use super::words::Words;
use crate::model::{Coverage, ElementId, ScriptStep, StepRef, TraceIdx};
use crate::reduce::{Cut, Proven};
use crate::report::{Dropped, Witness};

/// What is needed to say what covers a piece now.
pub(super) struct Left<'a> {
    pub(super) words: Words<'a>,
    /// The promised elements that the output covers.
    pub(super) preserved: &'a Coverage,
    pub(super) witness: &'a BTreeMap<String, Witness>,
    /// For each witness the recorded trace that its step comes from.
    pub(super) origins: BTreeMap<String, TraceIdx>,
    pub(super) cuts: &'a [(TraceIdx, Cut)],
}

impl Left<'_> {
    /// The pieces of partly kept traces that no reduced trace has.
    pub(super) fn dropped(&self, shipped: &[&Proven]) -> Vec<Dropped> {
        let steps = shipped.iter().flat_map(|proven| &proven.script.steps);
        let used: BTreeSet<StepRef> = steps.filter_map(ScriptStep::step).collect();
        let launches = shipped.iter().map(|proven| proven.script.launch);
        let traces = used.iter().map(|step| step.trace).chain(launches);
        let traces: BTreeSet<TraceIdx> = traces.collect();
        let pieces = traces
            .iter()
            .flat_map(|&trace| self.pieces_of(trace, &used));
        pieces.collect()
    }

    fn pieces_of(&self, trace: TraceIdx, used: &BTreeSet<StepRef>) -> Vec<Dropped> {
        let len = self.words.suite.steps(trace).len() as u32;
        let mut pieces = Vec::new();
        let mut first = None;
        for step in 0..=len {
            let is_gone = step < len && !used.contains(&StepRef { trace, step });
            match first {
                None if is_gone => first = Some(step),
                Some(begin) if !is_gone => {
                    pieces.push(self.piece(trace, begin, step - 1, len));
                    first = None;
                }
                _ => {}
            }
        }
        pieces
    }

    fn piece(&self, trace: TraceIdx, first: u32, last: u32, len: u32) -> Dropped {
        Dropped {
            trace: self.words.id(trace).to_owned(),
            first,
            last,
            why: self.why(trace, first, last, len).to_owned(),
            now: self.now(trace, first as usize + 1..=last as usize + 1),
        }
    }

    fn why(&self, trace: TraceIdx, first: u32, last: u32, len: u32) -> &'static str {
        let cut = self.cuts.iter().find(|(cut, _)| *cut == trace);
        let steps = self.words.suite.steps(trace);
        let before = match first.checked_sub(1) {
            None => self.words.suite.trace(trace).launch_screen,
            Some(step) => steps[step as usize].screen,
        };
        if cut.is_some_and(|(_, cut)| cut.kept <= first as usize) {
            "unstable"
        } else if last + 1 == len {
            "tail"
        } else if before == steps[last as usize].screen {
            "loop"
        } else if first == 0 {
            "head"
        } else {
            "detour"
        }
    }

    /// The reduced traces that cover what these positions of a trace recorded; 0 is the launch.
    pub(super) fn now(
        &self,
        trace: TraceIdx,
        positions: impl IntoIterator<Item = usize>,
    ) -> Vec<String> {
        let elements = self.still_covered(trace, positions);
        let witnesses = elements.iter().filter_map(|name| self.witness.get(*name));
        let now: BTreeSet<&str> = witnesses.map(|witness| witness.trace.as_str()).collect();
        let mut now: Vec<String> = now.into_iter().map(str::to_owned).collect();
        now.sort_by_key(|id| (id.len(), id.clone()));
        now
    }

    /// The recorded traces whose kept steps cover what a trace covered.
    pub(super) fn origins(&self, trace: TraceIdx) -> Vec<String> {
        let all = 0..=self.words.suite.steps(trace).len();
        let elements = self.still_covered(trace, all);
        let origins = elements.iter().filter_map(|name| self.origins.get(*name));
        let origins: BTreeSet<TraceIdx> = origins.copied().collect();
        let names = origins.into_iter().map(|origin| self.words.id(origin));
        names.map(str::to_owned).collect()
    }

    /// What these positions of a trace recorded of all that is preserved.
    fn still_covered(
        &self,
        trace: TraceIdx,
        positions: impl IntoIterator<Item = usize>,
    ) -> BTreeSet<&str> {
        let Words { suite, names, .. } = self.words;
        let mut found: BTreeSet<ElementId> = BTreeSet::new();
        for position in positions {
            let recorded = suite.trace(trace);
            let (screen, cover) = match position.checked_sub(1) {
                None => (
                    recorded.launch_screen,
                    suite.cover(recorded.launch_covers).clone(),
                ),
                Some(step) => {
                    let step = &suite.steps(trace)[step];
                    (step.screen, suite.step_cover(step))
                }
            };
            let elements = cover.elements().iter().copied();
            let elements = elements.chain([names.screen_element(screen)]);
            found.extend(elements.filter(|&element| self.preserved.contains(element)));
        }
        found.into_iter().map(|e| names.element_name(e)).collect()
    }
}
