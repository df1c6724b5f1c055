//! Simulated apps, suites recorded on them, and a checker that judges a reduction without the reducer.
//!
//! [`file_browser`] is the app that ships with the project, [`random_app`], [`flags_app`] and [`grid_app`] draw apps of
//! any size, [`record`] walks any of them as an automated explorer would, and [`checker`] compares what a reduction claims with what the
//! original suite and the app model say.

pub mod app_model;
pub mod checker;
mod cover;
mod draft;
pub mod file_browser;
pub mod flags_app;
pub mod grid_app;
mod handler;
pub mod random_app;
pub mod record;
pub mod splitmix;
#[cfg(test)]
mod survey;

use random_app::AppShape;
use serde_json::Value;

/// A kind of app of any size: its name and how one is drawn from a seed.
pub type Generator = (&'static str, fn(&AppShape, u64) -> Value);

/// All kinds of apps of any size.
pub const GENERATORS: [Generator; 3] = [
    ("random", random_app::app),
    ("flags", flags_app::app),
    ("grid", grid_app::app),
];
