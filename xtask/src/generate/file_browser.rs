//! The app that ships with the project: the file browser of the `DetReduce` paper (Figure 1), grown to 17 screens.
//!
//! A concrete state is a place in the app and what the app remembers: `h`, hidden files are shown, and `k`, a
//! bookmark is kept. No screen tells them apart, and neither can one tell `/foo` from `/foo/foo`, a typed query from
//! an empty one, or the broken picture from the good one.

mod table;

use std::collections::BTreeMap;

use serde_json::Value;

use super::app_model::{App, Edge, State};
use table::{EDGES, LAUNCH, PLACES, Row};

/// The fault that ends the app: turning the broken picture.
pub const CRASH: &str = "java.lang.NullPointerException at Viewer.rotate";

/// The fault that the app survives: sending without a network.
pub const HANDLED: &str = "java.io.IOException at Share.send";

/// What the app remembers, in the order in which ids name it.
const FLAGS: [&str; 2] = ["h", "k"];

type Memory = [bool; FLAGS.len()];

/// The app model of the file browser.
///
/// # Panics
/// Never: every place of the table shows a screen.
#[must_use]
pub fn app() -> Value {
    let mut app = App {
        launch: "home".to_owned(),
        covers: covers(LAUNCH),
        action_seconds: 2.0,
        restart_seconds: 15.0,
        states: BTreeMap::new(),
    };
    let mut open = vec![("home", Memory::default())];
    while let Some((place, memory)) = open.pop() {
        if app.states.contains_key(&id(place, memory)) {
            continue;
        }
        let mut edges = Vec::new();
        for row in EDGES.iter().filter(|row| holds(row.0, place, memory)) {
            let (to, remembered) = target(row.2, memory);
            edges.push(edge(row, id(to, remembered)));
            open.push((to, remembered));
        }
        let screen = PLACES
            .iter()
            .find(|(name, _)| *name == place)
            .map(|(_, screen)| (*screen).to_owned());
        let state = State {
            screen: screen.expect("every place of the table shows a screen"),
            edges,
        };
        app.states.insert(id(place, memory), state);
    }
    app.to_value()
}

fn id(place: &str, memory: Memory) -> String {
    let flags: String = FLAGS
        .iter()
        .zip(memory)
        .filter(|(_, set)| *set)
        .map(|(flag, _)| *flag)
        .collect();
    // A dead app remembers nothing, so one state is enough.
    if flags.is_empty() || place == "crashed" {
        place.to_owned()
    } else {
        format!("{place}.{flags}")
    }
}

fn holds(from: &str, place: &str, memory: Memory) -> bool {
    match from.split_once('?') {
        None => from == place,
        Some((name, condition)) => {
            let flag = condition.trim_start_matches('-');
            let set = FLAGS
                .iter()
                .zip(memory)
                .any(|(name, set)| *name == flag && set);
            name == place && set != condition.starts_with('-')
        }
    }
}

fn target(to: &str, mut memory: Memory) -> (&str, Memory) {
    for (flag, remembered) in FLAGS.iter().zip(&mut memory) {
        if let Some(place) = to.strip_suffix(&format!("+{flag}")) {
            *remembered = true;
            return (place, memory);
        }
        if let Some(place) = to.strip_suffix(&format!("-{flag}")) {
            *remembered = false;
            return (place, memory);
        }
    }
    (to, memory)
}

fn edge(row: &Row, to: String) -> Edge {
    let words = || row.3.split(' ');
    let crash = words().any(|word| word == "!crash");
    let handled = words().any(|word| word == "!handled");
    let fault = if crash {
        Some(CRASH)
    } else {
        handled.then_some(HANDLED)
    };
    Edge {
        action: Value::from(row.1),
        to,
        covers: covers(row.3),
        weight: words().find_map(|word| word.strip_prefix("w=")?.parse().ok()),
        fault: fault.map(str::to_owned),
        crash,
        millis: None,
    }
}

fn covers(words: &str) -> Vec<Value> {
    let elements = words
        .split(' ')
        .filter(|word| !word.starts_with('!') && !word.starts_with("w="));
    elements.flat_map(branches).map(Value::from).collect()
}

fn branches(word: &str) -> Vec<String> {
    let range = word.strip_prefix('b').and_then(|rest| rest.split_once('-'));
    match range
        .and_then(|(first, last)| Some((first.parse::<u32>().ok()?, last.parse::<u32>().ok()?)))
    {
        Some((first, last)) => (first..=last).map(|number| format!("b{number}")).collect(),
        None => vec![word.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn typed() -> App {
        App::from_value(&app()).unwrap()
    }

    #[test]
    fn every_edge_leads_to_a_state_and_every_place_is_reached() {
        let app = typed();
        assert!(
            app.states
                .values()
                .flat_map(|state| &state.edges)
                .all(|edge| app.states.contains_key(&edge.to))
        );
        for (place, _) in PLACES {
            assert!(
                app.states
                    .keys()
                    .any(|id| id.split('.').next() == Some(place)),
                "{place}"
            );
        }
        let places: BTreeSet<&str> = EDGES
            .iter()
            .map(|row| row.0.split('?').next().unwrap())
            .collect();
        assert_eq!(places.len() + 1, PLACES.len());
    }

    #[test]
    fn the_app_has_the_size_that_its_readme_names() {
        let app = typed();
        let screens: BTreeSet<&str> = app
            .states
            .values()
            .map(|state| state.screen.as_str())
            .collect();
        let edges = || app.states.values().flat_map(|state| &state.edges);
        let covered: BTreeSet<&str> = edges()
            .flat_map(|edge| &edge.covers)
            .chain(&app.covers)
            .map(|element| element.as_str().unwrap())
            .collect();
        let faults: BTreeSet<&str> = edges().filter_map(|edge| edge.fault.as_deref()).collect();
        assert_eq!(faults.len(), 2);
        assert_eq!(
            (screens.len(), app.states.len(), covered.len()),
            (17, 87, 206)
        );
    }

    #[test]
    fn folders_that_look_alike_lead_elsewhere() {
        let app = typed();
        let to = |id: &str, action: &str| {
            app.states[id]
                .edges
                .iter()
                .find(|edge| edge.action == action)
                .map(|edge| edge.to.clone())
                .unwrap()
        };
        assert_eq!(
            (to("foo", "tap:foo"), to("foofoo", "tap:foo")),
            ("foofoo".into(), "pictures".into())
        );
        assert_eq!(
            (to("docs", "tap:first"), to("docs.h", "tap:first")),
            ("details".into(), "cache.h".into())
        );
        assert_eq!(to("bookmarks.k", "tap:first"), "foofoo.k");
        assert_eq!(to("options.hk", "tap:show-hidden"), "options.k");
    }

    #[test]
    fn only_leaving_the_viewer_is_flaky_and_only_the_crash_is_final() {
        let app = typed();
        for state in app.states.values() {
            let flaky = state.edges.iter().any(|edge| edge.weight.is_some());
            assert_eq!(flaky, state.screen == "Viewer");
            assert_eq!(state.edges.is_empty(), state.screen == "Crashed");
            assert!(
                state
                    .edges
                    .iter()
                    .all(|edge| edge.crash == (edge.to == "crashed"))
            );
        }
    }
}
