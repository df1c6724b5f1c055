//! Exploring in a real browser, with trouble on the way and on pages that mean harm.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::support::{browsers, case, end_browsers, has_browser, own_width, until_lines};

fn program(folder: &Path, words: &[&str], page: &str, width: u32) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-reduce-suite"));
    command
        .args(words)
        .args(["--device", &format!("web:{}", case(page).display())])
        .args(["--set", &format!("web.width={width}"), "--quiet"])
        .current_dir(folder)
        .stdout(Stdio::null());
    command
}

#[test]
fn neither_dead_browsers_nor_kills_change_what_is_explored() {
    if !has_browser() {
        return;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let folder = folder.path();
    let width = own_width(3);
    let explore = |out: &str| {
        let words = ["explore", "--budget", "150steps", "--out", out];
        program(folder, &words, "web-notes", width)
    };
    assert_eq!(explore("whole").status().expect("it runs").code(), Some(0));

    // A browser is killed at one moment, the program at another.
    let journal = folder.join("out/journal/runs.jsonl");
    let mut child = explore("out").spawn().expect("it starts");
    until_lines(&mut child, &journal, 2);
    assert!(end_browsers(width) > 0);
    let known = fs::read_to_string(&journal).expect("it is there");
    until_lines(&mut child, &journal, known.lines().count() + 2);
    assert_eq!(child.try_wait().expect("it can be asked"), None);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert_eq!(explore("out").status().expect("it runs").code(), Some(0));

    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("it was written");
    assert_eq!(read("out/suite.jsonl"), read("whole/suite.jsonl"));
    assert!(browsers(width).is_empty(), "browsers stayed behind");
}

/// Explores and reduces a page; the reports that are left.
fn reports_of(page: &str, width: u32) -> Vec<String> {
    let folder = tempfile::tempdir().expect("there is room");
    let folder = folder.path();
    let page = format!("web-notes/hostile/{page}.html");
    let patience = ["--set", "web.quiet_seconds=1.0"];
    let explore = ["explore", "--budget", "12steps", "--out", "explored"];
    let explored = program(folder, &explore, &page, width)
        .args(patience)
        .status();
    assert_eq!(explored.expect("it runs").code(), Some(0), "{page}");
    let reduce = ["reduce", "explored/suite.jsonl", "--out", "reduced"];
    let runs = ["--set", "replay.runs=2", "--set", "certify.max_runs=2"];
    let reduced = program(folder, &reduce, &page, width)
        .args(patience)
        .args(runs)
        .status();
    assert_eq!(reduced.expect("it runs").code(), Some(0), "{page}");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("it was written");
    let report: Value = serde_json::from_str(&read("reduced/report.json")).expect("it is JSON");
    assert_eq!(report["preserved"], true, "{page}");
    [
        "explored/explore.html",
        "reduced/report.html",
        "reduced/report.md",
    ]
    .map(read)
    .to_vec()
}

#[test]
fn pages_that_mean_harm_are_explored_and_reduced_and_harm_no_report() {
    if !has_browser() {
        return;
    }
    for page in ["alerts", "endless", "redirect", "nodes", "markup"] {
        for report in reports_of(page, own_width(4)) {
            for harm in ["<script>alert(", "<img src=x"] {
                assert!(!report.contains(harm), "{page}: {harm}");
            }
        }
    }
}
