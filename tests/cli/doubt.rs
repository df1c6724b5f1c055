//! How sure a report is of the traces that ship, and which of them it doubts.

use serde_json::Value;

use super::support::Case;

/// An app where `luck` after `a0` to `a7` goes wrong with some weight, and a trace for each.
fn lucky(wrong: f64) -> Case {
    let case = Case::empty();
    let taps = (0..8).map(|n| format!(r#"{{"action":"a{n}","to":"c0","covers":["b{n}"]}}"#));
    let taps: Vec<String> = taps.collect();
    let app = format!(
        r#"{{"launch":"c0","states":{{
            "c0":{{"screen":"Home","edges":[{},
                {{"action":"luck","to":"c1","covers":["l"],"weight":{}}},
                {{"action":"luck","to":"c0","weight":{wrong}}}]}},
            "c1":{{"screen":"List"}}}}}}"#,
        taps.join(","),
        1.0 - wrong
    );
    case.write("app.json", app);
    let trace = |n| format!("t{n}: Home -a{n}{{b{n}}}-> Home -luck{{l}}-> List\n");
    case.write("suite.trace", (0..8).map(trace).collect::<String>());
    case
}

fn report(case: &Case, more: &[&str]) -> Value {
    let words = ["reduce", "suite.trace", "--device", "sim:app.json"];
    let more = [&["--out", "out", "--strategy", "paper"], more].concat();
    case.run(&[&words[..], &more].concat()).done();
    serde_json::from_str(&case.read("out/report.json")).expect("it is JSON")
}

fn traces(report: &Value) -> &[Value] {
    let traces = report["validation"]["traces"].as_array();
    traces.expect("it is a list")
}

#[test]
fn runs_that_all_held_leave_a_doubt_that_the_report_tells() {
    let report = report(&lucky(0.0), &[]);
    assert_eq!(report["validation"]["confidence"], 0.95);
    let traces = traces(&report);
    for trace in traces {
        assert_eq!(trace["runs"], 10);
        assert_eq!(trace["flaky"], false);
        // Ten of ten: 1 / 12 is expected to diverge, and 0.05^(1/11) replays at least.
        assert_eq!(trace["risk"], 0.083_333);
        assert_eq!(trace["replays_at_least"], 0.761_595);
    }
    let holds = (11.0_f64 / 12.0).powf(traces.len() as f64);
    let risk = report["validation"]["suite_risk"].as_f64();
    let risk = risk.expect("it is a share");
    assert!((risk - (1.0 - holds)).abs() < 1e-6, "{risk}");
}

#[test]
fn the_confidence_asked_for_is_the_one_told() {
    let set = ["--set", "certify.confidence=99%", "--runs", "3"];
    let report = report(&lucky(0.0), &set);
    assert_eq!(report["validation"]["confidence"], 0.99);
    let least = traces(&report)[0]["replays_at_least"].as_f64();
    let expect = 0.01_f64.powf(0.25);
    assert!((least.expect("it is a share") - expect).abs() < 1e-5);
}

#[test]
fn a_trace_with_an_action_that_went_several_ways_elsewhere_is_marked() {
    let case = lucky(0.04);
    let report = report(&case, &[]);
    assert_ne!(report["cut"], Value::from(Vec::<Value>::new()), "all held");
    let suite = case.read("out/suite.jsonl");
    let lucky: Vec<bool> = suite.lines().map(|line| line.contains("luck")).collect();
    let flaky: Vec<bool> = traces(&report)
        .iter()
        .map(|trace| trace["flaky"] == true)
        .collect();
    assert!(lucky.contains(&true) && lucky.contains(&false), "{suite}");
    assert_eq!(flaky, lucky);
    // Somebody who can live with it is not warned.
    let relaxed = ["--set", "certify.trace_flake=30%"];
    let relaxed = self::report(&case, &relaxed);
    assert!(traces(&relaxed).iter().all(|trace| trace["flaky"] == false));
}
