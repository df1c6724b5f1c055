//! The strategies: how a session chooses what to do next.
//!
//! `random` takes any offered action. `swifthand` follows the idea of paper 004's explorer: learn
//! where actions lead while exploring, do what was never done on the screen at hand, go to the
//! nearest screen with something left by roads that are known, and start anew only when no such
//! road is left and a start was of use. Unlike the paper's it learns over abstract screens and keeps counts instead of
//! splitting states; a road that led elsewhere twice in a session is not trusted any more.

use std::collections::BTreeMap;

use super::atlas::Atlas;
use super::port::{Look, Rover};
use crate::model::Seed;

/// How often a road may lead elsewhere before a session takes another.
const PATIENCE: u32 = 2;

/// Numbers for the choices of one session.
#[derive(Debug)]
pub(super) struct Dice {
    seed: Seed,
    thrown: u64,
}

impl Dice {
    pub(super) fn new(seed: Seed) -> Self {
        Self { seed, thrown: 0 }
    }

    /// One of so many.
    fn throw(&mut self, n: usize) -> usize {
        self.thrown += 1;
        (self.seed.mix(self.thrown).0 % n.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> Option<&'a T> {
        from.get(self.throw(from.len())).copied()
    }
}

/// Takes any action, all of them alike.
pub(super) struct Random {
    pub(super) dice: Dice,
    pub(super) left: usize,
    pub(super) offers: Vec<String>,
}

impl Rover for Random {
    fn next(&mut self, look: Look<'_>) -> Option<String> {
        self.left = self.left.checked_sub(1)?;
        if let Look::Screen { offers, .. } = look {
            self.offers = offers.to_vec();
        }
        let offers: Vec<&String> = self.offers.iter().collect();
        self.dice.pick(&offers).cloned()
    }
}

/// Prefers what was never done.
pub(super) struct SwiftHand {
    pub(super) dice: Dice,
    pub(super) left: usize,
    pub(super) atlas: Atlas,
    pub(super) screen: String,
    pub(super) offers: Vec<String>,
    /// What was done last, and on which screen.
    pub(super) going: Option<(String, String)>,
    /// How often roads led elsewhere in this session.
    pub(super) doubts: BTreeMap<(String, String), u32>,
    pub(super) has_moved: bool,
    /// Whether this session found no road right behind its start, so that another start is of no use.
    pub(super) start_is_vain: bool,
}

impl Rover for SwiftHand {
    fn next(&mut self, look: Look<'_>) -> Option<String> {
        self.left = self.left.checked_sub(1)?;
        self.take_in(look);
        let action = self.choose()?;
        self.going = Some((self.screen.clone(), action.clone()));
        self.has_moved = true;
        Some(action)
    }
}

impl SwiftHand {
    fn take_in(&mut self, look: Look<'_>) {
        let to = match look {
            Look::Screen { name, offers } => {
                self.atlas.see(name, offers);
                offers.clone_into(&mut self.offers);
                Some(name)
            }
            Look::Refused => None,
        };
        if let Some((from, action)) = self.going.take() {
            let known = self.atlas.leads(&from, &action);
            let is_elsewhere = known.is_some() && known != to;
            self.atlas.went(&from, &action, to);
            if is_elsewhere {
                *self.doubts.entry((from, action)).or_default() += 1;
            }
        }
        if let Some(to) = to {
            to.clone_into(&mut self.screen);
        }
    }

    fn choose(&mut self) -> Option<String> {
        if let Some(action) = self.rarest_of_the_untried() {
            return Some(action);
        }
        let trusted = |screen: &str, action: &str| {
            let key = (screen.to_owned(), action.to_owned());
            self.doubts
                .get(&key)
                .is_none_or(|doubts| *doubts < PATIENCE)
        };
        let way = self.atlas.way(&self.screen, &trusted);
        if let Some(way) = way.filter(|way| self.offers.iter().any(|offer| offer == way)) {
            return Some(way.to_owned());
        }
        if !self.has_moved {
            self.start_is_vain = true;
        } else if !self.start_is_vain && self.atlas.start_helps() {
            return None;
        }
        // Everything was done everywhere: what was done least may still show something new.
        self.least(|rover, action| Some(rover.atlas.times(&rover.screen, action)))
    }

    /// Of what was never done on this screen, one of those done least on others.
    fn rarest_of_the_untried(&mut self) -> Option<String> {
        self.least(|rover, action| {
            let is_new = rover.atlas.times(&rover.screen, action) == 0;
            is_new.then(|| rover.atlas.times_anywhere(action))
        })
    }

    /// One of the offers with the smallest figure; those without one do not count.
    fn least(&mut self, figure: impl Fn(&Self, &str) -> Option<u32>) -> Option<String> {
        let figures: Vec<_> = self
            .offers
            .iter()
            .map(|offer| figure(self, offer))
            .collect();
        let least = figures.iter().flatten().min()?;
        let offers = self.offers.iter().zip(&figures);
        let rare = offers.filter(|(_, figure)| figure.as_ref() == Some(least));
        let rare: Vec<&String> = rare.map(|(offer, _)| offer).collect();
        self.dice.pick(&rare).cloned()
    }
}

/// Does what a recording says, as long as it is there to be done.
pub(super) struct Follow<'a> {
    pub(super) ahead: std::slice::Iter<'a, String>,
}

impl Rover for Follow<'_> {
    fn next(&mut self, look: Look<'_>) -> Option<String> {
        match look {
            Look::Screen { .. } => self.ahead.next().cloned(),
            Look::Refused => None,
        }
    }
}
