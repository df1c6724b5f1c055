//! Rules for one event on its own: no-ops, rejected and optional ones (4.2.1, 4.2.2).

use super::super::events::{Event, Object};
use super::{Needs, Rule, Scene};
use crate::model::gesture::Key;

pub(super) const NO_OPS: Rule = Rule {
    name: "no-ops",
    about: "input that failed, or that hit nothing and changed nothing",
    needs: Needs::DumpsInPart,
    find: no_ops,
};

pub(super) const HOME: Rule = Rule {
    name: "home",
    about: "the home key, which leads out of the app and is refused",
    needs: Needs::Screens,
    find: home,
};

pub(super) const BACK_ON_MAIN: Rule = Rule {
    name: "back-on-main",
    about: "the back key on the first window, which leads out of the app and is refused",
    needs: Needs::Screens,
    find: back_on_main,
};

pub(super) const OPTIONAL: Rule = Rule {
    name: "optional",
    about: "keys that do not concern the app, such as those for the volume",
    needs: Needs::Screens,
    find: optional,
};

fn all(events: &[&Event], holds: impl Fn(&Event) -> bool) -> Vec<usize> {
    let found = events.iter().enumerate().filter(|(_, event)| holds(event));
    found.map(|(i, _)| i).collect()
}

fn no_ops(events: &[&Event], _: &Scene) -> Vec<usize> {
    all(events, |event| {
        let hit_nothing = event.object == Object::Nothing && event.inside == Some(false);
        !event.moves() && event.fault.is_none() && (!event.injected || hit_nothing)
    })
}

fn home(events: &[&Event], _: &Scene) -> Vec<usize> {
    all(events, |event| {
        event.key() == Some(Key::HOME) && !event.moves()
    })
}

fn back_on_main(events: &[&Event], scene: &Scene) -> Vec<usize> {
    all(events, |event| {
        event.key() == Some(Key::BACK) && event.before == scene.main && !event.moves()
    })
}

fn optional(events: &[&Event], scene: &Scene) -> Vec<usize> {
    all(events, |event| {
        let concerns = event.key().is_none_or(|key| !scene.optional.contains(&key));
        !concerns && !event.moves() && event.inside != Some(true)
    })
}
