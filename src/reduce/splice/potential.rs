//! Upper bounds on what can still be covered behind a place, for the elements open now.

use rustc_hash::FxHashMap;

use super::system::{Bits, Place, System};
use crate::model::ScreenId;

/// The bounds, by the number of joins left.
#[derive(Debug, Default)]
pub(super) struct Potential {
    /// For how many open elements they were computed.
    pub(super) n_open: Option<usize>,
    by_place: Vec<Vec<u32>>,
    by_screen: Vec<FxHashMap<ScreenId, u32>>,
}

impl Potential {
    /// Linear in the number of places for each number of joins.
    pub(super) fn new(system: &System, open: &Bits, n_open: usize, joins: usize) -> Self {
        let mut potential = Self {
            n_open: Some(n_open),
            ..Self::default()
        };
        for left in 0..=joins {
            let mut by_place = vec![0; system.n_places()];
            for trace in 0..system.traces.len() as u32 {
                if left == 0 {
                    suffixes(system, trace, open, &mut by_place);
                } else {
                    potential.with_joins(system, trace, open, left, n_open, &mut by_place);
                }
            }
            let most = |screen| {
                let places = system.places(screen).iter();
                places.map(|&place| by_place[system.index(place)]).max()
            };
            let by_screen = system.screens();
            let by_screen = by_screen.map(|screen| (screen, most(screen).unwrap_or(0)));
            let by_screen = by_screen.collect();
            potential.by_screen.push(by_screen);
            potential.by_place.push(by_place);
        }
        potential
    }

    /// What a step covers counts in full, even where an earlier one covers it too: that keeps
    /// this linear, and a bound.
    fn with_joins(
        &self,
        system: &System,
        trace: u32,
        open: &Bits,
        left: usize,
        n_open: usize,
        by_place: &mut [u32],
    ) {
        let mut behind = 0_u32;
        for at in (0..=system.len(trace)).rev() {
            let place = Place { trace, at };
            let index = system.index(place);
            by_place[index] = behind.max(self.by_place[0][index]).min(n_open as u32);
            let step = common(system.bits(place), open);
            let joined = self.by_screen[left - 1][&system.screen(place)];
            behind = step.saturating_add(by_place[index].max(joined));
        }
    }

    /// The most that can be covered behind a place.
    pub(super) fn at(&self, index: usize, joins: usize) -> u32 {
        let joins = joins.min(self.by_place.len() - 1);
        self.by_place[joins][index]
    }

    /// The most that can be covered by joining anything at a screen.
    pub(super) fn joined(&self, screen: ScreenId, joins: usize) -> u32 {
        self.by_screen[joins].get(&screen).copied().unwrap_or(0)
    }
}

/// Exactly what the rest of a trace covers.
fn suffixes(system: &System, trace: u32, open: &Bits, by_place: &mut [u32]) {
    let mut behind = vec![0; open.len()];
    for at in (0..=system.len(trace)).rev() {
        let place = Place { trace, at };
        by_place[system.index(place)] = common(&behind, open);
        union(&mut behind, system.bits(place));
    }
}

/// How many bits two sets have in common.
pub(super) fn common(a: &Bits, b: &Bits) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

/// Adds the bits of one set to another.
pub(super) fn union(into: &mut Bits, other: &Bits) {
    for (word, other) in into.iter_mut().zip(other) {
        *word |= other;
    }
}
