//! `explore`: what it leaves, how it goes on after a kill, and what it refuses.

use std::fs;

use super::patience::{end, interrupt, until_journal_rests};
use super::support::{Case, program};

const EXPLORE: [&str; 7] = [
    "explore",
    "--device",
    "sim:app.json",
    "--budget",
    "400steps",
    "--out",
    "out",
];
const FILES: [&str; 3] = ["suite.jsonl", "explore.json", "explore.html"];

fn files(case: &Case, out: &str) -> Vec<String> {
    FILES
        .iter()
        .map(|name| case.read(&format!("{out}/{name}")))
        .collect()
}

#[test]
fn what_was_explored_can_be_reduced_at_once() {
    let case = Case::generated();
    let shown = case.run(&EXPLORE).done();
    assert!(shown.stdout.contains("growing: ▁"), "{}", shown.stdout);
    let words = [
        "reduce",
        "out/suite.jsonl",
        "--device",
        "sim:app.json?count=2",
        "--out",
        "reduced",
    ];
    case.run(&words).done();
    let audited = ["audit", "reduced", "--original", "out/suite.jsonl"];
    case.run(&audited).done();
}

#[test]
fn a_larger_budget_goes_on_from_a_smaller_one() {
    let case = Case::generated();
    let budget = |steps: &str, out: &str| {
        let words = [
            "explore",
            "--device",
            "sim:app.json",
            "--budget",
            steps,
            "--out",
            out,
        ];
        case.run(&words).done();
    };
    budget("200steps", "out");
    let known = case.read("out/journal/runs.jsonl");
    budget("400steps", "out");
    assert!(case.read("out/journal/runs.jsonl").starts_with(&known));
    budget("400steps", "whole");
    assert_eq!(files(&case, "out"), files(&case, "whole"));
}

#[cfg(unix)]
#[test]
fn an_exploration_on_devices_that_fail_is_saved_and_goes_on_to_the_same_bytes() {
    let case = Case::generated();
    let whole = [
        "explore",
        "--device",
        "sim:app.json",
        "--budget",
        "400steps",
        "--out",
        "whole",
    ];
    case.run(&whole).done();
    let dead = [
        "explore",
        "--device",
        "sim:app.json?dead=1",
        "--budget",
        "400steps",
        "--out",
        "out",
    ];
    case.run(&dead).failed(3, &["progress is saved in out"]);
    let stalling = [
        "explore",
        "--device",
        "sim:app.json?stall=0.3",
        "--budget",
        "400steps",
        "--out",
        "out",
    ];
    let child = program(case.folder(), &stalling)
        .spawn()
        .expect("it starts");
    until_journal_rests(&case.path("out"));
    interrupt(&child);
    let ended = end(child);
    assert_eq!(ended.code, Some(130), "{ended:#?}");
    assert!(!case.has("out/suite.jsonl"));
    let known = case.read("out/journal/runs.jsonl");
    case.run(&EXPLORE).done();
    assert!(case.read("out/journal/runs.jsonl").starts_with(&known));
    assert_eq!(files(&case, "out"), files(&case, "whole"));
}

#[test]
fn recordings_are_walked_first_and_what_they_show_is_written_down() {
    let case = Case::small();
    let mut recorded = String::new();
    // What a recording says about screens and coverage does not matter.
    for line in case.read("suite.jsonl").lines() {
        let mut trace: serde_json::Value = serde_json::from_str(line).expect("a trace");
        trace["launch"]["covers"] = serde_json::json!([]);
        for step in trace["steps"].as_array_mut().expect("steps") {
            step["covers"] = serde_json::json!([]);
            step["screen"] = "page".into();
        }
        recorded.push_str(&trace.to_string());
        recorded.push('\n');
    }
    recorded += r#"{"id":"stuck","launch":{"screen":"page"},"steps":[{"action":"tap:nowhere","screen":"page"}]}"#;
    fs::write(case.path("recorded.jsonl"), recorded).expect("it is written");
    let follow = [
        "--follow",
        "recorded.jsonl",
        "--budget",
        "0steps",
        "--format",
        "json",
    ];
    let words = [
        &["explore", "--device", "sim:app.json", "--out", "out"],
        &follow[..],
    ]
    .concat();
    let report = case.run(&words).done().stdout;
    let report: serde_json::Value = serde_json::from_str(&report).expect("a report");
    let followed = report["followed"].as_array().expect("a list");
    let stuck = followed.last().expect("a recording");
    assert_eq!(
        (&stuck["done"], &stuck["stuck_at"]),
        (&0.into(), &"tap:nowhere".into())
    );
    // All the others are as they were before the recorder forgot what it saw.
    let parsed = |text: &str| -> Vec<serde_json::Value> {
        text.lines()
            .map(|line| serde_json::from_str(line).expect("a trace"))
            .collect()
    };
    let (before, after) = (
        parsed(&case.read("suite.jsonl")),
        parsed(&case.read("out/suite.jsonl")),
    );
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before["id"], after["id"]);
        assert_eq!(before["launch"]["screen"], after["launch"]["screen"]);
        for (before, after) in before["steps"]
            .as_array()
            .into_iter()
            .flatten()
            .zip(after["steps"].as_array().into_iter().flatten())
        {
            assert_eq!(
                (&before["action"], &before["screen"]),
                (&after["action"], &after["screen"])
            );
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_what_would() {
    let case = Case::small();
    let explore = |more: &[&str]| {
        let words = [
            &["explore", "--device", "sim:app.json", "--out", "out"],
            more,
        ]
        .concat();
        case.run(&words)
    };
    explore(&["--budget", "1000"]).failed(2, &["explore.budget", "1000steps"]);
    explore(&["--set", "explore.lanes=0"]).failed(2, &["explore.lanes"]);
    explore(&["--set", "explore.texts=[]"]).failed(2, &["explore.texts"]);
    explore(&["--follow", "nothing.jsonl"]).failed(2, &["nothing.jsonl"]);
    case.run(&["explore", "--out", "out", "--budget", "5steps"])
        .failed(2, &["--device"]);
}
