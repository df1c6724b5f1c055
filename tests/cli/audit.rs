//! `audit`: by files, on devices, and of what was tampered with.

use std::fs;

use insta::assert_snapshot;

use super::support::Case;

const AUDIT: [&str; 4] = ["audit", "out", "--original", "suite.jsonl"];

fn reduced() -> Case {
    let case = Case::small();
    case.reduce(&["--quiet"]).done();
    case
}

/// Changes a text in a file of the result.
fn change(case: &Case, file: &str, from: &str, to: &str) {
    let text = case.read(file);
    assert!(text.contains(from), "no {from} in {file}");
    case.write(file, text.replacen(from, to, 1));
}

#[test]
fn an_untouched_reduction_passes() {
    let case = reduced();
    assert_snapshot!("audit", case.run(&AUDIT).done().stdout);
    let json = case
        .run(&[&AUDIT[..], &["--format", "json"]].concat())
        .done();
    assert_snapshot!("audit_as_json", json.stdout);
}

#[test]
fn a_violation_is_named_with_its_place_and_ends_with_one() {
    let case = reduced();
    change(&case, "out/suite.jsonl", "\"C4\"", "\"C5\"");
    let ran = case.run(&AUDIT);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let stdout = ran
        .stdout
        .lines()
        .filter(|line| !line.contains("output.sha256"));
    assert_snapshot!("audit_failed", stdout.collect::<Vec<_>>().join("\n"));
}

#[test]
fn an_audit_on_devices_replays_the_suite() {
    let case = reduced();
    let words = [&AUDIT[..], &["--replay", "--device", "sim:app.json"]].concat();
    let ran = case.run(&words).done();
    assert!(ran.stdout.contains("✓ replay"), "{ran:#?}");
    change(&case, "app.json", "C1", "C7");
    case.run(&words).failed(2, &["another app", "replay"]);
}

#[test]
fn an_audit_without_its_files_says_what_to_name() {
    let case = reduced();
    case.run(&["audit", "nowhere", "--original", "suite.jsonl"])
        .failed(2, &["nowhere", "report.json", "reduce --out"]);
    case.run(&["audit", "out", "--original", "nothing.jsonl"])
        .failed(2, &["nothing.jsonl"]);
    fs::remove_file(case.path("out/suite.jsonl")).expect("it is there");
    case.run(&AUDIT).failed(2, &["suite.jsonl"]);
}

#[test]
fn an_audit_needs_neither_the_journal_nor_the_statement() {
    let case = reduced();
    fs::remove_dir_all(case.path("out/journal")).expect("it is there");
    fs::remove_file(case.path("out/attestation.json")).expect("it is there");
    let ran = case.run(&AUDIT).done();
    assert!(ran.stdout.contains("Note: there is no journal"), "{ran:#?}");
}

#[test]
fn a_readable_report_that_says_something_else_is_caught() {
    let case = reduced();
    for (file, from, to) in [
        ("out/report.md", "kept", "lost"),
        ("out/report.html", "Coverage kept", "Coverage lost"),
        ("out/junit.xml", "failures=\"0\"", "failures=\"1\""),
    ] {
        let text = case.read(file);
        change(&case, file, from, to);
        let ran = case.run(&AUDIT);
        assert_eq!(ran.code, Some(1), "{ran:#?}");
        assert!(
            ran.stdout.contains("does not show what report.json says"),
            "{ran:#?}"
        );
        case.write(file, text);
    }
    case.run(&AUDIT).done();
}

#[test]
fn an_audit_without_an_original_says_which_flag_names_it() {
    reduced().run(&["audit", "out"]).failed(2, &["--original"]);
}
