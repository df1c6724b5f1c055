//! The checker accepts a right reduction and finds every way in which we spoil it.

mod fixture;
mod report;
mod suite;

use serde_json::Value;

use super::{Observed, Replay, check_by};
use fixture::{fixture, lines};

fn violations(case: &Value, rules: (Replay, Observed)) -> Vec<String> {
    check_by(
        &case["app"],
        &lines(&case["original"]),
        &lines(&case["reduced"]),
        &case["report"],
        rules,
    )
}

const STRICT: (Replay, Observed) = (Replay::Certain, Observed::Refused);

/// Puts `value` at `pointer` of the fixture and looks for a violation that says `expected`.
#[track_caller]
fn spoil(pointer: &str, value: Value, expected: &str) {
    let mut case = fixture();
    *case
        .pointer_mut(pointer)
        .expect("the fixture has this place") = value;
    let found = violations(&case, STRICT);
    assert!(
        found.iter().any(|violation| violation.contains(expected)),
        "{pointer}: {found:#?}"
    );
}
