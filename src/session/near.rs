//! The names somebody may have meant by one that nothing has.

/// How alike two names must be to be worth a question.
const ALIKE: f64 = 0.6;
/// How many are worth asking about.
const MOST: usize = 3;

/// The names nearest to `wrong`, best first, as the end of a sentence.
pub(super) fn did_you_mean<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> String {
    let mut near: Vec<(f64, &str)> = Vec::new();
    let length = wrong.chars().count();
    for name in names {
        // Names of very different length are never alike, and most names are of those.
        let other = name.chars().count();
        if (length.min(other) as f64) < ALIKE * length.max(other) as f64 {
            continue;
        }
        let likeness = strsim::normalized_damerau_levenshtein(wrong, name);
        if likeness >= ALIKE {
            near.push((likeness, name));
        }
    }
    near.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
    near.dedup();
    let near: Vec<_> = near
        .iter()
        .take(MOST)
        .map(|(_, n)| format!("`{n}`"))
        .collect();
    if near.is_empty() {
        return String::new();
    }
    format!("; did you mean {}?", near.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[track_caller]
    fn check(wrong: &str, expect: &str) {
        let names = ["t17", "t18", "screen:Home", "method:com.app.Main.onCreate"];
        assert_eq!(did_you_mean(wrong, names.into_iter()), expect);
    }

    #[test]
    fn near_names_are_asked_about_best_first() {
        check("t7", "; did you mean `t17`?");
        check("scren:Hme", "; did you mean `screen:Home`?");
        check("t19", "; did you mean `t17` or `t18`?");
        check(
            "method:com.app.main.oncreate",
            "; did you mean `method:com.app.Main.onCreate`?",
        );
    }

    #[test]
    fn what_is_like_nothing_gets_no_question() {
        check("checkout", "");
        check("", "");
    }
}
