//! `sweep`, the default: pieces are taken out from the end to the start, as large as what was learnt allows.
//!
//! What an event needs stands before it. So when everything behind a piece is needed, the piece
//! can go exactly if nothing in it is needed, whatever events depend on each other: this is
//! group testing. A piece is so large that it is free with a chance of one half ([`Belief`]),
//! and the last needed event of one that is not free is found by halving. k of n events take
//! about log2(n over k) questions, k more to show that none of them can go, and few on top.
//! Questions are nearly even, so lanes work ahead on both answers of each.
//!
//! Where screens are known, a way without loops through them is tried first; pieces begin at
//! the screen they end at, if such a place is near; and loops and pairs of events that stay on
//! their screen are tried last, which goes beyond what single events can show.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::belief::Belief;
use super::lab::{Answer, Lab};
use super::minimal::{best, settle};
use super::{Recording, without};
use crate::model::{ScreenId, Stop};

/// How many loops and pairs are tried at the end, at most, before nothing more is expected.
const MOST_LOOPS: usize = 60;

/// Shortens the best candidate.
pub(super) fn reduce(lab: &mut Lab, _recording: &Recording) -> Result<(), Stop> {
    shortcut(lab)?;
    sweep(lab)?;
    settle(lab)?;
    while cut_loop(lab)? {
        settle(lab)?;
    }
    Ok(())
}

/// What a sweep from a candidate on comes by if the first run of each question tells the truth:
/// candidates that reached the target in it, each a part of the one before.
pub(super) fn sweep_by_single_runs(lab: &mut Lab, start: &[u32]) -> Result<Vec<Vec<u32>>, Stop> {
    let mut state = Sweep::new(start.to_vec(), Vec::new());
    let mut found = Vec::new();
    while let Some(piece) = state.piece() {
        let asked = state.lacking(piece);
        let answer = lab.ask(&asked, &mut |lab, n| state.ahead(lab, n))?;
        let is_reproduced = answer.is_reproduced();
        state.take(piece, answer);
        if is_reproduced {
            found.push(state.events.clone());
        }
    }
    Ok(found)
}

/// Tries the events that lead from screen to screen without coming back to any.
fn shortcut(lab: &mut Lab) -> Result<(), Stop> {
    let events = best(lab);
    let screens = lab.screens();
    if screens.len() != events.len() + 1 || events.is_empty() {
        return Ok(());
    }
    // The last event is the one that reaches the target, wherever it leads.
    let last = events.len() - 1;
    let mut way = Vec::new();
    let mut at = 0;
    loop {
        let is_same = |place: &usize| screens[*place] == screens[at];
        at = (at..=last).rev().find(is_same).unwrap_or(at);
        way.push(events[at]);
        if at == last {
            break;
        }
        at += 1;
    }
    if way.len() < events.len() {
        lab.ask(&way, &mut |_, _| Vec::new())?;
    }
    Ok(())
}

/// Sweeps once through the best candidate.
fn sweep(lab: &mut Lab) -> Result<(), Stop> {
    let mut state = Sweep::new(best(lab), lab.screens().to_vec());
    while let Some(piece) = state.piece() {
        let asked = state.lacking(piece);
        let answer = lab.ask(&asked, &mut |lab, n| state.ahead(lab, n))?;
        state.take(piece, answer);
    }
    Ok(())
}

/// Tries to take out loops of the best candidate, longest first, and pairs of events that both
/// stay on their screen and may undo each other; says whether something went.
fn cut_loop(lab: &mut Lab) -> Result<bool, Stop> {
    let events = best(lab);
    let screens = lab.screens();
    if screens.len() != events.len() + 1 {
        return Ok(false);
    }
    let mut loops = Vec::new();
    for from in 0..events.len() {
        for to in from + 2..=events.len() {
            if screens[from] == screens[to] {
                loops.push((from, to));
            }
        }
    }
    loops.sort_by_key(|&(from, to)| (std::cmp::Reverse(to - from), from));
    let loops = loops.iter().map(|&(from, to)| without(&events, from, to));
    let stays: Vec<usize> = (0..events.len())
        .filter(|&at| screens[at] == screens[at + 1])
        .collect();
    let pairs = stays.iter().enumerate().flat_map(|(i, &one)| {
        let lacking = |&other: &usize| without(&without(&events, other, other + 1), one, one + 1);
        stays[i + 1..].iter().map(lacking).collect::<Vec<_>>()
    });
    let lacking: Vec<_> = loops.chain(pairs).take(MOST_LOOPS).collect();
    Ok(lab.first(&lacking)?.is_some())
}

/// How far a sweep is.
#[derive(Debug, Clone)]
struct Sweep {
    /// What is left.
    events: Vec<u32>,
    /// The screens before each of them and after the last, where they are known.
    screens: Vec<ScreenId>,
    /// Everything from here on is needed.
    at: usize,
    /// Something from here to `at` is needed; nothing is known while both are the same.
    low: usize,
    belief: Belief,
}

