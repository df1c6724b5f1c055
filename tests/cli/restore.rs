//! `restore`: putting removed traces back, with every figure true, and taking them out again.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use super::support::{Case, RESULTS, Ran};

fn reduced() -> Case {
    let case = Case::generated();
    case.reduce(&[]).done();
    case
}

fn restore(case: &Case, words: &[&str]) -> Ran {
    let original = ["--original", "suite.jsonl"];
    case.run(&[&["restore", "out"], words, &original].concat())
}

fn report(case: &Case) -> Value {
    serde_json::from_str(&case.read("out/report.json")).expect("JSON")
}

/// The names of removed traces.
fn removed(case: &Case) -> Vec<String> {
    let report = report(case);
    let removed = report["removed"].as_array().expect("a list").iter();
    let names = removed.map(|r| r["trace"].as_str().expect("text").to_owned());
    names.collect()
}

fn line(case: &Case, file: &str, id: &str) -> Value {
    let text = case.read(file);
    let mut lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    lines
        .find(|line: &Value| line["id"] == id)
        .expect("there is such a trace")
}

#[test]
fn a_restored_trace_is_in_the_suite_as_it_was_recorded() {
    let case = reduced();
    let before = report(&case);
    let t = removed(&case).remove(3);
    restore(&case, &[&t, "--why", "ticket 4711"]).done();
    let after = report(&case);
    let name = format!(
        "r{}",
        before["output"]["traces"].as_u64().expect("a count") + 1
    );
    let (recorded, mut back) = (
        line(&case, "suite.jsonl", &t),
        line(&case, "out/suite.jsonl", &name),
    );
    let last = recorded["steps"].as_array().expect("a list").len() - 1;
    let from = serde_json::json!([{"trace": t, "first": 0, "last": last}]);
    assert_eq!(back["from"], from);
    back.as_object_mut().expect("an object").remove("from");
    back["id"] = recorded["id"].clone();
    assert_eq!(back, recorded);
    let entry = &after["restored"][0];
    assert_eq!(
        (&entry["trace"], &entry["as"]),
        (&t.as_str().into(), &name.as_str().into())
    );
    assert_eq!(entry["why"], "ticket 4711");
    assert_eq!(entry["removed"]["trace"], t.as_str());
    assert!(!removed(&case).contains(&t));
}

#[test]
fn the_figures_of_a_restored_suite_are_true() {
    let case = reduced();
    let before = report(&case);
    let [one, two] = [removed(&case)[0].clone(), removed(&case)[9].clone()];
    restore(&case, &[&one, &two, "--why", "smoke"]).done();
    let after = report(&case);
    let suite = case.read("out/suite.jsonl");
    let traces: Vec<Value> = suite
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect();
    let steps: usize = traces
        .iter()
        .map(|t| t["steps"].as_array().expect("a list").len())
        .sum();
    let output = &after["output"];
    assert_eq!(output["traces"], traces.len());
    assert_eq!(output["steps"], steps);
    let cost = &after["subject"]["cost"];
    let number = |value: &Value| value.as_f64().expect("a number");
    let seconds = traces.len() as f64 * number(&cost["restart_seconds"])
        + steps as f64 * number(&cost["action_seconds"]);
    assert!((number(&output["seconds"]) - seconds).abs() < 1e-6);
    let gap = seconds / number(&after["bound"]["seconds"]) - 1.0;
    assert!((number(&after["bound"]["gap"]) - gap).abs() < 1e-4);
    // What runs have shown stays what it was.
    assert_eq!(output["coverage"], before["output"]["coverage"]);
    for field in [
        "witness",
        "lost",
        "unstable",
        "preserved",
        "phases",
        "device",
        "input",
    ] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(
        after["validation"]["traces"],
        before["validation"]["traces"]
    );
    assert_eq!(after["validation"]["suite_risk"], Value::Null);
    let kept = |report: &Value| -> u64 {
        let screens = report["system"]["screens"].as_array().expect("a list");
        screens
            .iter()
            .map(|s| s["kept"].as_u64().expect("a count"))
            .sum()
    };
    assert_eq!(kept(&after), (traces.len() + steps) as u64);
    // The digest is checked by every command that reads the folder.
    case.run(&["explain", "out", "kept", "r1"]).done();
}

