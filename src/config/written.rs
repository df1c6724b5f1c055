//! A TOML text as the flat list of what it sets, each with its line.

use serde::Deserialize;
use toml::{
    Value,
    de::{DeTable, DeValue, ValueDeserializer},
};

/// One `key = value` as somebody wrote it, the key with all its dots.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Written {
    pub(super) key: String,
    pub(super) value: Value,
    /// From 1.
    pub(super) line: usize,
}

/// Why a text is no TOML, and in which line.
#[derive(Debug)]
pub(super) struct Misspelt {
    pub(super) reason: String,
    pub(super) line: usize,
}

/// Everything that `text` sets, in the order in which it is written.
pub(super) fn parse(text: &str) -> Result<Vec<Written>, Misspelt> {
    let misspelt = |error: toml::de::Error| Misspelt {
        reason: error.message().replace('\n', ", "),
        line: line_of(text, error.span().map_or(0, |span| span.start)),
    };
    let document = DeTable::parse(text).map_err(misspelt)?;
    let mut found = Vec::new();
    collect("", document.get_ref(), &mut found).map_err(misspelt)?;
    found.sort_by_key(|(start, ..)| *start);
    let written = found.into_iter().map(|(start, key, value)| Written {
        key,
        value,
        line: line_of(text, start),
    });
    Ok(written.collect())
}

/// What setting `key` to `value` sets: several options if the value is a table.
pub(super) fn flatten(key: &str, value: &Value) -> Vec<Written> {
    match value {
        Value::Table(table) if !table.is_empty() => table
            .iter()
            .flat_map(|(inner, value)| flatten(&format!("{key}.{inner}"), value))
            .collect(),
        value => vec![Written {
            key: key.to_owned(),
            value: value.clone(),
            line: 1,
        }],
    }
}

type Found = (usize, String, Value);

fn collect(
    prefix: &str,
    table: &DeTable<'_>,
    found: &mut Vec<Found>,
) -> Result<(), toml::de::Error> {
    for (name, value) in table {
        let key = format!("{prefix}{}", name.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if !inner.is_empty() => {
                collect(&format!("{key}."), inner, found)?;
            }
            _ => {
                let start = name.span().start;
                let value = Value::deserialize(ValueDeserializer::from(value.clone()))?;
                found.push((start, key, value));
            }
        }
    }
    Ok(())
}

fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    before.filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::{flatten, parse};

    fn lines(text: &str) -> Vec<String> {
        let written = parse(text).unwrap();
        written
            .iter()
            .map(|one| format!("{}: {} = {}", one.line, one.key, one.value))
            .collect()
    }

    #[test]
    fn every_spelling_of_a_table_gives_the_same_keys() {
        let spellings = [
            "[replay]\nruns = 3",
            "\nreplay.runs = 3",
            "\nreplay = { runs = 3 }",
        ];
        for text in spellings {
            assert_eq!(lines(text), ["2: replay.runs = 3"], "{text}");
        }
    }

    #[test]
    fn settings_keep_the_order_of_the_text() {
        let text = "b = 1\na = 2\n\n[z]\nq = 3\n[y]\n";
        assert_eq!(
            lines(text),
            ["1: b = 1", "2: a = 2", "5: z.q = 3", "6: y = {}"]
        );
    }

    #[test]
    fn a_text_that_is_no_toml_is_refused_with_its_line() {
        let misspelt = parse("a = 1\n\nb = = 2\n").unwrap_err();
        assert_eq!(misspelt.line, 3, "{}", misspelt.reason);
    }

    #[test]
    fn a_table_given_to_a_key_sets_its_options() {
        let table = toml::toml! { runs = 3 };
        let written = flatten("replay", &table.into());
        assert_eq!(written[0].key, "replay.runs");
        assert_eq!(written[0].value, 3.into());
    }
}
