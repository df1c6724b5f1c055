//! What no suite can be below that covers what a reduced one covers, not even one made by somebody who knows the app.
//!
//! The bound of a report rests on recorded transitions from screen to screen. Here every transition of the app from
//! state to state counts, recorded or not, and chance is as kind as can be. So no reduction gets below it, one that has
//! to learn the app from its traces least of all, and a target below it is met by nobody.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use reduce_suite::model::{Costs, ElementId, Kind, Names, NewStep, NewTrace, Suite};
use reduce_suite::reduce::lower_bound;
use serde_json::Value;

use crate::generate::app_model::{App, Edge};

const MICROS: f64 = 1e6;

/// Device time in seconds that no suite with the coverage of `shipped` is below.
pub(super) fn seconds(app: &Value, shipped: &str) -> Result<f64, String> {
    let app = App::from_value(app).map_err(|error| error.to_string())?;
    let mut names = Names::default();
    let suite = all_transitions(&app, &covered(shipped)?, &mut names);
    let goal = suite.coverage(&names);
    // Screens stand for states there.
    let goal = goal
        .iter()
        .filter(|&element| names.kind(element) != Kind::Screen);
    let costs = Costs {
        restart_micros: micros(app.restart_seconds),
        action_micros: micros(app.action_seconds),
    };
    let bound = lower_bound(&suite, &[], &goal.collect(), costs, &names);
    Ok(bound.micros as f64 / MICROS)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "actions of apps take some seconds"
)]
fn micros(seconds: f64) -> u64 {
    (seconds * MICROS) as u64
}

/// What a suite covers, shows and raises.
fn covered(suite: &str) -> Result<BTreeSet<String>, String> {
    let mut covered = BTreeSet::new();
    for line in suite.lines() {
        let trace: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let steps = trace["steps"].as_array().into_iter().flatten();
        for step in steps.chain([&trace["launch"]]) {
            let covers = step["covers"].as_array().into_iter().flatten();
            covered.extend(covers.map(covers_it));
            covered.extend(step["screen"].as_str().map(shows));
            covered.extend(step["fault"].as_str().map(raises));
        }
    }
    Ok(covered)
}

fn covers_it(element: &Value) -> String {
    format!("covers {element}")
}

fn shows(screen: &str) -> String {
    format!("shows {screen}")
}

fn raises(fault: &str) -> String {
    format!("raises {fault}")
}

/// A suite that takes every transition of the app, with its states for screens and what is `wanted` for branches.
fn all_transitions(app: &App, wanted: &BTreeSet<String>, names: &mut Names) -> Suite {
    let mut suite = Suite::default();
    let ways = ways(app);
    let untaken = |id: &str| app.states[id].edges.iter().collect();
    let mut open: BTreeMap<&str, Vec<&Edge>> =
        ways.iter().map(|&(id, _)| (id, untaken(id))).collect();
    for (id, way) in &ways {
        while !open[id].is_empty() {
            let mut walk = way.clone();
            let mut at = *id;
            while let Some(edge) = open.get_mut(at).and_then(Vec::pop) {
                walk.push(edge);
                at = &edge.to;
            }
            let steps: Vec<NewStep> = walk
                .iter()
                .map(|edge| step(app, edge, wanted, names))
                .collect();
            let trace = NewTrace {
                id: suite.n_traces().to_string().into(),
                launch_screen: names.screen(&app.launch),
                launch_covers: elements(app, (&app.launch, &app.covers, None), wanted, names),
                launch_fields: Vec::new(),
                fields: Vec::new(),
                joins: Vec::new(),
            };
            suite.push(trace, steps);
        }
    }
    suite
}

fn step(app: &App, edge: &Edge, wanted: &BTreeSet<String>, names: &mut Names) -> NewStep {
    let shown = (&*edge.to, &*edge.covers, edge.fault.as_deref());
    NewStep {
        action: names.action(&edge.action.to_string()),
        screen: names.screen(&edge.to),
        covers: elements(app, shown, wanted, names),
        fault: None,
        millis: None,
        fields: Vec::new(),
    }
}

fn elements(
    app: &App,
    (state, covers, fault): (&str, &[Value], Option<&str>),
    wanted: &BTreeSet<String>,
    names: &mut Names,
) -> Vec<ElementId> {
    let all = covers.iter().map(covers_it);
    let all = all.chain([shows(&app.states[state].screen)]);
    let all = all.chain(fault.map(raises));
    all.filter(|name| wanted.contains(name))
        .map(|name| names.element(&name))
        .collect()
}

/// Every state that can be reached, with a shortest way there.
fn ways(app: &App) -> Vec<(&str, Vec<&Edge>)> {
    let mut known = BTreeSet::from([app.launch.as_str()]);
    let mut open = VecDeque::from([(app.launch.as_str(), Vec::new())]);
    let mut ways = Vec::new();
    while let Some((id, way)) = open.pop_front() {
        for edge in &app.states[id].edges {
            if known.insert(&edge.to) {
                let mut longer: Vec<&Edge> = way.clone();
                longer.push(edge);
                open.push_back((&edge.to, longer));
            }
        }
        ways.push((id, way));
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Home, a menu that hides whether it was opened twice, and a dead end.
    fn app() -> Value {
        json!({"launch": "c0", "covers": ["b0"], "action_seconds": 2.0, "restart_seconds": 15.0, "states": {
            "c0": {"screen": "Home", "edges": [{"action": "menu", "to": "c1", "covers": ["b1"]}]},
            "c1": {"screen": "Menu", "edges": [{"action": "menu", "to": "c2", "covers": []}]},
            "c2": {"screen": "Menu", "edges": [
                {"action": "menu", "to": "c3", "covers": ["b2"], "fault": "E", "crash": true}]},
            "c3": {"screen": "Gone"}}})
    }

    fn floor(steps: &Value) -> f64 {
        let suite =
            json!({"id": "r1", "launch": {"screen": "Home", "covers": ["b0"]}, "steps": steps});
        seconds(&app(), &suite.to_string()).unwrap()
    }

    #[test]
    fn it_is_the_time_of_the_only_way_through_the_states() {
        let menu = |covers: &Value| json!({"action": "menu", "screen": "Menu", "covers": covers});
        assert!((floor(&json!([menu(&json!(["b1"]))])) - 17.0).abs() < 1e-9);
        // By screens alone two steps would do.
        let far = json!({"action": "menu", "screen": "Gone", "covers": ["b2"]});
        assert!((floor(&json!([far])) - 21.0).abs() < 1e-9);
        let fault = json!({"action": "menu", "screen": "Home", "covers": [], "fault": "E"});
        assert!((floor(&json!([fault])) - 21.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_covered_costs_a_launch_at_most() {
        assert!(floor(&json!([])) <= 15.0);
    }
}