/// A piece of what is left: its ends.
type Piece = (usize, usize);

impl Sweep {
    fn new(events: Vec<u32>, screens: Vec<ScreenId>) -> Self {
        let mut sweep = Self {
            at: events.len(),
            low: events.len(),
            events,
            screens,
            belief: Belief::default(),
        };
        sweep.trust_the_last();
        sweep
    }

    /// The last event reached the target, so it counts as needed until the end.
    fn trust_the_last(&mut self) {
        if self.at == self.events.len() && self.at > 0 {
            self.at -= 1;
            self.low = self.at;
        }
    }

    /// What to take out next; nothing when all is decided.
    fn piece(&self) -> Option<Piece> {
        let known = self.at - self.low;
        let from = if known > 0 {
            self.at - self.belief.half(known)
        } else {
            self.at - self.belief.piece(self.at.max(1)).min(self.at)
        };
        let piece = (self.closing(from), self.at);
        (piece.0 < piece.1).then_some(piece)
    }

    /// The place next to `from` that shows the screen the piece ends at, if there is one near.
    fn closing(&self, from: usize) -> usize {
        let Some(&end) = self.screens.get(self.at) else {
            return from;
        };
        let len = self.at - from;
        let least = if self.low < self.at {
            self.low + 1
        } else {
            from.saturating_sub(len)
        };
        let near = (least..=from + len / 2).filter(|&place| self.screens[place] == end);
        near.min_by_key(|place| place.abs_diff(from))
            .unwrap_or(from)
    }

    fn lacking(&self, (from, to): Piece) -> Vec<u32> {
        without(&self.events, from, to)
    }

    /// Takes an answer in.
    fn take(&mut self, piece: Piece, answer: Answer) {
        if !answer.is_reproduced() {
            self.is_needed(piece);
            return;
        }
        self.is_free(piece);
        self.events.truncate(answer.ran);
        self.at = self.at.min(answer.ran);
        self.low = self.low.min(self.at);
        self.trust_the_last();
        if answer.screens.is_empty() {
            self.screens.truncate(self.events.len() + 1);
        } else {
            self.screens = answer.screens;
        }
        self.find_single();
    }

    fn is_free(&mut self, (from, to): Piece) {
        self.events.drain(from..to);
        if self.screens.len() > to {
            self.screens.drain(from..to);
        }
        self.belief.free(to - from);
        self.at = from;
        self.low = self.low.min(from);
    }

    fn is_needed(&mut self, (from, _): Piece) {
        self.low = from;
        self.find_single();
    }

    /// One event in which something is needed is needed.
    fn find_single(&mut self) {
        if self.at - self.low == 1 {
            self.at = self.low;
            self.belief.needed();
        }
    }

    /// The chance that a piece can go.
    fn chance(&self, (from, to): Piece) -> f64 {
        let free = self.belief.all_free(to - from);
        if self.low == self.at {
            return free;
        }
        let none = self.belief.all_free(self.at - self.low);
        (free - none) / (1.0 - none)
    }

    /// The questions that are most likely to be asked next.
    fn ahead(&self, lab: &mut Lab, n: usize) -> Vec<Vec<u32>> {
        let mut ahead = Vec::with_capacity(n);
        let mut open = BinaryHeap::new();
        let Some(piece) = self.piece() else {
            return ahead;
        };
        let mut next = Possible {
            chance: 1.0,
            sweep: self.clone(),
            piece,
        };
        loop {
            open.extend(next.answered());
            let Some(likeliest) = open.pop() else {
                return ahead;
            };
            next = likeliest;
            let asked = next.sweep.lacking(next.piece);
            if lab.known(&asked).is_none() {
                ahead.push(asked);
            }
            if ahead.len() == n {
                return ahead;
            }
        }
    }
}

/// A sweep as it may become.
struct Possible {
    chance: f64,
    sweep: Sweep,
    piece: Piece,
}

impl Possible {
    /// What becomes of it with either answer to its question.
    fn answered(self) -> impl Iterator<Item = Self> {
        let Self {
            chance,
            sweep,
            piece,
        } = self;
        let yes = sweep.chance(piece);
        let mut free = sweep.clone();
        free.is_free(piece);
        free.find_single();
        let mut needed = sweep;
        needed.is_needed(piece);
        let both = [(chance * yes, free), (chance * (1.0 - yes), needed)];
        both.into_iter().filter_map(|(chance, sweep)| {
            let piece = sweep.piece()?;
            Some(Self {
                chance,
                sweep,
                piece,
            })
        })
    }
}

impl PartialEq for Possible {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Possible {}

impl PartialOrd for Possible {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Possible {
    fn cmp(&self, other: &Self) -> Ordering {
        self.chance.total_cmp(&other.chance)
    }
}
