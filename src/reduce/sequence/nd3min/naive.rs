//! The naive scheduler: all candidates in turns (paper 001, 4.1).

use super::Score;
use super::schedule::in_turns;
use crate::reduce::sequence::Rule;

pub(super) fn schedule(live: &[Score], rule: Rule, lanes: u32) -> Vec<u32> {
    let mut planned = vec![0; live.len()];
    let who: Vec<usize> = (0..live.len()).collect();
    in_turns(&mut planned, live, &who, rule, lanes);
    planned
}
