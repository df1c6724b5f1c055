//! Which failures there are to minimise: the target that was asked for, or every recorded fault by its signature.

use indexmap::IndexMap;

use super::{MOST_TRIED, Minimize};
use crate::import::Loaded;
use crate::model::{Kind, Names, Suite, TraceIdx};
use crate::reduce::sequence::{Signature, Target};
use crate::session::JobError;
use crate::session::near::did_you_mean;

/// How many traces are tried where recordings do not tell which of them reach the target.
const GUESSED: usize = 5;

/// Something to reach, and the traces that may.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) target: Target,
    /// Most promising first: those that reach it soonest by the recording.
    pub(super) traces: Vec<TraceIdx>,
}

impl Failure {
    /// The traces that are tried until one of them reaches the target.
    pub(super) fn tried(&self) -> impl Iterator<Item = TraceIdx> + '_ {
        // No recording tells of a crash, so that any trace may be the one.
        let most = match self.target {
            Target::Crash => usize::MAX,
            _ => MOST_TRIED,
        };
        self.traces.iter().copied().take(most)
    }

    /// How many steps of a trace are worth trying: those until it is reached by the recording.
    pub(super) fn len(&self, suite: &Suite, names: &Names, trace: TraceIdx) -> usize {
        let recorded = self.target.recorded(suite, names, trace);
        recorded.unwrap_or_else(|| suite.steps(trace).len())
    }
}

/// All failures of a suite, in order of arrival.
pub(super) fn failures(loaded: &Loaded, asked: &Minimize) -> Result<Vec<Failure>, JobError> {
    let traces = candidates(loaded, asked)?;
    let Loaded { suite, names, .. } = loaded;
    let Some(text) = asked.target else {
        return by_fault(suite, names, &traces);
    };
    let target = Target::parse(text).map_err(|error| JobError::Unfit(error.to_string()))?;
    let reached = soonest_first(&target, suite, names, &traces);
    if reached.is_empty() && traces.len() > GUESSED && target != Target::Crash {
        return Err(JobError::Unfit(format!(
            "none of the {} traces reaches {target} by its recording; name the one that does with \
             --trace",
            traces.len()
        )));
    }
    let traces = match target {
        Target::Crash => likely_crashes_first(suite, traces),
        _ if reached.is_empty() => traces,
        _ => reached,
    };
    Ok(vec![Failure { target, traces }])
}

/// The traces to look at.
fn candidates(loaded: &Loaded, asked: &Minimize) -> Result<Vec<TraceIdx>, JobError> {
    let traces = || loaded.suite.traces();
    let Some(id) = asked.trace else {
        return Ok(traces().map(|(idx, _)| idx).collect());
    };
    if let Some((idx, _)) = traces().find(|(_, trace)| *trace.id == *id) {
        return Ok(vec![idx]);
    }
    let hint = did_you_mean(id, traces().map(|(_, trace)| trace.id));
    let text = format!("the suite has no trace `{id}`{hint}");
    Err(JobError::Unfit(text))
}

fn by_fault(suite: &Suite, names: &Names, traces: &[TraceIdx]) -> Result<Vec<Failure>, JobError> {
    let mut faults: IndexMap<Signature, ()> = IndexMap::new();
    for &trace in traces {
        for fault in faults_of(suite, names, trace) {
            faults.insert(Signature::parse(fault), ());
        }
    }
    if faults.is_empty() {
        let text = "no trace records a fault; say what to reach with --target, such as \
                    --target screen:NAME or --target crash";
        return Err(JobError::Unfit(text.to_owned()));
    }
    let targets = faults.into_keys().map(Target::Fault);
    let failures = targets.map(|target| Failure {
        traces: soonest_first(&target, suite, names, traces),
        target,
    });
    Ok(failures.collect())
}

/// The faults of a trace in the order of its steps, whether they have a field of their own or stand
/// among what is covered.
fn faults_of<'a>(
    suite: &'a Suite,
    names: &'a Names,
    trace: TraceIdx,
) -> impl Iterator<Item = &'a str> {
    let launch = suite.cover(suite.trace(trace).launch_covers).clone();
    let steps = suite.steps(trace).iter().map(|step| suite.step_cover(step));
    let covers = std::iter::once(launch).chain(steps);
    let elements = covers.flat_map(|cover| cover.elements().to_vec());
    let faults = elements.filter(|&element| names.kind(element) == Kind::Fault);
    faults.map(|fault| {
        let name = names.element_name(fault);
        name.strip_prefix("fault:").unwrap_or(name)
    })
}

/// Traces whose last step raised something first, and short ones before long ones.
fn likely_crashes_first(suite: &Suite, mut traces: Vec<TraceIdx>) -> Vec<TraceIdx> {
    traces.sort_by_key(|&trace| {
        let steps = suite.steps(trace);
        let has_raised = steps.last().is_some_and(|step| step.fault.is_some());
        (!has_raised, steps.len())
    });
    traces
}

fn soonest_first(
    target: &Target,
    suite: &Suite,
    names: &Names,
    traces: &[TraceIdx],
) -> Vec<TraceIdx> {
    let reached = traces
        .iter()
        .filter_map(|&trace| Some((target.recorded(suite, names, trace)?, trace)));
    let mut reached: Vec<_> = reached.collect();
    reached.sort_unstable();
    reached.into_iter().map(|(_, trace)| trace).collect()
}
