//! Turns the thousands of GUI test traces an automated explorer leaves behind into a small
//! regression suite that provably covers the same.
//!
//! The walk of a suite: [`import`] loads recorded traces into the [`model`], or [`explore`] makes some; [`reduce`] makes
//! them fewer and shorter and asks for replays through one port; [`replay`] carries those out
//! on the devices of [`drivers`], whose windows become screens by an [`abstraction`], and writes
//! every run down; [`export`] and [`report`] write what is left and why. [`coverage`] reads what
//! other tools measured. [`audit`] checks all that without trusting any of it, and [`shadow`]
//! compares what both suites say of builds. [`config`] says how, [`session`] puts it all
//! together, and [`cli`] shows it to people. `ARCHITECTURE.md` has the map and the rules.
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod model;

pub mod abstraction;

pub mod import;

pub mod coverage;

pub mod reduce;

pub mod explore;

pub mod replay;

pub mod drivers;

pub mod export;

pub mod report;

pub mod audit;

pub mod shadow;

pub mod config;

pub mod session;

pub mod cli;
