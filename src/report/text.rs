//! Texts that an app or a file provided, made harmless for where they are shown.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Longest name that a report for people shows in full, in characters.
const LONGEST: usize = 160;

/// `text` with everything that is invisible or steers a terminal spelt out.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unseen(c) {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

/// JSON in which everything that is invisible or steers a terminal is escaped, and which says the
/// same: outside of its strings there is no such thing.
pub(super) fn visible_json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        if is_unseen(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(c);
        }
    }
    safe
}

/// [`visible`] text that is short enough for a table.
pub(super) fn short(text: &str) -> String {
    let safe = visible(text);
    match safe.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &safe[..end]),
        None => safe.into_owned(),
    }
}

/// Whether `c` is not seen as a character of its own: controls, text direction, zero width,
/// private use and what XML forbids.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e0fff}'
            | '\u{f0000}'..='\u{10ffff}')
}

/// Short, visible text for HTML, as content or in a quoted attribute.
pub(super) fn html(text: &str) -> String {
    html_escaped(&short(text))
}

/// The lines of a visible text for HTML, as far as they fit into `most` bytes.
pub(super) fn html_lines(text: &str, most: usize) -> String {
    let mut safe = String::new();
    for line in text.lines() {
        let line = html_escaped(&visible(line));
        if safe.len() + line.len() > most {
            safe.push('…');
            break;
        }
        safe.push_str(&line);
        safe.push('\n');
    }
    safe
}

/// Text of any length for HTML, as content or in a quoted attribute; for words of our own.
pub(super) fn html_escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

/// A remark in Markdown: plain if it is plain words, else as code.
pub(super) fn markdown_remark(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || " ,;()%".contains(c);
    if text.starts_with(char::is_alphanumeric) && text.len() <= LONGEST && text.chars().all(plain) {
        return text.to_owned();
    }
    markdown(text)
}

/// Short, visible text as code in Markdown, inside or outside a table.
///
/// A code span shows most names as they are. No escape inside of a span works both in tables
/// and outside of them, so names with markup become an HTML element of character references;
/// forges look for mentions, links and issue numbers in neither.
pub(super) fn markdown(text: &str) -> String {
    let safe = short(text);
    if safe.trim().is_empty() {
        return "<code>&nbsp;</code>".to_owned();
    }
    if !safe.contains(['`', '|', '\\', '<', '>', '&', '@']) {
        return format!("`{safe}`");
    }
    let mut code = String::from("<code>");
    for c in safe.chars() {
        if c.is_ascii_punctuation() {
            code.push_str("&#");
            code.push_str(&u32::from(c).to_string());
            code.push(';');
        } else {
            code.push(c);
        }
    }
    code + "</code>"
}

#[cfg(test)]
mod tests {
    use super::{html, markdown, markdown_remark, short, visible};

    #[test]
    fn names_with_nothing_special_stay_as_they_are() {
        for name in ["method:com.app.Main.onCreate", "Größe 大 🎉", "a_b*c"] {
            assert_eq!(visible(name), name);
            assert_eq!(html(name), name);
            assert_eq!(markdown(name), format!("`{name}`"));
        }
    }

    #[test]
    fn what_steers_a_terminal_or_turns_text_around_is_spelt_out() {
        let spelt = visible("a\u{1b}[31m\0\n\r\t\u{9b}\u{202e}\u{200b}\u{2028}z");
        let expect = r"a\u{1b}[31m\u{0}\n\r\t\u{9b}\u{202e}\u{200b}\u{2028}z";
        assert_eq!(spelt, expect);
    }

    #[test]
    fn markup_is_shown_as_text_in_html() {
        assert_eq!(
            html("<script>\"a\" & 'b'</script>"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;"
        );
    }

    #[test]
    fn markup_is_shown_as_text_in_markdown() {
        assert_eq!(markdown("a|b"), "<code>a&#124;b</code>");
        assert_eq!(markdown("`x`"), "<code>&#96;x&#96;</code>");
        assert_eq!(markdown("@everyone"), "<code>&#64;everyone</code>");
        assert_eq!(markdown("a\nb"), "<code>a&#92;nb</code>");
        assert_eq!(markdown("<b>"), "<code>&#60;b&#62;</code>");
        assert_eq!(markdown(""), "<code>&nbsp;</code>");
    }

    #[test]
    fn a_remark_is_plain_only_if_it_has_no_markup() {
        assert_eq!(markdown_remark("7 of 10 runs"), "7 of 10 runs");
        assert_eq!(markdown_remark("see www.x.io"), "`see www.x.io`");
        assert_eq!(markdown_remark("[a](b)"), "`[a](b)`");
        assert_eq!(markdown_remark("*a*"), "`*a*`");
        assert_eq!(markdown_remark("a @b"), "<code>a &#64;b</code>");
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        let shown = short(&"ä".repeat(500));
        assert_eq!(shown, "ä".repeat(160) + "…");
    }
}
