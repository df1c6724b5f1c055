//! The program inside other workspaces: as a task of a team's own xtask, and called by cargo.

use std::path::Path;
use std::process::Command;

use super::support::{Case, RESULTS, Ran, root};

const WORKSPACE: &str = r#"
[workspace]
members = ["tasks"]
resolver = "3"

# As in the repository, so that what is built already is used again.
[profile.dev]
opt-level = 1
debug = "line-tables-only"

[profile.dev.package."*"]
opt-level = 2

# A second build of the program itself, which need not be quick.
[profile.dev.package.reduce-suite]
opt-level = 0
debug = false
"#;

const MAIN: &str = "fn main() -> std::process::ExitCode {
    reduce_suite::cli::xtask(std::env::args_os().skip(2))
}
";

/// A workspace with its own xtask that passes one task on.
fn workspace() -> Case {
    let case = Case::small();
    case.write("Cargo.toml", WORKSPACE);
    let lock = std::fs::read(root().join("Cargo.lock")).expect("the lock file is there");
    case.write("Cargo.lock", lock);
    let alias = "[alias]\nxtask = \"run --quiet --package tasks --\"\n";
    case.write(".cargo/config.toml", alias);
    let manifest = format!(
        "[package]\nname = \"tasks\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nreduce-suite = {{ path = {:?} }}\n",
        root().display().to_string()
    );
    case.write("tasks/Cargo.toml", manifest);
    case.write("tasks/src/main.rs", MAIN);
    let config =
        "suite = [\"../suite.jsonl\"]\ndevice = [\"sim:../app.json\"]\nout = \"../small\"\n";
    case.write("config/reduce-suite.toml", config);
    case
}

/// The folder that cargo builds this repository into.
fn target_dir() -> &'static Path {
    let program = Path::new(env!("CARGO_BIN_EXE_cargo-reduce-suite"));
    let profile = program.parent().expect("it is in the folder of a profile");
    profile.parent().expect("which is in the target folder")
}

fn cargo(folder: &Path, words: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO"))
        .args(words)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target_dir())
        .env("CARGO_NET_OFFLINE", "true")
        .output();
    Ran::of(output.expect("cargo can be started"))
}

#[test]
fn a_teams_own_xtask_reduces_as_its_project_file_says() {
    let case = workspace();
    let ran = cargo(&case.folder().join("tasks"), &["xtask", "reduce-suite"]).done();
    assert!(ran.stdout.starts_with("Coverage kept"), "{ran:?}");
    for name in RESULTS {
        assert!(case.has(&format!("small/{name}")), "{name}");
    }
    // Words behind the task's name are those of `reduce`.
    let ran = cargo(case.folder(), &["xtask", "reduce-suite", "--seed", "x"]);
    ran.failed(2, &["--seed"]);
}

#[test]
fn cargo_calls_the_program_with_its_own_name_as_a_word() {
    let case = Case::small();
    let words = [
        "reduce-suite",
        "reduce",
        "suite.jsonl",
        "--device",
        "sim:app.json",
    ];
    let ran = case.run(&words).done();
    assert!(ran.stdout.starts_with("Coverage kept"), "{ran:?}");
    for name in RESULTS {
        assert!(case.has(&format!("reduced/{name}")), "{name}");
    }
}
