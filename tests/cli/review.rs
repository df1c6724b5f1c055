//! Private text in what `minimize` leaves, and `review`: nothing is written that was not shown and agreed to.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::support::{Case, Ran, root};

const MAIL: &str = "type:mail=joe@example.org";
const MASKED: &str = "type:mail=xxx@xxxxxxx.xxx";

/// A shop that fails at paying once a mail address was typed: this one, or any of `others`.
fn shop(others: &[&str]) -> Case {
    let case = Case::empty();
    let typing = [&[MAIL], others].concat();
    let typing = typing
        .iter()
        .map(|action| json!({"action": action, "to": "paying"}));
    let mut edges: Vec<Value> = typing.collect();
    edges.push(json!({"action": "type:note=about project falcon", "to": "start"}));
    let app = json!({"launch": "start", "states": {
        "start": {"screen": "Home", "edges": edges},
        "paying": {"screen": "Paying", "edges": [
            {"action": "tap:pay", "to": "end", "fault": "E at a.B.c"}]},
        "end": {"screen": "End"}}});
    case.write("app.json", app.to_string());
    let step = |action: &str, screen: &str| json!({"action": action, "screen": screen});
    let mut last = step("tap:pay", "End");
    last["fault"] = json!("E at a.B.c:17");
    let steps = [
        step("type:note=about project falcon", "Home"),
        step(MAIL, "Paying"),
        last,
    ];
    let trace = json!({"id": "t1", "launch": {"screen": "Home"}, "steps": steps});
    case.write("traces.jsonl", format!("{trace}\n"));
    case
}

fn minimize(case: &Case, more: &[&str]) -> Ran {
    let words = [
        "minimize",
        "traces.jsonl",
        "--device",
        "sim:app.json",
        "--out",
        "out",
        "--fresh",
    ];
    case.run(&[&words, more].concat()).done()
}

fn found(case: &Case) -> Value {
    let report: Value = serde_json::from_str(&case.read("out/minimize.json")).expect("JSON");
    report["failures"][0].clone()
}

#[test]
fn help_of_review() {
    assert_snapshot!(Case::empty().run(&["review", "--help"]).done().stdout);
}

#[test]
fn private_text_is_typed_otherwise_where_that_fails_as_well() {
    for algorithm in ["sweep", "guimin", "nd3min"] {
        let case = shop(&[MASKED]);
        let ran = minimize(&case, &["--algorithm", algorithm]);
        let told = "left are 0 of 15 bytes that look like identity; 1 text typed otherwise";
        assert!(ran.stdout.contains(told), "{ran:#?}");
        let found = found(&case);
        assert_eq!(found["actions"], json!([MASKED, "tap:pay"]));
        assert_eq!(found["one_minimal"], json!(true));
        let private = json!([{"step": 0, "category": "identity", "bytes": 15, "replaced": true}]);
        assert_eq!(found["private_steps"], private);
        assert_eq!(
            found["private"]["identity"],
            json!({"before": 15, "after": 0})
        );
        let trace: Value = serde_json::from_str(&case.read("out/trace.jsonl")).expect("one line");
        // No recorded trace has the step that types the other text.
        let from =
            json!([{"observed": 0, "first": 0, "last": 0}, {"trace": "t1", "first": 2, "last": 2}]);
        assert_eq!(trace["from"], from);
        let replay = ["replay", "out/trace.jsonl", "--device", "sim:app.json"];
        case.run(&replay).done();
    }
}

#[test]
fn private_text_stays_where_nothing_else_fails_and_where_nobody_wants_it_replaced() {
    let cases = [
        (shop(&[]), &[][..]),
        (shop(&[MASKED]), &["--replace-text", "false"]),
    ];
    for (case, more) in cases {
        let ran = minimize(&case, more);
        let told = "left are 15 of 15 bytes that look like identity\n";
        assert!(ran.stdout.contains(told), "{ran:#?}");
        let found = found(&case);
        assert_eq!(found["actions"], json!([MAIL, "tap:pay"]));
        assert_eq!(found["private_steps"][0]["replaced"], json!(false));
    }
}

