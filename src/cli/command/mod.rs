//! The commands, one file each.

mod audit;
mod cover;
mod describe;
mod devices;
mod explain;
mod explore;
mod export;
mod import;
mod inspect;
mod minimize;
mod reduce;
mod replay;
mod report;
mod restore;
mod review;
mod shadow;
mod shard;
mod stabilize;

use std::env;
use std::path::PathBuf;

use super::args::{Command, Common, Format};
use super::exit_code::ExitCode;
use super::terminal::Terminal;
use super::{complain, print};
use crate::config::{self, Config, Resolved};
use crate::model::Stop;
use crate::replay::Cancel;
use crate::session::{Conditions, JobError};

/// Carries a command out.
pub(super) fn run(command: &Command) -> ExitCode {
    let current_dir = env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let resolved = match config::resolve(&command.layers(), &current_dir) {
        Ok(resolved) => resolved,
        Err(error) => {
            complain(&error.to_string());
            return ExitCode::Usage;
        }
    };
    let common = command.common();
    let result = match command {
        Command::Reduce(args) if args.start.print_config => Ok(print_config(&resolved)),
        Command::Stabilize(args) if args.start.print_config => Ok(print_config(&resolved)),
        Command::Reduce(args) => reduce::run(&resolved.config, args),
        Command::Stabilize(args) => stabilize::run(&resolved.config, common, args.start.fresh),
        Command::Minimize(args) if args.start.print_config => Ok(print_config(&resolved)),
        Command::Minimize(args) => minimize::run(&resolved.config, args),
        Command::Review(args) => review::run(args),
        Command::Explore(args) if args.start.print_config => Ok(print_config(&resolved)),
        Command::Explore(args) => explore::run(&resolved.config, args),
        Command::Replay(_) => replay::run(&resolved.config, common),
        Command::Devices(_) => devices::run(&resolved.config, common),
        Command::Cover(args) => cover::run(&resolved.config, args),
        Command::Import(args) => import::run(&resolved.config, args),
        Command::Inspect(args) => inspect::run(&resolved.config, args),
        Command::Audit(args) => audit::run(&resolved.config, args),
        Command::Export(args) => export::run(&resolved.config, args),
        Command::Describe(args) => describe::run(&resolved.config, args),
        Command::Report(args) => report::run(&args.dir, common),
        Command::Explain(args) => explain::run(&resolved.config, args),
        Command::Restore(args) => restore::run(&resolved.config, args),
        Command::Shadow(args) => shadow::run(args),
        Command::Shard(args) => shard::run(&resolved.config, args),
    };
    result.unwrap_or_else(|error| failed(&error, command, &resolved.config))
}

fn print_config(resolved: &Resolved) -> ExitCode {
    print(&config::print_config(resolved));
    ExitCode::Done
}

/// Runs a job with progress on stderr and Ctrl-C turned into a clean stop.
fn with_progress<T>(
    config: &Config,
    common: &Common,
    fresh: bool,
    job: impl FnOnce(Conditions) -> Result<T, JobError>,
) -> Result<T, JobError> {
    let cancel = Cancel::default();
    let asked = cancel.clone();
    // A second handler in one process cannot be had; then Ctrl-C simply kills.
    let _ = ctrlc::set_handler(move || {
        if asked.is_cancelled() {
            std::process::exit(ExitCode::Interrupted as i32);
        }
        asked.cancel();
    });
    let mut terminal = Terminal::new(common.quiet, common.verbose);
    let result = job(Conditions {
        config,
        fresh,
        cancel,
        observer: &mut terminal,
    });
    terminal.finish();
    result
}

/// Prints a result in the form that was asked for.
fn show(common: &Common, value: &impl serde::Serialize, text: impl FnOnce() -> String) {
    match common.format {
        Format::Human => print(&text()),
        Format::Json => {
            let json = serde_json::to_string_pretty(value).expect("results are plain JSON values");
            print(&(json + "\n"));
        }
    }
}

/// Says what went wrong and what is saved; decides the exit code.
fn failed(error: &JobError, command: &Command, config: &Config) -> ExitCode {
    let (what, code) = match error {
        JobError::Stopped(Stop::Interrupted) => ("interrupted".to_owned(), ExitCode::Interrupted),
        JobError::Stopped(Stop::Budget(_)) => (
            format!("{error} before there was a result; give more with --budget or --wall"),
            ExitCode::Infrastructure,
        ),
        JobError::Stopped(Stop::Devices(_) | Stop::Journal(_)) => {
            (error.to_string(), ExitCode::Infrastructure)
        }
        JobError::Output { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
            (error.to_string(), ExitCode::Infrastructure)
        }
        JobError::Import(_)
        | JobError::Open(_)
        | JobError::Journal(_)
        | JobError::Unfit(_)
        | JobError::Output { .. } => (error.to_string(), ExitCode::Usage),
    };
    let resumable = matches!(
        command,
        Command::Reduce(_) | Command::Stabilize(_) | Command::Minimize(_) | Command::Explore(_)
    );
    if resumable && code != ExitCode::Usage {
        let out = config.out.display();
        complain(&format!(
            "{what}; progress is saved in {out}, and the same command goes on from there"
        ));
    } else {
        complain(&what);
    }
    code
}
