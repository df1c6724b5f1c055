//! JSON in which no object has two fields of one name: readers would differ in which one counts.

use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Why a text is no JSON, or no JSON that all readers understand alike: an object in it has two
/// fields of one name, or it nests deeper than readers follow.
pub fn strict(text: &[u8]) -> Result<(), String> {
    let Err(error) = serde_json::from_slice::<Unique>(text) else {
        return Ok(());
    };
    Err(error.to_string())
}

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
                let what = format!("an object has two fields `{name}`");
                return Err(A::Error::custom(what));
            }
        }
        Ok(Unique)
    }
}

#[cfg(test)]
mod tests {
    use super::strict;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        let found = strict(text.as_bytes()).err().unwrap_or_default();
        assert!(found.starts_with(expect), "{text}: {found}");
        assert_eq!(found.is_empty(), expect.is_empty(), "{text}: {found}");
    }

    #[test]
    fn repeated_names_are_found_at_any_depth() {
        check(r#"{"a":1,"b":[{"c":1.5,"d":null},{"c":true}]}"#, "");
        let twice = "an object has two fields `c` at line 1";
        check(r#"{"a":1,"b":[{"c":1,"\u0063":-2}]}"#, twice);
        check("{", "EOF");
    }

    #[test]
    fn nothing_hides_behind_a_deep_nest() {
        let nest = format!("{}{}", "[".repeat(200), "]".repeat(200));
        check(&format!(r#"{{"x":{nest},"a":1,"a":2}}"#), "recursion limit");
    }
}
