//! The whole pipeline on a real app, with trouble on the way.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use reduce_suite::replay::Reaction;
use serde_json::{Value, json};

use super::support::{
    browsers, case, device, end_browsers, has_browser, own_width, start, until_lines,
};

/// Walks over the app that an explorer might have recorded: with detours and repetitions.
const WALKS: [&[&str]; 6] = [
    &["type milk", "add", "expert", "export", "expert", "later"],
    &["expert", "export", "clear", "dismiss"],
    &[
        "load",
        "tick milk",
        "show Open notes",
        "show Done notes",
        "show All notes",
    ],
    &[
        "type milk",
        "add",
        "type milk",
        "add",
        "accept",
        "clear",
        "accept",
    ],
    &["rename", "accept", "later", "later"],
    &["load", "rename", "dismiss", "export", "more"],
];

fn action(word: &str) -> String {
    let (verb, rest) = word.split_once(' ').unwrap_or((word, ""));
    let action = match verb {
        "type" => json!({"do": "type", "on": {"id": "note"}, "text": rest}),
        "tick" => json!({"do": "tap", "on": {"class": "checkbox", "description": rest}}),
        "show" => json!({"do": "select", "on": {"id": "show"}, "text": rest}),
        "accept" | "dismiss" => json!({"do": verb}),
        id => json!({"do": "tap", "on": {"id": id}}),
    };
    action.to_string()
}

/// Records the walks as a suite.
pub(crate) fn record(file: &Path, width: u32) {
    let mut device = device("web-notes", |config| config.web.width = width);
    let mut lines = String::new();
    for (number, walk) in WALKS.iter().enumerate() {
        let launch = device.start(start(1)).expect("it starts");
        let mut steps = Vec::new();
        for word in *walk {
            let action = action(word);
            let Ok(Reaction::Sight(sight)) = device.perform(&action) else {
                panic!("{action} cannot be done");
            };
            let action: Value = serde_json::from_str(&action).expect("it is JSON");
            let mut step =
                json!({"action": action, "covers": sight.covers, "screen": sight.screen});
            if let Some(fault) = sight.fault {
                step["fault"] = json!(fault);
            }
            steps.push(step);
        }
        let launch = json!({"screen": launch.screen, "covers": launch.covers});
        let trace = json!({"id": format!("t{number}"), "launch": launch, "steps": steps});
        lines.push_str(&trace.to_string());
        lines.push('\n');
    }
    fs::write(file, lines).expect("there is room");
}

fn program(folder: &Path, out: &str, width: u32) -> Command {
    let device = format!("web:{}?count=2", case("web-notes").display());
    program_on(&device, folder, out, width)
}

/// The program at work on a device.
pub(crate) fn program_on(device: &str, folder: &Path, out: &str, width: u32) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-reduce-suite"));
    command
        .args(["reduce", "suite.jsonl", "--out", out, "--quiet"])
        .args(["--device", device])
        .args([
            "--set",
            &format!("web.width={width}"),
            "--set",
            "replay.runs=3",
        ])
        .args(["--set", "certify.max_runs=3"])
        .current_dir(folder)
        .stdout(Stdio::null());
    command
}

#[test]
fn a_suite_is_reduced_and_neither_kills_nor_dead_browsers_change_the_result() {
    if !has_browser() {
        return;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let folder = folder.path();
    let width = own_width(1);
    record(&folder.join("suite.jsonl"), width);
    let whole = program(folder, "whole", width).status().expect("it runs");
    assert_eq!(whole.code(), Some(0));
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("it was written");
    let report: Value = serde_json::from_str(&read("whole/report.json")).expect("it is JSON");
    assert_eq!(report["preserved"], true);
    assert_eq!(report["lost"], json!([]));
    let steps = |part: &str| report[part]["steps"].as_u64().expect("a number");
    assert!(steps("output") < steps("input"), "{report}");

    // A browser is killed at one moment, the program at another.
    let journal = folder.join("out/journal/runs.jsonl");
    let mut child = program(folder, "out", width).spawn().expect("it starts");
    until_lines(&mut child, &journal, 6);
    assert!(end_browsers(width) > 0);
    until_lines(&mut child, &journal, 12);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let again = program(folder, "out", width).status().expect("it runs");
    assert_eq!(again.code(), Some(0));
    assert_eq!(read("out/suite.jsonl"), read("whole/suite.jsonl"));

    // Nothing is left behind, even by the program that was killed.
    for _ in 0..100 {
        if browsers(width).is_empty() {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("browsers stayed behind");
}
