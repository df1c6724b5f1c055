//! Which failures there are to minimise: the target that was asked for, or every recorded fault by its signature.

use indexmap::IndexMap;

use super::Minimize;
use crate::import::Loaded;
use crate::model::{Names, Suite, TraceIdx};
use crate::reduce::sequence::{Signature, Target};
use crate::session::JobError;

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
    let traces = if reached.is_empty() { traces } else { reached };
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
    let near = traces()
        .map(|(_, trace)| (strsim::damerau_levenshtein(id, &trace.id), &trace.id))
        .filter(|(distance, _)| *distance <= 2)
        .min();
    let hint = near.map_or_else(String::new, |(_, near)| format!("; did you mean `{near}`?"));
    let text = format!("the suite has no trace `{id}`{hint}");
    Err(JobError::Unfit(text))
}

fn by_fault(suite: &Suite, names: &Names, traces: &[TraceIdx]) -> Result<Vec<Failure>, JobError> {
    let mut faults: IndexMap<Signature, ()> = IndexMap::new();
    for &trace in traces {
        let steps = suite.steps(trace).iter();
        for fault in steps.filter_map(|step| step.fault) {
            let name = names.element_name(fault);
            let name = name.strip_prefix("fault:").unwrap_or(name);
            faults.insert(Signature::parse(name), ());
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
