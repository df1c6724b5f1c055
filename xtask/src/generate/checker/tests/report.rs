//! Wrong claims of the report.

use serde_json::json;

use super::fixture::fixture;
use super::{STRICT, spoil, violations};

#[test]
fn wrong_witnesses_are_found() {
    spoil("/report/witness/b5/step", json!(2), "does not cover b5");
    spoil("/report/witness/b5/step", json!(7), "does not cover b5");
    spoil("/report/witness/b5/trace", json!("t2"), "does not cover b5");
    spoil("/report/witness/b0/step", json!(0), "does not cover b0");
    spoil(
        "/report/witness/screen:Home/step",
        json!(0),
        "does not cover screen:Home",
    );
    spoil(
        "/report/witness",
        json!({"b0":{"trace":"r1","step":-1}}),
        "fault:E2 has no witness",
    );
    spoil(
        "/report/witness",
        json!(null),
        "the report has no witnesses",
    );
}

#[test]
fn wrong_figures_of_the_suites_are_found() {
    for (field, wrong) in [
        ("traces", 3),
        ("steps", 1),
        ("coverage/branch", 2),
        ("coverage/screen", 5),
    ] {
        for suite in ["input", "output"] {
            let expected = format!("{suite}.{} is {wrong}, not", field.replace('/', "."));
            spoil(&format!("/report/{suite}/{field}"), json!(wrong), &expected);
        }
    }
    spoil(
        "/report/output/coverage/line",
        json!(1),
        "output.coverage.line is 1, not 0",
    );
    spoil(
        "/report/output/coverage",
        json!({}),
        "output.coverage.fault is 0, not 2",
    );
    spoil(
        "/report/phases/1/traces",
        json!(3),
        "the last phase.traces is 3, not 2",
    );
    spoil(
        "/report/phases/1/steps",
        json!(8),
        "the last phase.steps is 8, not 9",
    );
    spoil("/report/phases", json!([]), "the last phase.traces is null");
}

#[test]
fn wrong_claims_about_what_was_removed_or_lost_are_found() {
    spoil(
        "/report/removed/0/trace",
        json!("r1"),
        "removed trace \"r1\" is not in the original suite",
    );
    spoil(
        "/report/preserved",
        json!(true),
        "preserved is true, but lost is [\"b8\"]",
    );
    spoil(
        "/report/lost",
        json!([]),
        "preserved is false, but lost is []",
    );
    spoil(
        "/report/lost",
        json!(null),
        "preserved is false, but lost is null",
    );
}

#[test]
fn wrong_device_totals_are_found() {
    spoil(
        "/report/device/launches",
        json!(4),
        "device.launches is 4, its phases have 3",
    );
    spoil(
        "/report/device/by_phase/splice/steps",
        json!(5),
        "device.steps is 13, its phases have 14",
    );
    spoil(
        "/report/device/seconds",
        json!(71.1),
        "device.seconds is 71.1, its phases have 71",
    );
    spoil(
        "/report/device/by_phase/splice/seconds",
        json!(24.0),
        "device.seconds of splice is 24.0, not 23",
    );
    spoil(
        "/app/restart_seconds",
        json!(16.0),
        "device.seconds of all phases is 71.0, not 74",
    );
    spoil(
        "/report/device/by_phase",
        json!(null),
        "device has no phases",
    );
    spoil("/report/device/steps", json!(null), "device.steps is null");
}

#[test]
fn edges_with_their_own_duration_free_the_clock() {
    let mut case = fixture();
    case["app"]["states"]["c0"]["edges"][0]["millis"] = json!(900);
    case["report"]["device"]["by_phase"]["loops"]["seconds"] = json!(46.5);
    case["report"]["device"]["seconds"] = json!(69.5);
    assert_eq!(violations(&case, STRICT), Vec::<String>::new());
}

#[test]
fn a_validation_of_other_traces_or_with_divergence_is_found() {
    spoil(
        "/report/validation/traces/0/diverged",
        json!(1),
        "validation: \"r1\" diverged 1",
    );
    spoil(
        "/report/validation/traces/0/trace",
        json!("r2"),
        "validation does not list exactly",
    );
    spoil(
        "/report/validation/traces",
        json!([]),
        "validation does not list exactly",
    );
}

#[test]
fn a_divergence_of_a_trace_that_is_marked_as_flaky_is_no_lie() {
    let mut case = fixture();
    let entry = &mut case["report"]["validation"]["traces"][0];
    entry["diverged"] = json!(1);
    entry["flaky"] = json!(true);
    assert_eq!(violations(&case, STRICT), Vec::<String>::new());
}
