//! From what was found to what is reported: ids become names, counts become figures.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::dropped::Left;
use super::finished::tool;
use super::system::system;
use super::words::Words;
use crate::config::Config;
use crate::model::{Costs, Coverage, Limit, Names, Script, ScriptStep, Suite, TraceIdx, sha256};
use crate::reduce::{self, Finding, Outcome, Proven, Why, lower_bound};
use crate::replay::Tally;
use crate::report::{
    self, Bound, Certificate, Choice, Device, Expensive, Gone, LimitHit, PhaseSize, PhaseUse,
    Removed, Report, Side, Subject, Validated, Validation, Witness,
};

/// Everything a report is made from.
pub(super) struct Assembly<'a> {
    pub(super) suite: &'a Suite,
    pub(super) names: &'a Names,
    pub(super) outcome: &'a Outcome,
    pub(super) tally: &'a Tally,
    pub(super) config: &'a Config,
    pub(super) costs: Costs,
    pub(super) input_sha256: String,
    pub(super) output: &'a [u8],
    pub(super) subject: Subject,
    pub(super) ids: Vec<&'a str>,
}

impl Assembly<'_> {
    pub(super) fn report(self) -> Report {
        let outcome = self.outcome;
        let input = self.suite.coverage(self.names);
        let shipped: Vec<&Proven> = outcome.shipped.iter().map(|s| &s.proven).collect();
        let mut covered = Coverage::default();
        for trace in &shipped {
            covered.union_with(&trace.coverage(self.suite, self.names));
        }
        let steps = shipped.iter().map(|trace| trace.n_steps()).sum();
        let input = self.side(
            (self.suite.n_traces(), self.suite.n_steps()),
            &input,
            self.input_sha256.clone(),
        );
        let output = self.side((shipped.len(), steps), &covered, sha256(self.output));
        let witness = self.witnesses();
        let left = Left {
            words: self.words(),
            preserved: &outcome.preserved,
            witness: &witness,
            origins: self.origins(&witness),
            cuts: &outcome.cuts,
        };
        Report {
            version: report::VERSION,
            tool: tool(),
            seed: self.config.seed,
            strategy: self.config.strategy.name().to_owned(),
            algorithm: self.config.strategy.algorithm().to_owned(),
            config: self.config.answer_settings(),
            bound: self.bound(&shipped, output.seconds),
            input,
            output,
            phases: self.phases(),
            device: device(self.tally),
            preserve: self
                .config
                .promised()
                .iter()
                .map(|k| k.name().to_owned())
                .collect(),
            preserved: outcome.lost.is_empty(),
            stopped: outcome.stopped.as_ref().map(ToString::to_string),
            lost: outcome.lost.iter().map(|f| self.gone(f)).collect(),
            unstable: outcome.unstable.iter().map(|f| self.gone(f)).collect(),
            removed: self.removed(&left),
            restored: Vec::new(),
            dropped: left.dropped(&shipped),
            cut: outcome
                .cuts
                .iter()
                .map(|(trace, cut)| self.words().cut(*trace, cut))
                .collect(),
            limits: self.limits(),
            validation: self.validation(),
            choices: outcome.choices.iter().map(choice).collect(),
            since: None,
            system: system(self.suite, self.names, &shipped),
            certificate: Certificate::default(),
            witness,
            subject: self.subject,
        }
    }

    fn words(&self) -> Words<'_> {
        Words {
            suite: self.suite,
            names: self.names,
            runs: self.config.replay.runs,
        }
    }

    fn side(&self, (traces, steps): (usize, usize), covered: &Coverage, sha256: String) -> Side {
        side((traces, steps), covered, sha256, self.costs, self.names)
    }

    fn bound(&self, shipped: &[&Proven], seconds: f64) -> Bound {
        let goal = &self.outcome.preserved;
        let bound = lower_bound(self.suite, shipped, goal, self.costs, self.names);
        let expensive = bound.expensive.iter().map(|&(element, micros)| Expensive {
            element: self.names.element_name(element).to_owned(),
            seconds: micros as f64 / 1e6,
        });
        let least = bound.micros as f64 / 1e6;
        Bound {
            seconds: least,
            gap: gap(seconds, least),
            expensive: expensive.collect(),
        }
    }

    fn phases(&self) -> Vec<PhaseSize> {
        let phases = self.outcome.phases.iter();
        phases
            .map(|size| PhaseSize {
                name: size.phase.name().to_owned(),
                traces: size.traces,
                steps: size.steps,
            })
            .collect()
    }

    fn gone(&self, finding: &Finding) -> Gone {
        let place = match finding.position.checked_sub(1) {
            None => format!("the launch of {}", self.words().id(finding.trace)),
            Some(step) => format!("step {step} of {}", self.words().id(finding.trace)),
        };
        let why = match &finding.why {
            Why::Diverged(cut) => {
                let cut = self.words().cut(finding.trace, cut);
                let seen: Vec<_> = cut.seen.iter().map(|s| s.what.as_str()).collect();
                format!(
                    "recorded at {place}, but replays diverge at step {} \
                     (expected {}, saw {} in {} of {} runs)",
                    cut.kept,
                    cut.expected,
                    seen.join(", "),
                    cut.diverged,
                    cut.runs
                )
            }
            Why::NotShown => format!("recorded at {place}, but not every run covered it there"),
            Why::Dropped => format!("shown at {place}, yet missing from the reduced suite"),
        };
        Gone {
            element: self.names.element_name(finding.element).to_owned(),
            why,
        }
    }

    /// The first place of each covered element; a step is a better witness than a launch.
    fn witnesses(&self) -> BTreeMap<String, Witness> {
        let mut witnesses = BTreeMap::new();
        for at_launch in [false, true] {
            for (shipped, id) in self.outcome.shipped.iter().zip(&self.ids) {
                let trace = &shipped.proven;
                let positions = if at_launch {
                    0..1
                } else {
                    1..trace.covers.len()
                };
                for position in positions {
                    for element in trace.elements_at(self.suite, self.names, position) {
                        let name = self.names.element_name(element).to_owned();
                        witnesses.entry(name).or_insert_with(|| Witness {
                            trace: (*id).to_owned(),
                            step: position.checked_sub(1).map(|step| step as u32),
                            runs: shipped.runs,
                        });
                    }
                }
            }
        }
        witnesses
    }

    /// For each witness the recorded trace that its step comes from.
    fn origins(&self, witnesses: &BTreeMap<String, Witness>) -> BTreeMap<String, TraceIdx> {
        let shipped = self.outcome.shipped.iter();
        let scripts = self.ids.iter().zip(shipped.map(|s| &s.proven.script));
        let scripts: BTreeMap<&str, &Arc<Script>> = scripts.map(|(id, s)| (*id, s)).collect();
        let origin = |witness: &Witness| {
            let script = scripts[witness.trace.as_str()];
            let step = witness.step.map(|step| &script.steps[step as usize]);
            step.and_then(ScriptStep::trace).unwrap_or(script.launch)
        };
        let origins = witnesses.iter();
        origins
            .map(|(element, witness)| (element.clone(), origin(witness)))
            .collect()
    }

    fn removed(&self, left: &Left) -> Vec<Removed> {
        let removed = self.outcome.removed.iter();
        removed
            .map(|removed| Removed {
                trace: self.words().id(removed.trace).to_owned(),
                why: removed.why.to_owned(),
                now: left.now(removed.trace, 0..=self.suite.steps(removed.trace).len()),
                covered_by: left.origins(removed.trace),
            })
            .collect()
    }

    fn limits(&self) -> Vec<LimitHit> {
        let limits = self.tally.limits.iter();
        limits
            .map(|&(phase, trace, limit)| LimitHit {
                phase: phase.name().to_owned(),
                trace: trace.map(|trace| self.words().id(trace).to_owned()),
                limit: match limit {
                    Limit::Work => "work",
                    Limit::Candidates => "candidates",
                    Limit::Repairs => "repairs",
                }
                .to_owned(),
            })
            .collect()
    }

    fn validation(&self) -> Validation {
        let traces = self.outcome.shipped.iter().zip(&self.ids);
        Validation {
            runs_per_trace: self.config.replay.runs,
            confidence: Some(self.config.certify.confidence),
            suite_risk: Some(share(self.outcome.suite_risk)),
            traces: traces
                .map(|(shipped, id)| Validated {
                    trace: (*id).to_owned(),
                    runs: shipped.runs,
                    diverged: 0,
                    risk: Some(share(shipped.risk)),
                    replays_at_least: Some(promised_share(shipped.replays_at_least)),
                    flaky: shipped.flaky,
                })
                .collect(),
        }
    }
}

