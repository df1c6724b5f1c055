//! The part of an audit that needs devices: the reduced suite is replayed, and what was set aside
//! as unstable is looked at again.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Conditions, JobError, engine, setup};
use crate::audit::{Audit, Checked, Violation};
use crate::drivers;
use crate::import::Loaded;
use crate::model::{Cover, Job, Phase, Run, RunEvent, Script, Suite, TraceIdx};
use crate::reduce::Replayer;
use crate::replay::{Engine, Journal};
use crate::report::Report;

const CHECK: &str = "replay";

/// Runs of an audit have numbers that no run of a reduction has, so that simulated devices draw
/// anew.
const FIRST_ATTEMPT: u32 = 1 << 30;

/// Replays a reduction and adds what that shows to its audit.
pub(super) fn replay(
    reduced: &Loaded,
    original: &Loaded,
    report: &Report,
    conditions: &mut Conditions,
    audit: &mut Audit,
) -> Result<(), JobError> {
    let fleet = drivers::open(&conditions.config.device, &setup(conditions.config))?;
    if fleet.sha256 != report.subject.sha256 {
        return Err(JobError::Unfit(format!(
            "the devices run another app ({}) than the one this suite was reduced on ({}); \
             use `replay` to try the suite on another build",
            fleet.sha256, report.subject.sha256
        )));
    }
    let runs = conditions.config.replay.runs;
    let mut shown = {
        let names = reduced.names.clone();
        let journal = Journal::in_memory();
        let mut engine = engine(&reduced.suite, names, fleet, journal, conditions);
        Shown::of_suite(&reduced.suite, report, runs, &mut engine)?
    };
    if !report.unstable.is_empty() {
        let fleet = drivers::open(&conditions.config.device, &setup(conditions.config))?;
        let names = original.names.clone();
        let journal = Journal::in_memory();
        let mut engine = engine(&original.suite, names, fleet, journal, conditions);
        shown.look_again(&original.suite, report, runs, &mut engine)?;
    }
    let checked = Checked {
        name: CHECK,
        about: "the reduced suite replays on devices and covers what it says",
        looked_at: shown.looked_at,
        violations: shown.violations.len(),
    };
    audit.add(checked, shown.violations, shown.notes);
    Ok(())
}

/// What devices showed.
#[derive(Default)]
struct Shown {
    looked_at: usize,
    violations: Vec<Violation>,
    notes: Vec<String>,
}

fn jobs(script: &Arc<Script>, runs: u32) -> Vec<Job> {
    let attempts = FIRST_ATTEMPT..FIRST_ATTEMPT + runs;
    let job = |attempt| Job {
        script: Arc::clone(script),
        attempt,
    };
    attempts.map(job).collect()
}

impl Shown {
    fn of_suite(
        suite: &Suite,
        report: &Report,
        runs: u32,
        engine: &mut Engine,
    ) -> Result<Self, JobError> {
        let mut shown = Self::default();
        engine.emit(RunEvent::PhaseStarted {
            phase: Phase::Validate,
            total: Some(suite.n_traces()),
        });
        for (done, (idx, trace)) in suite.traces().enumerate() {
            let script = Arc::new(Script::prefix_of(suite, idx, suite.steps(idx).len()));
            let results = engine.replay(&jobs(&script, runs), &|_| false)?;
            let validation = report.validation.traces.iter();
            let is_flaky = validation
                .filter(|v| *v.trace == *trace.id)
                .any(|v| v.flaky);
            shown.compare(suite, idx, &results, is_flaky, engine);
            engine.emit(RunEvent::Progress { done: done + 1 });
        }
        Ok(shown)
    }

