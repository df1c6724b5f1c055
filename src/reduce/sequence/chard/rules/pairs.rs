//! Contrary pairs: an event and the one that undoes it, side by side or nested (Figures 5 and 6).

use super::super::events::Event;
use super::{Needs, Rule, Scene};
use crate::model::gesture::Gesture;

pub(super) const CONTRARY: Rule = Rule {
    name: "contrary-pair",
    about: "an event and the next one, which undoes it: open and close, tick and untick",
    needs: Needs::DumpsInPart,
    find: contrary,
};

pub(super) const NESTED: Rule = Rule {
    name: "nested-pair",
    about: "contrary pairs around contrary pairs",
    needs: Needs::DumpsInPart,
    find: nested,
};

/// Whether the second event undoes the first, done right after it.
fn undoes(first: &Event, second: &Event) -> bool {
    if first.fault.is_some() || second.fault.is_some() || second.before != first.after {
        return false;
    }
    let returns = first.moves() && second.after == first.before;
    returns || unticks(first, second) || turns_back(first, second)
}

/// Two taps on one box to tick.
fn unticks(first: &Event, second: &Event) -> bool {
    let (Some(one), Some(other)) = (first.widget(), second.widget()) else {
        return false;
    };
    let is_tap = |event: &Event| matches!(event.gesture, Some(Gesture::Tap { .. }));
    let is_same = one.class == other.class && one.id == other.id && one.bounds == other.bounds;
    let stays = !first.moves() && !second.moves();
    let chooses = one.class.ends_with("RadioButton");
    is_tap(first)
        && is_tap(second)
        && one.takes.ticks
        && !chooses
        && is_same
        && stays
        && one.state.checked != other.state.checked
}

/// The keyboard opened and closed again.
fn turns_back(first: &Event, second: &Event) -> bool {
    match (&first.gesture, &second.gesture) {
        (Some(Gesture::Flip { open: one }), Some(Gesture::Flip { open: other })) => {
            one != other && !first.moves() && !second.moves()
        }
        _ => false,
    }
}

fn contrary(events: &[&Event], _: &Scene) -> Vec<usize> {
    let mut found = Vec::new();
    let mut i = 0;
    while i + 1 < events.len() {
        if undoes(events[i], events[i + 1]) {
            found.extend([i, i + 1]);
            i += 2;
        } else {
            i += 1;
        }
    }
    found
}

/// The automaton of Figure 6: what stays on the stack has not been undone.
fn nested(events: &[&Event], _: &Scene) -> Vec<usize> {
    let mut stack: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for (i, event) in events.iter().enumerate() {
        match stack.last() {
            Some(&top) if undoes(events[top], event) => {
                stack.pop();
                found.extend([top, i]);
            }
            _ => stack.push(i),
        }
    }
    found.sort_unstable();
    found
}
