//! From what a search left to what is written: fresh runs, the trace with what they showed, the report.

use super::super::finished::tool;
use super::failures::Failure;
use super::private::Left;
use super::work::Work;
use super::{LANES, Minimize};
use crate::export::ReducedTrace;
use crate::model::{
    Cover, Names, Origin, Phase, RunEvent, ScreenId, Script, ScriptStep, StepRef, Stop, Suite,
    TraceIdx, Walk,
};
use crate::reduce::Replayer;
use crate::reduce::sequence::guimin::privacy::Patterns;
use crate::reduce::sequence::{Candidate, Chances, Counts, OnDevices, Rule, Try, Verdict};
use crate::replay::Engine;
use crate::report::{
    BlindRule, Check, DeviceUse, Length, MinimizeReport, Minimized, NotReproduced, OracleUse,
    VERSION,
};

/// Fresh runs have numbers from here on, which no search uses.
const FRESH: u32 = 1 << 30;

/// A failure with its minimal sequence and what that showed.
pub(super) struct Found {
    failure: (String, Vec<TraceIdx>),
    trace: TraceIdx,
    left: Left,
    blind: Vec<BlindRule>,
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
    left: Left,
    blind: Vec<BlindRule>,
    work: &mut Work,
) -> Result<Found, Stop> {
    work.engine.emit(RunEvent::PhaseStarted {
        phase: Phase::Validate,
        total: Some(work.check as usize),
    });
    let events = Candidate::from(&left.searched.events[..]);
    let tries = (0..work.check).map(|run| Try {
        events: events.clone(),
        attempt: FRESH + run,
    });
    let tries: Vec<_> = tries.collect();
    let mut devices = OnDevices {
        replayer: work.engine,
        sequence: left.sequence.clone(),
        shortest: 0,
    };
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
        check: check(walks.len(), accepted.len(), events.len()),
        left,
        blind,
        screens: shown.screens,
        covers: shown.covers,
    })
}

fn check(runs: usize, accepted: usize, n_events: usize) -> Check {
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
        p_minimal: cut(chances.p_minimal(Rule::default(), n_events)),
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
    /// A trace with the screens that were seen; where no run reached the target, the recorded
    /// ones. Steps that type something else than was recorded were seen in a fresh run alone.
    fn script(&self, suite: &Suite) -> Script {
        let seen = |at: usize| self.screens.get(at + 1).copied();
        let steps = self.left.steps().enumerate().map(|(at, left)| {
            let place = StepRef {
                trace: self.trace,
                step: left.step,
            };
            let recorded = ScriptStep::recorded(suite, place);
            let observed = Origin::Observed {
                session: 0,
                step: at as u32,
            };
            ScriptStep {
                action: left.action,
                screen: seen(at).unwrap_or(recorded.screen),
                origin: left.hides.map_or(recorded.origin, |_| observed),
            }
        });
        Script {
            launch: self.trace,
            steps: steps.collect(),
        }
    }

    fn report(
        &self,
        number: usize,
        suite: &Suite,
        names: &Names,
        patterns: &Patterns,
    ) -> Minimized {
        let id = |trace: &TraceIdx| suite.trace(*trace).id.to_string();
        let left = &self.left;
        let actions = left.steps().map(|step| names.action_text(step.action));
        Minimized {
            trace: format!("m{number}"),
            target: self.failure.0.clone(),
            from: id(&self.trace),
            shown_by: self.failure.1.iter().map(id).collect(),
            input: Length {
                steps: suite.steps(self.trace).len(),
            },
            output: Length {
                steps: left.searched.events.len(),
            },
            oracle: oracle_use(left.searched.counts),
            check: self.check,
            one_minimal: left.searched.one_minimal,
            private: left.private((suite, self.trace), names, patterns),
            private_steps: left.private_steps(names, patterns),
            blind: self.blind.clone(),
            actions: actions.map(str::to_owned).collect(),
            stopped: left.searched.stopped.as_ref().map(ToString::to_string),
        }
    }
}

/// The lines of `trace.jsonl`.
pub(super) fn traces(suite: &Suite, found: &[Found]) -> Vec<ReducedTrace> {
    let traces = found.iter().zip(1..).map(|(found, number)| {
        let mut covers = found.covers.clone();
        covers.resize(found.left.steps().len() + 1, Cover::default());
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
    (engine, patterns): (&Engine, &Patterns),
    asked: &Minimize,
    seed: u64,
) -> MinimizeReport {
    let failures = found.iter().zip(1..);
    let failures: Vec<Minimized> = failures
        .map(|(found, number)| found.report(number, suite, engine.names(), patterns))
        .collect();
    let targets: Vec<_> = failures.iter().map(|one| one.target.clone()).collect();
    let sum = |figure: fn(&Minimized) -> usize| failures.iter().map(figure).sum();
    let spent = engine.tally().total();
    MinimizeReport {
        version: VERSION,
        tool: tool(),
        seed,
        algorithm: asked.algorithm.to_owned(),
        target: asked.target.map_or(targets.join(" "), str::to_owned),
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
        left_open: Vec::new(),
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
