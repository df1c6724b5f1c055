//! Combinations without effect: last effective, text slide and hidden menu (Figures 7 to 9).

use super::super::events::Event;
use super::{Needs, Rule, Scene};
use crate::model::gesture::{Gesture, Key};

pub(super) const LAST_EFFECTIVE: Rule = Rule {
    name: "last-effective",
    about: "events in a row of which the last decides: one choice of several, a field that gets the focus again",
    needs: Needs::DumpsInPart,
    find: last_effective,
};

pub(super) const TEXT_SLIDE: Rule = Rule {
    name: "text-slide",
    about: "a window that is opened, slid through without effect and closed",
    needs: Needs::Inside,
    find: text_slide,
};

pub(super) const HIDDEN_MENU: Rule = Rule {
    name: "hidden-menu",
    about: "a menu that is opened and left again, with a window opened from it or without",
    needs: Needs::DumpsInPart,
    find: hidden_menu,
};

/// Whether the second event makes the first one pointless.
fn decides(first: &Event, second: &Event) -> bool {
    if first.moves() || second.moves() || first.fault.is_some() || first.before != second.before {
        return false;
    }
    if let (Some(Gesture::Rotate { .. }), Some(Gesture::Rotate { .. })) =
        (&first.gesture, &second.gesture)
    {
        return true;
    }
    let (Some(one), Some(other)) = (first.widget(), second.widget()) else {
        return false;
    };
    let of_one_group = one.parent.is_some() && one.parent == other.parent;
    let is_same = one.id == other.id && one.bounds == other.bounds;
    let chooses = first.taps("RadioButton") && second.taps("RadioButton") && of_one_group;
    let focuses =
        first.taps("EditText") && second.taps("EditText") && is_same && one.text == other.text;
    chooses || focuses
}

fn last_effective(events: &[&Event], _: &Scene) -> Vec<usize> {
    let pairs = events.windows(2).enumerate();
    let found = pairs.filter(|(_, pair)| decides(pair[0], pair[1]));
    found.map(|(i, _)| i).collect()
}

fn text_slide(events: &[&Event], _: &Scene) -> Vec<usize> {
    let slides = |event: &Event| {
        let is_slide = matches!(event.gesture, Some(Gesture::Swipe { .. }));
        is_slide && !event.moves() && event.inside == Some(false) && event.fault.is_none()
    };
    let mut found = Vec::new();
    let mut i = 0;
    while i < events.len() {
        let open = events[i];
        let n_slides = events[i + 1..]
            .iter()
            .take_while(|event| slides(event))
            .count();
        let end = i + 1 + n_slides;
        let closes = events.get(end).is_some_and(|close| {
            close.moves()
                && close.before == open.after
                && close.after == open.before
                && close.fault.is_none()
        });
        if open.moves() && open.fault.is_none() && n_slides > 0 && closes {
            found.extend(i..=end);
            i = end + 1;
        } else {
            i += 1;
        }
    }
    found
}

fn hidden_menu(events: &[&Event], _: &Scene) -> Vec<usize> {
    let mut found = Vec::new();
    let mut i = 0;
    while i < events.len() {
        match menu_of(&events[i..]) {
            0 => i += 1,
            n => {
                found.extend(i..i + n);
                i += n;
            }
        }
    }
    found
}

/// How many events from here on are a menu opened and left for good.
fn menu_of(events: &[&Event]) -> usize {
    let (Some(open), Some(next)) = (events.first(), events.get(1)) else {
        return 0;
    };
    let faults = |n: usize| events[..n].iter().any(|event| event.fault.is_some());
    let leaves = matches!(next.key(), Some(Key::BACK | Key::MENU));
    if open.key() == Some(Key::MENU) && !open.moves() && leaves && !next.moves() && !faults(2) {
        return 2;
    }
    // A menu is a window of its own on the same screen; what it opens leads back to where it was.
    let is_menu = open.moves() && open.before.screen == open.after.screen;
    match events.get(2) {
        Some(close)
            if is_menu
                && next.before == open.after
                && next.moves()
                && close.before == next.after
                && close.after == open.before
                && close.key() == Some(Key::BACK)
                && !faults(3) =>
        {
            3
        }
        _ => 0,
    }
}
