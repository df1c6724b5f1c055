//! What people read: help, summaries and reports, word for word.

use insta::assert_snapshot;

use super::support::{Case, RESULTS, root, run};

/// A text with what differs from machine to machine or release to release taken out.
fn redacted(text: &str, case: &Case) -> String {
    let folder = case.folder().display().to_string();
    let version = concat!("reduce-suite ", env!("CARGO_PKG_VERSION"));
    text.replace(&folder, "[FOLDER]")
        .replace(version, "reduce-suite [VERSION]")
}

fn help(words: &[&str]) -> String {
    Case::empty()
        .run(&[words, &["--help"]].concat())
        .done()
        .stdout
}

#[test]
fn help_of_the_program() {
    assert_snapshot!(help(&[]));
}

#[test]
fn help_of_reduce() {
    assert_snapshot!(help(&["reduce"]));
}

#[test]
fn help_of_stabilize() {
    assert_snapshot!(help(&["stabilize"]));
}

#[test]
fn help_of_replay() {
    assert_snapshot!(help(&["replay"]));
}

#[test]
fn help_of_devices() {
    assert_snapshot!(help(&["devices"]));
}

#[test]
fn help_of_explore() {
    assert_snapshot!(help(&["explore"]));
}

#[test]
fn help_of_cover() {
    assert_snapshot!(help(&["cover"]));
}

#[test]
fn help_of_describe() {
    assert_snapshot!(help(&["describe"]));
}

#[test]
fn help_of_export() {
    assert_snapshot!(help(&["export"]));
}

#[test]
fn help_of_import() {
    assert_snapshot!(help(&["import"]));
}

#[test]
fn help_of_inspect() {
    assert_snapshot!(help(&["inspect"]));
}

#[test]
fn help_of_report() {
    assert_snapshot!(help(&["report"]));
}

#[test]
fn help_of_explain() {
    assert_snapshot!(help(&["explain"]));
}

#[test]
fn help_of_restore() {
    assert_snapshot!(help(&["restore"]));
}

#[test]
fn help_of_shard() {
    assert_snapshot!(help(&["shard"]));
}

#[test]
fn help_of_shadow() {
    assert_snapshot!(help(&["shadow"]));
}

#[test]
fn the_short_help_fits_on_a_screen() {
    let ran = Case::empty().run(&["reduce", "-h"]).done();
    assert!(ran.stdout.lines().count() <= 40, "{}", ran.stdout);
    assert!(ran.stdout.contains("Examples:"));
}

#[test]
fn the_version_is_that_of_the_package() {
    let ran = Case::empty().run(&["--version"]).done();
    let expect = concat!("cargo-reduce-suite ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(ran.stdout, expect);
}

#[test]
fn the_shipped_example_runs_from_its_project_file() {
    let case = Case::empty();
    let out = case.path("out").display().to_string();
    let ran = run(&root().join("testdata"), &["reduce", "--out", &out]).done();
    assert_snapshot!(
        "summary_of_the_shipped_example",
        redacted(&ran.stdout, &case)
    );
    let first = "joining pieces of traces";
    assert!(ran.stderr.contains(first), "{ran:?}");
}

#[test]
fn settings_are_printed_with_where_they_come_from() {
    let case = Case::small();
    let file = "seed = 5\ndevice = [\"sim:../app.json\"]\n\n[replay]\nruns = 4\n";
    case.write("config/reduce-suite.toml", file);
    let words = [
        "reduce",
        "suite.jsonl",
        "--runs",
        "3",
        "--set",
        "splice.fragments=2",
    ];
    let ran = case.run(&[&words[..], &["--print-config"]].concat()).done();
    assert_snapshot!(redacted(&ran.stdout, &case));
    assert!(!case.has("reduced"));
}

#[test]
fn printed_settings_are_a_project_file_that_says_the_same() {
    let case = Case::small();
    let words = ["reduce", "suite.jsonl", "--seed", "9", "--print-config"];
    let printed = case.run(&words).done().stdout;
    case.write("printed.toml", &printed);
    let words = ["reduce", "--config", "printed.toml", "--print-config"];
    let again = case.run(&words).done().stdout;
    let values = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or(""));
        lines.map(|line| line.trim().replace("./", "")).collect()
    };
    assert_eq!(values(&again), values(&printed));
}

