//! Turns the thousands of GUI test traces an automated explorer leaves behind into a small
//! regression suite that provably covers the same.

pub mod cli;
pub mod config;
pub mod drivers;
pub mod export;
pub mod import;
pub mod model;
pub mod reduce;
pub mod replay;
pub mod report;
pub mod session;
