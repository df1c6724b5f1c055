//! What a `JaCoCo` agent inside the app would write: one class whose probes are the elements of the
//! app model, in order.

use std::collections::BTreeSet;

use reduce_suite::model::Seed;
use serde_json::Value;

/// The name of the only class.
const CLASS: &str = "org/example/app/Model";

/// All elements that an app model names, in order.
pub(super) fn elements(model: &[u8]) -> Vec<String> {
    let model: Value = serde_json::from_slice(model).unwrap_or_default();
    let mut elements = BTreeSet::new();
    gather(&model, &mut elements);
    elements.into_iter().collect()
}

fn gather(value: &Value, elements: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::Array(covers) if name == "covers" => {
                        let text =
                            |one: &Value| one.as_str().map_or(one.to_string(), str::to_owned);
                        elements.extend(covers.iter().map(text));
                    }
                    value => gather(value, elements),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| gather(value, elements)),
        _ => {}
    }
}

/// The file of an agent that saw these elements.
pub(super) fn dump(elements: &[String], seen: &BTreeSet<String>) -> Vec<u8> {
    let mut bytes = vec![0x01, 0xc0, 0xc0, 0x10, 0x07, 0x10];
    text(&mut bytes, "virtual");
    bytes.extend([0; 16]);
    bytes.push(0x11);
    bytes.extend(Seed(1).derive(CLASS).0.to_be_bytes());
    text(&mut bytes, CLASS);
    let mut count = elements.len();
    while count >= 0x80 {
        bytes.push((count & 0x7f) as u8 | 0x80);
        count >>= 7;
    }
    bytes.push(count as u8);
    for eight in elements.chunks(8) {
        let bits = eight
            .iter()
            .zip(0..)
            .filter(|(element, _)| seen.contains(*element));
        bytes.push(bits.fold(0, |byte, (_, bit)| byte | 1 << bit));
    }
    bytes
}

fn text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend(u16::try_from(text.len()).unwrap_or(0).to_be_bytes());
    bytes.extend(text.as_bytes());
}
