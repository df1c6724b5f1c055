//! Texts as words of the device's shell: nothing in them has a meaning there.

/// A text between single quotes, in which nothing has a meaning but the quote itself.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/:,@%+=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) && !text.starts_with('-') {
        return text.to_owned();
    }
    // A NUL ends every argument, quoted or not.
    let text = text.replace('\0', "");
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn plain_words_stay_and_everything_else_is_quoted() {
        assert_eq!(quoted("org.example.app/.Home"), "org.example.app/.Home");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("-rf"), "'-rf'");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(
            quoted("'; reboot; $(reboot) `x` \""),
            r#"''\''; reboot; $(reboot) `x` "'"#
        );
        assert_eq!(quoted("a\0b\n"), "'ab\n'");
    }
}
