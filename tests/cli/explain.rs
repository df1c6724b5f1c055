//! `explain`: the questions people ask about a finished reduction.

use std::collections::{BTreeMap, BTreeSet};

use insta::assert_snapshot;
use serde_json::Value;

use super::support::Case;

/// An app with a lucky step, and a suite of which one trace is superfluous and one is cut.
fn reduced() -> Case {
    let case = Case::empty();
    case.write(
        "app.json",
        r#"{"launch":"c0","covers":["b0"],"states":{
            "c0":{"screen":"Home","edges":[{"action":"open","to":"c1","covers":["b1"]},
                {"action":"luck","to":"c2","covers":["b9"],"weight":0.5},
                {"action":"luck","to":"c0","weight":0.5}]},
            "c1":{"screen":"List","edges":[{"action":"back","to":"c0","covers":["b2"]},
                {"action":"sort","to":"c1","covers":["b3"]}]},
            "c2":{"screen":"Prize","edges":[]}}}"#,
    );
    case.write(
        "suite.trace",
        "long: Home{b0} -open{b1}-> List -sort{b3}-> List -sort{b3}-> List -back{b2}-> Home\n\
         short: Home{b0} -open{b1}-> List\n\
         luck: Home{b0} -luck{b9}-> Prize\n",
    );
    let words = ["reduce", "suite.trace", "--device", "sim:app.json"];
    case.run(&words).done();
    case
}

fn explain(case: &Case, question: &[&str]) -> String {
    let original = ["--original", "suite.trace"];
    let words = [&["explain"], question, &original].concat();
    case.run(&words).done().stdout
}

#[test]
fn a_removed_trace_is_explained_by_what_covers_it_now() {
    assert_snapshot!(explain(&reduced(), &["trace", "short"]));
}

#[test]
fn a_trace_that_is_kept_in_part_is_told_piece_by_piece() {
    assert_snapshot!(explain(&reduced(), &["reduced", "trace", "long"]));
}

#[test]
fn a_trace_of_which_something_is_unstable_says_so_first() {
    assert_snapshot!(explain(&reduced(), &["trace", "luck"]));
}

#[test]
fn an_element_is_explained_by_who_covers_it() {
    assert_snapshot!(explain(&reduced(), &["element", "b3"]));
}

#[test]
fn an_unstable_element_is_explained_by_its_reason() {
    assert_snapshot!(explain(&reduced(), &["element", "Prize"]));
}

#[test]
fn a_kept_trace_is_explained_by_what_would_be_lost() {
    assert_snapshot!(explain(&reduced(), &["kept", "r1", "--dir", "reduced"]));
}

#[test]
fn without_the_original_what_the_report_knows_is_told() {
    let case = reduced();
    let ran = case.run(&["explain", "trace", "short"]).done();
    assert_snapshot!(ran.stdout);
    case.write("other.trace", "t1: Home{b0} -open{b1}-> List\n");
    let other = ["--set", "suite=['other.trace']"];
    let ran = case.run(&[&["explain", "element", "b1"][..], &other].concat());
    let said = "not the suite that was reduced";
    assert!(ran.done().stdout.contains(said));
    let named = ["--original", "other.trace"];
    let ran = case.run(&[&["explain", "trace", "short"][..], &named].concat());
    ran.failed(2, &["other.trace", said]);
}

#[test]
fn the_original_of_the_settings_is_used() {
    let case = reduced();
    let words = [
        "explain",
        "trace",
        "short",
        "--set",
        "suite=['suite.trace']",
    ];
    let ran = case.run(&words).done();
    assert_eq!(ran.stdout, explain(&case, &["trace", "short"]));
}

#[test]
fn names_that_nothing_has_are_answered_with_near_ones() {
    let case = reduced();
    let check = |question: &[&str], named: &[&str]| {
        let words = [&["explain"], question, &["--original", "suite.trace"]].concat();
        case.run(&words).failed(2, named);
    };
    check(&["trace", "shrt"], &["original suite", "`short`"]);
    check(&["trace", "r1"], &["explain kept r1"]);
    check(&["element", "screen:Lst"], &["`screen:List`"]);
    check(&["kept", "r11"], &["reduced suite", "`r1`"]);
    check(&["kept", "short"], &["explain trace short"]);
    check(&["trce", "short"], &["`trace`"]);
    check(&["nowhere", "trace", "short"], &["nowhere", "reduce --out"]);
}

#[test]
fn a_suite_that_is_not_the_one_of_the_report_is_refused() {
    let case = reduced();
    let suite = case.read("reduced/suite.jsonl").replace("b3", "b4");
    case.write("reduced/suite.jsonl", suite);
    let ran = case.run(&["explain", "kept", "r1"]);
    ran.failed(2, &["suite.jsonl", "digest", "run the same `reduce` again"]);
}

/// What each trace of a suite covers, read without the tool.
fn covered(suite: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut covered = BTreeMap::new();
    for line in suite.lines() {
        let trace: Value = serde_json::from_str(line).expect("JSON");
        let steps = trace["steps"].as_array().expect("a list");
        let mut all = BTreeSet::new();
        for place in [&trace["launch"]].into_iter().chain(steps) {
            let covers = place["covers"].as_array().into_iter().flatten();
            all.extend(covers.map(|e| e.as_str().expect("text").to_owned()));
            let text = |key: &str| place[key].as_str().map(|name| format!("{key}:{name}"));
            all.extend(text("screen").into_iter().chain(text("fault")));
        }
        covered.insert(trace["id"].as_str().expect("text").to_owned(), all);
    }
    covered
}

fn strings(values: &Value) -> BTreeSet<String> {
    let values = values.as_array().expect("a list").iter();
    let text = |value: &Value| value["element"].as_str().unwrap_or_default().to_owned();
    values.map(text).collect()
}

#[test]
fn explanations_as_json_agree_with_the_files() {
    let case = Case::generated();
    case.reduce(&[]).done();
    let more = ["--original", "suite.jsonl", "--format", "json"];
    let ask = |what: &str, name: &str| -> Value {
        let words = [&["explain", "out", what, name], &more[..]].concat();
        serde_json::from_str(&case.run(&words).done().stdout).expect("JSON")
    };
    let after = covered(&case.read("out/suite.jsonl"));
    for (id, mine) in &after {
        let others = after.iter().filter(|(other, _)| *other != id);
        let others: BTreeSet<String> = others.flat_map(|(_, all)| all.clone()).collect();
        let only: BTreeSet<String> = mine.difference(&others).cloned().collect();
        assert_eq!(strings(&ask("kept", id)["only"]), only, "{id}");
    }
    let before = covered(&case.read("suite.jsonl"));
    let report: Value = serde_json::from_str(&case.read("out/report.json")).expect("JSON");
    let removed = report["removed"].as_array().expect("a list");
    for gone in removed.iter().step_by(12) {
        let id = gone["trace"].as_str().expect("text");
        let story = ask("trace", id);
        assert_eq!(story["why"], gone["why"], "{id}");
        assert_eq!(strings(&story["elements"]), before[id], "{id}");
        for state in story["elements"].as_array().expect("a list") {
            let element = state["element"].as_str().expect("text");
            assert_eq!(state["witness"], report["witness"][element], "{element}");
            assert_ne!(state["fate"], "unaccounted", "{element}");
        }
    }
}
