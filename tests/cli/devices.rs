//! Devices: how many there are and what trouble they make must not show in the result.

use serde_json::Value;

use super::support::{Case, without_retries};

/// The suite and report of a reduction on these devices.
fn reduced(case: &Case, devices: &[&str], out: &str, more: &[&str]) -> (String, String) {
    case.reduce_on(devices, out, more).done();
    let read = |name: &str| case.read(&format!("{out}/{name}"));
    (read("suite.jsonl"), read("report.json"))
}

fn retries(report: &str) -> u64 {
    let report: Value = serde_json::from_str(report).expect("it is JSON");
    report["device"]["retries"].as_u64().expect("it is a count")
}

/// Reduces on 1, 2 and 8 devices with some trouble.
#[track_caller]
fn check_trouble(trouble: &str) {
    let case = Case::generated();
    let (suite, report) = reduced(&case, &["sim:app.json"], "calm", &[]);
    assert_eq!(retries(&report), 0);
    let on = |count: usize| {
        let url = format!("sim:app.json?{trouble}&count={count}");
        // Even 8 devices with bad luck in a row must last until the end.
        let more = ["--set", "retry.per_device=1000"];
        reduced(&case, &[&url], &format!("out{count}"), &more)
    };
    let one = on(1);
    assert_eq!(one.0, suite);
    assert_eq!(without_retries(&one.1), without_retries(&report));
    assert!(retries(&one.1) > 0, "there was no trouble");
    assert_eq!(on(2), one);
    assert_eq!(on(8), one);
}

#[test]
fn any_number_of_devices_gives_the_same_bytes() {
    let case = Case::generated();
    let one = reduced(&case, &["sim:app.json"], "out1", &[]);
    assert_eq!(reduced(&case, &["sim:app.json?count=2"], "out2", &[]), one);
    assert_eq!(reduced(&case, &["sim:app.json?count=8"], "out8", &[]), one);
    let two = ["sim:app.json", "sim:app.json?count=2"];
    assert_eq!(reduced(&case, &two, "out3", &[]), one);
}

#[test]
fn the_time_by_the_clock_is_told_for_any_number_of_devices() {
    let case = Case::paper();
    let (_, report) = reduced(&case, &["sim:app.json?count=3"], "out", &[]);
    let report: Value = serde_json::from_str(&report).expect("it is JSON");
    let device = &report["device"];
    let elapsed = |devices: u32| {
        let seconds = device["elapsed"][devices.to_string()].as_f64();
        seconds.expect("it is a time")
    };
    let spent = device["seconds"].as_f64().expect("it is a time");
    assert!((elapsed(1) - spent).abs() < 1e-6, "{device}");
    for (few, many) in [(1, 2), (2, 4), (4, 8), (8, 16)] {
        assert!(elapsed(many) <= elapsed(few), "{device}");
        assert!(elapsed(many) >= spent / f64::from(many), "{device}");
    }
    assert!(elapsed(8) < spent / 4.0, "{device}");
}

#[test]
fn lost_connections_show_only_in_the_number_of_retries() {
    check_trouble("lost=0.2");
}

#[test]
fn hanging_devices_show_only_in_the_number_of_retries() {
    check_trouble("hang=0.2");
}

#[test]
fn slow_starts_show_only_in_the_number_of_retries() {
    check_trouble("slow=0.2");
}

#[test]
fn a_dead_device_beside_a_good_one_is_taken_out() {
    let case = Case::generated();
    let (suite, report) = reduced(&case, &["sim:app.json"], "calm", &[]);
    let devices = ["sim:app.json?dead=1", "sim:app.json"];
    let ran = case.reduce_on(&devices, "out", &[]).done();
    assert!(
        ran.stderr.contains("is out: lost the connection"),
        "{ran:?}"
    );
    assert_eq!(case.read("out/suite.jsonl"), suite);
    assert_eq!(
        without_retries(&case.read("out/report.json")),
        without_retries(&report)
    );
}

#[test]
fn a_stalled_device_beside_a_good_one_is_taken_out() {
    let case = Case::generated();
    let (suite, report) = reduced(&case, &["sim:app.json"], "calm", &[]);
    let devices = ["sim:app.json?stall=1", "sim:app.json"];
    let more = ["--set", "retry.hang_seconds=0.5"];
    let ran = case.reduce_on(&devices, "out", &more).done();
    assert!(ran.stderr.contains("is out: silent for 500ms"), "{ran:?}");
    assert_eq!(case.read("out/suite.jsonl"), suite);
    assert_eq!(
        without_retries(&case.read("out/report.json")),
        without_retries(&report)
    );
}

#[test]
fn without_a_living_device_progress_is_saved() {
    let case = Case::paper();
    let (suite, report) = reduced(&case, &["sim:app.json"], "calm", &[]);
    let ran = case.reduce_on(&["sim:app.json?dead=1&count=2"], "out", &[]);
    ran.failed(
        3,
        &["no device is left", "lost the connection", "saved in out"],
    );
    case.has_no_results("out");
    assert_eq!(
        reduced(&case, &["sim:app.json"], "out", &[]),
        (suite, report)
    );
}

#[test]
fn when_the_last_device_stalls_progress_is_saved() {
    let case = Case::paper();
    let (suite, report) = reduced(&case, &["sim:app.json"], "calm", &[]);
    let more = ["--set", "retry.hang_seconds=0.3"];
    let ran = case.reduce_on(&["sim:app.json?stall=0.01&count=2"], "out", &more);
    ran.failed(
        3,
        &["no device is left", "silent for 300ms", "saved in out"],
    );
    case.has_no_results("out");
    let resumed = reduced(&case, &["sim:app.json"], "out", &[]);
    assert_eq!(resumed.0, suite);
    // A run that another device finished after the first one stalled counts as tried again.
    assert_eq!(without_retries(&resumed.1), without_retries(&report));
}

#[test]
fn a_run_that_cannot_be_had_ends_the_program_with_progress_saved() {
    let case = Case::generated();
    let more = ["--set", "retry.per_job=3", "--set", "retry.per_device=1000"];
    let ran = case.reduce_on(&["sim:app.json?lost=0.7"], "out", &more);
    ran.failed(3, &["could not be had in 3 tries", "saved in out"]);
    case.has_no_results("out");
}

#[test]
fn replaying_on_dead_devices_is_a_failure_without_saved_progress() {
    let case = Case::generated();
    let ran = case.run(&["replay", "suite.jsonl", "--device", "sim:app.json?dead=1"]);
    let ran = ran.failed(3, &["no device is left"]);
    assert!(!ran.stderr.contains("saved"), "{ran:?}");
}

#[test]
fn devices_are_an_infrastructure_failure_only_if_all_are_dead() {
    let case = Case::small();
    case.run(&[
        "devices",
        "--device",
        "sim:app.json?dead=1",
        "--device",
        "sim:app.json",
    ])
    .done();
    let ran = case.run(&["devices", "--device", "sim:app.json?dead=1&count=2"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
}
