//! How sure it is that what ships replays: the posterior after runs that all held.
//!
//! With every share of diverging runs as likely as any other beforehand (the prior Beta(1, 1)),
//! n runs of n leave Beta(n + 1, 1) for the share that replays: its mean is (n + 1) / (n + 2), and
//! it is above (1 - c)^(1 / (n + 1)) with probability c. Nothing is assumed about the app, so ten
//! runs do not say much; an estimate that pools the runs of many traces says more.

use rustc_hash::FxHashSet;

use super::bench::Bench;
use super::{Proven, Shipped, Stabilized};
use crate::model::{ActionId, ScreenId, Script, Suite};

/// What another setting would give: a row of the table of size against risk.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The setting, such as `min_witness = 2`.
    pub name: String,
    /// What it is good for, in a few words.
    pub what: String,
    /// Traces of such a suite.
    pub traces: usize,
    /// Steps of such a suite.
    pub steps: usize,
    /// Device time of one replay of it.
    pub micros: u64,
    /// The chance that one replay of it diverges somewhere, where that can be told.
    pub suite_risk: Option<f64>,
    /// Whether it was tried on devices, or else estimated.
    pub tried: bool,
}

/// The share of runs that is expected to diverge after `runs` that all held.
fn risk(runs: u32) -> f64 {
    1.0 / (f64::from(runs) + 2.0)
}

/// The share of runs that replays at least, with probability `confidence`, after `runs` that all
/// held.
fn replays_at_least(runs: u32, confidence: f64) -> f64 {
    (1.0 - confidence).powf(1.0 / (f64::from(runs) + 1.0))
}

/// The chance that one replay of all these traces diverges somewhere.
pub(super) fn suite_risk(shipped: &[Shipped]) -> f64 {
    let holds: f64 = shipped.iter().map(|trace| 1.0 - trace.risk).product();
    1.0 - holds
}

/// Actions that went several ways on a screen after the very same steps, so by chance.
pub(super) struct LeftToChance(FxHashSet<(ScreenId, ActionId)>);

impl LeftToChance {
    /// What replaying the recorded traces has shown of it.
    pub(super) fn seen(stabilized: &[Stabilized], bench: &Bench) -> Self {
        let seen = stabilized.iter().filter_map(|stabilized| {
            let position = stabilized.cut.as_ref()?.position;
            let script = Script::prefix_of(bench.suite, stabilized.trace, position);
            let mut node = bench.evidence.root(script.screen_at(bench.suite, 0))?;
            for step in &script.steps {
                node = bench.evidence.child(node, step.action, step.screen)?;
            }
            // Something is covered only where some run went on.
            let both = bench.evidence.is_broken(node) && bench.evidence.cover(node).is_some();
            both.then(|| actions(&script, bench.suite).last())?
        });
        Self(seen.collect())
    }

    /// Whether a script does something of which chance decides the outcome, as far as known.
    fn is_in(&self, script: &Script, suite: &Suite) -> bool {
        actions(script, suite).any(|action| self.0.contains(&action))
    }
}

/// The actions of a script, each with the screen it is done on.
fn actions<'a>(
    script: &'a Script,
    suite: &'a Suite,
) -> impl Iterator<Item = (ScreenId, ActionId)> + 'a {
    let steps = script.steps.iter().enumerate();
    steps.map(|(at, step)| (script.screen_at(suite, at), step.action))
}

impl Shipped {
    /// A trace that held in all its runs and that nothing else is known about.
    pub(super) fn held(proven: Proven, chance: &LeftToChance, bench: &Bench) -> Self {
        let runs = bench.settings.runs;
        let replays_at_least = replays_at_least(runs, bench.settings.confidence);
        let doubtful = replays_at_least < 1.0 - bench.settings.trace_flake;
        Self {
            runs,
            risk: risk(runs),
            replays_at_least,
            flaky: doubtful && chance.is_in(&proven.script, bench.suite),
            proven,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{replays_at_least, risk};

    #[test]
    fn every_run_that_holds_makes_it_surer() {
        assert!((risk(0) - 0.5).abs() < 1e-12);
        assert!((risk(10) - 1.0 / 12.0).abs() < 1e-12);
        // The integral of the posterior (n + 1) p^n from the bound to 1 is the confidence.
        for (runs, confidence) in [(0, 0.95), (1, 0.5), (10, 0.95), (298, 0.99)] {
            let bound = replays_at_least(runs, confidence);
            let above = 1.0 - bound.powf(f64::from(runs) + 1.0);
            assert!((above - confidence).abs() < 1e-9, "{runs}: {bound}");
            assert!(bound < replays_at_least(runs + 1, confidence));
        }
    }

    #[test]
    fn one_percent_of_flakiness_takes_hundreds_of_runs_to_rule_out() {
        assert!(replays_at_least(297, 0.95) < 0.99);
        assert!(replays_at_least(298, 0.95) > 0.99);
    }
}