#[test]
fn taking_a_trace_out_again_gives_the_same_bytes_as_before() {
    let case = reduced();
    let before = case.results("out");
    let names = removed(&case);
    let part = report(&case)["dropped"][0]["trace"]
        .as_str()
        .expect("text")
        .to_owned();
    restore(&case, &[&names[0], &part, "--why", "a"]).done();
    restore(&case, &[&names[5], "--why", "b"]).done();
    assert_ne!(case.results("out"), before);
    restore(&case, &["--undo", &names[0]]).done();
    restore(&case, &["--undo", &names[5], &part]).done();
    assert_eq!(case.results("out"), before);
}

#[test]
fn a_restored_suite_is_told_everywhere() {
    let case = Case::small();
    case.write(
        "suite.jsonl",
        case.read("suite.jsonl")
            + &case
                .read("suite.jsonl")
                .lines()
                .next()
                .expect("a line")
                .replace("t1", "t3")
            + "\n",
    );
    case.reduce(&[]).done();
    let t = removed(&case).pop().expect("one is superfluous");
    let ran = restore(&case, &[&t, "--why", "we <trust> it"]).done();
    assert_snapshot!("restore", ran.stdout);
    assert!(
        case.read("out/report.md")
            .contains("Put back by hand, not validated: 1 trace")
    );
    let junit = case.read("out/junit.xml");
    assert!(
        junit.contains("was put back by hand, not validated: we &lt;trust&gt; it"),
        "{junit}"
    );
    let told = case.run(&["explain", "out", "trace", &t]).done().stdout;
    assert!(
        told.contains("put back by hand") && told.contains("we <trust> it"),
        "{told}"
    );
    // The same command again does not take back what somebody put there.
    let results = case.results("out");
    let again = case.reduce(&[]).done();
    assert!(
        again.stdout.contains("put back by hand, not validated"),
        "{again:?}"
    );
    assert_eq!(case.results("out"), results);
    let json = restore(&case, &["--undo", &t, "--format", "json"]).done();
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(
        (&json["put_back"], &json["restored"]),
        (&false.into(), &0.into())
    );
}

#[test]
fn what_cannot_be_put_back_is_refused_and_changes_nothing() {
    let case = reduced();
    let names = removed(&case);
    let t = names[0].as_str();
    restore(&case, &[t, "--why", "first"]).done();
    let results = case.results("out");
    let check = |words: &[&str], named: &[&str]| {
        restore(&case, words).failed(2, named);
        assert_eq!(case.results("out"), results, "{words:?}");
    };
    check(&[t, "--why", "again"], &["back already", "first", "--undo"]);
    check(&[&names[1], &names[1], "--why", "x"], &["back already"]);
    check(
        &[&names[1], "nothing-like-it", "--why", "x"],
        &["no trace `nothing-like-it`"],
    );
    check(&["--undo", &names[1]], &["was not put back"]);
    check(&[&names[1], "--why", " "], &["--why is empty"]);
    check(&[&names[1]], &["--why"]);
    case.run(&["restore", "out", &names[1], "--why", "x"])
        .failed(2, &["--original"]);
    case.run(&["restore", "nowhere", t, "--why", "x"])
        .failed(2, &["nowhere", "reduce --out"]);
}

#[test]
fn a_change_that_was_stopped_half_way_is_finished_by_the_next_command() {
    let case = reduced();
    let old = case.read("out/suite.jsonl");
    restore(&case, &[&removed(&case)[0], "--why", "x"]).done();
    let results = case.results("out");
    // As if it had been killed right after the report was put in place.
    fs::rename(
        case.path("out/suite.jsonl"),
        case.path("out/.suite.jsonl.new"),
    )
    .expect("it is there");
    case.write("out/suite.jsonl", old);
    case.run(&["explain", "out", "kept", "r1"]).done();
    assert_eq!(case.results("out"), results);
    assert!(
        RESULTS
            .iter()
            .all(|name| !case.has(&format!("out/.{name}.new")))
    );
}

#[test]
fn an_audit_holds_after_restoring_and_after_taking_out_again() {
    let case = reduced();
    let t = removed(&case).remove(1);
    restore(&case, &[&t, "--why", "ticket 4711"]).done();
    let audit = ["audit", "out", "--original", "suite.jsonl"];
    let ran = case.run(&audit).done();
    assert!(ran.stdout.contains("no run speaks for them"), "{ran:#?}");
    let text = case.read("out/suite.jsonl");
    let forged = text.replace("\"covers\":[\"", "\"covers\":[\"b7777\",\"");
    case.write("out/suite.jsonl", &forged);
    let ran = case.run(&audit);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stdout.contains("was recorded otherwise"), "{ran:#?}");
    case.write("out/suite.jsonl", &text);
    restore(&case, &["--undo", &t]).done();
    case.run(&audit).done();
}
