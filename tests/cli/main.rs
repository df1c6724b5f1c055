//! The program as its users meet it: commands, files, exit codes and messages.

mod bad_apps;
mod bad_config;
mod bad_journals;
mod bad_suites;
mod budget;
mod cover;
mod devices;
mod doubt;
mod kill;
mod outputs;
mod paper;
mod patience;
mod plugin;
mod snapshots;
mod support;
mod torn;
mod words;
