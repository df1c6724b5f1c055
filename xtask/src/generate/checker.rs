//! Judges a reduction by the original suite and the app model, with no code of the reducer.
//!
//! Every violation is one sentence; no violation means that all that the report claims and all that a reduction
//! promises holds. All kinds of coverage count as promised, as they are by default.

mod figures;
mod model;
mod promise;
mod provenance;
mod recording;

use std::collections::BTreeSet;

use serde_json::Value;

use super::splitmix::SplitMix;
use model::Model;
use recording::Trace;

/// How sure a reduced trace must be to replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replay {
    /// No draw of the model can make it diverge.
    Certain,
    /// It does not diverge in so many runs with draws from this seed.
    Runs {
        /// Runs of each trace.
        runs: usize,
        /// Where the draws come from.
        seed: u64,
    },
}

/// Whether a reduced trace may hold steps that no original trace contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observed {
    /// Every step must come from an original trace.
    Refused,
    /// Steps that a run of the reducer observed are accepted.
    Accepted,
}

/// Checks a reduction by the strictest rules: certain replay, and no observed steps.
#[must_use]
pub fn check(app: &Value, original: &str, reduced: &str, report: &Value) -> Vec<String> {
    check_by(
        app,
        original,
        reduced,
        report,
        (Replay::Certain, Observed::Refused),
    )
}

/// Checks a reduction by the given rules.
#[must_use]
pub fn check_by(
    app: &Value,
    original: &str,
    reduced: &str,
    report: &Value,
    (replay, observed): (Replay, Observed),
) -> Vec<String> {
    let read = || -> Result<_, String> {
        let original =
            recording::suite(original).map_err(|error| format!("original suite: {error}"))?;
        let reduced =
            recording::suite(reduced).map_err(|error| format!("reduced suite: {error}"))?;
        Ok((Model::read(app)?, original, reduced))
    };
    let (model, original, reduced) = match read() {
        Ok(inputs) => inputs,
        Err(error) => return vec![error],
    };
    let mut violations = unique_ids(&reduced);
    for trace in &reduced {
        violations.extend(provenance::check(trace, &original, observed));
        violations.extend(replayed(&model, trace, replay).err());
        violations.extend(model.wrong_coverage(trace));
    }
    violations.extend(promise::kept(&model, &original, &reduced));
    violations.extend(promise::witnessed(&original, &reduced, report));
    violations.extend(figures::check(&model, &original, &reduced, report));
    violations
}

/// Replays a trace in `runs` runs of the model and tells the first divergence.
///
/// # Errors
/// If a run diverges, or the app or the trace does not follow its format.
pub fn replays(app: &Value, trace: &Value, runs: usize, seed: u64) -> Result<(), String> {
    replayed(
        &Model::read(app)?,
        &Trace::read(trace)?,
        Replay::Runs { runs, seed },
    )
}

/// Replays each trace of a suite in `runs` runs of the model and counts those that show what the trace says.
///
/// Every trace has draws of its own, so that its count does not depend on the traces before it.
///
/// # Errors
/// If the app or the suite does not follow its format.
pub fn runs_that_hold(
    app: &Value,
    suite: &str,
    runs: usize,
    seed: u64,
) -> Result<Vec<(String, usize)>, String> {
    let model = Model::read(app)?;
    let count = |(at, trace): (u64, Trace)| {
        let mut random = SplitMix::new(SplitMix::new(seed ^ at).bits());
        let held = (0..runs).filter(|_| model.replays_once(&trace, &mut random).is_ok());
        let held = held.count();
        (trace.id, held)
    };
    let suite = recording::suite(suite)?;
    Ok((0..).zip(suite).map(count).collect())
}

fn replayed(model: &Model, trace: &Trace, replay: Replay) -> Result<(), String> {
    match replay {
        Replay::Certain => model.replays_certainly(trace),
        Replay::Runs { runs, seed } => {
            let mut random = SplitMix::new(seed);
            (1..=runs).try_for_each(|run| {
                model
                    .replays_once(trace, &mut random)
                    .map_err(|error| format!("{error} in run {run}"))
            })
        }
    }
}

fn unique_ids(reduced: &[Trace]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let twice = reduced.iter().filter(|trace| !seen.insert(&trace.id));
    twice
        .map(|trace| format!("{}: this id occurs twice in the reduced suite", trace.id))
        .collect()
}

#[cfg(test)]
mod tests;
