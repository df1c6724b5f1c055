//! The digest of what a report claims: everything that the suites themselves do not show.

use serde_json::Value;

use super::Report;
use crate::model::sha256;

/// Parts that can be recomputed from the suites, so that they need no seal: any other true
/// statement there is as good.
const SHOWN_BY_THE_SUITES: [&str; 7] = [
    "/input",
    "/output",
    "/witness",
    "/dropped",
    "/system",
    "/preserved",
    "/bound/gap",
];

/// The digest of the claims of a report: of its JSON without what the suites show, with sorted
/// keys and without white space; lists are sorted too, except the phases and the configuration.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "reports are plain JSON")]
pub fn claims_sha256(report: &Report) -> String {
    let mut value = serde_json::to_value(report).expect("reports are plain JSON");
    for part in SHOWN_BY_THE_SUITES {
        if let Some(part) = value.pointer_mut(part) {
            part.take();
        }
    }
    for field in ["traces", "claims_sha256"] {
        value["certificate"][field].take();
    }
    for removed in value["removed"].as_array_mut().into_iter().flatten() {
        removed["covered_by"].take();
        removed["now"].take();
    }
    let ordered = [value["phases"].take(), value["config"].take()];
    let mut text = String::new();
    sort_lists(&mut value);
    write_canonical(&value, &mut text);
    for value in &ordered {
        write_canonical(value, &mut text);
    }
    sha256(text.as_bytes())
}

/// JSON with sorted keys and without white space.
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write_canonical(value, &mut text);
    text
}

fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(index, text);
                write_canonical(item, text);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (index, (name, value)) in fields.into_iter().enumerate() {
                separate(index, text);
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write_canonical(value, text);
            }
            text.push('}');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

fn separate(index: usize, text: &mut String) {
    if index > 0 {
        text.push(',');
    }
}

fn sort_lists(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.iter_mut().for_each(sort_lists);
            items.sort_by_cached_key(canonical);
        }
        Value::Object(fields) => fields.values_mut().for_each(sort_lists),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{canonical, claims_sha256};
    use crate::report::{Report, sample};

    #[track_caller]
    fn check(change: impl FnOnce(&mut Report), is_a_claim: bool) {
        let mut report = sample();
        change(&mut report);
        let same = claims_sha256(&report) == claims_sha256(&sample());
        assert_eq!(same, !is_a_claim);
    }

    #[test]
    fn claims_about_devices_runs_and_chance_are_sealed() {
        check(|report| report.device.launches += 1, true);
        check(|report| report.bound.seconds -= 1.0, true);
        check(|report| report.phases.swap(0, 1), true);
        check(|report| report.unstable[0].element.push('x'), true);
        check(|report| report.removed[0].why.push('x'), true);
        check(|report| report.validation.traces[0].runs -= 1, true);
        check(|report| report.config["seed"] = 5.into(), true);
        check(|report| report.certificate.tool_sha256.push('x'), true);
    }

    #[test]
    fn what_the_suites_show_and_the_order_of_lists_is_not() {
        check(|report| report.removed.reverse(), false);
        check(|report| report.choices.reverse(), false);
        check(|report| report.witness.clear(), false);
        check(|report| report.removed[0].now.clear(), false);
        check(|report| report.certificate.claims_sha256.push('x'), false);
    }

    #[test]
    fn a_report_that_went_through_a_file_makes_the_same_claims() {
        let mut report = sample();
        report.bound.seconds = 0.1 + 0.2;
        report.device.seconds = 1e22 / 3.0;
        let text = serde_json::to_string_pretty(&report).unwrap();
        let back: Report = serde_json::from_str(&text).unwrap();
        assert_eq!(claims_sha256(&back), claims_sha256(&report));
    }

    #[test]
    fn the_canonical_form_sorts_keys_and_has_no_white_space() {
        let value: Value = json!({"b": [1, {"d": null, "c": "x y"}], "a": 1.5});
        assert_eq!(
            canonical(&value),
            r#"{"a":1.5,"b":[1,{"c":"x y","d":null}]}"#
        );
    }
}
