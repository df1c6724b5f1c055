//! The project's own tasks: `cargo xtask TASK`.

use std::env;
use std::io::Write;
use std::process::ExitCode;

use xtask::{bench, check, make, virtual_android};

const USAGE: &str = "\
usage: cargo xtask reduce-suite [ARGS]   reduce a suite; without ARGS the shipped example
       cargo xtask check                 formatting, lints, tests, docs, dependencies
       cargo xtask bench [OPTIONS]       compare strategies on generated apps; --help lists the options
       cargo xtask virtual-android       serve an app model as an Android device for adb; --help lists the options
       cargo xtask schema                print the JSON Schema of report.json
";

fn main() -> ExitCode {
    let mut words = env::args_os().skip(1);
    let task = words.next();
    let text_words = || words_of(env::args_os().skip(2));
    match task.as_ref().and_then(|task| task.to_str()) {
        Some("reduce-suite") => reduce_suite::cli::xtask(words),
        Some("generate") => finish(make::run(&text_words()), make::USAGE),
        Some("bench") => run_bench(&text_words()),
        Some(bench::web::TASK) => bench::web::tool_here(words),
        Some(bench::TASK) => bench::reduce_here(words),
        Some("check") => finish(check::run(&text_words()), USAGE),
        Some("virtual-android") => {
            finish(virtual_android::run(&text_words()), virtual_android::USAGE)
        }
        Some("schema") => finish(
            std::io::stdout()
                .write_all(reduce_suite::report::schema().as_bytes())
                .map_err(Into::into),
            USAGE,
        ),
        _ => {
            let _ = write!(std::io::stderr(), "{USAGE}       {}", make::USAGE);
            ExitCode::from(2)
        }
    }
}

fn run_bench(words: &[String]) -> ExitCode {
    let is_web = words.first().is_some_and(|word| word == "web");
    if !is_web && words.iter().any(|word| word == "--help") {
        return finish(
            std::io::stdout()
                .write_all(bench::USAGE.as_bytes())
                .map_err(Into::into),
            USAGE,
        );
    }
    bench::run(words).unwrap_or_else(|error| finish(Err(error), bench::USAGE))
}

fn words_of(words: impl Iterator<Item = std::ffi::OsString>) -> Vec<String> {
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

fn finish(result: Result<(), Box<dyn std::error::Error>>, usage: &str) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to report to if stderr is gone.
            let _ = writeln!(std::io::stderr(), "error: {error}\n{usage}");
            ExitCode::from(2)
        }
    }
}
