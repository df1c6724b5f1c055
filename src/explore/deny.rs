//! What must never be done: widgets whose words say something dangerous.
//!
//! Words are compared without case, and as if there were no spaces, so that "log out" is found in
//! `Logout`, `log_out`, `btnLogOut` and "Log out now", while "pay" is not found in "display".

/// Things that must never be done, by the words on their widgets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deny {
    phrases: Vec<String>,
}

impl Deny {
    /// Denies everything that says one of these phrases.
    pub fn new<'a>(phrases: impl IntoIterator<Item = &'a str>) -> Self {
        let phrases = phrases.into_iter().map(|phrase| words(phrase).concat());
        let mut phrases: Vec<String> = phrases.filter(|phrase| !phrase.is_empty()).collect();
        phrases.sort_unstable();
        phrases.dedup();
        Self { phrases }
    }

    /// The phrases as they are compared.
    #[must_use]
    pub fn phrases(&self) -> &[String] {
        &self.phrases
    }

    /// Whether a text says one of the phrases.
    #[must_use]
    pub fn is_said_by(&self, text: &str) -> bool {
        let words = words(text);
        (0..words.len()).any(|first| self.starts(&words[first..]))
    }

    /// Whether some phrase is made of the first of these words.
    fn starts(&self, words: &[String]) -> bool {
        let longest = self.phrases.iter().map(String::len).max().unwrap_or(0);
        let mut said = String::new();
        for word in words {
            said.push_str(word);
            if said.len() > longest {
                return false;
            }
            if self.phrases.contains(&said) {
                return true;
            }
        }
        false
    }
}

/// The words of a text, in lower case: letters and digits, cut where a small letter is followed
/// by a capital.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in text.chars() {
        let starts = !c.is_alphanumeric() || (was_small && c.is_uppercase());
        if starts && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::Deny;

    #[track_caller]
    fn check(text: &str, expect: bool) {
        let deny = Deny::new(["log out", "Delete account", "pay", "", "…"]);
        assert_eq!(deny.is_said_by(text), expect, "{text}");
    }

    #[test]
    fn phrases_are_found_however_they_are_spelt() {
        for text in [
            "Log out",
            "LOGOUT",
            "tap:log_out",
            "btnLogOut",
            "Please log  out now!",
            "com.app:id/delete-account",
            "Pay",
            "Pay 3 €",
            "deleteAccountButton",
        ] {
            check(text, true);
        }
    }

    #[test]
    fn parts_of_other_words_are_no_phrases() {
        for text in [
            "",
            "display",
            "payload",
            "Log",
            "log in",
            "outlog out",
            "delete my account",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn nothing_is_denied_by_nothing() {
        assert!(!Deny::new([]).is_said_by("Delete account"));
        assert!(!Deny::new(["", " "]).is_said_by(""));
    }
}
