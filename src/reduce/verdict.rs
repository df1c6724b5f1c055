//! The verdict on what came in: which promised elements are missing and why, which traces are
//! gone.

use rustc_hash::FxHashMap;

use super::bench::Bench;
use super::evidence::Known;
use super::{Cut, Proven, Stabilized};
use crate::model::{Coverage, ElementId, ScriptStep, Suite, TraceIdx};

/// A promised element that the result does not cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The element.
    pub element: ElementId,
    /// The first trace that recorded it.
    pub trace: TraceIdx,
    /// The position there, 0 for the launch.
    pub position: usize,
    /// What became of it.
    pub why: Why,
}

/// Why a promised element is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// Runs of the trace diverged before they came there.
    Diverged(Cut),
    /// Runs came there, but not all of them covered it.
    NotShown,
    /// It is still shown by the trace, yet the result does not have it.
    Dropped,
}

/// A recorded trace of which no step is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// The trace.
    pub trace: TraceIdx,
    /// `unstable`, `redundant` or `spliced`.
    pub why: &'static str,
}

/// Finds the first recorded place of each missing element and says what happened there.
pub(super) fn explain(
    missing: &Coverage,
    stabilized: &[Stabilized],
    pool: &[Proven],
    bench: &Bench,
) -> Vec<Finding> {
    if missing.is_empty() {
        return Vec::new();
    }
    let cuts: FxHashMap<TraceIdx, &Cut> = stabilized
        .iter()
        .filter_map(|s| Some((s.trace, s.cut.as_ref()?)))
        .collect();
    let (suite, names) = (bench.suite, bench.names());
    let still_shown = still_shown(missing, pool, bench);
    let mut left = missing.clone();
    let mut findings = Vec::new();
    for (trace, _) in suite.traces() {
        let recorded = Proven::trusted(suite, trace);
        for position in 0..recorded.covers.len() {
            for element in recorded.elements_at(suite, names, position) {
                if !left.contains(element) {
                    continue;
                }
                left.remove(element);
                let why = match cuts.get(&trace) {
                    _ if still_shown.contains(element) => Why::Dropped,
                    Some(cut) if position >= cut.position => Why::Diverged((*cut).clone()),
                    _ => Why::NotShown,
                };
                findings.push(Finding {
                    element,
                    trace,
                    position,
                    why,
                });
            }
        }
    }
    findings.sort_by(|a, b| {
        names
            .element_name(a.element)
            .cmp(names.element_name(b.element))
    });
    findings
}

/// Those of the missing elements that the evidence still proves for some trace.
fn still_shown(missing: &Coverage, pool: &[Proven], bench: &Bench) -> Coverage {
    let mut shown = Coverage::default();
    for trace in pool {
        let wanted = bench.coverage(trace).intersection(missing);
        if wanted.is_empty() {
            continue;
        }
        let cut = trace.cut_tail(bench.suite, bench.names(), &wanted);
        if let Known::Proven(proven) = bench.evidence.known(&cut.script, bench.settings.runs) {
            shown.union_with(&bench.coverage(&proven).intersection(missing));
        }
    }
    shown
}

/// Lists the traces of which no step is left.
pub(super) fn removed(
    suite: &Suite,
    stabilized: &[Stabilized],
    selected: &[TraceIdx],
    shipped: &[Proven],
) -> Vec<Removed> {
    let mut used: Vec<TraceIdx> = shipped
        .iter()
        .flat_map(|trace| trace.script.steps.iter().filter_map(ScriptStep::trace))
        .collect();
    used.extend(shipped.iter().map(|trace| trace.script.launch));
    used.sort_unstable();
    used.dedup();
    let kept: FxHashMap<TraceIdx, &Stabilized> = stabilized.iter().map(|s| (s.trace, s)).collect();
    let gone = suite
        .traces()
        .filter(|(trace, _)| used.binary_search(trace).is_err());
    gone.map(|(trace, _)| {
        let left = kept.get(&trace).map(|stabilized| stabilized.kept.as_ref());
        let nothing_left = left.is_some_and(|kept| kept.is_none_or(|kept| kept.n_steps() == 0))
            && !suite.steps(trace).is_empty();
        let why = match selected.binary_search(&trace) {
            _ if nothing_left => "unstable",
            Ok(_) => "spliced",
            Err(_) => "redundant",
        };
        Removed { trace, why }
    })
    .collect()
}
