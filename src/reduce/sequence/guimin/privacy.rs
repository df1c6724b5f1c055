//! What typed text gives away: bytes by category, found by what fields are called and by what texts
//! look like.
//!
//! Detectors err on the side of telling: a text counts in the first category that claims it, and all
//! of it counts. What nobody claims is not sensitive as far as anyone can tell.

use std::collections::BTreeMap;

use super::looks;
use super::typed::{Typed, typed};

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

/// Parts of the names of fields and what they tell of the text.
const PARTS: &[(Category, &[&str])] = &[
    (
        Category::Credentials,
        &[
            "password", "passwd", "passcode", "token", "secret", "card", "login",
        ],
    ),
    (
        Category::Identity,
        &[
            "name", "mail", "phone", "mobile", "address", "street", "postcode", "postal", "birth",
            "user",
        ],
    ),
    (
        Category::Location,
        &["latitude", "longitude", "location", "coord"],
    ),
];

/// The same for what tells only as a word of its own: shopping has no pin.
const WORDS: &[(Category, &[&str])] = &[
    (
        Category::Credentials,
        &["pwd", "pin", "cvv", "cvc", "iban", "otp"],
    ),
    (Category::Identity, &["city", "zip", "ssn"]),
    (Category::Location, &["lat", "lon", "lng", "gps"]),
];

/// The category of a text, by the patterns of users, the name of its field, and its looks.
#[must_use]
pub fn category(typed: &Typed, patterns: &Patterns) -> Option<Category> {
    let Typed { field, text } = typed;
    if text.is_empty() {
        return None;
    }
    if patterns.claim(text) || patterns.claim(field) {
        return Some(Category::Confidential);
    }
    by_field(field).or_else(|| looks::category(text))
}

fn by_field(field: &str) -> Option<Category> {
    let small = field.to_lowercase();
    let is_part = |parts: &[&str]| parts.iter().any(|part| small.contains(part));
    let words = words(field);
    let is_word = |named: &[&str]| words.iter().any(|word| named.contains(&word.as_str()));
    let by_part = PARTS.iter().find(|(_, parts)| is_part(parts));
    let by_word = WORDS.iter().find(|(_, named)| is_word(named));
    let found = by_part.or(by_word);
    found.map(|(category, _)| *category)
}

/// The words of a name such as `checkout_pinCode`, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_small) {
            words.push(String::new());
        }
        was_small = c.is_lowercase();
        if c.is_alphanumeric() {
            words
                .last_mut()
                .expect("there is a first word")
                .extend(c.to_lowercase());
        }
    }
    words
}

/// The sensitive bytes of actions by category. What is not typed tells what somebody did.
pub fn bytes<'a>(
    actions: impl IntoIterator<Item = &'a str>,
    patterns: &Patterns,
) -> BTreeMap<Category, usize> {
    let mut bytes = BTreeMap::new();
    for action in actions {
        let text = typed(action);
        let n_typed = text.as_ref().map_or(0, |typed| typed.text.len());
        let rest = action.len().saturating_sub(n_typed);
        *bytes.entry(Category::Behaviour).or_default() += rest;
        if let Some(category) = text.and_then(|typed| category(&typed, patterns)) {
            *bytes.entry(category).or_default() += n_typed;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{Category, Patterns, bytes, category, typed};

    #[track_caller]
    fn check(action: &str, expect: Option<Category>) {
        let patterns = Patterns::new(&["project*falcon".to_owned()]);
        let found = typed(action).and_then(|typed| category(&typed, &patterns));
        assert_eq!(found, expect, "{action}");
    }

    #[test]
    fn texts_are_known_by_patterns_of_users_before_all_else() {
        check(
            "DispatchString(The Project FALCON is late)",
            Some(Category::Confidential),
        );
        check(
            "type:mail=falcon@project.falcon.org",
            Some(Category::Confidential),
        );
        check("DispatchString(jo@example.org)", Some(Category::Identity));
    }

    #[test]
    fn texts_are_known_by_their_fields() {
        check("typeIDY_checkout_fullname(xx)", Some(Category::Identity));
        check("type:pwd=abc", Some(Category::Credentials));
        check("type:pinCode=1", Some(Category::Credentials));
        check("type:longitude=5", Some(Category::Location));
        check(
            r#"{"do":"type","on":{"id":"e-mail"},"text":"x"}"#,
            Some(Category::Identity),
        );
    }

    #[test]
    fn plain_texts_and_other_actions_give_nothing_away() {
        check("DispatchString(milk and eggs)", None);
        check("type:shopping=milk", None);
        check("type:capacity=5", None);
        check("type:note=", None);
        check("tap:name", None);
    }

    #[test]
    fn bytes_are_counted_by_category() {
        let actions = ["tap:menu", "type:email=a@b.c", "type:note=hello"];
        let counted = bytes(actions, &Patterns::default());
        assert_eq!(counted[&Category::Identity], 5);
        assert_eq!(counted[&Category::Behaviour], 8 + 11 + 10);
        assert_eq!(counted.len(), 2);
    }
}
