//! Text that is safe and pleasant to show.

use std::borrow::Cow;

/// `text` with everything escaped that could move the cursor or reorder what is read.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        if is_unsafe(char) {
            shown.extend(char.escape_default());
        } else {
            shown.push(char);
        }
    }
    Cow::Owned(shown)
}

fn is_unsafe(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A length of time in its two largest units: "6 h 20 min", "45 s", "2 d 3 h".
#[must_use]
#[expect(clippy::cast_sign_loss, reason = "negative lengths are shown as none")]
pub fn duration_text(seconds: f64) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    let rounded_to = |unit: u64| (seconds.max(0.0) / unit as f64).round() as u64 * unit;
    // Round before choosing the units, so that no "59 min 60 s" appears.
    if rounded_to(1) < MINUTE {
        format!("{} s", rounded_to(1))
    } else if rounded_to(1) < HOUR {
        two_units(rounded_to(1), (MINUTE, "min"), (1, "s"))
    } else if rounded_to(MINUTE) < DAY {
        two_units(rounded_to(MINUTE), (HOUR, "h"), (MINUTE, "min"))
    } else {
        two_units(rounded_to(HOUR), (DAY, "d"), (HOUR, "h"))
    }
}

fn two_units(seconds: u64, large: (u64, &str), small: (u64, &str)) -> String {
    let n_large = seconds / large.0;
    match seconds % large.0 / small.0 {
        0 => format!("{n_large} {}", large.1),
        n_small => format!("{n_large} {} {n_small} {}", large.1, small.1),
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{duration_text, plain};

    #[test]
    fn harmless_text_is_shown_as_it_is() {
        assert!(matches!(plain("Pixel 7 — größer"), Cow::Borrowed(_)));
    }

    #[test]
    fn nothing_from_outside_can_steer_the_terminal() {
        assert_eq!(plain("a\u{1b}[2Jb\r\nc"), "a\\u{1b}[2Jb\\r\\nc");
        assert_eq!(plain("\u{9b}31m\u{7f}"), "\\u{9b}31m\\u{7f}");
        assert_eq!(plain("x\u{202e}y"), "x\\u{202e}y");
    }

    #[test]
    fn lengths_of_time_have_at_most_two_units() {
        let cases = [
            (0.0, "0 s"),
            (-5.0, "0 s"),
            (f64::NAN, "0 s"),
            (0.6, "1 s"),
            (45.0, "45 s"),
            (59.6, "1 min"),
            (200.0, "3 min 20 s"),
            (3599.7, "1 h"),
            (22_810.0, "6 h 20 min"),
            (86_399.0, "1 d"),
            (183_600.0, "2 d 3 h"),
            (172_800.0, "2 d"),
        ];
        for (seconds, expect) in cases {
            assert_eq!(duration_text(seconds), expect, "{seconds}");
        }
    }
}
