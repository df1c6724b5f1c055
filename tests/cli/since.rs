//! `reduce --since`: what holds of an earlier reduction is kept, and what changed is told.

use serde_json::Value;

use super::support::Case;

fn report(case: &Case, out: &str) -> Value {
    serde_json::from_str(&case.read(&format!("{out}/report.json"))).expect("it is a report")
}

fn since(case: &Case, out: &str, device: &str) -> Value {
    case.reduce_on(&[device], out, &["--since", "out", "--quiet"])
        .done();
    let audit = ["audit", out, "--original", "suite.jsonl"];
    case.run(&audit).done();
    report(case, out)
}

#[test]
fn on_the_same_build_everything_is_kept_and_runs_are_used_again() {
    let case = Case::generated();
    case.reduce(&["--quiet"]).done();
    let first = report(&case, "out");
    let next = since(&case, "next", "sim:app.json");
    let traces = next["since"]["traces"].as_array().expect("a list");
    assert_eq!(
        traces.len(),
        first["output"]["traces"].as_u64().expect("a count") as usize
    );
    assert_eq!(next["since"]["same_app"], true);
    assert_eq!(next["since"]["gone"], serde_json::json!([]));
    let runs = |out: &str| case.read(&format!("{out}/journal/runs.jsonl"));
    let (before, now) = (runs("out"), runs("next"));
    let known: Vec<&str> = before.lines().skip(1).collect();
    let again: Vec<&str> = now.lines().skip(1).take(known.len()).collect();
    assert_eq!(again, known);
    // Runs of these very traces are not made again.
    let made = |lines: &str| lines.matches("{\"run\":").count();
    let (made, rests_on) = (
        made(&now) - made(&before),
        first["device"]["launches"].as_u64().expect("a count") as usize,
    );
    assert!(made < rests_on, "{made} new runs, {rests_on} before");
    let reused = next["since"]["reused"].as_u64().expect("a count");
    assert!(reused > 0, "{}", next["since"]);
    // Nothing that was covered is set aside, and only what is covered in addition may cost more.
    let set_aside = |report: &Value| -> Vec<String> {
        let unstable = report["unstable"].as_array().expect("a list").iter();
        unstable.map(|one| one["element"].to_string()).collect()
    };
    let (before, now) = (set_aside(&first), set_aside(&next));
    assert!(
        now.iter().all(|element| before.contains(element)),
        "{now:?}"
    );
    let seconds = |report: &Value| report["output"]["seconds"].as_f64().expect("a time");
    let is_dearer = seconds(&next) > seconds(&first);
    assert!(!is_dearer || now.len() < before.len(), "{now:?}");
}

/// Makes a new build in which one screen of the reduced suite has another name; gives the old one.
fn rename_a_screen(case: &Case) -> String {
    let suite = case.read("out/suite.jsonl");
    let trace: Value = serde_json::from_str(suite.lines().next().expect("a trace")).expect("JSON");
    let steps = trace["steps"].as_array().expect("steps");
    let screen = steps.last().expect("a step")["screen"]
        .as_str()
        .expect("a name");
    let app = case.read("app.json");
    let renamed = app.replace(
        &format!("\"screen\":\"{screen}\""),
        "\"screen\":\"Renamed\"",
    );
    let renamed = renamed.replace(
        &format!("\"screen\": \"{screen}\""),
        "\"screen\": \"Renamed\"",
    );
    assert_ne!(app, renamed);
    case.write("new.json", renamed);
    screen.to_owned()
}

#[test]
fn following_new_builds_is_cheaper_than_starting_over() {
    // A lucky plan may beat an earlier suite on one app, so there are several.
    let mut followed = 0.0;
    let mut anew = 0.0;
    for seed in 3..6 {
        let case = Case::drawn(seed);
        case.reduce(&["--quiet"]).done();
        rename_a_screen(&case);
        let spent = |report: &Value| report["device"]["seconds"].as_f64().expect("a time");
        followed += spent(&since(&case, "next", "sim:new.json"));
        case.reduce_on(&["sim:new.json"], "anew", &["--quiet"])
            .done();
        anew += spent(&report(&case, "anew"));
    }
    assert!(followed < anew, "{followed} s and {anew} s");
}

#[test]
fn a_new_build_is_followed_and_what_changed_is_told() {
    let case = Case::generated();
    case.reduce(&["--quiet"]).done();
    let first = report(&case, "out");
    let screen = rename_a_screen(&case);
    let next = since(&case, "next", "sim:new.json");
    assert_eq!(next["since"]["same_app"], false);
    assert_eq!(next["since"]["reused"], 0);
    let traces = next["since"]["traces"].as_array().expect("a list");
    let changed = traces.iter().filter(|trace| !trace["changed"].is_null());
    assert!(changed.count() > 0, "{}", next["since"]);
    let gone = next["since"]["gone"].as_array().expect("a list");
    let name = Value::from(format!("screen:{screen}"));
    assert!(gone.contains(&name), "{}", next["since"]);
    assert!(first["since"].is_null());
}

#[test]
fn since_needs_an_earlier_reduction_and_best() {
    let case = Case::small();
    case.reduce(&["--since", "nowhere"])
        .failed(2, &["nowhere", "report.json", "reduce --out"]);
    case.reduce(&["--since", "out", "--strategy", "paper"])
        .failed(2, &["--since", "best"]);
}
