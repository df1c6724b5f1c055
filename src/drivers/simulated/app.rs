//! App models: concrete states behind screens, and what actions do in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::model::action::canonical_action;
use crate::model::{Costs, sha256};

/// Why an app model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The file cannot be read.
    #[error("{0}; name the app model as in sim:path/to/app.json")]
    Io(#[from] io::Error),
    /// It is not what an app model looks like.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A state is named that does not exist.
    #[error("{place} leads to state `{state}`, which does not exist")]
    NoState {
        /// Where it is named.
        place: String,
        /// The state.
        state: String,
    },
    /// A value makes no sense.
    #[error("{place}: {reason}")]
    Value {
        /// Where it stands.
        place: String,
        /// What is wrong.
        reason: String,
    },
}

/// An app model, checked: every edge leads somewhere.
#[derive(Debug)]
pub struct App {
    launch: usize,
    covers: Vec<String>,
    states: Vec<State>,
    costs: Costs,
}

#[derive(Debug)]
struct State {
    screen: String,
    edges: FxHashMap<String, Vec<Edge>>,
}

/// One outcome of an action.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) to: usize,
    pub(super) covers: Vec<String>,
    pub(super) weight: f64,
    pub(super) fault: Option<String>,
    pub(super) crash: bool,
    pub(super) micros: Option<u64>,
}

#[derive(Deserialize)]
struct AppFile {
    launch: String,
    #[serde(default)]
    covers: Vec<Value>,
    states: IndexMap<String, StateFile>,
    action_seconds: Option<f64>,
    restart_seconds: Option<f64>,
}

#[derive(Deserialize)]
struct StateFile {
    screen: String,
    #[serde(default)]
    edges: Vec<EdgeFile>,
}

#[derive(Deserialize)]
struct EdgeFile {
    action: Box<RawValue>,
    to: Option<String>,
    #[serde(default)]
    covers: Vec<Value>,
    weight: Option<f64>,
    fault: Option<String>,
    #[serde(default)]
    crash: bool,
    millis: Option<f64>,
}

const ACTION_SECONDS: f64 = 2.0;
const RESTART_SECONDS: f64 = 15.0;
/// Longer than any action or start takes, short enough for sums to fit.
const MAX_SECONDS: f64 = 1e6;

impl App {
    /// Reads an app model; also gives the digest of its bytes.
    pub fn load(path: &Path) -> Result<(Self, String), AppError> {
        let bytes = fs::read(path)?;
        Ok((Self::parse(&bytes)?, sha256(&bytes)))
    }

    /// Reads an app model from its JSON.
    pub fn parse(bytes: &[u8]) -> Result<Self, AppError> {
        let file: AppFile = serde_json::from_slice(bytes)?;
        let states = file.states.iter();
        let states = states.map(|(name, state)| State::check(name, state, &file.states));
        let micros =
            |name: &str, seconds: Option<f64>, default| micros(name, seconds.unwrap_or(default));
        Ok(Self {
            launch: find(&file.states, "`launch`", &file.launch)?,
            covers: elements("`covers`", &file.covers)?,
            states: states.collect::<Result<_, _>>()?,
            costs: Costs {
                restart_micros: micros("`restart_seconds`", file.restart_seconds, RESTART_SECONDS)?,
                action_micros: micros("`action_seconds`", file.action_seconds, ACTION_SECONDS)?,
            },
        })
    }

    pub(super) fn launch(&self) -> usize {
        self.launch
    }

    pub(super) fn launch_covers(&self) -> &[String] {
        &self.covers
    }

    pub(super) fn screen(&self, state: usize) -> &str {
        &self.states[state].screen
    }

    /// The outcomes of an action in a state; none when it is not enabled.
    pub(super) fn edges(&self, state: usize, action: &str) -> Option<&[Edge]> {
        self.states[state].edges.get(action).map(Vec::as_slice)
    }

