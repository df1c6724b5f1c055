//! What tests ask of every generated app, whatever its kind.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::app_model::App;
use super::random_app::AppShape;
use super::record;

/// An app of the usual size.
pub(super) const TYPICAL: AppShape = AppShape {
    screens: 90,
    branches: 2000,
    hidden: 0.06,
    flaky: 0.03,
    faults: 3,
    crashes: 2,
};

/// An app that is quick to draw and to look through.
const SMALL: AppShape = AppShape {
    screens: 45,
    branches: 300,
    ..TYPICAL
};

type Draw = fn(&AppShape, u64) -> Value;

pub(super) fn typed(draw: Draw, shape: &AppShape, seed: u64) -> App {
    App::from_value(&draw(shape, seed)).unwrap()
}

pub(super) fn reached(app: &App) -> BTreeSet<&str> {
    let mut seen = BTreeSet::new();
    let mut open = vec![app.launch.as_str()];
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            open.extend(app.states[id].edges.iter().map(|edge| edge.to.as_str()));
        }
    }
    seen
}

/// The actions of each screen, and what they show and cover in each of its states; an action that is not offered in a
/// state has the empty effect there.
pub(super) fn effects(app: &App) -> BTreeMap<(String, String), BTreeSet<String>> {
    let mut here: BTreeMap<&str, Vec<BTreeMap<String, String>>> = BTreeMap::new();
    for state in app.states.values() {
        let mut effects: BTreeMap<String, String> = BTreeMap::new();
        for edge in &state.edges {
            let effect = format!("{} {:?};", app.states[&edge.to].screen, edge.covers);
            let action = edge.action.to_string();
            effects.entry(action).or_default().push_str(&effect);
        }
        here.entry(&state.screen).or_default().push(effects);
    }
    let mut all = BTreeMap::new();
    for (screen, states) in here {
        for action in states.iter().flat_map(BTreeMap::keys) {
            let effects = states.iter().map(|state| state.get(action).cloned());
            let effects = effects.map(Option::unwrap_or_default).collect();
            all.insert((screen.to_owned(), action.clone()), effects);
        }
    }
    all
}

pub(super) fn hidden_share(app: &App) -> f64 {
    let effects = effects(app);
    let hidden = effects.values().filter(|effects| effects.len() > 1).count();
    hidden as f64 / effects.len() as f64
}

/// Checks that a kind of app is valid, reachable, repeatable, and as large, hidden, flaky and faulty as asked.
pub(super) fn check(draw: Draw) {
    for seed in 0..3 {
        for hidden in [0.04, 0.06, 0.08] {
            check_size(draw, hidden, seed);
        }
    }
    for screens in [0, 1, 2, 3, 5, 8, 17] {
        for (hidden, flaky) in [(0.0, 0.0), (0.06, 0.05), (0.5, 0.5), (1.0, 1.0)] {
            let shape = AppShape {
                screens,
                branches: 5,
                hidden,
                flaky,
                ..TYPICAL
            };
            let app = typed(draw, &shape, screens as u64);
            assert_eq!(reached(&app).len(), app.states.len());
            assert_eq!(record::suite(&app.to_value(), 1, 4, 5).len(), 4);
        }
    }
    assert_eq!(draw(&SMALL, 5).to_string(), draw(&SMALL, 5).to_string());
    assert_ne!(draw(&SMALL, 5), draw(&SMALL, 6));
    check_chance(draw);
}

fn check_size(draw: Draw, hidden: f64, seed: u64) {
    let shape = AppShape {
        hidden,
        flaky: 0.0,
        ..SMALL
    };
    let app = typed(draw, &shape, seed);
    let states = app.states.values();
    let screens: BTreeSet<&str> = states.clone().map(|state| state.screen.as_str()).collect();
    assert_eq!(screens.len(), shape.screens + 1);
    assert_eq!(reached(&app).len(), app.states.len());
    assert!(
        app.states.len() < 70 * shape.screens,
        "{}",
        app.states.len()
    );
    let edges = || states.clone().flat_map(|state| &state.edges);
    let branches: BTreeSet<String> = edges()
        .flat_map(|edge| &edge.covers)
        .chain(&app.covers)
        .map(Value::to_string)
        .collect();
    assert_eq!(branches.len(), shape.branches);
    let faults: BTreeSet<&String> = edges().filter_map(|edge| edge.fault.as_ref()).collect();
    assert_eq!(faults.len(), shape.faults + shape.crashes);
    let hides = hidden_share(&app);
    assert!((hides - hidden).abs() < 0.015, "seed {seed}: {hides}");
}

fn check_chance(draw: Draw) {
    let app = typed(draw, &SMALL, 3);
    let mut flaky = BTreeSet::new();
    for state in app.states.values() {
        let mut weights: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for edge in &state.edges {
            let weight = edge.weight.unwrap_or(1.0);
            let action = edge.action.to_string();
            weights.entry(action).or_default().push(weight);
        }
        for (action, weights) in weights {
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            if weights.len() == 2 {
                flaky.insert((&state.screen, action));
            }
        }
    }
    let share = flaky.len() as f64 / effects(&app).len() as f64;
    assert!((share - SMALL.flaky).abs() < 0.01, "{share}");
}
