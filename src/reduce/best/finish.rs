//! From what was certified to what is told: sizes, findings and what became of each trace.

use std::sync::Arc;

use super::Search;
use super::doubt::Doubt;
use crate::model::{Coverage, ElementId, Phase, Script, Stabilize, Suite, TraceIdx};
use crate::reduce::certainty::suite_risk;
use crate::reduce::cover::{Effort, solve, traces_of};
use crate::reduce::pipeline::{Outcome, PhaseSize, Shipped};
use crate::reduce::verdict::removed;
use crate::reduce::{Cut, Finding, Proven, Stabilized, Why};

/// What comes of a suite without traces.
pub(super) fn nothing() -> Outcome {
    Outcome {
        shipped: Vec::new(),
        phases: vec![PhaseSize::of(Phase::Stabilize, &[])],
        preserved: Coverage::default(),
        lost: Vec::new(),
        unstable: Vec::new(),
        removed: Vec::new(),
        cuts: Vec::new(),
        stopped: None,
        suite_risk: 0.0,
        choices: Vec::new(),
    }
}

impl Search<'_, '_> {
    pub(super) fn outcome(&mut self, drafted: &[Arc<Script>], shipped: &[Proven]) -> Outcome {
        self.learn();
        let scripts: Vec<_> = shipped.iter().map(|p| Arc::clone(&p.script)).collect();
        let certain: Vec<Shipped> = shipped.iter().map(|p| self.shipped(p)).collect();
        let suite_risk = suite_risk(&certain);
        let choices = self.choices(&scripts, suite_risk);
        let promised = &self.goal;
        let bench = &self.bench;
        let suite = bench.suite;
        let recorded: Vec<Proven> = suite
            .traces()
            .map(|(trace, _)| Proven::trusted(suite, trace))
            .collect();
        let selected = self.cheapest_cover();
        let chosen: Vec<&Proven> = selected.iter().map(|t| &recorded[t.index()]).collect();
        let covered = bench.coverage_of(shipped);
        let mut missing = promised.clone();
        missing.subtract(&covered);
        let stabilized = self.refuted(suite);
        let findings = self.explain(&missing, &stabilized);
        let trusted = bench.settings.stabilize == Stabilize::None;
        let (lost, unstable) = findings
            .into_iter()
            .partition(|finding| finding.why == Why::Dropped || trusted);
        let gone = removed(suite, &stabilized, &selected, shipped);
        let phases = vec![
            PhaseSize::of(Phase::Stabilize, &recorded),
            PhaseSize {
                phase: Phase::Traces,
                traces: chosen.len(),
                steps: chosen.iter().map(|proven| proven.n_steps()).sum(),
            },
            PhaseSize {
                phase: Phase::Splice,
                traces: drafted.len(),
                steps: drafted.iter().map(|script| script.steps.len()).sum(),
            },
            PhaseSize::of(Phase::Validate, shipped),
        ];
        Outcome {
            phases,
            preserved: covered.intersection(promised),
            lost,
            unstable,
            removed: gone,
            cuts: stabilized
                .iter()
                .filter_map(|s| Some((s.trace, s.cut.clone()?)))
                .collect(),
            stopped: None,
            suite_risk,
            choices,
            shipped: certain,
        }
    }

    /// The cheapest recorded traces that cover everything, taken at their word.
    fn cheapest_cover(&self) -> Vec<TraceIdx> {
        let settings = self.bench.settings;
        let names = self.bench.names();
        let problem = traces_of(
            self.bench.suite,
            names,
            &settings.preserve,
            settings.costs,
            1,
        );
        let cover = solve(&problem.instance, Effort::asked(settings.exact));
        let mut chosen: Vec<_> = cover.chosen.iter().map(|&set| problem.trace(set)).collect();
        chosen.sort_unstable();
        chosen
    }

    /// A certified trace with what is to be thought of it.
    fn shipped(&self, proven: &Proven) -> Shipped {
        let settings = self.bench.settings;
        let doubt = Doubt::of(&proven.script, &self.machine);
        let most = 1.0 - settings.trace_flake;
        let replays_at_least = doubt.replays_at_least(settings.confidence, most);
        Shipped {
            runs: self.passes(&proven.script).unwrap_or(0),
            risk: doubt.risk,
            replays_at_least,
            flaky: replays_at_least < most,
            proven: proven.clone(),
        }
    }

    /// The recorded traces that runs were seen to leave, with where they did.
    fn refuted(&self, suite: &Suite) -> Vec<Stabilized> {
        let evidence = &self.bench.evidence;
        let mut refuted = Vec::new();
        for (trace, _) in suite.traces() {
            let of = suite.steps(trace).len();
            let whole = Script::prefix_of(suite, trace, of);
            let found = evidence.walk(&whole).enumerate();
            let mut found = found.filter(|&(_, node)| evidence.goes_elsewhere(node));
            let Some((position, node)) = found.next() else {
                continue;
            };
            let len = position.saturating_sub(1);
            let kept = Proven::trusted(suite, trace).prefix(len);
            refuted.push(Stabilized {
                trace,
                kept: (position > 0).then_some(kept),
                cut: Some(Cut {
                    kept: len,
                    of,
                    position,
                    seen: evidence.seen_instead(node),
                }),
            });
        }
        refuted
    }

    /// Says for each missing element why no trace shows it every time.
    fn explain(&self, missing: &Coverage, refuted: &[Stabilized]) -> Vec<Finding> {
        let suite = self.bench.suite;
        let mut found: Vec<(ElementId, Finding)> = Vec::new();
        let mut rank = |element: ElementId, finding: Finding| {
            let better = |why: &Why| match why {
                Why::Diverged(_) => 2,
                Why::NotShown => 1,
                Why::Dropped => 0,
            };
            match found.iter_mut().find(|(known, _)| *known == element) {
                Some((_, known)) if better(&known.why) >= better(&finding.why) => {}
                Some((_, known)) => *known = finding,
                None => found.push((element, finding)),
            }
        };
        if missing.is_empty() {
            return Vec::new();
        }
        for (trace, _) in suite.traces() {
            let cut = refuted.iter().find(|s| s.trace == trace);
            let cut = cut.and_then(|s| s.cut.as_ref());
            let recorded = Proven::trusted(suite, trace);
            let nodes: Vec<_> = self.bench.evidence.walk(&recorded.script).collect();
            for (position, &node) in nodes.iter().enumerate() {
                let elements = recorded.elements_at(suite, self.bench.names(), position);
                for element in elements.filter(|&element| missing.contains(element)) {
                    let prefix = self.bench.evidence.prefix(node);
                    let others = prefix.recorded_cover.as_ref();
                    let screen = self.bench.names().screen_element(prefix.screen);
                    // Recordings of the very same steps may differ, which is as good as a run.
                    let passed = prefix.measured > 0
                        || (element != screen && !others.is_some_and(|c| c.contains(element)));
                    let why = match cut {
                        Some(cut) if position >= cut.position => Why::Diverged(cut.clone()),
                        _ if passed => Why::NotShown,
                        _ => Why::Dropped,
                    };
                    let finding = Finding {
                        element,
                        trace,
                        position,
                        why,
                    };
                    rank(element, finding);
                }
            }
        }
        let names = self.bench.names();
        let mut findings: Vec<Finding> = found.into_iter().map(|(_, finding)| finding).collect();
        findings.sort_by_key(|finding| names.element_name(finding.element).to_owned());
        findings
    }
}
