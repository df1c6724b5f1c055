//! `inspect`, and imports of other tools' recordings by the command line.

use insta::assert_snapshot;
use serde_json::Value;

use super::support::{Case, root};

fn testdata(name: &str) -> std::path::PathBuf {
    root().join("testdata").join(name)
}

fn dumps() -> Case {
    let case = Case::empty();
    for name in ["home.xml", "later.xml", "longer.xml", "notes.xml"] {
        let text =
            std::fs::read_to_string(testdata("uiautomator").join(name)).expect("it is there");
        case.write(&format!("dumps/{name}"), &text);
    }
    case
}

fn distinct(case: &Case, words: &[&str]) -> Vec<(String, u64)> {
    let words: Vec<_> = ["inspect", "dumps", "--format", "json"]
        .iter()
        .chain(words)
        .copied()
        .collect();
    let ran = case.run(&words).done();
    let value: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let screens = value["screens"].as_array().expect("a list").iter();
    let screens = screens.map(|one| {
        let name = one["abstraction"].as_str().expect("a name").to_owned();
        (name, one["distinct"].as_u64().expect("a number"))
    });
    screens.collect()
}

#[test]
fn inspect_shows_each_window_and_how_many_screens_there_are() {
    let ran = dumps().run(&["inspect", "dumps"]).done();
    assert_snapshot!("inspect", ran.stdout);
}

#[test]
fn inspect_shows_what_an_abstraction_looks_at() {
    let ran = dumps().run(&["inspect", "dumps/home.xml", "--lines", "actionable"]);
    assert_snapshot!("inspect_lines", ran.done().stdout);
}

#[test]
fn masks_and_lists_make_screens_the_same() {
    let case = dumps();
    let of = |words: &[&str], name: &str| {
        let found = distinct(&case, words)
            .into_iter()
            .find(|(one, _)| one == name);
        found.expect("it is in the list").1
    };
    assert_eq!(of(&[], "activity"), 1);
    assert_eq!(of(&[], "actionable"), 2);
    assert_eq!(of(&[], "content"), 3);
    assert_eq!(of(&["--mask", "id:clock"], "content"), 2);
    let both = ["--mask", "text:[0-9]+:[0-9]+", "--lists", "collapse"];
    assert_eq!(of(&both, "content"), 1);
    assert_eq!(of(&["--lists", "collapse"], "actionable"), 1);
}

#[test]
fn inspect_refuses_what_holds_no_window() {
    let case = dumps();
    let ran = case.run(&["inspect", "dumps/notes.xml"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("notes.xml: neither a dump"),
        "{}",
        ran.stderr
    );
    let ran = case.run(&["inspect", "nowhere"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("check the spelling"), "{}", ran.stderr);
    let ran = case.run(&["inspect", "dumps", "--mask", "clock"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("id:NAME"), "{}", ran.stderr);
    case.write("empty/readme.txt", "nothing");
    let ran = case.run(&["inspect", "empty"]);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn inspect_reads_view_trees_of_other_tools() {
    let case = Case::empty();
    let trace =
        std::fs::read_to_string(testdata("swifthand").join("trace.json")).expect("it is there");
    case.write("trace.json", &trace);
    let ran = case.run(&["inspect", "trace.json"]).done();
    assert!(ran.stdout.contains("trace.json#0"), "{}", ran.stdout);
    let states = testdata("droidbot").join("run/states");
    let states = states.to_str().expect("text");
    let ran = case.run(&["inspect", states]).done();
    assert!(ran.stdout.contains("3 windows"), "{}", ran.stdout);
}

#[test]
fn a_recording_of_droidbot_becomes_a_suite() {
    let case = Case::empty();
    let folder = testdata("droidbot");
    let folder = folder.to_str().expect("text");
    let words = [
        "import",
        "--from",
        "droidbot",
        folder,
        "--out",
        "suite.jsonl",
    ];
    let ran = case.run(&words).done();
    assert!(
        ran.stdout.starts_with("1 traces, 6 steps"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("the file of the event is empty"),
        "{}",
        ran.stdout
    );
    assert_snapshot!("import_droidbot", case.read("suite.jsonl"));
    // Every file tells its own format, and screens may be named by an abstraction.
    let words = [
        "import",
        folder,
        "--screen",
        "structure",
        "--out",
        "other.jsonl",
    ];
    case.run(&words).done();
    assert_ne!(case.read("suite.jsonl"), case.read("other.jsonl"));
}

#[test]
fn a_trace_of_swifthand_becomes_a_suite() {
    let case = Case::empty();
    let file = testdata("swifthand").join("trace.json");
    let file = file.to_str().expect("text");
    case.run(&["import", file, "--out", "suite.jsonl"]).done();
    assert_snapshot!("import_swifthand", case.read("suite.jsonl"));
}
