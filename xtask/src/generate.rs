//! Simulated apps, suites recorded on them, and a checker that judges a reduction without the reducer.
//!
//! [`file_browser`] is the app that ships with the project, [`random_app`] draws apps of any size, [`record`] walks
//! either of them as an automated explorer would, and [`checker`] compares what a reduction claims with what the
//! original suite and the app model say.

pub mod app_model;
pub mod checker;
pub mod file_browser;
pub mod random_app;
pub mod record;
pub mod splitmix;
