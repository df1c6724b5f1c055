//! The command line: what is asked, what is shown meanwhile, and how it ended.

pub mod args;
mod command;
pub mod exit_code;
pub mod terminal;

use std::ffi::OsString;
use std::io::Write;

use clap::Parser;
use clap::error::ErrorKind;

use args::Args;
use exit_code::ExitCode;

use crate::report::visible;

/// Runs a command line, its first word being the program's name.
///
/// Cargo calls plugins with their own name as the second word, so one `reduce-suite` there is
/// dropped.
#[must_use]
pub fn main(words: impl IntoIterator<Item = OsString>) -> std::process::ExitCode {
    let mut words: Vec<OsString> = words.into_iter().collect();
    if words.get(1).is_some_and(|word| word == "reduce-suite") {
        words.remove(1);
    }
    run(words).into()
}

/// What `cargo xtask reduce-suite ARGS…` does in any workspace: `reduce ARGS…`.
///
/// A team's own xtask passes on what comes behind the task's name:
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     reduce_suite::cli::xtask(std::env::args_os().skip(2))
/// }
/// ```
#[must_use]
pub fn xtask(words: impl IntoIterator<Item = OsString>) -> std::process::ExitCode {
    let command = ["cargo-reduce-suite", "reduce"].map(OsString::from);
    run(command.into_iter().chain(words).collect()).into()
}

fn run(words: Vec<OsString>) -> ExitCode {
    match Args::try_parse_from(words) {
        Ok(args) => command::run(&args.command),
        Err(error) => {
            // Nothing is left to tell anyone if the stream is gone.
            let _ = error.print();
            match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitCode::Done,
                _ => ExitCode::Usage,
            }
        }
    }
}

/// Writes the result to stdout, which carries nothing else.
fn print(text: &str) {
    print_bytes(text.as_bytes());
}

/// The same for what may be no text for people.
fn print_bytes(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    // A reader that closes the pipe early has seen enough.
    let _ = stdout.write_all(bytes);
    let _ = stdout.flush();
}

/// Writes one message to stderr.
fn complain(text: &str) {
    let lines: Vec<_> = text.lines().map(visible).collect();
    let _ = writeln!(std::io::stderr().lock(), "error: {}", lines.join("\n"));
}
