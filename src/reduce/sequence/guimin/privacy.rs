//! What typed text gives away: bytes by category, found by what fields are called and by what texts
//! look like.
//!
//! Detectors err on the side of telling: a text counts in the first category that claims it, and all
//! of it counts. What nobody claims is not sensitive as far as anyone can tell.

use std::collections::BTreeMap;

/// What a text may give away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// Who somebody is: names, addresses, mail, phone.
    Identity,
    /// What opens doors: passwords, tokens, card numbers.
    Credentials,
    /// Where somebody is.
    Location,
    /// What somebody did: what was touched, in words of the app.
    Behaviour,
    /// What users say is nobody's business.
    Confidential,
}

impl Category {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Credentials => "credentials",
            Self::Location => "location",
            Self::Behaviour => "behaviour",
            Self::Confidential => "confidential",
        }
    }
}

/// Text that an action types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Typed<'a> {
    /// What it is typed into; empty if that is unknown.
    pub field: &'a str,
    /// The text.
    pub text: &'a str,
}

/// The text that an action types: `DispatchString(text)`, `typeFIELD(text)` or `type:FIELD=text`.
#[must_use]
pub fn typed(action: &str) -> Option<Typed<'_>> {
    if let Some(text) = action
        .strip_prefix("DispatchString(")
        .and_then(|text| text.strip_suffix(')'))
    {
        return Some(Typed { field: "", text });
    }
    for verb in ["type", "text", "input", "change", "enter"] {
        let Some(rest) = action.strip_prefix(verb) else {
            continue;
        };
        if let Some((field, text)) = rest.strip_prefix(':').and_then(|rest| rest.split_once('=')) {
            return Some(Typed { field, text });
        }
        if let Some((field, text)) = rest.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
            return Some(Typed { field, text });
        }
    }
    None
}

/// An action that types another text into the same field.
#[must_use]
pub fn retyped(action: &str, text: &str) -> Option<String> {
    let old = typed(action)?;
    let at = old.text.as_ptr() as usize - action.as_ptr() as usize;
    let mut new = action.to_owned();
    new.replace_range(at..at + old.text.len(), text);
    Some(new)
}

/// Words of users, in which `*` stands for anything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Patterns(Vec<String>);

impl Patterns {
    /// Patterns as users write them; upper and lower case are the same.
    #[must_use]
    pub fn new(patterns: &[String]) -> Self {
        Self(
            patterns
                .iter()
                .map(|pattern| pattern.to_lowercase())
                .collect(),
        )
    }

    fn claim(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.0.iter().any(|pattern| contains(&text, pattern))
    }
}

/// Whether the parts of a pattern occur in a text one after the other.
fn contains(text: &str, pattern: &str) -> bool {
    let mut rest = text;
    let parts = pattern.split('*').filter(|part| !part.is_empty());
    let mut any = false;
    for part in parts {
        any = true;
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    any
}

/// Words in names of fields and what they tell of the text.
const FIELDS: &[(Category, &[&str])] = &[
    (
        Category::Credentials,
        &[
            "password", "passwd", "pwd", "pin", "token", "secret", "cvv", "cvc", "card", "iban",
            "login",
        ],
    ),
    (
        Category::Identity,
        &[
            "name", "mail", "phone", "mobile", "address", "street", "city", "zip", "postcode",
            "birth", "user", "ssn",
        ],
    ),
    (
        Category::Location,
        &["latitude", "longitude", "location", "gps", "coord"],
    ),
];

/// The category of a text, by the patterns of users, the name of its field, and its looks.
#[must_use]
pub fn category(typed: Typed, patterns: &Patterns) -> Option<Category> {
    let Typed { field, text } = typed;
    if text.is_empty() {
        return None;
    }
    if patterns.claim(text) || patterns.claim(field) {
        return Some(Category::Confidential);
    }
    let field = field.to_lowercase();
    let by_field = FIELDS
        .iter()
        .find(|(_, words)| words.iter().any(|word| field.contains(word)));
    by_field
        .map(|(category, _)| *category)
        .or_else(|| by_looks(text))
}

fn by_looks(text: &str) -> Option<Category> {
    let text = text.trim();
    if is_card(text) || is_token(text) {
        Some(Category::Credentials)
    } else if is_coordinates(text) {
        Some(Category::Location)
    } else if is_mail(text) || is_phone(text) || is_full_name(text) {
        Some(Category::Identity)
    } else {
        None
    }
}

fn is_mail(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || "<>,;()".contains(c));
    words.any(|word| match word.split_once('@') {
        Some((who, host)) => {
            !who.is_empty() && host.contains('.') && !host.starts_with('.') && !host.ends_with('.')
        }
        None => false,
    })
}

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

fn is_phone(text: &str) -> bool {
    let is_dialled = |c: char| c.is_ascii_digit() || " +-./()".contains(c);
    let n = digits(text).len();
    text.chars().all(is_dialled) && (7..=15).contains(&n) && !text.contains("..")
}

