//! `shard`: parts of a suite that are even, complete and suites themselves.

use std::collections::BTreeSet;

use insta::assert_snapshot;
use serde_json::Value;

use super::support::{Case, root, run};

#[test]
fn shards_are_told_with_their_spread() {
    let words = ["shard", "file-browser/suite.jsonl", "--total", "4"];
    let ran = run(&root().join("testdata"), &words).done();
    assert_snapshot!("shard", ran.stdout);
}

#[test]
fn the_files_of_all_shards_hold_every_trace_once_and_as_it_was() {
    let case = Case::generated();
    let words = ["shard", "suite.jsonl", "--total", "3", "--out", "shards"];
    let ran = case
        .run(&[&words[..], &["--format", "json"]].concat())
        .done();
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let mut lines = Vec::new();
    for (shard, index) in report["shards"].as_array().expect("a list").iter().zip(1..) {
        let file = format!("shards/shard-{index}-of-3.jsonl");
        assert_eq!(shard["file"], file);
        let text = case.read(&file);
        lines.extend(text.lines().map(str::to_owned));
        // The K-th on its own is the same, on stdout and as a file.
        let index = index.to_string();
        let words = ["shard", "suite.jsonl", "--total", "3", "--index", &index];
        assert_eq!(case.run(&words).done().stdout, text);
        case.run(&[&words[..], &["--out", "one"]].concat()).done();
        assert_eq!(case.read(&format!("one/shard-{index}-of-3.jsonl")), text);
    }
    let suite = case.read("suite.jsonl");
    let unique: BTreeSet<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(unique.len(), lines.len());
    assert_eq!(unique, suite.lines().collect::<BTreeSet<_>>());
    assert!(
        report["spread"].as_f64().expect("a number") <= 0.05,
        "{report}"
    );
}

#[test]
fn names_and_order_of_a_suite_do_not_move_its_traces() {
    let case = Case::generated();
    let shards = |file: &str| -> Vec<BTreeSet<String>> {
        let words = [
            "shard",
            file,
            "--total",
            "3",
            "--out",
            file.trim_end_matches(".jsonl"),
        ];
        case.run(&words).done();
        let folder = file.trim_end_matches(".jsonl");
        let read = |index| case.read(&format!("{folder}/shard-{index}-of-3.jsonl"));
        let nameless = |line: &str| {
            let mut trace: Value = serde_json::from_str(line).expect("JSON");
            trace["id"] = Value::Null;
            trace.to_string()
        };
        (1..=3)
            .map(|index| read(index).lines().map(nameless).collect())
            .collect()
    };
    let suite = case.read("suite.jsonl");
    let renamed = suite.lines().rev().zip(1..).map(|(line, number)| {
        let mut trace: Value = serde_json::from_str(line).expect("JSON");
        trace["id"] = format!("other{number}").into();
        trace.to_string() + "\n"
    });
    case.write("renamed.jsonl", renamed.collect::<Vec<_>>().concat());
    assert_eq!(shards("suite.jsonl"), shards("renamed.jsonl"));
}

#[test]
fn what_cannot_be_split_is_refused() {
    let case = Case::small();
    let check = |words: &[&str], named: &[&str]| {
        let words = [&["shard", "suite.jsonl"], words].concat();
        case.run(&words).failed(2, named);
    };
    check(&["--total", "3"], &["3 shards of 2 traces", "2 at most"]);
    check(
        &["--total", "2", "--index", "3"],
        &["no shard 3 of 2", "from 1"],
    );
    check(&["--total", "0"], &["--total", "from 1"]);
    check(&["--total", "2", "--index", "0"], &["--index", "from 1"]);
    check(&[], &["--total"]);
}
