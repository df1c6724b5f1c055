//! Devices that cannot be had and apps that do not fit the suite.

use super::support::{Case, Ran};

fn reduce_on(case: &Case, device: &str) -> Ran {
    let ran = case.reduce_on(&[device], "out", &[]);
    case.has_no_results("out");
    ran
}

fn reduce_with_app(app: &str) -> Ran {
    let case = Case::small();
    case.write("app.json", app);
    reduce_on(&case, "sim:app.json")
}

#[test]
fn a_missing_app_is_named() {
    let ran = reduce_on(&Case::small(), "sim:missing.json");
    ran.failed(2, &["missing.json", "No such file"]);
}

#[test]
fn an_app_that_is_not_json_is_named_with_its_line() {
    let ran = reduce_with_app("{\"launch\":\"a\",\n hello}");
    ran.failed(2, &["app.json", "line 2 column 2"]);
}

#[test]
fn an_edge_to_a_missing_state_is_named() {
    let app =
        r#"{"launch":"c0","states":{"c0":{"screen":"s0","edges":[{"action":"a","to":"c9"}]}}}"#;
    let ran = reduce_with_app(app);
    ran.failed(2, &["app.json", "state `c0`, edge 0", "`c9`"]);
}

#[test]
fn a_launch_in_a_missing_state_is_named() {
    let ran = reduce_with_app(r#"{"launch":"c9","states":{"c0":{"screen":"s0"}}}"#);
    ran.failed(2, &["app.json", "`launch`", "`c9`"]);
}

#[test]
fn an_action_that_the_app_has_nowhere_is_named() {
    let case = Case::small();
    let suite = case
        .read("suite.jsonl")
        .replace(r#""action":"d""#, r#""action":"zap""#);
    case.write("suite.jsonl", suite);
    let ran = reduce_on(&case, "sim:app.json");
    ran.failed(
        2,
        &["trace t2, step 1", "`zap`", "load.unknown_actions=cut"],
    );
}

#[test]
fn a_suite_that_starts_on_another_screen_is_refused() {
    let case = Case::small();
    let app = case
        .read("app.json")
        .replace(r#""screen":"s0""#, r#""screen":"Login""#);
    case.write("app.json", app);
    let ran = reduce_on(&case, "sim:app.json");
    ran.failed(2, &["no step of the suite replays", "is this the app"]);
}

#[test]
fn no_device_is_bad_usage() {
    let case = Case::small();
    let ran = case.run(&["reduce", "suite.jsonl", "--out", "out"]);
    ran.failed(2, &["no device", "--device sim:app.json"]);
    case.has_no_results("out");
}

#[test]
fn an_unknown_kind_of_device_is_told_what_is_known() {
    let ran = reduce_on(&Case::small(), "ftp:app.json");
    ran.failed(2, &["`ftp:app.json`", "unknown kind", "sim:"]);
}

#[test]
fn a_device_that_is_no_url_is_told_what_one_looks_like() {
    reduce_on(&Case::small(), "app.json").failed(2, &["`app.json`", "looks like sim:app.json"]);
}

#[test]
fn options_of_a_device_that_make_no_sense_are_named() {
    let case = Case::small();
    let check = |options: &str, reason: &str| {
        let url = format!("sim:app.json?{options}");
        reduce_on(&case, &url).failed(2, &[&url, reason]);
    };
    check("count=0", "count=0 is not a number from 1");
    check("count=many", "count=many is not a number");
    check("count=100000", "count=100000 is not a number from 1");
    check("lost=1.5", "lost=1.5 is not a number from 0 to 1");
    check("hang=-1", "hang=-1 is not");
    check("slow=NaN", "slow=NaN is not");
    check("colour=red", "unknown option `colour`; known are count");
}

#[test]
fn devices_with_different_apps_are_not_mixed() {
    let case = Case::small();
    case.write(
        "other.json",
        r#"{"launch":"c","states":{"c":{"screen":"s0"}}}"#,
    );
    let devices = ["sim:app.json", "sim:other.json"];
    let ran = case.reduce_on(&devices, "out", &[]);
    ran.failed(2, &["`sim:app.json`", "`sim:other.json`", "different apps"]);
    case.has_no_results("out");
}
