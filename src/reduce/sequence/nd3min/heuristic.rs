//! The heuristic scheduler: explore first, then confirm what looks good, then discard the rest (paper 001, 4.2, Figure 3).

use std::cmp::Ordering;

use super::Score;
use super::naive;
use super::schedule::{in_turns, left};
use crate::reduce::sequence::Rule;

/// A candidate that reached the target in this share of its runs looks good (`c` in the paper).
const GOOD: f64 = 0.8;

pub(super) fn schedule(live: &[Score], rule: Rule, lanes: u32) -> Vec<u32> {
    if live.iter().all(|score| *score == (0, 0)) {
        return naive::schedule(live, rule, lanes);
    }
    let mut order: Vec<usize> = (0..live.len()).collect();
    order.sort_by(|&one, &other| better(live[other], live[one]));
    let is_good = |&&at: &&usize| share(live[at]) >= GOOD;
    let mut planned = vec![0; live.len()];
    let mut deferred = Vec::new();
    for &at in order.iter().filter(is_good) {
        let free = lanes - planned.iter().sum::<u32>();
        let wanted = to_pass(live[at], rule);
        if wanted > free && wanted <= lanes {
            deferred.push(at);
        } else {
            planned[at] = wanted.min(free);
        }
    }
    in_turns(&mut planned, live, &deferred, rule, lanes);
    for &at in order.iter().filter(|at| !is_good(at)) {
        let free = lanes - planned.iter().sum::<u32>();
        planned[at] = to_fail(live[at], rule).min(free);
    }
    in_turns(&mut planned, live, &order, rule, lanes);
    planned
}

/// The share of runs that reached the target; one that never ran is as good as any.
fn share((hits, misses): Score) -> f64 {
    match hits + misses {
        0 => 1.0,
        runs => f64::from(hits) / f64::from(runs),
    }
}

fn better(one: Score, other: Score) -> Ordering {
    let by_share = share(one).total_cmp(&share(other));
    by_share.then(one.0.cmp(&other.0))
}

/// How many runs it takes to pass, if it goes on like this.
fn to_pass(score: Score, rule: Rule) -> u32 {
    rounded_up(f64::from(rule.accept - score.0) / share(score)).min(left(score, rule))
}

/// How many runs it takes to be out, if it goes on like this.
fn to_fail(score: Score, rule: Rule) -> u32 {
    let misses = f64::from(rule.misses() + 1 - score.1);
    rounded_up(misses / (1.0 - share(score))).min(left(score, rule))
}

#[expect(clippy::cast_sign_loss, reason = "quotients of counts")]
fn rounded_up(runs: f64) -> u32 {
    runs.ceil() as u32
}
