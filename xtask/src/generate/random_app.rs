//! Random but believable apps: sections around a home screen, hidden modes, flaky outcomes, faults.
//!
//! Some parts of the app have modes that no screen shows: their screens are shown by one concrete state a mode, an
//! action on their first screen switches to the next mode, and leaving the part forgets it.

mod cover;
mod layout;

use std::collections::BTreeMap;

use serde_json::Value;

use super::app_model::{App, Edge, State};
use super::splitmix::SplitMix;
use layout::{Goal, Layout, Outcome};

/// What an app should look like.
#[derive(Debug, Clone, PartialEq)]
pub struct AppShape {
    /// Screens, besides the `Crashed` one that crashes lead to.
    pub screens: usize,
    /// Branches, named `b0`, `b1` and so on.
    pub branches: usize,
    /// Share of the actions whose effect depends on hidden state; 0.04 to 0.08 is typical.
    pub hidden: f64,
    /// Share of the actions that have a second, less likely outcome.
    pub flaky: f64,
    /// Actions that raise an exception which the app survives.
    pub faults: usize,
    /// Actions that crash the app.
    pub crashes: usize,
}

const CRASHED: &str = "crashed";

/// Draws an app of the given shape.
#[must_use]
pub fn app(shape: &AppShape, seed: u64) -> Value {
    let mut random = SplitMix::new(seed);
    let layout = layout::draw(shape, &mut random);
    let mut drafts = drafts(&layout);
    cover::spread(&mut drafts, shape.branches, &mut random);
    drafts.app.to_value()
}

/// The app before its branches are spread: each edge still has to get the elements of its slot.
struct Drafts {
    app: App,
    /// For each state, the slot of each of its edges.
    slots: BTreeMap<String, Vec<usize>>,
}

/// Builds the states that can be reached from launch, so that no branch is spent on others.
fn drafts(layout: &Layout) -> Drafts {
    let mut drafts = Drafts {
        app: App {
            launch: state_id(0, 0),
            covers: Vec::new(),
            action_seconds: 2.0,
            restart_seconds: 15.0,
            states: BTreeMap::new(),
        },
        slots: BTreeMap::new(),
    };
    let mut open = vec![(0, 0)];
    while let Some((screen, mode)) = open.pop() {
        let id = state_id(screen, mode);
        if drafts.app.states.contains_key(&id) {
            continue;
        }
        let mut edges = Vec::new();
        let mut slots = Vec::new();
        for handler in layout
            .handlers
            .iter()
            .filter(|handler| handler.screen == screen)
        {
            for outcome in handler.outcomes(mode) {
                let to = layout.target(screen, mode, outcome.goal);
                open.extend(to);
                edges.push(edge(&handler.action, outcome, to));
                slots.push(outcome.slot);
            }
        }
        drafts.slots.insert(id.clone(), slots);
        drafts.app.states.insert(
            id,
            State {
                screen: layout.names[screen].clone(),
                edges,
            },
        );
    }
    if layout
        .handlers
        .iter()
        .any(|handler| handler.usual.goal == Goal::Crash)
    {
        drafts.app.states.insert(
            CRASHED.to_owned(),
            State {
                screen: "Crashed".to_owned(),
                edges: Vec::new(),
            },
        );
    }
    drafts
}

fn edge(action: &str, outcome: &Outcome, to: Option<(usize, usize)>) -> Edge {
    Edge {
        action: Value::from(action),
        to: to.map_or_else(
            || CRASHED.to_owned(),
            |(screen, mode)| state_id(screen, mode),
        ),
        covers: Vec::new(),
        weight: outcome.weight,
        fault: outcome.fault.clone(),
        crash: outcome.goal == Goal::Crash,
        millis: None,
    }
}

fn state_id(screen: usize, mode: usize) -> String {
    format!("s{screen}.{mode}")
}

#[cfg(test)]
mod tests;
