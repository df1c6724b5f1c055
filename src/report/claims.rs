//! The digests of what a report claims: everything that the suites themselves do not show.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Report;
use crate::model::sha256;

/// Parts that an audit makes again from the suites, or looks up in them, so that they need no
/// seal: any other true statement there is as good.
const SHOWN_BY_THE_SUITES: [(&str, &str); 8] = [
    ("", "input"),
    ("", "output"),
    ("", "witness"),
    ("", "system"),
    ("", "preserved"),
    ("/bound", "gap"),
    ("/certificate", "claims"),
    ("/certificate", "claims_sha256"),
];

/// Parts in which the order of lists matters.
const ORDERED: [&str; 2] = ["phases", "config"];

/// Fields that tell the entries of a list apart.
const NAMES: [&str; 4] = ["trace", "element", "name", "path"];

/// Puts the digests of its claims into the certificate of a report.
pub fn seal(report: &mut Report) {
    report.certificate.claims = claims(report);
    report.certificate.claims_sha256 = claims_sha256(report);
}

/// The digest of all claims of a report: of its JSON without what the suites show, with sorted
/// keys and without white space; lists are sorted too, except the phases and the configuration.
#[must_use]
pub fn claims_sha256(report: &Report) -> String {
    sha256(canonical(&claimed(report)).as_bytes())
}

/// The claims of a report one by one: the place of each, and the start of the digest of what
/// stands there, so that who finds a changed report can tell what was changed in it.
#[must_use]
pub fn claims(report: &Report) -> BTreeMap<String, String> {
    let mut claims = BTreeMap::new();
    if let Value::Object(parts) = claimed(report) {
        for (name, part) in &parts {
            if name == "phases" {
                claims.insert(name.clone(), short(part));
            } else {
                take_in(name, part, &mut claims);
            }
        }
    }
    claims
}

/// What a report claims, with lists in an order that does not depend on theirs.
fn claimed(report: &Report) -> Value {
    let mut value = serde_json::to_value(report).expect("reports are plain JSON");
    for (part, field) in SHOWN_BY_THE_SUITES {
        let part = value.pointer_mut(part).and_then(Value::as_object_mut);
        part.and_then(|part| part.remove(field));
    }
    let ordered = ORDERED.map(|part| value[part].take());
    sort_lists(&mut value);
    for (part, ordered) in ORDERED.iter().zip(ordered) {
        value[part] = ordered;
    }
    value
}

fn take_in(place: &str, value: &Value, claims: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                take_in(&format!("{place}.{name}"), value, claims);
            }
        }
        Value::Array(items) if items.first().is_some_and(Value::is_object) => {
            let mut entries: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
            for item in items {
                let mut names = NAMES.iter().filter_map(|name| item[name].as_str());
                entries
                    .entry(names.next().unwrap_or(""))
                    .or_default()
                    .push(item);
            }
            for (name, entries) in entries {
                claims.insert(format!("{place}, {name}"), short(&json!(entries)));
            }
        }
        plain => {
            claims.insert(place.to_owned(), short(plain));
        }
    }
}

/// The start of the digest of a value.
fn short(value: &Value) -> String {
    let mut digest = sha256(canonical(value).as_bytes());
    digest.truncate(16);
    digest
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

    use super::{canonical, claims, claims_sha256};
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
        check(|report| report.removed[0].now.clear(), true);
    }

    #[test]
    fn what_the_suites_show_and_the_order_of_lists_is_not() {
        check(|report| report.removed.reverse(), false);
        check(|report| report.choices.reverse(), false);
        check(|report| report.witness.clear(), false);
        check(|report| report.certificate.claims_sha256.push('x'), false);
    }

    #[track_caller]
    fn names(change: impl FnOnce(&mut Report), expect: &[&str]) {
        let mut report = sample();
        change(&mut report);
        let (before, after) = (claims(&sample()), claims(&report));
        let places = before.keys().chain(after.keys());
        let mut differ: Vec<&str> = places
            .filter(|place| before.get(*place) != after.get(*place))
            .map(String::as_str)
            .collect();
        differ.dedup();
        assert_eq!(differ, expect);
    }

    #[test]
    fn each_claim_has_a_place() {
        names(|report| report.device.launches += 1, &["device.launches"]);
        names(|report| report.config["seed"] = 5.into(), &["config.seed"]);
        names(|report| report.phases.swap(0, 1), &["phases"]);
        names(|report| report.removed[0].why.push('x'), &["removed, t7"]);
        names(|report| report.removed.reverse(), &[]);
        names(|report| report.witness.clear(), &[]);
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
