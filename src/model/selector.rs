//! Selectors: how CSS and `XPath` spell a text, so that no text of an app becomes a selector.

/// A text as a CSS string, with its quotation marks.
#[must_use]
pub fn css_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // CSS has no other way to write a line break or a zero in a string.
            c if c.is_control() => out.extend(["\\", &format!("{:x}", c as u32), " "]),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The text of a CSS string or of a string in single quotation marks; none if it is no string.
#[must_use]
pub fn css_text(string: &str) -> Option<String> {
    let quote = string
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    let inner = string.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut out = String::new();
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        if c == quote {
            return None;
        }
        if c != '\\' {
            out.push(c);
            continue;
        }
        let mut code = String::new();
        while let Some(digit) = chars.next_if(|c| c.is_ascii_hexdigit() && code.len() < 6) {
            code.push(digit);
        }
        if code.is_empty() {
            out.push(chars.next()?);
        } else {
            chars.next_if(|c| c.is_whitespace());
            let code = u32::from_str_radix(&code, 16).ok()?;
            out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
        }
    }
    Some(out)
}

/// A text as an `XPath` expression: `XPath` 1.0 has no escapes, so quotation marks of both kinds
/// make it a `concat`.
#[must_use]
pub fn xpath_string(text: &str) -> String {
    if !text.contains('\'') {
        return format!("'{text}'");
    }
    if !text.contains('"') {
        return format!("\"{text}\"");
    }
    let pieces = text.split('\'').map(|piece| format!("'{piece}'"));
    format!("concat({})", pieces.collect::<Vec<_>>().join(", \"'\", "))
}

/// Attributes that people put on elements for tests to find them, most common first.
pub const TEST_IDS: [&str; 5] = [
    "data-testid",
    "data-test-id",
    "data-test",
    "data-cy",
    "data-qa",
];

/// A selector of the element with this test id or id.
#[must_use]
pub fn css_of_id(id: &str) -> String {
    let id = css_string(id);
    let names = TEST_IDS.iter().chain(&["id"]);
    let selectors = names.map(|name| format!("[{name}={id}]"));
    selectors.collect::<Vec<_>>().join(", ")
}

/// The id that a selector is about, if it is about one: `#save` or what [`css_of_id`] gives.
#[must_use]
pub fn id_of_css(css: &str) -> Option<String> {
    if let Some(id) = css.strip_prefix('#') {
        return is_css_name(id).then(|| id.to_owned());
    }
    // An id may look like a selector itself.
    let mut ends = css.match_indices(", [id=");
    ends.find_map(|(at, start)| {
        let last = css[at + start.len()..].strip_suffix(']')?;
        css_text(last).filter(|id| css_of_id(id) == css)
    })
}

/// Whether a text can stand behind `#` in CSS as it is.
#[must_use]
pub fn is_css_name(text: &str) -> bool {
    let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    text.starts_with(is_first) && text.chars().all(is_inner)
}

#[cfg(test)]
mod tests {
    use super::{css_of_id, css_string, css_text, id_of_css, is_css_name, xpath_string};

    #[test]
    fn ids_are_read_back_from_their_selectors() {
        for id in ["save", "a b", "x\", [id=\"y"] {
            assert_eq!(id_of_css(&css_of_id(id)).as_deref(), Some(id));
        }
        assert_eq!(id_of_css("#save").as_deref(), Some("save"));
        for other in ["#a b", "[id=\"a\"]", "a, [id=\"a\"]", ""] {
            assert_eq!(id_of_css(other), None, "{other}");
        }
    }

    #[track_caller]
    fn check(text: &str, css: &str, xpath: &str) {
        assert_eq!(css_string(text), css);
        assert_eq!(css_text(css).as_deref(), Some(text));
        assert_eq!(xpath_string(text), xpath);
    }

    #[test]
    fn texts_stay_texts() {
        check("Save", "\"Save\"", "'Save'");
        check("it's", "\"it's\"", "\"it's\"");
        check("a\"] *", "\"a\\\"] *\"", "'a\"] *'");
        check("'\"\\", "\"'\\\"\\\\\"", "concat('', \"'\", '\"\\')");
        check("a\nb", "\"a\\a b\"", "'a\nb'");
    }

    #[test]
    fn what_is_no_string_is_none() {
        for no_string in ["", "a", "\"a", "\"a\"b\"", "\"\\\""] {
            assert_eq!(css_text(no_string), None, "{no_string}");
        }
        assert_eq!(css_text("'a\\'b'").as_deref(), Some("a'b"));
    }

    #[test]
    fn names_are_plain() {
        assert!(is_css_name("a-1_b"));
        for no_name in ["", "1a", "a b", "a>b", "-a", "a:b"] {
            assert!(!is_css_name(no_name), "{no_name}");
        }
    }
}
