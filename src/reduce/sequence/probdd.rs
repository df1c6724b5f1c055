//! `probdd`: delta debugging by the chance of each event to be needed (Wang et al., 2021).
//!
//! Each question leaves out the events that promise the most: as many as possible, times the
//! chance that none of them is needed. An answer of no makes each of them more likely needed
//! (Bayes' rule). Chances begin with a prior that knows sorts of events by their screens.

use super::Recording;
use super::lab::Lab;
use super::minimal::{best, settle};
use crate::model::Stop;

/// A chance above this is certainty.
const SURE: f64 = 1.0 - 1e-9;

/// Shortens the best candidate.
pub(super) fn reduce(lab: &mut Lab, recording: &Recording) -> Result<(), Stop> {
    let chances = recording.prior.chances(lab.n_events(), &recording.screens);
    let mut state = State {
        events: best(lab),
        chances,
    };
    while let Some(out) = state.promising() {
        let asked = state.lacking(&out);
        let answer = lab.ask(&asked, &mut |_, n| state.after_no(&out, n))?;
        if answer.is_reproduced() {
            state.events = asked[..answer.ran].to_vec();
        } else {
            state.blame(&out);
        }
    }
    settle(lab)
}

#[derive(Clone)]
struct State {
    events: Vec<u32>,
    /// The chance of each event of the recording to be needed.
    chances: Vec<f64>,
}

impl State {
    /// The events to leave out next; none when all that are left are needed.
    fn promising(&self) -> Option<Vec<u32>> {
        let open = self.events.iter().copied();
        let mut open: Vec<u32> = open.filter(|&event| self.chance(event) < SURE).collect();
        open.sort_by(|&one, &other| self.chance(one).total_cmp(&self.chance(other)));
        let (mut free, mut most, mut best) = (1.0, 0.0, 0);
        for (at, &event) in open.iter().enumerate() {
            free *= 1.0 - self.chance(event);
            let gain = (at + 1) as f64 * free;
            if gain > most {
                (most, best) = (gain, at + 1);
            }
        }
        open.truncate(best);
        open.sort_unstable();
        (best > 0).then_some(open)
    }

    fn chance(&self, event: u32) -> f64 {
        self.chances[event as usize]
    }

    fn lacking(&self, out: &[u32]) -> Vec<u32> {
        let left = self.events.iter().copied();
        left.filter(|event| out.binary_search(event).is_err())
            .collect()
    }

    /// Takes in that something of these is needed.
    fn blame(&mut self, out: &[u32]) {
        let free: f64 = out.iter().map(|&event| 1.0 - self.chance(event)).product();
        for &event in out {
            let chance = &mut self.chances[event as usize];
            *chance = if out.len() == 1 {
                1.0
            } else {
                (*chance / (1.0 - free)).min(1.0)
            };
        }
    }

    /// What is asked next while every answer is no.
    fn after_no(&self, out: &[u32], n: usize) -> Vec<Vec<u32>> {
        let mut state = self.clone();
        state.blame(out);
        let mut ahead = Vec::new();
        while let Some(out) = state.promising()
            && ahead.len() < n
        {
            ahead.push(state.lacking(&out));
            state.blame(&out);
        }
        ahead
    }
}
