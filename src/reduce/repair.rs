//! Validation of what ships: fresh runs of every trace, and repair from the origins of what
//! does not hold.
//!
//! A candidate was picked because its runs held, so those runs say too much for it. Validation
//! asks for as many fresh ones; every shipped trace then held in all of both.

use super::Proven;
use super::bench::Bench;
use super::evidence::Known;
use crate::model::{Coverage, RunEvent, Stop};

/// How many times the runs of the search a shipped trace has held in.
pub(super) const VALIDATED: u32 = 2;

/// What fresh runs did to a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Validation {
    /// Nothing.
    Held,
    /// All traces replay, but not every run covered what the first ones did.
    ShowsLess,
    /// Traces that broke, or showed too little, were replaced.
    Repaired,
}

/// Validates traces; covers what got lost of `goal` by traces of the pool, in their order.
pub(super) fn validate(
    traces: &[Proven],
    pool: &[Proven],
    goal: &Coverage,
    bench: &mut Bench,
) -> Result<(Vec<Proven>, Validation), Stop> {
    let mut held = Vec::new();
    for (index, trace) in traces.iter().enumerate() {
        held.extend(hold(trace, bench)?);
        bench.replayer.emit(RunEvent::Progress { done: index + 1 });
    }
    let mut repaired = held.len() < traces.len();
    let mut missing = goal.clone();
    missing.subtract(&bench.coverage_of(&held));
    for origin in pool {
        if missing.is_empty() {
            break;
        }
        while let Some(candidate) = replacement(origin, &missing, bench) {
            let Some(trace) = hold(&candidate, bench)? else {
                continue;
            };
            let coverage = bench.coverage(&trace);
            if coverage.intersection(&missing).is_empty() {
                break;
            }
            missing.subtract(&coverage);
            held.push(trace);
            repaired = true;
        }
    }
    let validation = match repaired {
        true => Validation::Repaired,
        false if held == traces => Validation::Held,
        false => Validation::ShowsLess,
    };
    Ok((held, validation))
}

/// The trace as all of its runs showed it, fresh ones included; none when one diverged.
fn hold(trace: &Proven, bench: &mut Bench) -> Result<Option<Proven>, Stop> {
    let runs = VALIDATED * bench.settings.runs;
    Ok(match bench.confirm(&trace.script, runs)? {
        Known::Proven(proven) => Some(proven),
        Known::Broken(_) | Known::Open(_) => None,
    })
}

/// The shortest prefix of an origin that may still cover something missing.
fn replacement(origin: &Proven, missing: &Coverage, bench: &Bench) -> Option<Proven> {
    let origin = bench.left_of(origin)?;
    let wanted = bench.coverage(&origin).intersection(missing);
    (!wanted.is_empty()).then(|| origin.cut_tail(bench.suite, bench.names(), &wanted))
}
