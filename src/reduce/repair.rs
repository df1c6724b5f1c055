//! Validation of what ships: fresh runs of every trace, and repair from the origins of what
//! does not hold.
//!
//! A candidate was picked because its runs held, so those runs say too much for it. Validation
//! asks for as many fresh ones; every shipped trace then held in all of both.

use super::evidence::Known;
use super::loops::Bench;
use super::{Proven, Settings};
use crate::model::{Coverage, RunEvent, Stop};

/// How many times the runs of the search a shipped trace has held in.
pub(super) const VALIDATED: u32 = 2;

/// The result of one validation.
pub(super) struct Validated {
    /// Traces that held in all runs, the original ones first.
    pub(super) traces: Vec<Proven>,
    /// Whether something had to be replaced.
    pub(super) repaired: bool,
}

/// Validates traces; covers what got lost of `goal` by traces of the pool, in their order.
pub(super) fn validate(
    traces: &[Proven],
    pool: &[Proven],
    goal: &Coverage,
    bench: &mut Bench,
) -> Result<Validated, Stop> {
    let mut held = Vec::new();
    for (index, trace) in traces.iter().enumerate() {
        held.extend(hold(trace, bench)?);
        bench.replayer.emit(RunEvent::Progress { done: index + 1 });
    }
    let mut repaired = held.len() < traces.len();
    let mut missing = goal.clone();
    for trace in &held {
        missing.subtract(&trace.coverage(bench.suite, bench.replayer.names()));
    }
    for origin in pool {
        if missing.is_empty() {
            break;
        }
        while let Some(candidate) = replacement(origin, &missing, bench) {
            let Some(trace) = hold(&candidate, bench)? else {
                continue;
            };
            let coverage = trace.coverage(bench.suite, bench.replayer.names());
            if coverage.intersection(&missing).is_empty() {
                break;
            }
            missing.subtract(&coverage);
            held.push(trace);
            repaired = true;
        }
    }
    Ok(Validated {
        traces: held,
        repaired,
    })
}

/// The trace as all of its runs showed it, fresh ones included; none when one diverged.
fn hold(trace: &Proven, bench: &mut Bench) -> Result<Option<Proven>, Stop> {
    let Settings {
        runs,
        after_divergence,
        ..
    } = *bench.settings;
    let known = bench.evidence.confirm(
        &trace.script,
        VALIDATED * runs,
        after_divergence,
        bench.replayer,
    )?;
    Ok(match known {
        Known::Proven(proven) => Some(proven),
        Known::Broken(_) | Known::Open(_) => None,
    })
}

/// The shortest prefix of an origin that may still cover something missing.
fn replacement(origin: &Proven, missing: &Coverage, bench: &Bench) -> Option<Proven> {
    let names = bench.replayer.names();
    let origin = match bench.evidence.known(&origin.script, bench.settings.runs) {
        Known::Broken(position) => origin.prefix(position.checked_sub(1)?),
        Known::Proven(proven) => proven,
        Known::Open(_) => origin.clone(),
    };
    let wanted = origin.coverage(bench.suite, names).intersection(missing);
    (!wanted.is_empty()).then(|| origin.cut_tail(bench.suite, names, &wanted))
}
