//! The transition system behind a suite: which screens there are and how actions lead between them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The screens and transitions of the input, and which of them the output still goes through.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct System {
    /// The screens, the launch screens first, then in the order of their first appearance.
    pub screens: Vec<Screen>,
    /// The transitions: those of the output first, then the most frequent ones.
    pub transitions: Vec<Transition>,
    /// How many transitions were left out because there are too many to be shown.
    pub left_out: usize,
}

/// A screen of the system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Screen {
    /// Its name.
    pub name: String,
    /// How often the input shows it.
    pub seen: usize,
    /// How often the output shows it.
    pub kept: usize,
    /// Whether a clean start leads there.
    pub launch: bool,
}

/// A transition of the system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Transition {
    /// The screen before, as an index into `screens`.
    pub from: usize,
    /// The screen after it.
    pub to: usize,
    /// The action, spelt as in a suite.
    pub action: String,
    /// How often the input has it.
    pub seen: usize,
    /// How often the output has it.
    pub kept: usize,
}