/// Thirteen to nineteen digits whose check digit fits.
fn is_card(text: &str) -> bool {
    let digits = digits(text);
    let is_spaced = text
        .chars()
        .all(|c| c.is_ascii_digit() || c == ' ' || c == '-');
    if !is_spaced || !(13..=19).contains(&digits.len()) {
        return false;
    }
    let doubled = |(i, &digit): (usize, &u32)| match i % 2 {
        0 => digit,
        _ => digit * 2 - if digit > 4 { 9 } else { 0 },
    };
    digits.iter().rev().enumerate().map(doubled).sum::<u32>() % 10 == 0
}

/// A latitude and a longitude with decimals.
fn is_coordinates(text: &str) -> bool {
    let parts: Vec<&str> = text
        .split([',', ';', ' '])
        .filter(|part| !part.is_empty())
        .collect();
    let number = |text: &str, most: f64| {
        let value = text.parse::<f64>().ok();
        text.contains('.') && value.is_some_and(|value| value.abs() <= most)
    };
    matches!(*parts, [lat, lon] if number(lat, 90.0) && number(lon, 180.0))
}

/// A long word of letters and digits, as only machines make them.
fn is_token(text: &str) -> bool {
    let word = text.strip_prefix("Bearer ").unwrap_or(text);
    let is_word = word
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "-_.=+/".contains(c));
    let has = |test: fn(&char) -> bool| word.chars().any(|c| test(&c));
    is_word && word.len() >= 20 && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
}

/// Two or three words that begin with capitals and have nothing but letters.
fn is_full_name(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let is_name = |word: &&str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase)
            && word.len() > 1
            && letters.all(|c| c.is_lowercase() || "-'".contains(c))
    };
    (2..=3).contains(&words.len()) && words.iter().all(is_name)
}

/// The sensitive bytes of actions by category. What is not typed tells what somebody did.
pub fn bytes<'a>(
    actions: impl IntoIterator<Item = &'a str>,
    patterns: &Patterns,
) -> BTreeMap<Category, usize> {
    let mut bytes = BTreeMap::new();
    for action in actions {
        let text = typed(action);
        let n_typed = text.map_or(0, |typed| typed.text.len());
        *bytes.entry(Category::Behaviour).or_default() += action.len() - n_typed;
        if let Some(category) = text.and_then(|typed| category(typed, patterns)) {
            *bytes.entry(category).or_default() += n_typed;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{Category, Patterns, bytes, category, retyped, typed};

    #[track_caller]
    fn check(action: &str, expect: Option<Category>) {
        let patterns = Patterns::new(&["project*falcon".to_owned()]);
        let found = typed(action).and_then(|typed| category(typed, &patterns));
        assert_eq!(found, expect, "{action}");
    }

    #[test]
    fn texts_are_known_by_their_looks() {
        check("DispatchString(jo@example.org)", Some(Category::Identity));
        check(
            "DispatchString(+31 (30) 253-4000)",
            Some(Category::Identity),
        );
        check("DispatchString(Ada Lovelace)", Some(Category::Identity));
        check(
            "DispatchString(4111 1111 1111 1111)",
            Some(Category::Credentials),
        );
        check(
            "DispatchString(ghp_16C7e42F292c6912E7710c838347Ae17)",
            Some(Category::Credentials),
        );
        check("DispatchString(52.0907, 5.1214)", Some(Category::Location));
        check(
            "DispatchString(The Project FALCON is late)",
            Some(Category::Confidential),
        );
    }

    #[test]
    fn texts_are_known_by_their_fields() {
        check("typeIDY_checkout_fullname(xx)", Some(Category::Identity));
        check("type:pwd=abc", Some(Category::Credentials));
        check("type:longitude=5", Some(Category::Location));
    }

    #[test]
    fn plain_texts_and_other_actions_give_nothing_away() {
        check("DispatchString(milk and eggs)", None);
        check("DispatchString(4111 1111 1111 1112)", None);
        check("type:note=", None);
        check("tap:name", None);
        check("DispatchString(12.5)", None);
    }

    #[test]
    fn bytes_are_counted_by_category() {
        let actions = ["tap:menu", "type:email=a@b.c", "type:note=hello"];
        let counted = bytes(actions, &Patterns::default());
        assert_eq!(counted[&Category::Identity], 5);
        assert_eq!(counted[&Category::Behaviour], 8 + 11 + 10);
        assert_eq!(counted.len(), 2);
    }

    #[test]
    fn another_text_is_typed_into_the_same_field() {
        assert_eq!(
            retyped("type:email=a@b.c", "x").as_deref(),
            Some("type:email=x")
        );
        assert_eq!(retyped("typeF(a)", "").as_deref(), Some("typeF()"));
        assert_eq!(retyped("tap:x", "y"), None);
    }
}
