//! Shares as people write them: `1%`, `0.5 %`, `0.01`.

use toml::Value;

/// The share that a value says as a fraction, if it says one.
///
/// A percentage and the fraction that means the same give the same number to the last bit, since
/// settings are compared to tell whether a job was finished before.
pub(super) fn read(value: &Value) -> Option<f64> {
    match value {
        Value::Float(share) => Some(*share),
        Value::Integer(share) => Some(*share as f64),
        Value::String(text) => parse(text),
        _ => None,
    }
}

/// The percentage that somebody may have meant by a number that is too large for a fraction.
pub(super) fn meant(value: &Value) -> Option<String> {
    let share = read(value)?;
    let percentage = matches!(value, Value::String(text) if text.contains('%'));
    (!percentage && (1.0..100.0).contains(&share)).then(|| format!("{share}%"))
}

/// The share that a text says as a fraction, if it says one.
#[must_use]
pub fn parse(text: &str) -> Option<f64> {
    let (digits, exponent) = match text.strip_suffix('%') {
        Some(digits) => (digits.trim_end(), "e-2"),
        None => (text, ""),
    };
    let plain = |c: char| c.is_ascii_digit() || c == '.';
    if !digits.chars().all(plain) {
        return None;
    }
    format!("{digits}{exponent}").parse().ok()
}

#[cfg(test)]
mod tests {
    use toml::Value;

    use super::{meant, read};

    #[track_caller]
    fn check(value: impl Into<Value>, expect: f64) {
        let share = read(&value.into()).unwrap();
        assert_eq!(share.to_bits(), expect.to_bits(), "{share}");
    }

    #[test]
    fn a_percentage_is_the_fraction_it_means_to_the_last_bit() {
        check("1%", 0.01);
        check("0.7%", 0.007);
        check("0.7 %", 0.007);
        check("100%", 1.0);
        check("0.01", 0.01);
        check(".5%", 0.005);
        check(0.01, 0.01);
        check(0, 0.0);
    }

    #[test]
    fn what_is_no_share_is_refused() {
        let wrong = [
            "", "%", ".", ".%", "1%%", "-1%", "+1%", "1e-2", "1,5%", " 1%", "1.2.3", "nan", "inf%",
            "one", "½%",
        ];
        for text in wrong {
            assert_eq!(read(&text.into()), None, "{text:?}");
        }
        assert_eq!(read(&true.into()), None);
        assert_eq!(read(&vec!["1%"].into()), None);
    }

    #[test]
    fn a_number_that_is_too_large_for_a_fraction_was_meant_as_a_percentage() {
        assert_eq!(meant(&5.into()), Some("5%".to_owned()));
        assert_eq!(meant(&"2.5".into()), Some("2.5%".to_owned()));
        assert_eq!(meant(&"200%".into()), None);
        assert_eq!(meant(&200.into()), None);
        assert_eq!(meant(&"much".into()), None);
    }
}
