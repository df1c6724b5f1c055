//! Random apps have the shape that was asked for.

use std::collections::{BTreeMap, BTreeSet};

use super::super::app_model::App;
use super::super::record;
use super::super::survey::{self, TYPICAL, effects, reached};
use super::*;

fn typed(shape: &AppShape, seed: u64) -> App {
    survey::typed(app, shape, seed)
}

#[test]
fn every_state_is_reached_and_every_shape_works() {
    for seed in 0..40 {
        for screens in [0, 1, 2, 3, 5, 17] {
            for (hidden, flaky) in [(0.0, 0.0), (0.06, 0.05), (0.5, 0.5), (1.0, 1.0)] {
                let shape = AppShape {
                    screens,
                    branches: 5,
                    hidden,
                    flaky,
                    faults: 1,
                    crashes: 1,
                };
                let app = typed(&shape, seed);
                assert_eq!(reached(&app).len(), app.states.len());
                assert_eq!(record::suite(&app.to_value(), seed, 4, 5).len(), 4);
            }
        }
    }
}

#[test]
fn screens_branches_faults_and_crashes_are_as_many_as_asked() {
    let app = typed(&TYPICAL, 1);
    let screens: BTreeSet<&str> = app
        .states
        .values()
        .map(|state| state.screen.as_str())
        .collect();
    assert_eq!(screens.len(), 90 + 1);
    let edges = || app.states.values().flat_map(|state| &state.edges);
    let branches: BTreeSet<&str> = edges()
        .flat_map(|edge| &edge.covers)
        .chain(&app.covers)
        .map(|element| element.as_str().unwrap())
        .collect();
    assert_eq!(branches.len(), 2000);
    let faults = |crash| {
        edges()
            .filter(move |edge| edge.crash == crash)
            .filter_map(|edge| edge.fault.clone())
    };
    assert_eq!(faults(false).collect::<BTreeSet<_>>().len(), 3);
    assert_eq!(faults(true).collect::<BTreeSet<_>>().len(), 2);
}

#[test]
fn the_share_of_hidden_effects_is_near_the_one_asked_for() {
    let still = AppShape {
        flaky: 0.0,
        ..TYPICAL
    };
    for seed in 0..5 {
        let effects = effects(&typed(&still, seed));
        let hidden = effects.values().filter(|effects| effects.len() > 1).count();
        assert!(
            (effects.len() * 4 / 100..=effects.len() * 8 / 100).contains(&hidden),
            "{hidden} {}",
            effects.len()
        );
    }
    let open = AppShape {
        hidden: 0.0,
        ..still
    };
    let app = typed(&open, 1);
    assert!(effects(&app).values().all(|effects| effects.len() == 1));
    assert_eq!(app.states.len(), 91);
}

#[test]
fn some_screens_are_shown_by_two_to_four_states() {
    let app = typed(&TYPICAL, 2);
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    app.states
        .values()
        .for_each(|state| *shown.entry(&state.screen).or_default() += 1);
    assert!(shown.values().all(|states| *states <= 4));
    assert!(shown.values().filter(|states| **states > 1).count() > 10);
}

#[test]
fn flaky_actions_have_two_outcomes_whose_weights_add_up() {
    let app = typed(&TYPICAL, 3);
    let mut flaky = 0;
    for state in app.states.values() {
        let mut weights: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for edge in &state.edges {
            weights
                .entry(edge.action.to_string())
                .or_default()
                .push(edge.weight.unwrap_or(1.0));
        }
        assert!(
            weights
                .values()
                .all(|weights| (weights.iter().sum::<f64>() - 1.0).abs() < 1e-9)
        );
        flaky += weights
            .values()
            .filter(|weights| weights.len() == 2)
            .count();
    }
    assert!(flaky > 5);
}

#[test]
fn a_recorded_suite_covers_most_of_a_large_app() {
    for seed in [1, 2, 3] {
        let app = app(&TYPICAL, seed);
        let (mut steps, mut screens, mut branches) = (0, BTreeSet::new(), BTreeSet::new());
        for line in record::suite(&app, seed, 800, 16) {
            let trace: Value = serde_json::from_str(&line).unwrap();
            for step in trace["steps"].as_array().unwrap() {
                steps += 1;
                screens.insert(step["screen"].to_string());
                branches.extend(
                    step["covers"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(Value::to_string),
                );
            }
        }
        let figures = format!(
            "{steps} steps, {} screens, {} branches",
            screens.len(),
            branches.len()
        );
        assert!(
            (11_500..14_500).contains(&steps) && screens.len() > 77 && branches.len() > 1700,
            "{figures}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_app_and_another_seed_another() {
    assert_eq!(app(&TYPICAL, 5).to_string(), app(&TYPICAL, 5).to_string());
    assert_ne!(app(&TYPICAL, 5), app(&TYPICAL, 6));
}
