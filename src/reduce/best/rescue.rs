//! Rescue: elements that no plan covers are tried by the recorded traces that have them.

use std::sync::Arc;

use super::Search;
use super::doubt::Doubt;
use crate::model::{Coverage, ElementId, Kind, Script, TraceIdx};
use crate::reduce::evidence::Node;

/// How often an element is planned for before recorded traces are tried.
pub(super) const PLANS: u32 = 4;
/// How often recorded traces are tried for it.
const RESCUES: u32 = 30;

/// A beginning of a recorded trace and what it may still show of what is missing.
struct Candidate {
    trace: TraceIdx,
    len: usize,
    gain: Coverage,
    /// What is to be feared of it, in percent of its time.
    worry: u64,
}

impl Search<'_, '_> {
    /// Beginnings of recorded traces that have elements which no plan covers; elements that
    /// nothing is left to try for are given up.
    pub(super) fn rescue(
        &mut self,
        missing: &Coverage,
        drafts: &[Arc<Script>],
    ) -> Vec<Arc<Script>> {
        let mut open = Coverage::default();
        for element in missing.iter() {
            // Elements that no plan covers from the start are not made to wait for one.
            let tries = self.tries.entry(element).or_default();
            *tries = (*tries).max(PLANS) + u32::from(*tries >= PLANS);
            if *tries > PLANS + RESCUES && self.is_explained(element) {
                self.given_up.insert(element);
            } else {
                open.insert(element);
            }
        }
        let mut candidates = self.candidates(&open, drafts);
        let mut chosen = Vec::new();
        while !open.is_empty() {
            for candidate in &mut candidates {
                candidate.gain = candidate.gain.intersection(&open);
            }
            candidates.retain(|candidate| !candidate.gain.is_empty());
            let rate = |candidate: &Candidate| {
                let micros = self.bench.settings.costs.micros(1, candidate.len);
                // What is likely to break is as good as so much dearer.
                micros * (100 + candidate.worry) / candidate.gain.len() as u64
            };
            let best = candidates
                .iter()
                .min_by_key(|candidate| (rate(candidate), candidate.trace));
            let Some(best) = best else { break };
            open.subtract(&best.gain);
            let script = Script::prefix_of(self.bench.suite, best.trace, best.len);
            chosen.push(Arc::new(script));
        }
        self.given_up.union_with(&open);
        chosen
    }

    /// Whether something live left every recorded way to an element, or went it without
    /// covering the element, at least once.
    fn is_explained(&self, element: ElementId) -> bool {
        let evidence = &self.bench.evidence;
        let has = |node: &Node| {
            let recorded = evidence.prefix(*node).recorded_cover.as_ref();
            recorded.is_some_and(|cover| cover.contains(element))
        };
        let left = |mut node: Node| {
            if evidence.prefix(node).measured > 0 {
                return true;
            }
            loop {
                if evidence.goes_elsewhere(node) {
                    return true;
                }
                match evidence.prefix(node).step {
                    Some((before, _)) => node = before,
                    None => return false,
                }
            }
        };
        let is_screen = self.bench.names().kind(element) == Kind::Screen;
        is_screen || (0..evidence.len() as Node).filter(has).any(left)
    }

    /// For each recorded trace the beginning that is not known to lead elsewhere, cut behind
    /// the last missing element it may show.
    fn candidates(&self, open: &Coverage, drafts: &[Arc<Script>]) -> Vec<Candidate> {
        let suite = self.bench.suite;
        let mut candidates = Vec::new();
        for (trace, _) in suite.traces() {
            let whole = Script::prefix_of(suite, trace, suite.steps(trace).len());
            let mut gain = Coverage::default();
            let mut len = 0;
            for (position, node) in self.bench.evidence.walk(&whole).enumerate() {
                if self.bench.evidence.goes_elsewhere(node) {
                    break;
                }
                let prefix = self.bench.evidence.prefix(node);
                let cover = prefix.cover.as_ref().or(prefix.recorded_cover.as_ref());
                let screen = self.bench.names().screen_element(prefix.screen);
                let elements = cover.into_iter().flat_map(|cover| cover.elements().iter());
                for &element in elements.chain([&screen]) {
                    if open.contains(element) && gain.insert(element) {
                        len = position;
                    }
                }
            }
            let script = Script::prefix_of(suite, trace, len);
            if !gain.is_empty() && !drafts.iter().any(|draft| **draft == script) {
                #[expect(clippy::cast_sign_loss, reason = "risks are from 0 to 1")]
                let worry = (2000.0 * Doubt::of(&script, &self.machine).risk) as u64;
                candidates.push(Candidate {
                    trace,
                    len,
                    gain,
                    worry,
                });
            }
        }
        candidates
    }
}
