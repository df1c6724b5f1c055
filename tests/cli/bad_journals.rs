//! Journals that belong to something else, are damaged or are in use.

use super::support::{Case, RUNS, Ran};

/// What changes a case between two runs into the same folder, and the words of the second.
type Change = fn(&Case) -> &'static [&'static str];

/// Reduces, changes something, and reduces again.
fn again(change: Change) -> (Case, Ran) {
    let case = Case::small();
    case.reduce(&[]).done();
    let before = case.results("out");
    let journal = case.read(&format!("out/{RUNS}"));
    let words = change(&case);
    let is_changed = case.read(&format!("out/{RUNS}")) != journal;
    let ran = case.reduce(words);
    assert_eq!(case.results("out"), before, "the earlier result is gone");
    let runs = case.read(&format!("out/{RUNS}"));
    assert!(is_changed || runs == journal, "the earlier runs are gone");
    (case, ran)
}

#[track_caller]
fn check(change: Change, named: &[&str]) {
    let (_, ran) = again(change);
    ran.failed(2, &[&["runs.jsonl", "--fresh"], named].concat());
}

fn replace_in_head(case: &Case, from: &str, to: &str) {
    let name = format!("out/{RUNS}");
    let text = case.read(&name);
    assert!(text.contains(from), "{text}");
    case.write(&name, text.replacen(from, to, 1));
}

#[test]
fn the_journal_of_another_suite_is_refused() {
    let change: Change = |case| {
        case.write("suite.jsonl", case.read("suite.jsonl").replace("t2", "t9"));
        &[]
    };
    check(change, &["another suite", "another --out"]);
}

#[test]
fn the_journal_of_another_app_is_refused() {
    let change: Change = |case| {
        case.write("app.json", case.read("app.json").replace("C4", "C9"));
        &[]
    };
    check(change, &["another app"]);
}

#[test]
fn the_journal_of_another_seed_is_refused() {
    check(|_| &["--seed", "2"], &["another seed (1, not 2)"]);
}

#[test]
fn the_journal_of_another_version_is_refused() {
    let change: Change = |case| {
        replace_in_head(case, r#""journal":2"#, r#""journal":99"#);
        // The mark of the finished run would answer before the journal is opened.
        case.write("out/journal/finished.json", "");
        &[]
    };
    check(change, &["another version of the tool (99, not 2)"]);
}

#[test]
fn a_damaged_line_of_the_journal_is_named() {
    let change: Change = |case| {
        replace_in_head(case, r#"{"run":"#, r#"{"ruin":"#);
        case.write("out/journal/finished.json", "");
        &[]
    };
    check(change, &["ruin"]);
}

#[test]
fn a_file_that_is_no_journal_is_refused() {
    let change: Change = |case| {
        case.write(&format!("out/{RUNS}"), "hello\n");
        case.write("out/journal/finished.json", "");
        &[]
    };
    check(change, &["runs.jsonl:1", "not the head of a journal"]);
}

#[test]
fn fresh_throws_the_runs_of_another_seed_away() {
    let case = Case::small();
    case.reduce(&[]).done();
    case.reduce(&["--seed", "2", "--fresh"]).done();
    assert!(case.read("out/report.json").contains("\"seed\": 2"));
    assert!(case.read(&format!("out/{RUNS}")).contains("\"seed\":2"));
}
