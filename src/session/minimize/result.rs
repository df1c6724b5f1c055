//! From what a search left to what is written: fresh runs, the trace with what they showed, the report.

use std::collections::BTreeMap;

use super::super::finished::tool;
use super::failures::Failure;
use super::{LANES, Minimize, Searched};
use crate::export::ReducedTrace;
use crate::model::{
    ActionId, Cover, Names, Phase, RunEvent, ScreenId, Script, ScriptStep, StepRef, Stop, Suite,
    TraceIdx, Walk,
};
use crate::reduce::Replayer;
use crate::reduce::sequence::guimin::privacy::{Patterns, category, typed};
use crate::reduce::sequence::{Candidate, Chances, Counts, OnDevices, Rule, Try, Verdict};
use crate::replay::Engine;
use crate::report::{
    Check, DeviceUse, Length, MinimizeReport, Minimized, NotReproduced, OracleUse, PrivateBytes,
    VERSION,
};

/// Fresh runs have numbers from here on, which no search uses.
const FRESH: u32 = 1 << 30;

/// A failure with its minimal sequence and what that showed.
pub(super) struct Found {
    failure: (String, Vec<TraceIdx>),
    trace: TraceIdx,
    searched: Searched,
    check: Check,
    /// The screen after each event.
    screens: Vec<ScreenId>,
    /// What the start and each event covered in every run that reached the target.
    covers: Vec<Cover>,
}

/// Runs what is left anew and puts everything about it together.
pub(super) fn found(
    failure: &Failure,
    trace: TraceIdx,
    searched: Searched,
    runs: u32,
    devices: &mut OnDevices,
) -> Result<Found, Stop> {
    devices.replayer.emit(RunEvent::PhaseStarted {
        phase: Phase::Validate,
        total: Some(runs as usize),
    });
    let events = Candidate::from(&searched.events[..]);
    let tries = (0..runs).map(|run| Try {
        events: events.clone(),
        attempt: FRESH + run,
    });
    let tries: Vec<_> = tries.collect();
    let walks = match devices.walks(&tries, &|_| false) {
        // What was found counts without a check, too; the report says that there was none.
        Err(Stop::Budget(_)) => Vec::new(),
        walks => walks?,
    };
    let names = devices.replayer.names();
    let trial = |walk: &&Walk| devices.sequence.trial(&events, walk, names);
    let accepted = walks
        .iter()
        .filter(|walk| trial(walk).verdict == Verdict::Reproduced);
    let accepted: Vec<&Walk> = accepted.collect();
    let shown = Shown::new(&accepted, events.len());
    Ok(Found {
        failure: (failure.target.to_string(), failure.traces.clone()),
        trace,
        check: check(walks.len(), accepted.len(), &searched),
        searched,
        screens: shown.screens,
        covers: shown.covers,
    })
}

fn check(runs: usize, accepted: usize, searched: &Searched) -> Check {
    let (runs, accepted) = (runs as u32, accepted as u32);
    if runs == 0 {
        return Check::default();
    }
    let chances = Chances::default();
    let cut = |chance: f64| (chance * 1e4).floor() / 1e4;
    Check {
        runs,
        accepted,
        p_reliable: cut(chances.p_reliable(runs, accepted)),
        p_minimal: cut(chances.p_minimal(Rule::default(), searched.events.len())),
    }
}

/// What runs that reached the target have in common.
struct Shown {
    screens: Vec<ScreenId>,
    covers: Vec<Cover>,
}

impl Shown {
    fn new(walks: &[&Walk], len: usize) -> Self {
        let mut screens = Vec::new();
        let mut covers: Vec<Cover> = Vec::new();
        // Some may have reached it sooner; the longest tells most.
        for walk in walks {
            let sights = walk.steps.iter().filter_map(|step| step.shown.as_ref());
            let launch = (walk.launch, walk.launch_cover.clone());
            let sights = [launch].into_iter().chain(sights.cloned());
            for (at, (screen, cover)) in sights.enumerate() {
                if at == covers.len() {
                    screens.push(screen);
                    covers.push(cover);
                } else {
                    covers[at] = covers[at].intersection(&cover);
                }
            }
        }
        screens.truncate(len + 1);
        covers.truncate(len + 1);
        Self { screens, covers }
    }
}