/// How far a suite of so many seconds is above the least, as a fraction of it.
pub(super) fn gap(seconds: f64, least: f64) -> f64 {
    if least <= 0.0 {
        return 0.0;
    }
    ((seconds / least - 1.0) * 1e4).round() / 1e4
}

fn choice(choice: &reduce::Choice) -> Choice {
    Choice {
        name: choice.name.clone(),
        what: choice.what.clone(),
        traces: choice.traces,
        steps: choice.steps,
        seconds: choice.micros as f64 / 1e6,
        suite_risk: choice.suite_risk.map(share),
        tried: choice.tried,
    }
}

/// A share in as many digits as mean something, so that reports are the same everywhere.
fn share(share: f64) -> f64 {
    (share * 1e6).round() / 1e6
}

/// A share that is promised, so never rounded up.
fn promised_share(share: f64) -> f64 {
    (share * 1e6).floor() / 1e6
}

/// What was spent on devices.
pub(super) fn device(tally: &Tally) -> Device {
    let total = tally.total();
    let by_phase = tally.by_phase().map(|spent| {
        let spent_on = PhaseUse {
            launches: spent.usage.launches,
            steps: spent.usage.steps,
            seconds: spent.usage.seconds(),
        };
        (spent.phase.name().to_owned(), spent_on)
    });
    Device {
        launches: total.launches,
        steps: total.steps,
        seconds: total.seconds(),
        candidates: tally.candidates,
        rejected: tally.rejected,
        retries: tally.retries,
        by_phase: by_phase.collect(),
        elapsed: tally
            .elapsed()
            .map(|(devices, micros)| (devices, micros as f64 / 1e6))
            .collect(),
    }
}

/// The figures of a suite.
pub(super) fn side(
    (traces, steps): (usize, usize),
    covered: &Coverage,
    sha256: String,
    costs: Costs,
    names: &Names,
) -> Side {
    let mut coverage = BTreeMap::new();
    for element in covered.iter() {
        let kind = names.kind(element).name().to_owned();
        *coverage.entry(kind).or_default() += 1;
    }
    Side {
        traces,
        steps,
        sha256,
        coverage,
        seconds: costs.micros(traces, steps) as f64 / 1e6,
    }
}
