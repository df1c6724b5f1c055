//! Numbers as people read them: grouped digits, shares and factors.

/// `count` with a comma between groups of three digits.
pub(super) fn grouped(count: impl TryInto<u64>) -> String {
    let digits = count.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `count` things, with an `s` where there is not just one.
pub(super) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// What ends a list that leaves `rest` names out.
pub(super) fn and_more(rest: usize) -> String {
    match rest {
        0 => String::new(),
        rest => format!(" and {} more", grouped(rest)),
    }
}

/// `part` as a percentage of `whole`, never rounded up to 100 or down to 0.
pub(super) fn percent(part: f64, whole: f64) -> String {
    if whole <= 0.0 || !part.is_finite() || !whole.is_finite() {
        return "–".to_owned();
    }
    let share = part / whole * 100.0;
    if share > 0.0 && share < 0.1 {
        "<0.1 %".to_owned()
    } else if share > 99.9 && share < 100.0 {
        ">99.9 %".to_owned()
    } else if (share - share.round()).abs() < 0.05 {
        format!("{share:.0} %")
    } else {
        format!("{share:.1} %")
    }
}

/// A share that is promised, as a percentage that is never rounded up.
pub(super) fn at_least(share: f64) -> String {
    // A share that is a whole number of thousandths may be stored as slightly less.
    let thousandths = (share * 1000.0 + 1e-6).floor();
    percent(thousandths, 1000.0)
}

/// How many times smaller `after` is than `before`, as "19x less".
pub(super) fn factor(before: f64, after: f64, less: &str) -> Option<String> {
    let ratio = before / after;
    if !ratio.is_finite() || ratio < 1.05 {
        return None;
    }
    let digits = usize::from(ratio < 9.95);
    Some(format!("{ratio:.digits$}x {less}"))
}

#[cfg(test)]
mod tests {
    use super::{at_least, counted, factor, grouped, percent};

    #[test]
    fn digits_are_grouped_by_three() {
        let shown = [0_u64, 7, 999, 1_000, 13_078, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "7", "999", "1,000", "13,078", "1,234,567"]);
    }

    #[test]
    fn one_thing_has_no_plural() {
        assert_eq!(counted(1, "trace"), "1 trace");
        assert_eq!(counted(2_000, "trace"), "2,000 traces");
    }

    #[test]
    fn percentages_do_not_round_a_loss_away() {
        assert_eq!(percent(99_999.0, 100_000.0), ">99.9 %");
        assert_eq!(percent(1.0, 100_000.0), "<0.1 %");
        assert_eq!(percent(9.0, 800.0), "1.1 %");
        assert_eq!(percent(1.0, 2.0), "50 %");
        assert_eq!(percent(0.0, 0.0), "–");
    }

    #[test]
    fn a_promise_is_never_rounded_up() {
        assert_eq!(at_least(0.9739), "97.3 %");
        assert_eq!(at_least(0.999_99), "99.9 %");
        assert_eq!(at_least(0.57), "57 %");
        assert_eq!(at_least(0.95), "95 %");
        assert_eq!(at_least(1.0), "100 %");
        assert_eq!(at_least(f64::NAN), "–");
    }

    #[test]
    fn factors_are_shown_only_where_something_got_smaller() {
        assert_eq!(factor(800.0, 9.0, "fewer"), Some("89x fewer".to_owned()));
        assert_eq!(factor(3.0, 2.0, "less"), Some("1.5x less".to_owned()));
        assert_eq!(factor(2.0, 2.0, "less"), None);
        assert_eq!(factor(2.0, 0.0, "less"), None);
    }
}
