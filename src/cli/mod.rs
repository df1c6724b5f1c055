//! The command line: what is asked, what is shown meanwhile, and how it ended.

pub mod args;
pub mod exit_code;
pub mod terminal;
