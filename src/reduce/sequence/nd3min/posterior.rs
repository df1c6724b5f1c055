//! Our scheduler: by the chance of each candidate to pass, given what it has shown under the prior.
//!
//! Most candidates never reach the target and show that in one run, so all are first run just
//! often enough to be told apart. Then the one most likely to pass gets all it needs to pass;
//! what is left of the round goes to the next, and so on, so that one round may end it all.

use super::Score;
use super::schedule::{in_turns, left};
use crate::reduce::sequence::{Chances, Rule};

/// A candidate this likely to pass is worth being run to its end.
const WORTH: f64 = 0.5;

pub(super) fn schedule(live: &[Score], rule: Rule, lanes: u32) -> Vec<u32> {
    let chances = Chances::default();
    let outlooks: Vec<Outlook> = live
        .iter()
        .map(|&score| Outlook::new(score, rule, &chances))
        .collect();
    let mut order: Vec<usize> = (0..live.len()).collect();
    order.sort_by(|&one, &other| outlooks[other].pass.total_cmp(&outlooks[one].pass));
    let mut planned = vec![0; live.len()];
    let (good, poor): (Vec<usize>, Vec<usize>) =
        order.iter().partition(|&&at| outlooks[at].pass >= WORTH);
    for &at in good.iter().chain(&poor) {
        let free = lanes - planned.iter().sum::<u32>();
        let wanted = if outlooks[at].pass >= WORTH {
            outlooks[at].to_pass
        } else {
            outlooks[at].to_fail
        };
        planned[at] = wanted.min(free).min(left(live[at], rule));
    }
    in_turns(&mut planned, live, &order, rule, lanes);
    planned
}

/// What is to be expected of a candidate.
struct Outlook {
    /// The chance that it passes.
    pass: f64,
    /// Runs that it takes to pass if it does.
    to_pass: u32,
    /// Runs that it takes to be out if it does not pass.
    to_fail: u32,
}

impl Outlook {
    fn new((hits, misses): Score, rule: Rule, chances: &Chances) -> Self {
        let power = |base: f64, n: u32| base.powi(i32::try_from(n).unwrap_or(i32::MAX));
        let rest = Rule {
            runs: left((hits, misses), rule),
            accept: rule.accept - hits,
        };
        let (mut all, mut pass, mut miss_if_out) = (0.0, 0.0, 0.0);
        for &(chance, share) in chances.shares() {
            let weight = share * power(chance, hits) * power(1.0 - chance, misses);
            let passes = rest.passes(chance);
            all += weight;
            pass += weight * passes;
            miss_if_out += weight * (1.0 - passes) * (1.0 - chance);
        }
        let out = (all - pass).max(f64::MIN_POSITIVE);
        let miss_share = (miss_if_out / out).clamp(0.05, 1.0);
        let still = f64::from(rule.misses() + 1 - misses);
        #[expect(clippy::cast_sign_loss, reason = "quotients of counts")]
        let to_fail = (still / miss_share).ceil() as u32;
        Self {
            pass: if all > 0.0 { pass / all } else { 0.0 },
            to_pass: rule.accept - hits,
            to_fail,
        }
    }
}
