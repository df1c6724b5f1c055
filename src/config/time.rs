//! Lengths of time as people write them: `90s`, `30m`, `1h30m`.

use std::time::Duration;

const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3600), ('m', 60), ('s', 1)];

/// The length of time that `text` says, if it says one.
pub(super) fn parse(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut seconds = 0_u64;
    for (unit, size) in UNITS {
        let Some((count, behind)) = rest.split_once(unit) else {
            continue;
        };
        // `parse` would take a plus sign, which is no way to write a length of time.
        if count.starts_with('+') {
            return None;
        }
        seconds = seconds.checked_add(count.parse::<u64>().ok()?.checked_mul(size)?)?;
        rest = behind;
    }
    (rest.is_empty() && !text.is_empty()).then(|| Duration::from_secs(seconds))
}

/// The length of time as [`parse`] reads it.
pub(super) fn write(time: Duration) -> String {
    let mut rest = time.as_secs();
    let mut text = String::new();
    for (unit, size) in UNITS {
        if rest >= size {
            text.push_str(&(rest / size).to_string());
            text.push(unit);
            rest %= size;
        }
    }
    if text.is_empty() {
        text.push_str("0s");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{parse, write};

    #[test]
    fn times_are_read_in_days_hours_minutes_and_seconds() {
        let seconds = |text| parse(text).map(|time| time.as_secs());
        assert_eq!(seconds("90s"), Some(90));
        assert_eq!(seconds("30m"), Some(1800));
        assert_eq!(seconds("1h30m"), Some(5400));
        assert_eq!(seconds("2d1s"), Some(172_801));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        let wrong = [
            "",
            "90",
            "s",
            "1m1h",
            "1h1h",
            "-1s",
            "+1s",
            "1.5h",
            "1h 30m",
            "2 h",
            "99999999999999999999s",
            "9999999999999999999d",
            "1hm",
            "1h30",
        ];
        for text in wrong {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_written_time_reads_as_the_same_time() {
        for seconds in [0, 1, 59, 60, 90, 3600, 5401, 86_400, 1_000_000] {
            let time = Duration::from_secs(seconds);
            assert_eq!(parse(&write(time)), Some(time));
        }
        assert_eq!(write(Duration::from_secs(5400)), "1h30m");
    }
}
