//! The options somebody may have meant by a name that no option has.

/// How alike two names must be to be worth a question.
const ALIKE: f64 = 0.85;

/// The options nearest to `wrong`: the best in spelling, or all of the same last name.
pub(super) fn suggest<'a>(wrong: &str, options: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut scored: Vec<(f64, &str)> = options
        .map(|option| (likeness(wrong, option), option))
        .filter(|(score, _)| *score >= ALIKE)
        .collect();
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let best = scored.first().map_or(0.0, |(score, _)| *score);
    scored
        .into_iter()
        .take_while(|(score, _)| best - score < f64::EPSILON)
        .map(|(_, option)| option.to_owned())
        .collect()
}

/// The last name counts by itself too, because the usual slip is the wrong table; a whole name
/// that is nearly right still comes first.
fn likeness(wrong: &str, option: &str) -> f64 {
    let whole = strsim::normalized_damerau_levenshtein(wrong, option);
    let last = strsim::normalized_damerau_levenshtein(last_name(wrong), last_name(option));
    let whole = if whole >= 0.6 {
        0.9 + whole / 10.0
    } else {
        0.0
    };
    let last = if last >= 0.6 { 0.8 + last / 10.0 } else { 0.0 };
    whole.max(last)
}

fn last_name(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::suggest;

    #[track_caller]
    fn check(wrong: &str, expect: &[&str]) {
        let options = [
            "seed",
            "out",
            "replay.runs",
            "replay.after_divergence",
            "loops.max_work",
            "splice.max_work",
            "splice.fragments",
        ];
        assert_eq!(suggest(wrong, options.into_iter()), expect, "{wrong}");
    }

    #[test]
    fn a_slip_of_the_fingers_is_recognised() {
        check("sed", &["seed"]);
        check("replay.rnus", &["replay.runs"]);
        check("reply.runs", &["replay.runs"]);
        check("loops.max_wrk", &["loops.max_work"]);
        check("replay.after-divergence", &["replay.after_divergence"]);
    }

    #[test]
    fn an_option_in_the_wrong_table_is_found_in_the_right_one() {
        check("runs", &["replay.runs"]);
        check("loops.fragments", &["splice.fragments"]);
        check("fragment", &["splice.fragments"]);
    }

    #[test]
    fn options_that_are_as_likely_are_all_named() {
        check("max_work", &["loops.max_work", "splice.max_work"]);
    }

    #[test]
    fn a_name_that_is_like_no_other_gets_no_suggestion() {
        check("colour", &[]);
        check("x", &[]);
    }
}
