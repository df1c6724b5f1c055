//! The examples of section 2.3 of the `DetReduce` paper, from `testdata/`.

use serde_json::Value;

use super::support::{Case, root, run};

/// Reduces an example as published and compares what is left, in the notation for people.
#[track_caller]
fn check(example: &str, sizes: [(usize, usize); 2], expect: &str) {
    let case = Case::empty();
    let out = case.path("out");
    let words = [
        "reduce",
        "suite.trace",
        "--device",
        "sim:app.json",
        "--strategy",
        "paper",
        "--out",
        out.to_str().expect("the path is UTF-8"),
    ];
    run(&root().join("testdata").join(example), &words).done();
    let report: Value = serde_json::from_str(&case.read("out/report.json")).expect("it is JSON");
    let size = |side: &str| {
        let count = |what: &str| report[side][what].as_u64().expect("it is a count") as usize;
        (count("traces"), count("steps"))
    };
    assert_eq!([size("input"), size("output")], sizes);
    assert_eq!(report["preserved"], true);
    let suite = case.read("out/suite.jsonl");
    let traces: Vec<String> = suite.lines().map(notation).collect();
    assert_eq!(traces.join("\n"), expect);
}

fn notation(line: &str) -> String {
    let trace: Value = serde_json::from_str(line).expect("a trace is JSON");
    let text = |value: &Value| value.as_str().expect("it is a string").to_owned();
    let mut shown = text(&trace["launch"]["screen"]);
    for step in trace["steps"].as_array().expect("steps are a list") {
        let covers = step["covers"].as_array().expect("covers are a list");
        let covers: Vec<String> = covers.iter().map(text).collect();
        let (action, screen) = (text(&step["action"]), text(&step["screen"]));
        let covers = match covers.join(",") {
            none if none.is_empty() => none,
            some => format!("{{{some}}}"),
        };
        shown.extend([" -", &action, &covers, "-> ", &screen]);
    }
    shown
}

#[test]
fn example_2_1_loses_its_redundant_loop() {
    let expect = "s0 -Menu-> s1 -Option{Co}-> s2";
    check("paper-2-1", [(1, 4), (1, 2)], expect);
}

#[test]
fn example_2_2_keeps_the_loop_that_covers_something() {
    let expect = "s0 -Menu{Cp}-> s1 -Menu{Cc}-> s0 -Menu{Cp}-> s1 -Option{Co}-> s2";
    check("paper-2-2", [(1, 4), (1, 4)], expect);
}

#[test]
fn example_2_3_keeps_the_loops_without_which_it_does_not_replay() {
    let expect = "s0 -foo{Cf1}-> s0 -foo{Cf1}-> s0 -foo{Cf2}-> s3";
    check("paper-2-3", [(1, 3), (1, 3)], expect);
}

#[test]
fn example_2_4_splices_three_traces_into_one() {
    let expect = "s0 -a{C1}-> s1 -b{C2}-> s2 -c{C3}-> s3 -d{C4}-> s4 \
                  -e{C5}-> s2 -c{C3}-> s3 -f{C6}-> s5";
    check("paper-2-4", [(3, 13), (1, 7)], expect);
}
