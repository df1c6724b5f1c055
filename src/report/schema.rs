//! The JSON Schema of `report.json`.

use schemars::generate::SchemaSettings;

use super::Report;

/// The schema as pretty JSON with a newline at its end, as `config/report.schema.json` holds it.
#[must_use]
pub fn schema() -> String {
    let generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let mut schema = generator.into_root_schema_for::<Report>();
    schema.insert("title".to_owned(), "reduce-suite report".into());
    format!("{:#}\n", schema.to_value())
}

#[cfg(test)]
mod tests {
    use super::schema;
    use crate::report::sample::{hostile, sample};

    fn validator() -> jsonschema::Validator {
        let schema = serde_json::from_str(&schema()).unwrap();
        jsonschema::draft202012::new(&schema).unwrap()
    }

    #[test]
    fn the_schema_in_config_is_the_one_the_types_give() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/config/report.schema.json");
        let stored = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            stored.replace("\r\n", "\n") == schema(),
            "config/report.schema.json is out of date; regenerate it with \
             `cargo xtask schema > config/report.schema.json`"
        );
    }

    #[test]
    fn reports_are_valid_by_the_schema() {
        let validator = validator();
        for report in [sample(), hostile()] {
            let value = serde_json::to_value(report).unwrap();
            let errors: Vec<String> = validator
                .iter_errors(&value)
                .map(|e| e.to_string())
                .collect();
            assert_eq!(errors, Vec::<String>::new());
        }
    }

    #[test]
    fn a_report_without_one_of_its_fields_is_not_valid() {
        let whole = serde_json::to_value(sample()).unwrap();
        let validator = validator();
        for field in whole.as_object().unwrap().keys() {
            let mut part = whole.clone();
            part.as_object_mut().unwrap().remove(field);
            assert!(!validator.is_valid(&part), "{field}");
        }
    }
}
