//! The app model as the checker runs it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::super::splitmix::SplitMix;
use super::recording::{Coverage, Step, Trace, covers, text};

struct Edge {
    action: Value,
    to: String,
    covers: Coverage,
    weight: f64,
    fault: Option<String>,
    crash: bool,
}

struct State {
    screen: String,
    edges: Vec<Edge>,
}

/// An app model, all of whose edges lead somewhere.
pub(super) struct Model {
    launch: String,
    covers: Coverage,
    states: BTreeMap<String, State>,
    pub(super) action_seconds: f64,
    pub(super) restart_seconds: f64,
    /// Whether an edge has its own duration, so that steps alone do not tell the time.
    pub(super) timed: bool,
}

impl Model {
    pub(super) fn read(app: &Value) -> Result<Self, String> {
        Self::parse(app).map_err(|error| format!("app model: {error}"))
    }

    fn parse(app: &Value) -> Result<Self, String> {
        let states = app["states"].as_object().ok_or("it has no states")?;
        let mut model = Self {
            launch: text(app, "launch")?,
            covers: covers(app)?,
            states: BTreeMap::new(),
            action_seconds: app["action_seconds"].as_f64().unwrap_or(2.0),
            restart_seconds: app["restart_seconds"].as_f64().unwrap_or(15.0),
            timed: false,
        };
        for (id, state) in states {
            let edges = state["edges"]
                .as_array()
                .map(Vec::as_slice)
                .unwrap_or_default();
            model.timed |= edges.iter().any(|edge| !edge["millis"].is_null());
            let edges = edges.iter().map(Edge::read).collect::<Result<_, _>>()?;
            model.states.insert(
                id.clone(),
                State {
                    screen: text(state, "screen")?,
                    edges,
                },
            );
        }
        let edges = model.states.values().flat_map(|state| &state.edges);
        let mut targets = edges.map(|edge| &edge.to).chain([&model.launch]);
        if let Some(to) = targets.find(|to| !model.states.contains_key(*to)) {
            return Err(format!("there is no state {to}"));
        }
        drop(targets);
        Ok(model)
    }

    fn edges<'a>(
        &'a self,
        state: &str,
        action: &'a Value,
    ) -> impl Iterator<Item = &'a Edge> + use<'a> {
        let possible = |edge: &&Edge| edge.action == *action && edge.weight > 0.0;
        self.states[state].edges.iter().filter(possible)
    }

    fn launched(&self, trace: &Trace) -> Result<(), String> {
        let screen = &self.states[&self.launch].screen;
        if *screen == trace.screen {
            return Ok(());
        }
        Err(format!(
            "{}: launch shows {screen}, not {}",
            trace.id, trace.screen
        ))
    }

    /// Follows an edge if it shows what the step shows.
    fn shown(&self, edge: &Edge, step: &Step) -> Result<(), String> {
        let screen = &self.states[&edge.to].screen;
        if *screen == step.screen {
            return Ok(());
        }
        Err(format!(
            "{} shows {screen}, not {}",
            step.action, step.screen
        ))
    }

    /// Whether no draw can make the trace diverge: all states it may be in must agree on every screen.
    pub(super) fn replays_certainly(&self, trace: &Trace) -> Result<(), String> {
        self.launched(trace)?;
        let mut at = BTreeSet::from([self.launch.as_str()]);
        let mut dead = false;
        for (index, step) in trace.steps.iter().enumerate() {
            let diverged = |why: String| format!("{}: step {index} may diverge: {why}", trace.id);
            let mut next = BTreeSet::new();
            for state in at {
                if dead || self.edges(state, &step.action).next().is_none() {
                    return Err(diverged(format!("{} is not enabled", step.action)));
                }
                for edge in self.edges(state, &step.action) {
                    self.shown(edge, step).map_err(diverged)?;
                    next.insert((edge.to.as_str(), edge.crash));
                }
            }
            dead = next.iter().any(|(_, crash)| *crash);
            at = next.into_iter().map(|(to, _)| to).collect();
        }
        Ok(())
    }

    /// One run with drawn outcomes.
    pub(super) fn replays_once(&self, trace: &Trace, random: &mut SplitMix) -> Result<(), String> {
        self.launched(trace)?;
        let mut at = self.launch.as_str();
        let mut dead = false;
        for (index, step) in trace.steps.iter().enumerate() {
            let diverged = |why: String| format!("{}: step {index} diverged: {why}", trace.id);
            let edge = self.draw(at, &step.action, random).filter(|_| !dead);
            let edge = edge.ok_or_else(|| diverged(format!("{} is not enabled", step.action)))?;
            self.shown(edge, step).map_err(diverged)?;
            (at, dead) = (&edge.to, edge.crash);
        }
        Ok(())
    }

    fn draw<'a>(
        &'a self,
        state: &str,
        action: &'a Value,
        random: &mut SplitMix,
    ) -> Option<&'a Edge> {
        let mut left = random.unit()
            * self
                .edges(state, action)
                .map(|edge| edge.weight)
                .sum::<f64>();
        let chosen = self.edges(state, action).find(|edge| {
            left -= edge.weight;
            left < 0.0
        });
        chosen.or_else(|| self.edges(state, action).last())
    }

    /// Steps whose coverage or fault is not what the model gives, wherever what is shown leaves one edge only.
    pub(super) fn wrong_coverage(&self, trace: &Trace) -> Vec<String> {
        let mut wrong = Vec::new();
        if trace.covers != self.covers {
            wrong.push(format!(
                "{}: launch does not cover what the model covers",
                trace.id
            ));
        }
        let mut at = BTreeSet::from([self.launch.as_str()]);
        for (index, step) in trace.steps.iter().enumerate() {
            let edges: Vec<&Edge> = at
                .iter()
                .flat_map(|state| self.edges(state, &step.action))
                .filter(|edge| self.shown(edge, step).is_ok())
                .collect();
            if let [edge] = edges[..] {
                if edge.covers != step.covers {
                    wrong.push(format!(
                        "{}: step {index} does not cover what the model covers",
                        trace.id
                    ));
                }
                if edge.fault != step.fault {
                    wrong.push(format!(
                        "{}: step {index} does not have the model's fault",
                        trace.id
                    ));
                }
            }
            at = edges.into_iter().map(|edge| edge.to.as_str()).collect();
        }
        wrong
    }

    /// What a trace covers for certain: its elements that the model gives too, up to the first step that has
    /// alternatives or differs from the model.
    pub(super) fn certain_coverage(&self, trace: &Trace) -> Coverage {
        if self.launched(trace).is_err() {
            return Coverage::new();
        }
        let mut certain = trace.launch_elements();
        certain.retain(|element| element.kind == "screen" || self.covers.contains(element));
        let mut at = self.launch.as_str();
        for step in &trace.steps {
            let mut edges = self.edges(at, &step.action);
            let (Some(edge), None) = (edges.next(), edges.next()) else {
                break;
            };
            if self.shown(edge, step).is_err() {
                break;
            }
            let model = Step {
                covers: edge.covers.clone(),
                fault: edge.fault.clone(),
                ..step.clone()
            };
            certain.extend(&step.elements() & &model.elements());
            at = &edge.to;
            if edge.crash {
                break;
            }
        }
        certain
    }
}

impl Edge {
    fn read(value: &Value) -> Result<Self, String> {
        Ok(Self {
            action: value["action"].clone(),
            to: text(value, "to")?,
            covers: covers(value)?,
            weight: value["weight"].as_f64().unwrap_or(1.0),
            fault: value["fault"].as_str().map(str::to_owned),
            crash: value["crash"] == true,
        })
    }
}
