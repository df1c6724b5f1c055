//! The key events of a crash (Section 5.2, Algorithms 2 and 3): Short, then Duplicate, then
//! Ineffective, whichever first is confirmed by asking.
//!
//! Where the paper takes the result of the rules on trust once all else has failed, it is asked for
//! here too; if it does not hold, the rules are tried one by one and those are kept that do. So what
//! comes out always reaches the target. It is short and readable, not minimal: that is for the
//! reducers that search.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::ask::{Item, Memory, Shrunk, items};
use super::events::{Event, Recording, View};
use super::rules::{self, Choice, Finding};
use super::tree::{shortest, tree};
use crate::model::Stop;

/// The way in which key events were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// The shortest way to the last event.
    Short,
    /// Without events that have no effect and without those done before.
    Duplicate,
    /// Without events that have no effect.
    Ineffective,
    /// Everything is needed as far as this could tell.
    Everything,
}

/// Key events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEvents {
    /// The sequence.
    pub shrunk: Shrunk,
    /// How it was found.
    pub strategy: Strategy,
    /// What the rules say about the recording.
    pub finding: Finding,
}

/// Transitions that ran code less alike than this are different ones.
const ALIKE: f64 = 0.8;

/// Finds the key events of a recording whose last event reaches the target.
pub fn key_events(recording: &Recording, choice: &Choice, memory: &mut Memory) -> KeyEvents {
    let finding = rules::apply(recording, choice);
    let everything = items(0..recording.events.len());
    let (best, strategy, stopped) = match search(recording, choice, &finding, memory) {
        Ok(Some((best, strategy))) => (best, strategy, None),
        Ok(None) => (everything, Strategy::Everything, None),
        Err(stop) => (everything, Strategy::Everything, Some(stop)),
    };
    KeyEvents {
        shrunk: Shrunk { best, stopped },
        strategy,
        finding,
    }
}

fn search(
    recording: &Recording,
    choice: &Choice,
    finding: &Finding,
    memory: &mut Memory,
) -> Result<Option<(Vec<Item>, Strategy)>, Stop> {
    let all: Vec<usize> = (0..recording.events.len()).collect();
    let mut candidates = Vec::new();
    candidates.extend(shortest(recording, &all).map(|way| (way, Strategy::Short)));
    candidates.push((
        without_duplicates(recording, &finding.kept()),
        Strategy::Duplicate,
    ));
    candidates.push((finding.kept(), Strategy::Ineffective));
    for (candidate, strategy) in candidates {
        let candidate = items(candidate);
        if memory.reproduces(&candidate)? {
            return Ok(Some((candidate, strategy)));
        }
    }
    rule_by_rule(recording, choice, memory)
}

/// The rules that can be believed on this recording, found one by one.
fn rule_by_rule(
    recording: &Recording,
    choice: &Choice,
    memory: &mut Memory,
) -> Result<Option<(Vec<Item>, Strategy)>, Stop> {
    let names = rules::all().iter().map(|rule| rule.name);
    let mut off: Vec<String> = names.clone().map(str::to_owned).collect();
    let mut best = None;
    for name in names.filter(|name| !choice.off.iter().any(|off| off == name)) {
        let trial = Choice {
            off: off.iter().filter(|off| *off != name).cloned().collect(),
            optional: choice.optional.clone(),
        };
        let candidate = items(rules::apply(recording, &trial).kept());
        if candidate.len() < recording.events.len() && memory.reproduces(&candidate)? {
            best = Some((candidate, Strategy::Ineffective));
            off = trial.off;
        }
    }
    Ok(best)
}

/// Whether two events are the same at the level of users.
fn equivalent(one: &Event, other: &Event) -> bool {
    if one.before != other.before || one.after != other.after || one.fault != other.fault {
        return false;
    }
    if one.moves() {
        return alike(one, other);
    }
    let kind = |event: &Event| {
        event
            .gesture
            .as_ref()
            .map(crate::model::gesture::Gesture::kind)
    };
    match (one.widget(), other.widget()) {
        (Some(a), Some(b)) => {
            kind(one) == kind(other) && a.id == b.id && a.class == b.class && a.bounds == b.bounds
        }
        _ => one.action == other.action,
    }
}

/// Whether two events ran the same code, as far as is known.
fn alike(one: &Event, other: &Event) -> bool {
    let (a, b) = (one.ran.elements(), other.ran.elements());
    let both: FxHashSet<_> = a.iter().collect();
    let common = b.iter().filter(|element| both.contains(element)).count();
    let all = a.len() + b.len() - common;
    all == 0 || common as f64 >= ALIKE * all as f64
}

/// Algorithm 3: events that change no window are gathered where their window is first shown, once
/// each; then transitions that were made before go, together with the one that led to them.
fn without_duplicates(recording: &Recording, kept: &[usize]) -> Vec<usize> {
    let Some((&last, body)) = kept.split_last() else {
        return Vec::new();
    };
    let tree = tree(recording, body);
    let mut stays: FxHashMap<View, Vec<usize>> = FxHashMap::default();
    for node in &tree.nodes {
        stays.insert(node.view, first_of_each(recording, &node.events));
    }
    let moves = body
        .iter()
        .copied()
        .filter(|&event| recording.events[event].moves());
    let walk = without_loops(recording, moves);
    let mut sequence = stays.remove(&recording.launch).unwrap_or_default();
    for event in walk {
        sequence.push(event);
        sequence.extend(
            stays
                .remove(&recording.events[event].after)
                .unwrap_or_default(),
        );
    }
    sequence.push(last);
    sequence
}

/// The events of a window that keep it, one of each kind.
fn first_of_each(recording: &Recording, events: &[usize]) -> Vec<usize> {
    let mut firsts: Vec<usize> = Vec::new();
    for &event in events {
        let this = &recording.events[event];
        let is_new = || {
            !firsts
                .iter()
                .any(|&first| equivalent(&recording.events[first], this))
        };
        if !this.moves() && is_new() {
            firsts.push(event);
        }
    }
    firsts
}

/// A walk without the ways out and back that were gone before.
fn without_loops(recording: &Recording, moves: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut walk: Vec<Move> = Vec::new();
    let mut seen: Vec<usize> = Vec::new();
    let mut shown: FxHashSet<View> = [recording.launch].into_iter().collect();
    for event in moves {
        let this = &recording.events[event];
        let is_known = seen
            .iter()
            .any(|&first| equivalent(&recording.events[first], this));
        if !is_known {
            seen.push(event);
        }
        walk.push(Move {
            event,
            is_known,
            is_first_sight: shown.insert(this.after),
        });
        if let Some(start) = loop_at_end(recording, &walk) {
            walk.truncate(start);
        }
    }
    walk.into_iter().map(|step| step.event).collect()
}

struct Move {
    event: usize,
    is_known: bool,
    is_first_sight: bool,
}

/// Where the longest loop begins that ends the walk, shows nothing for the first time and is made
/// of known transitions and those that only led to one.
fn loop_at_end(recording: &Recording, walk: &[Move]) -> Option<usize> {
    let last = walk.last().filter(|last| last.is_known)?;
    let end = recording.events[last.event].after;
    let mut start = None;
    for (i, step) in walk.iter().enumerate().rev() {
        let leads_to_known = walk.get(i + 1).is_some_and(|next| next.is_known);
        if step.is_first_sight || !(step.is_known || leads_to_known) {
            break;
        }
        if recording.events[step.event].before == end {
            start = Some(i);
        }
    }
    start
}

#[cfg(test)]
mod tests;
