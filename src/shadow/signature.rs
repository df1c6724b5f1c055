//! What stays the same when the same thing fails again: the sort of failure and the first line of
//! its message, without the numbers that change from run to run.

/// The most characters of a signature.
const LONGEST: usize = 200;
/// Numbers of so many digits are taken for ports, ids or times.
const LONG_NUMBER: usize = 4;

/// The signature of a failure of this sort with this message.
pub(super) fn signature(sort: &str, message: &str) -> String {
    let line = message.lines().map(str::trim).find(|line| !line.is_empty());
    let line = settled(line.unwrap_or(""));
    let sort = sort.trim();
    let text = match (sort.is_empty(), line.is_empty()) {
        (true, true) => "no message".to_owned(),
        (true, false) => line,
        (false, true) => sort.to_owned(),
        (false, false) if line.starts_with(sort) => line,
        (false, false) => format!("{sort}: {line}"),
    };
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A line with every address and long number written as `#`, and single blanks.
fn settled(line: &str) -> String {
    // No more of a line is looked at than can be shown.
    let line: String = line.chars().take(4 * LONGEST).collect();
    let words = line.split_whitespace().map(settled_word);
    words.collect::<Vec<_>>().join(" ")
}

fn settled_word(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric());
        let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
        text.push_str(if changes(run) { "#" } else { run });
        rest = after;
    }
    text + rest
}

/// Whether letters and digits in a row look like something that is new in every run.
fn changes(run: &str) -> bool {
    let hex = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_hexdigit());
    let has_digit = run.contains(|c: char| c.is_ascii_digit());
    run.strip_prefix("0x").is_some_and(hex)
        || (run.len() >= LONG_NUMBER && run.chars().all(|c| c.is_ascii_digit()))
        || (run.len() >= 2 * LONG_NUMBER && has_digit && hex(run))
}

#[cfg(test)]
mod tests {
    use super::signature;

    #[track_caller]
    fn check(sort: &str, message: &str, expect: &str) {
        assert_eq!(signature(sort, message), expect);
    }

    #[test]
    fn a_signature_is_the_sort_and_the_first_line() {
        check("E", "\n  it  broke \nat line 3", "E: it broke");
        check("", "it broke", "it broke");
        check("E", "", "E");
        check("E", "E: it broke", "E: it broke");
        check("", " \n", "no message");
    }

    #[test]
    fn what_changes_from_run_to_run_is_left_out() {
        check("", "Foo@7f3a9c21 at 0x7ffe", "Foo@# at #");
        check("", "port 49152 in 12 s", "port # in 12 s");
        check("", "expected <3> but was <4>", "expected <3> but was <4>");
        check("", "step deadbeef of face", "step deadbeef of face");
    }

    #[test]
    fn long_messages_are_cut_between_characters() {
        let text = signature("", &"ä".repeat(1_000_000));
        assert_eq!(text, "ä".repeat(200) + "…");
    }
}
