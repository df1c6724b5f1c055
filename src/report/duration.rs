//! Seconds in the words people use for a time of that size.

use super::number::grouped;

/// `seconds` with at most two units, such as "45 s", "6 h 20 min" or "2 d 3 h".
#[must_use]
pub fn human_seconds(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "unknown".to_owned();
    }
    match seconds {
        s if s < 9.95 && s.fract() != 0.0 => format!("{s:.1} s"),
        s if s < 59.5 => format!("{s:.0} s"),
        s if s < 600.0 => pair(s, (60, "min"), (1, "s")),
        s if s < 3_570.0 => format!("{:.0} min", s / 60.0),
        s if s < 86_370.0 => pair(s, (3_600, "h"), (60, "min")),
        s => pair(s, (86_400, "d"), (3_600, "h")),
    }
}

/// `seconds` in a large and a small unit, each given by its length and name.
fn pair(seconds: f64, large: (u32, &str), small: (u32, &str)) -> String {
    #[expect(clippy::cast_sign_loss, reason = "the caller has checked the sign")]
    let smalls = (seconds / f64::from(small.0)).round() as u64;
    let parts = u64::from(large.0 / small.0);
    let larges = format!("{} {}", grouped(smalls / parts), large.1);
    match smalls % parts {
        0 => larges,
        rest => format!("{larges} {rest} {}", small.1),
    }
}

#[cfg(test)]
mod tests {
    use super::human_seconds;

    #[track_caller]
    fn check(seconds: f64, expect: &str) {
        assert_eq!(human_seconds(seconds), expect);
    }

    #[test]
    fn a_duration_has_at_most_two_units() {
        check(0.0, "0 s");
        check(2.5, "2.5 s");
        check(45.0, "45 s");
        check(60.0, "1 min");
        check(95.0, "1 min 35 s");
        check(1_980.0, "33 min");
        check(22_800.0, "6 h 20 min");
        check(183_600.0, "2 d 3 h");
        check(864_000_000.0, "10,000 d");
    }

    #[test]
    fn rounding_never_shows_a_full_smaller_unit() {
        check(9.99, "10 s");
        check(59.6, "1 min");
        check(119.7, "2 min");
        check(3_599.0, "1 h");
        check(7_199.0, "2 h");
        check(86_399.0, "1 d");
        check(172_799.0, "2 d");
    }

    #[test]
    fn what_is_no_duration_is_called_unknown() {
        check(f64::NAN, "unknown");
        check(f64::INFINITY, "unknown");
        check(-1.0, "unknown");
    }
}
