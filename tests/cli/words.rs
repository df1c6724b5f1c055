//! `describe`, `export` and Monkey files: traces in plain words and in the formats of other tools.

use insta::assert_snapshot;

use super::support::Case;

const LOG: &str = "\
:Monkey: seed=1 count=9
:Switch: #Intent;action=a;component=a.b/.Main;end
    // Allowing start of Intent { act=a cmp=a.b/.Main } in package a.b
:Sending Touch (ACTION_DOWN): 0:(10.0,20.0)
:Sending Touch (ACTION_UP): 0:(12.0,19.0)
    // Allowing start of Intent { cmp=a.b/a.b.Second } in package a.b
Sleeping for 300 milliseconds
:Sending Key (ACTION_DOWN): 24    // KEYCODE_VOLUME_UP
:Sending Key (ACTION_UP): 24    // KEYCODE_VOLUME_UP
oh \u{1b}[31mwhat is this
:Sending Touch (ACTION_DOWN): 0:(30.0,40.0)
:Sending Touch (ACTION_UP): 0:(30.0,40.0)
// CRASH: a.b (pid 7)
// Short Msg: java.lang.Error
// \tat a.b.Second.tap(Second.java:9)
** Monkey aborted due to error.
Events injected: 6
";

const SUITE: &str = r#"{"id":"t1","launch":{"screen":"Home","dump":"<hierarchy><node class='a.Row' clickable='true' bounds='[0,0][9,9]'><node class='a.Button' resource-id='x:id/ok' text='\u001b[31mOK' clickable='true' bounds='[0,0][5,5]'/></node></hierarchy>"},"steps":[{"action":"Tap(1.0, 1.0, 0)","covers":["b1"],"screen":"Menu"},{"action":"tap:back","covers":[],"screen":"Home","dump":"../../etc/passwd"},{"action":"tap:x","screen":"Home"}]}
"#;

fn case() -> Case {
    let case = Case::empty();
    case.write("monkey.log", LOG);
    case.write("suite.jsonl", SUITE);
    case
}

#[test]
fn describe_tells_a_monkey_log_in_sentences() {
    let ran = case().run(&["describe", "monkey.log"]).done();
    assert_snapshot!("describe_monkey", ran.stdout);
    assert!(!ran.stdout.contains('\u{1b}'));
}

#[test]
fn describe_tells_a_suite_with_dumps() {
    let ran = case().run(&["describe", "suite.jsonl"]).done();
    assert_snapshot!("describe_suite", ran.stdout);
}

#[test]
fn describe_as_json() {
    let words = [
        "describe",
        "monkey.log",
        "--off",
        "optional",
        "--format",
        "json",
    ];
    let ran = case().run(&words).done();
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let trace = &value["traces"][0];
    assert_eq!(trace["events"].as_array().map(Vec::len), Some(4));
    assert_eq!(trace["events"][3]["level"], "Essential");
    assert_eq!(trace["idle"], serde_json::json!({}));
    assert_eq!(value["unused_lines"][0]["line"], 10);
}

#[test]
fn a_rule_that_does_not_exist_is_refused_with_those_that_do() {
    let ran = case().run(&["describe", "monkey.log", "--off", "optinal"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("'optional'"), "{}", ran.stderr);
}

#[test]
fn a_file_that_is_no_monkey_log_is_refused() {
    let case = case();
    case.write("x.txt", "/system/bin/sh: unknown option\n");
    let ran = case.run(&["describe", "--from", "monkey", "x.txt"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr
            .contains("x.txt:1:1: no event of Monkey in the file"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stdout, "");
}

#[test]
fn a_log_becomes_a_suite_and_a_script_that_gives_the_same_suite() {
    let case = case();
    let ran = case
        .run(&[
            "import",
            "--from",
            "monkey",
            "monkey.log",
            "--out",
            "a.jsonl",
        ])
        .done();
    assert_snapshot!("import_monkey", ran.stdout);
    case.run(&["export", "a.jsonl", "--to", "monkey", "--out", "scripts"])
        .done();
    assert_snapshot!("export_monkey", case.read("scripts/0001-monkey.monkey"));
    case.run(&[
        "import",
        "--from",
        "monkey",
        "scripts/0001-monkey.monkey",
        "--out",
        "b.jsonl",
    ])
    .done();
    let actions = |file: &str| {
        let suite: serde_json::Value = serde_json::from_str(&case.read(file)).expect("JSON");
        let steps = suite["steps"].as_array().expect("steps").clone();
        steps
            .iter()
            .map(|step| step["action"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(actions("a.jsonl"), actions("b.jsonl"));
}

#[test]
fn steps_that_a_format_cannot_hold_are_a_finding() {
    let ran = case().run(&[
        "export",
        "suite.jsonl",
        "--to",
        "monkey",
        "--out",
        "scripts",
    ]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout.contains("trace t1, step 1: tap:back"),
        "{}",
        ran.stdout
    );
}
