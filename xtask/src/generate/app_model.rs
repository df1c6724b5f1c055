//! The simulated app as typed data, and its text with one state a line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An app as a state machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct App {
    /// Id of the state after a clean start.
    pub launch: String,
    /// What the start itself covers.
    #[serde(default)]
    pub covers: Vec<Value>,
    /// Virtual seconds that one action takes.
    #[serde(default = "default_action_seconds")]
    pub action_seconds: f64,
    /// Virtual seconds that a clean start takes.
    #[serde(default = "default_restart_seconds")]
    pub restart_seconds: f64,
    /// The concrete states by id.
    pub states: BTreeMap<String, State>,
}

/// A concrete state and what can be done in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The screen it shows, which other states may show too.
    pub screen: String,
    /// Its transitions; those with one action are alternatives.
    #[serde(default)]
    pub edges: Vec<Edge>,
}

/// One outcome of one action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// The action that takes it.
    pub action: Value,
    /// Id of the state it leads to.
    pub to: String,
    /// The elements it covers.
    #[serde(default)]
    pub covers: Vec<Value>,
    /// How likely it is among its alternatives; 1 where unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Signature of the exception it raises.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Whether the app dies of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub crash: bool,
    /// How long it takes, where that differs from the virtual clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub millis: Option<Value>,
}

const fn default_action_seconds() -> f64 {
    2.0
}

const fn default_restart_seconds() -> f64 {
    15.0
}

impl App {
    /// The typed form of an app model.
    ///
    /// # Errors
    /// If `app` is not an app model.
    pub fn from_value(app: &Value) -> Result<Self, serde_json::Error> {
        Self::deserialize(app)
    }

    /// The app model as plain JSON.
    ///
    /// # Panics
    /// Never: an app holds nothing that JSON cannot.
    #[must_use]
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).expect("an app has string keys only")
    }
}

/// The text of an app model: one state a line, states and fields always in the same order.
///
/// # Errors
/// If `app` is not an app model.
pub fn text(app: &Value) -> Result<String, serde_json::Error> {
    let app = App::from_value(app)?;
    let states: Vec<String> = app
        .states
        .iter()
        .map(|(id, state)| Ok(format!("{}:{}", json(id)?, json(state)?)))
        .collect::<Result<_, serde_json::Error>>()?;
    Ok(format!(
        "{{\"launch\":{},\"covers\":{},\"action_seconds\":{},\"restart_seconds\":{},\"states\":{{\n{}\n}}}}\n",
        json(&app.launch)?,
        json(&app.covers)?,
        json(&app.action_seconds)?,
        json(&app.restart_seconds)?,
        states.join(",\n")
    ))
}

fn json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_reads_back_as_the_same_app_with_one_state_a_line() {
        let app = json!({"launch":"c0","covers":[1,"b0"],"action_seconds":2.0,"restart_seconds":15.0,"states":{
            "c0":{"screen":"Home","edges":[
                {"action":"tap:a","to":"c1","covers":["b1"],"weight":0.9,"millis":40},
                {"action":{"tap":[1,2]},"to":"c1","covers":[],"fault":"E","crash":true}]},
            "c1":{"screen":"Menu","edges":[]}}});
        let text = text(&app).unwrap();
        assert_eq!(text.lines().count(), 4);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), app);
    }

    #[test]
    fn absent_fields_take_the_defaults_of_the_format() {
        let app =
            App::from_value(&json!({"launch":"c0","states":{"c0":{"screen":"Home"}}})).unwrap();
        assert!((app.action_seconds - 2.0).abs() < f64::EPSILON);
        assert!((app.restart_seconds - 15.0).abs() < f64::EPSILON);
        assert!(App::from_value(&json!({"states":{}})).is_err());
    }
}