#[test]
fn text_that_users_call_private_is_counted() {
    let case = shop(&[]);
    let confidential = json!({"before": 20, "after": 0});
    minimize(&case, &["--private", "project*falcon"]);
    assert_eq!(found(&case)["private"]["confidential"], confidential);
    minimize(&case, &["--set", "minimize.private=['FALCON']"]);
    assert_eq!(found(&case)["private"]["confidential"], confidential);
    minimize(&case, &[]);
    assert_eq!(found(&case)["private"]["confidential"], Value::Null);
}

#[test]
fn an_error_report_is_written_only_if_somebody_agrees_and_holds_what_was_shown() {
    let case = shop(&[MASKED]);
    minimize(&case, &[]);
    let refused = case.run(&["review", "out"]);
    refused.failed(2, &["nobody is at a terminal", "--page", "--agree"]);
    assert!(!case.has("out/error-report.txt"));
    let ran = case.run(&["review", "out", "--agree"]).done();
    let report = case.read("out/error-report.txt");
    let shown = ran
        .stdout
        .strip_suffix("The error report is in out/error-report.txt.\n");
    assert_eq!(shown, Some(&*report));
    let version = concat!("reduce-suite ", env!("CARGO_PKG_VERSION"));
    assert_snapshot!(
        "error_report",
        report.replace(version, "reduce-suite [VERSION]")
    );
    for gone in ["joe", "example.org", "falcon", "t1"] {
        assert!(!report.contains(gone), "{gone} in {report}");
    }
    // Whoever gets it can replay it.
    let trace = report.lines().find(|line| line.starts_with('{'));
    case.write("got.jsonl", trace.expect("a trace"));
    case.run(&["replay", "got.jsonl", "--device", "sim:app.json"])
        .done();
}

#[test]
fn the_page_holds_the_report_and_nothing_of_it_is_written_elsewhere() {
    let case = shop(&[MASKED]);
    minimize(&case, &[]);
    let ran = case
        .run(&["review", "out", "--page", "--format", "json"])
        .done();
    let told: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(told["written"], Value::Null);
    assert!(!case.has("out/error-report.txt"));
    let page = case.read("out/review.html");
    let parts = page.split("<pre tabindex=\"0\">\n").skip(1);
    let parts = parts.map(|part| part.split("</pre>").next().expect("an end"));
    let text = parts.collect::<String>();
    let text = text.replace("&quot;", "\"").replace("&#39;", "'");
    let agreed = ["review", "out", "--agree", "--out", "elsewhere/report.txt"];
    case.run(&agreed).done();
    assert_eq!(text, case.read("elsewhere/report.txt"));
    let page_at = ["review", "out", "--page", "other.html"];
    case.run(&page_at).done();
    assert_eq!(case.read("other.html"), page);
}

