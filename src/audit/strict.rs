//! JSON in which no object has two fields of one name: readers would differ in which one counts.

use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// The first name that an object has twice, if any; text that is no JSON is told elsewhere.
#[must_use]
pub fn repeated_name(text: &[u8]) -> Option<String> {
    let error = serde_json::from_slice::<Unique>(text).err()?.to_string();
    let rest = error.split_once(MARK)?.1;
    let end = rest.rfind(" at line ").unwrap_or(rest.len());
    Some(rest[..end].to_owned())
}

const MARK: &str = "repeated name: ";

/// Any JSON value without repeated names.
struct Unique;

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Look)
    }
}

struct Look;

impl<'de> Visitor<'de> for Look {
    type Value = Unique;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_str<E>(self, _: &str) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_unit<E>(self) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Unique, A::Error> {
        while items.next_element::<Unique>()?.is_some() {}
        Ok(Unique)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Unique, A::Error> {
        let mut names = HashSet::new();
        while let Some((name, Unique)) = fields.next_entry::<String, Unique>()? {
            if let Some(name) = names.replace(name) {
                return Err(A::Error::custom(format!("{MARK}{name}")));
            }
        }
        Ok(Unique)
    }
}

#[cfg(test)]
mod tests {
    use super::repeated_name;

    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        assert_eq!(repeated_name(text.as_bytes()).as_deref(), expect, "{text}");
    }

    #[test]
    fn repeated_names_are_found_at_any_depth() {
        check(r#"{"a":1,"b":[{"c":1.5,"d":null},{"c":true}]}"#, None);
        check(r#"{"a":1,"b":[{"c":1,"\u0063":-2}]}"#, Some("c"));
        check(r#"{"a at line 3":1,"a at line 3":1}"#, Some("a at line 3"));
        check("{", None);
    }
}