    /// The actions of a state, in order.
    pub(super) fn offers(&self, state: usize) -> Vec<String> {
        let mut offers: Vec<_> = self.states[state].edges.keys().cloned().collect();
        offers.sort_unstable();
        offers
    }

    /// Every action that some state has.
    pub(super) fn actions(&self) -> BTreeSet<String> {
        let edges = self.states.iter().flat_map(|state| state.edges.keys());
        edges.cloned().collect()
    }

    /// Every screen with the actions that some state behind it has.
    #[must_use]
    pub fn screens(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut screens: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for state in &self.states {
            let actions = screens.entry(&state.screen).or_default();
            actions.extend(state.edges.keys().map(String::as_str));
        }
        screens
    }

    /// The screen after a clean start.
    #[must_use]
    pub fn launch_screen(&self) -> &str {
        self.screen(self.launch)
    }

    /// What a start and an action cost.
    #[must_use]
    pub fn costs(&self) -> Costs {
        self.costs
    }
}

impl State {
    fn check(
        name: &str,
        file: &StateFile,
        states: &IndexMap<String, StateFile>,
    ) -> Result<Self, AppError> {
        let mut edges: FxHashMap<String, Vec<Edge>> = FxHashMap::default();
        for (index, edge) in file.edges.iter().enumerate() {
            let place = format!("state `{name}`, edge {index}");
            let action = canonical_action(&edge.action).map_err(|error| AppError::Value {
                place: place.clone(),
                reason: format!("{error} in `action`"),
            })?;
            let edge = Edge::check(&place, name, edge, states)?;
            edges.entry(action).or_default().push(edge);
        }
        edges.retain(|_, alternatives| alternatives.iter().any(|edge| edge.weight > 0.0));
        Ok(Self {
            screen: file.screen.clone(),
            edges,
        })
    }
}

impl Edge {
    fn check(
        place: &str,
        from: &str,
        file: &EdgeFile,
        states: &IndexMap<String, StateFile>,
    ) -> Result<Self, AppError> {
        let weight = file.weight.unwrap_or(1.0);
        if !(0.0..=1e12).contains(&weight) {
            return Err(AppError::Value {
                place: place.to_owned(),
                reason: format!("weight {weight} is not a number from 0 up"),
            });
        }
        // An app that dies shows nothing new, so a crash may leave its target out.
        let to = match &file.to {
            Some(to) => to,
            None if file.crash => from,
            None => {
                return Err(AppError::Value {
                    place: place.to_owned(),
                    reason: "`to` is missing".to_owned(),
                });
            }
        };
        let millis = file.millis.map(|millis| micros(place, millis / 1e3));
        Ok(Self {
            to: find(states, place, to)?,
            covers: elements(place, &file.covers)?,
            weight,
            fault: file.fault.clone(),
            crash: file.crash,
            micros: millis.transpose()?,
        })
    }
}

fn find(states: &IndexMap<String, StateFile>, place: &str, name: &str) -> Result<usize, AppError> {
    states.get_index_of(name).ok_or_else(|| AppError::NoState {
        place: place.to_owned(),
        state: name.to_owned(),
    })
}

fn elements(place: &str, covers: &[Value]) -> Result<Vec<String>, AppError> {
    covers
        .iter()
        .map(|element| match element {
            Value::String(text) => Ok(text.clone()),
            Value::Number(number) if number.is_u64() || number.is_i64() => Ok(number.to_string()),
            other => Err(AppError::Value {
                place: place.to_owned(),
                reason: format!("{other} in `covers` is neither a string nor an integer"),
            }),
        })
        .collect()
}

fn micros(place: &str, seconds: f64) -> Result<u64, AppError> {
    if !(0.0..=MAX_SECONDS).contains(&seconds) {
        return Err(AppError::Value {
            place: place.to_owned(),
            reason: format!("{seconds} s is not a time from 0 to {MAX_SECONDS} s"),
        });
    }
    #[expect(clippy::cast_sign_loss, reason = "checked to be from 0 up")]
    Ok((seconds * 1e6).round() as u64)
}