/// Runs the program on a terminal of its own, where somebody types these lines.
fn at_a_terminal(case: &Case, lines: &str) -> Option<String> {
    // Elsewhere `script` has other flags.
    if !cfg!(target_os = "linux") {
        return None;
    }
    let program = env!("CARGO_BIN_EXE_cargo-reduce-suite");
    let mut child = Command::new("script")
        .args(["-qec", &format!("'{program}' review out"), "/dev/null"])
        .current_dir(case.folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take().expect("it has one");
    stdin.write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    drop(stdin);
    Some(String::from_utf8_lossy(&output.stdout).replace('\r', ""))
}

#[test]
fn on_a_terminal_every_part_is_shown_before_the_question() {
    let case = shop(&[MASKED]);
    minimize(&case, &[]);
    let Some(shown) = at_a_terminal(&case, "\n\nq\n") else {
        eprintln!("skipped: there is no `script` to make a terminal");
        return;
    };
    assert!(shown.contains("Nothing was written."), "{shown}");
    assert!(!case.has("out/error-report.txt"), "{shown}");
    let shown = at_a_terminal(&case, "\n\n\n\nyes\n").expect("it was there");
    let report = case.read("out/error-report.txt");
    for line in report.lines() {
        assert!(shown.contains(line), "no `{line}` in {shown}");
    }
    assert!(shown.contains("4 of 4"), "{shown}");
}

#[test]
fn reviewing_what_is_not_there_is_refused_with_a_way_out() {
    let case = shop(&[]);
    minimize(&case, &[]);
    let check = |words: &[&str], named: &[&str]| {
        case.run(&[&["review"], words, &["--agree"]].concat())
            .failed(2, named);
    };
    check(&["nowhere"], &["nowhere/minimize.json", "minimize --out"]);
    check(&["out", "--trace", "m2"], &["no failure `m2`", "it has m1"]);
    fs::write(case.path("out/trace.jsonl"), "{\"id\":\"x\"}\n").expect("it can be written");
    check(&["out"], &["trace.jsonl", "`m1`", "again"]);
    fs::write(case.path("out/trace.jsonl"), "{").expect("it can be written");
    check(&["out"], &["trace.jsonl:1:", "again"]);
    fs::write(case.path("out/minimize.json"), "{}").expect("it can be written");
    check(&["out"], &["minimize.json", "not what `minimize` writes"]);
    assert!(!case.has("out/error-report.txt"));
}

#[test]
fn text_that_steers_terminals_is_spelt_out_and_replays_all_the_same() {
    let case = Case::empty();
    let evil = "tap:\u{1b}[2J<b>\u{202e}\u{1f600}\u{f0000}";
    let app = json!({"launch": "a", "states": {
        "a": {"screen": "Home", "edges": [{"action": evil, "to": "b"}]},
        "b": {"screen": "\u{7}End"}}});
    case.write("app.json", app.to_string());
    let step = json!({"action": evil, "screen": "\u{7}End"});
    let trace = json!({"id": "t1", "launch": {"screen": "Home"}, "steps": [step]});
    case.write("traces.jsonl", format!("{trace}\n"));
    minimize(&case, &["--target", "screen:\u{7}End"]);
    case.run(&["review", "out", "--agree"]).done();
    let report = case.read("out/error-report.txt");
    let is_plain = |c: char| c == '\n' || (!c.is_control() && c != '\u{202e}');
    assert!(report.chars().all(is_plain), "{report:?}");
    let line = report.lines().find(|line| line.starts_with('{'));
    case.write("got.jsonl", line.expect("a trace"));
    case.run(&["replay", "got.jsonl", "--device", "sim:app.json"])
        .done();
}

#[test]
fn rules_of_chard_are_switched_off_by_name_and_say_what_they_lack() {
    let case = Case::empty();
    for name in ["app.json", "traces.jsonl"] {
        let from = root().join("testdata/shopping-cart").join(name);
        fs::copy(from, case.path(name)).expect("the example is there");
    }
    let ran = minimize(&case, &["--algorithm", "chard"]);
    assert!(ran.stdout.contains("not fully tried: "), "{ran:#?}");
    let rules = |case: &Case| {
        let found = found(case);
        let blind = found["blind"].as_array().expect("some are blind").clone();
        let rule = |one: &Value| one["rule"].as_str().expect("a name").to_owned();
        blind.iter().map(rule).collect::<Vec<_>>()
    };
    let all = rules(&case);
    assert!(all.contains(&"nested-pair".to_owned()), "{all:?}");
    minimize(&case, &["--algorithm", "chard", "--off", "nested-pair"]);
    assert_eq!(rules(&case).len(), all.len() - 1);
    let set = [
        "--algorithm",
        "chard",
        "--set",
        "minimize.rules_off=['nested-pairs']",
    ];
    let words = ["minimize", "traces.jsonl", "--device", "sim:app.json"];
    case.run(&[&words, &set[..]].concat()).failed(
        2,
        &["no rule `nested-pairs`", "`nested-pair`", "hidden-menu"],
    );
}