impl Found {
    /// The steps of the recording that are left.
    fn steps(&self) -> impl Iterator<Item = StepRef> + '_ {
        let trace = self.trace;
        let events = self.searched.events.iter();
        events.map(move |&step| StepRef { trace, step })
    }

    /// A trace with the screens that were seen; where no run reached the target, the recorded ones.
    fn script(&self, suite: &Suite) -> Script {
        let seen = |at: usize| self.screens.get(at + 1).copied();
        let steps = self.steps().enumerate().map(|(at, step)| {
            let recorded = ScriptStep::recorded(suite, step);
            ScriptStep {
                screen: seen(at).unwrap_or(recorded.screen),
                ..recorded
            }
        });
        Script {
            launch: self.trace,
            steps: steps.collect(),
        }
    }

    /// How much typed text looks private, before and after.
    fn private(&self, suite: &Suite, names: &Names) -> BTreeMap<String, PrivateBytes> {
        let patterns = Patterns::default();
        let mut private: BTreeMap<String, PrivateBytes> = BTreeMap::new();
        let mut add = |action: ActionId, place: fn(&mut PrivateBytes) -> &mut usize| {
            let typed = typed(names.action_text(action));
            let found = typed.and_then(|typed| Some((typed, category(typed, &patterns)?)));
            if let Some((typed, category)) = found {
                let bytes = private.entry(category.name().to_owned()).or_default();
                *place(bytes) += typed.text.len();
            }
        };
        for step in suite.steps(self.trace) {
            add(step.action, |bytes| &mut bytes.before);
        }
        for step in self.steps() {
            add(suite.step(step).action, |bytes| &mut bytes.after);
        }
        private
    }

    fn report(&self, number: usize, suite: &Suite, names: &Names) -> Minimized {
        let id = |trace: &TraceIdx| suite.trace(*trace).id.to_string();
        let action = |step| -> ActionId { suite.step(step).action };
        let actions = self.steps().map(|step| names.action_text(action(step)));
        Minimized {
            trace: format!("m{number}"),
            target: self.failure.0.clone(),
            from: id(&self.trace),
            shown_by: self.failure.1.iter().map(id).collect(),
            input: Length {
                steps: suite.steps(self.trace).len(),
            },
            output: Length {
                steps: self.searched.events.len(),
            },
            oracle: oracle_use(self.searched.counts),
            check: self.check,
            one_minimal: self.searched.one_minimal,
            private: self.private(suite, names),
            actions: actions.map(str::to_owned).collect(),
            stopped: self.searched.stopped.as_ref().map(ToString::to_string),
        }
    }
}

/// The lines of `trace.jsonl`.
pub(super) fn traces(suite: &Suite, found: &[Found]) -> Vec<ReducedTrace> {
    let traces = found.iter().zip(1..).map(|(found, number)| {
        let mut covers = found.covers.clone();
        covers.resize(found.searched.events.len() + 1, Cover::default());
        ReducedTrace {
            id: format!("m{number}"),
            script: found.script(suite),
            covers,
        }
    });
    traces.collect()
}

/// The report on all failures.
pub(super) fn report(
    found: &[Found],
    not_reproduced: Vec<NotReproduced>,
    suite: &Suite,
    engine: &Engine,
    asked: &Minimize,
    seed: u64,
) -> MinimizeReport {
    let failures = found.iter().zip(1..);
    let failures: Vec<Minimized> = failures
        .map(|(found, number)| found.report(number, suite, engine.names()))
        .collect();
    let targets: Vec<_> = failures.iter().map(|one| one.target.clone()).collect();
    let sum = |figure: fn(&Minimized) -> usize| failures.iter().map(figure).sum();
    let spent = engine.tally().total();
    MinimizeReport {
        version: VERSION,
        tool: tool(),
        seed,
        algorithm: asked.algorithm.to_owned(),
        target: targets.join(" "),
        input: Length {
            steps: sum(|one| one.input.steps),
        },
        output: Length {
            steps: sum(|one| one.output.steps),
        },
        oracle: all_oracle_use(&failures),
        check: weakest(&failures),
        one_minimal: failures.iter().all(|one| one.one_minimal),
        stopped: failures.iter().find_map(|one| one.stopped.clone()),
        failures,
        not_reproduced,
        device: DeviceUse {
            launches: spent.launches,
            steps: spent.steps,
            seconds: spent.seconds(),
        },
    }
}

fn oracle_use(counts: Counts) -> OracleUse {
    OracleUse {
        calls: counts.calls,
        cached: counts.cached,
        steps: counts.steps,
        rounds: counts.rounds,
        lanes: LANES,
    }
}

fn all_oracle_use(failures: &[Minimized]) -> OracleUse {
    let sum = |figure: fn(&OracleUse) -> u64| failures.iter().map(|one| figure(&one.oracle)).sum();
    OracleUse {
        calls: sum(|oracle| oracle.calls),
        cached: sum(|oracle| oracle.cached),
        steps: sum(|oracle| oracle.steps),
        rounds: sum(|oracle| oracle.rounds),
        lanes: LANES,
    }
}

/// The check of the failure that is least sure.
fn weakest(failures: &[Minimized]) -> Check {
    let checks = failures.iter().map(|one| one.check);
    let weakest = checks.min_by(|one, other| one.p_reliable.total_cmp(&other.p_reliable));
    weakest.unwrap_or_default()
}