#[test]
fn devices_are_listed_with_their_health() {
    let case = Case::small();
    let urls = ["sim:app.json?count=2", "sim:app.json?dead=1"];
    let words = ["devices", "--device", urls[0], "--device", urls[1]];
    assert_snapshot!("devices", case.run(&words).done().stdout);
    let json = case
        .run(&[&words[..], &["--format", "json"]].concat())
        .done();
    assert_snapshot!("devices_as_json", json.stdout);
}

/// A suite of which one trace ends in an action that is not there and one is flaky.
fn flaky() -> Case {
    let case = Case::small();
    case.write(
        "app.json",
        r#"{"launch":"c0","states":{
            "c0":{"screen":"Home","edges":[{"action":"open","to":"c1","covers":["b1"]},
                {"action":"luck","to":"c1","weight":0.5},{"action":"luck","to":"c0","weight":0.5}]},
            "c1":{"screen":"List","edges":[{"action":"back","to":"c0","covers":["b2"]}]}}}"#,
    );
    let suite = "good: Home -open{b1}-> List -back{b2}-> Home\n\
                 gone: Home -open{b1}-> List -open-> List\n\
                 luck: Home -open{b1}-> List -back{b2}-> Home -luck-> List\n";
    case.write("suite.trace", suite);
    case
}

#[test]
fn stabilizing_tells_what_was_cut_and_why() {
    let case = flaky();
    let words = [
        "stabilize",
        "suite.trace",
        "--device",
        "sim:app.json",
        "--out",
        "out",
    ];
    let ran = case.run(&words).done();
    assert_snapshot!("stabilize", ran.stdout);
    assert_snapshot!("stabilized_suite", case.read("out/suite.jsonl"));
    let json = case
        .run(&[&words[..], &["--format", "json"]].concat())
        .done();
    assert_eq!(json.stdout, case.read("out/stabilize.json"));
}

#[test]
fn replaying_tells_what_diverged_and_exits_with_a_finding() {
    let case = flaky();
    let words = ["replay", "suite.trace", "--device", "sim:app.json"];
    let ran = case.run(&words);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_snapshot!("replay", ran.stdout);
    case.write(
        "good.trace",
        "good: Home -open{b1}-> List -back{b2}-> Home\n",
    );
    let words = [
        "replay",
        "good.trace",
        "--device",
        "sim:app.json",
        "--runs",
        "3",
    ];
    assert_snapshot!("replay_without_a_finding", case.run(&words).done().stdout);
}

#[test]
fn reports_rendered_again_are_the_same_bytes() {
    let case = Case::generated();
    let first = case.reduce(&[]).done();
    let results = case.results("out");
    for name in RESULTS.iter().filter(|name| !name.contains("json")) {
        case.write(&format!("out/{name}"), "overwritten");
    }
    let again = case.run(&["report", "out"]).done();
    assert_eq!(again.stdout, first.stdout);
    assert_eq!(case.results("out"), results);
}

#[test]
fn a_folder_without_a_report_is_named() {
    let case = Case::small();
    case.run(&["report", "."])
        .failed(2, &["report.json", "reduce --out"]);
    case.write("report.json", "{\"version\": 1}");
    case.run(&["report", "."])
        .failed(2, &["report.json", "not a report"]);
}

#[test]
fn the_result_as_json_is_the_report() {
    let case = Case::generated();
    let json = ["--format", "json"];
    let first = case.reduce(&json).done();
    assert_eq!(first.stdout, case.read("out/report.json"));
    let again = case.run(&["report", "out", "--format", "json"]).done();
    assert_eq!(again.stdout, first.stdout);
}