    /// Compares the runs of a trace with what it says.
    fn compare(
        &mut self,
        suite: &Suite,
        idx: TraceIdx,
        results: &[Run],
        is_flaky: bool,
        engine: &Engine,
    ) {
        let names = engine.names();
        let id = &suite.trace(idx).id;
        self.looked_at += results.len();
        let diverged = results.iter().filter_map(|run| run.diverged);
        if let Some(first) = diverged.clone().min_by_key(|d| d.position) {
            let place = match first.position.checked_sub(1) {
                None => format!("the launch of {id}"),
                Some(step) => format!("step {step} of {id}"),
            };
            let what = format!(
                "{} of {} runs left the trace, first here, where {} is expected",
                diverged.count(),
                results.len(),
                names.screen_name(first.expected)
            );
            if is_flaky {
                self.notes
                    .push(format!("{place}: {what}; the report marks it as flaky"));
            } else {
                self.wrong(place, None, what);
            }
        }
        for position in 0..=suite.steps(idx).len() {
            let said = match position.checked_sub(1) {
                None => suite.cover(suite.trace(idx).launch_covers).clone(),
                Some(step) => suite.step_cover(&suite.steps(idx)[step]),
            };
            for &element in said.elements() {
                let reached = results.iter().filter_map(|run| run.covers.get(position));
                let misses = reached.filter(|cover| !cover.contains(element)).count();
                if misses > 0 {
                    let place = match position.checked_sub(1) {
                        None => format!("the launch of {id}"),
                        Some(step) => format!("step {step} of {id}"),
                    };
                    let what = format!("{misses} of {} runs did not cover it", results.len());
                    let element = names.element_name(element).to_owned();
                    if is_flaky {
                        self.notes.push(format!("{element} at {place}: {what}"));
                    } else {
                        self.wrong(place, Some(element), what);
                    }
                }
            }
        }
    }

    fn wrong(&mut self, place: String, element: Option<String>, what: String) {
        self.violations.push(Violation {
            check: CHECK,
            place,
            element,
            what,
        });
    }

    /// Replays the recorded traces that have unstable elements. That all runs show one is no
    /// proof that it is stable, so it is a note and no violation.
    fn look_again(
        &mut self,
        suite: &Suite,
        report: &Report,
        runs: u32,
        engine: &mut Engine,
    ) -> Result<(), JobError> {
        let mut places: BTreeMap<&str, (TraceIdx, usize)> = BTreeMap::new();
        let wanted = report.unstable.iter().map(|gone| gone.element.as_str());
        let wanted: std::collections::BTreeSet<&str> = wanted.collect();
        for (idx, trace) in suite.traces() {
            for position in 0..=suite.steps(idx).len() {
                let (screen, cover) = match position.checked_sub(1) {
                    None => (
                        trace.launch_screen,
                        suite.cover(trace.launch_covers).clone(),
                    ),
                    Some(step) => {
                        let step = &suite.steps(idx)[step];
                        (step.screen, suite.step_cover(step))
                    }
                };
                let names = engine.names();
                let elements = cover.elements().iter().copied();
                for element in elements.chain([names.screen_element(screen)]) {
                    let name = names.element_name(element);
                    if let Some(&name) = wanted.get(name) {
                        let place = places.entry(name).or_insert((idx, position));
                        if position < place.1 {
                            *place = (idx, position);
                        }
                    }
                }
            }
        }
        let mut always = Vec::new();
        for (element, (idx, position)) in places {
            let script = Arc::new(Script::prefix_of(suite, idx, position));
            let results = engine.replay(&jobs(&script, runs), &|_| false)?;
            self.looked_at += results.len();
            let is_screen = element.starts_with("screen:");
            let shows = |run: &Run| {
                let cover = run.covers.get(position);
                let mut elements = cover.into_iter().flat_map(Cover::elements);
                let named = |e| engine.names().element_name(e) == element;
                run.diverged.is_none() && (is_screen || elements.any(|&e| named(e)))
            };
            if results.iter().all(shows) {
                always.push(format!("{element} ({})", suite.trace(idx).id));
            }
        }
        let checked = report.unstable.len();
        self.notes.push(if always.is_empty() {
            format!("none of {checked} unstable elements was shown by all {runs} runs of a trace that has it")
        } else {
            format!(
                "of {checked} unstable elements, {} were shown by all {runs} runs of a trace that has them: {}",
                always.len(),
                always.join(", ")
            )
        });
        Ok(())
    }
}
