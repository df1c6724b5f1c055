//! Web apps in a real browser: driven, watched, attacked, reduced.

mod app;
mod contract;
mod explore;
mod gestures;
mod grid;
mod hostile;
mod modules;
mod plain;
mod reduce;
mod remote;
mod support;
