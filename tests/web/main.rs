//! Web apps in a real browser: driven, watched, attacked, reduced.

mod app;
mod contract;
mod hostile;
mod reduce;
mod remote;
mod support;
