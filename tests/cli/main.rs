//! The program as its users meet it: commands, files, exit codes and messages.

mod audit;
mod bad_apps;
mod bad_config;
mod bad_journals;
mod bad_suites;
mod budget;
mod cover;
mod devices;
mod doubt;
mod explain;
mod explore;
mod kill;
mod minimize;
mod outputs;
mod paper;
mod patience;
mod plugin;
mod readme;
mod restore;
mod shadow;
mod shard;
mod since;
mod snapshots;
mod support;
mod torn;
mod words;
