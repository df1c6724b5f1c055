//! The one spelling of an action: plain text, or JSON with sorted keys and without white space.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Deeper than any real action, shallow enough for every stack.
const MAX_DEPTH: usize = 64;

/// Canonical form of an action that is a string: itself, or its JSON where it could be taken
/// for an object or for the JSON of another string.
pub(crate) fn plain(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.starts_with(['{', '"']) {
        Cow::Owned(json_string(&text))
    } else {
        text
    }
}

/// Canonical form of an action that is an object.
pub(crate) fn object<'de, A: MapAccess<'de>>(map: A) -> Result<String, A::Error> {
    let mut out = String::new();
    write_object(entries(map)?, 1, &mut out)?;
    Ok(out)
}

/// Canonical form of an action as a file writes it: a string or an object.
pub(crate) fn canonical_action(raw: &RawValue) -> Result<String, serde_json::Error> {
    if raw.get().starts_with('{') {
        return object_text(raw.get());
    }
    let Text(text) = serde_json::from_str(raw.get())?;
    Ok(plain(text).into_owned())
}

/// Text that is borrowed unless it has escapes.
pub(crate) struct Text<'a>(pub(crate) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Visit)
    }
}

type Entries<'a> = Vec<(Cow<'a, str>, &'a str)>;

fn entries<'de, A: MapAccess<'de>>(mut map: A) -> Result<Entries<'de>, A::Error> {
    let mut entries = Vec::new();
    while let Some(Text(key)) = map.next_key()? {
        let value: &RawValue = map.next_value()?;
        entries.push((key, value.get()));
    }
    entries.sort_unstable();
    match entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(A::Error::custom(format_args!(
            "duplicate field `{}`",
            pair[0].0
        ))),
        None => Ok(entries),
    }
}

fn write_object<E: de::Error>(
    entries: Entries<'_>,
    depth: usize,
    out: &mut String,
) -> Result<(), E> {
    let mut separator = '{';
    for (key, value) in entries {
        out.push(separator);
        out.push_str(&json_string(&key));
        out.push(':');
        write_value(value, depth, out)?;
        separator = ',';
    }
    out.push_str(if separator == '{' { "{}" } else { "}" });
    Ok(())
}

fn write_array<E: de::Error>(
    values: Vec<&RawValue>,
    depth: usize,
    out: &mut String,
) -> Result<(), E> {
    let mut separator = '[';
    for value in values {
        out.push(separator);
        write_value(value.get(), depth, out)?;
        separator = ',';
    }
    out.push_str(if separator == '[' { "[]" } else { "]" });
    Ok(())
}

fn write_value<E: de::Error>(raw: &str, depth: usize, out: &mut String) -> Result<(), E> {
    if depth > MAX_DEPTH {
        return Err(E::custom("the action is nested too deep"));
    }
    match raw.as_bytes().first() {
        Some(b'{') => {
            let Object(entries) = parse(raw)?;
            write_object(entries, depth + 1, out)
        }
        Some(b'[') => write_array(parse(raw)?, depth + 1, out),
        Some(b'"') => {
            let Text(text) = parse(raw)?;
            out.push_str(&json_string(&text));
            Ok(())
        }
        // Numbers stay as they are written, since not every one of them fits a float.
        _ => {
            out.push_str(raw);
            Ok(())
        }
    }
}

fn parse<'a, T: Deserialize<'a>, E: de::Error>(raw: &'a str) -> Result<T, E> {
    serde_json::from_str(raw)
        .map_err(|error| E::custom(format_args!("{} in the action", message(&error))))
}

/// What a JSON error says, without the place it says it about.
pub(crate) fn message(error: &serde_json::Error) -> String {
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    message.strip_suffix(&place).unwrap_or(&message).to_owned()
}

struct Object<'a>(Entries<'a>);

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Object<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<'de>, A::Error> {
                entries(map).map(Object)
            }
        }
        deserializer.deserialize_map(Visit)
    }
}

fn json_string(text: &str) -> String {
    serde_json::to_string(text).expect("strings are valid JSON")
}

/// Canonical form of a whole JSON object.
pub(crate) fn object_text(raw: &str) -> Result<String, serde_json::Error> {
    let Object(entries) = serde_json::from_str(raw)?;
    let mut out = String::new();
    write_object(entries, 1, &mut out)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{object_text, plain};

    #[track_caller]
    fn check(raw: &str, expect: &str) {
        let text = object_text(raw).unwrap_or_else(|error| error.to_string());
        assert_eq!(text, expect);
    }

    #[test]
    fn keys_are_sorted_at_every_depth_and_white_space_goes() {
        check(
            r#" { "b" : [ { "z":1, "a": [ ] } , true ], "a" : { } } "#,
            r#"{"a":{},"b":[{"a":[],"z":1},true]}"#,
        );
    }

    #[test]
    fn numbers_keep_their_digits_and_strings_get_one_spelling() {
        check(
            r#"{"n":123456789012345678901234567890,"s":"\u0041\/"}"#,
            r#"{"n":123456789012345678901234567890,"s":"A/"}"#,
        );
    }

    #[test]
    fn repeated_keys_are_refused_at_every_depth() {
        check(
            r#"{"a":{"b":1,"\u0062":2}}"#,
            "duplicate field `b` in the action",
        );
    }

    #[test]
    fn deep_nesting_is_refused_and_does_not_overflow_the_stack() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
        check(&deep, "the action is nested too deep");
    }

    #[test]
    fn strings_that_look_like_json_are_told_from_it() {
        assert_eq!(plain("tap:{".into()), "tap:{");
        assert_eq!(plain("{}".into()), "\"{}\"");
        assert_eq!(plain("\"".into()), "\"\\\"\"");
    }
}
