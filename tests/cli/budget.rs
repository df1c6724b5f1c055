//! Budgets: too little for a result, enough for some of the search, and going on afterwards.

use serde_json::Value;

use super::support::Case;

fn report(case: &Case, out: &str) -> Value {
    serde_json::from_str(&case.read(&format!("{out}/report.json"))).expect("it is JSON")
}

/// The device time of the phases with these names, in whole seconds.
fn seconds(report: &Value, phases: &[&str]) -> u64 {
    let phases = phases
        .iter()
        .map(|phase| &report["device"]["by_phase"][phase]["seconds"]);
    let seconds: f64 = phases
        .map(|time| time.as_f64().expect("it is a time"))
        .sum();
    #[expect(clippy::cast_sign_loss, reason = "times are from 0 up")]
    let seconds = seconds as u64;
    seconds
}

#[test]
fn a_budget_that_ends_before_there_is_a_result_saves_progress() {
    let case = Case::generated();
    case.reduce_on(&["sim:app.json"], "whole", &[]).done();
    let ran = case.reduce(&["--budget", "30m"]);
    ran.failed(
        3,
        &[
            "device time of 1800s is used up",
            "saved in out",
            "--budget",
        ],
    );
    case.has_no_results("out");
    // The same folder goes on to the full result.
    case.reduce(&[]).done();
    assert_eq!(case.results("out"), case.results("whole"));
}

#[test]
fn a_budget_that_ends_during_the_search_gives_a_suite_that_covers_everything() {
    let case = Case::paper();
    case.reduce_on(&["sim:app.json"], "whole", &[]).done();
    let whole = report(&case, "whole");
    let stabilize = seconds(&whole, &["stabilize"]);
    let loops = seconds(&whole, &["loops"]);
    for spent in [
        stabilize + loops / 2,
        stabilize + loops + seconds(&whole, &["splice"]) / 2,
    ] {
        let budget = format!("{spent}s");
        case.reduce(&["--budget", &budget]).done();
        let stopped = report(&case, "out");
        assert_eq!(stopped["preserved"], true, "{budget}");
        assert!(
            stopped["stopped"].is_string(),
            "{budget}: {}",
            stopped["stopped"]
        );
        assert_eq!(
            stopped["output"]["coverage"], whole["output"]["coverage"],
            "{budget}"
        );
        assert!(stopped["output"]["steps"].as_u64() > whole["output"]["steps"].as_u64());
    }
    case.reduce(&[]).done();
    assert_eq!(case.results("out"), case.results("whole"));
}

#[test]
fn a_suite_cut_short_by_its_budget_still_replays() {
    let case = Case::paper();
    case.reduce_on(&["sim:app.json"], "whole", &[]).done();
    let whole = report(&case, "whole");
    let spent = seconds(&whole, &["stabilize"]) + seconds(&whole, &["loops"]) / 2;
    case.reduce(&["--budget", &format!("{spent}s")]).done();
    case.run(&["replay", "out/suite.jsonl", "--device", "sim:app.json"])
        .done();
}

#[test]
fn time_on_the_wall_runs_out_even_if_no_device_answers() {
    let case = Case::generated();
    let silent = ["sim:app.json?stall=1"];
    let ran = case.reduce_on(&silent, "out", &["--wall", "1s"]);
    ran.failed(3, &["wall time of 1s is used up", "saved in out", "--wall"]);
    case.has_no_results("out");
}
