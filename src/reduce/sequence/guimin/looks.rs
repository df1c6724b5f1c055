//! What texts look like: names, mail, phone numbers, cards, coordinates and what opens doors, wherever
//! they stand in a text.

use super::privacy::Category;

/// What a text seems to give away, by its looks alone.
pub(super) fn category(text: &str) -> Option<Category> {
    let text = text.trim();
    if numbers(text).iter().any(|number| is_card(number)) || text.split_whitespace().any(is_token) {
        Some(Category::Credentials)
    } else if has_coordinates(text) {
        Some(Category::Location)
    } else if has_mail(text) || numbers(text).iter().any(|n| is_phone(n)) || is_full_name(text) {
        Some(Category::Identity)
    } else {
        None
    }
}

fn has_mail(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || "<>,;()".contains(c));
    words.any(|word| match word.split_once('@') {
        Some((who, host)) => {
            !who.is_empty() && host.contains('.') && !host.starts_with('.') && !host.ends_with('.')
        }
        None => false,
    })
}

/// The pieces of a text that are written like long numbers: digits and what people put between them.
fn numbers(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_digit() || " +-./()".contains(c);
    let pieces = text.split(|c: char| !is_part(c));
    pieces
        .map(|piece| piece.trim_matches([' ', '.', '-', '/']))
        .collect()
}

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

/// Seven to fifteen digits, as far as they are no fraction and no date.
fn is_phone(text: &str) -> bool {
    let n = digits(text).len();
    let is_decimal = text.matches('.').count() == 1 && text.parse::<f64>().is_ok();
    (7..=15).contains(&n) && !text.contains("..") && !is_decimal && !is_date(text)
}

/// Such as 2024-01-31 or 31.01.2024: three numbers of which one is a year.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['-', '.', '/']).collect();
    let is_number = |part: &&str, len: usize| {
        part.len() <= len && !part.is_empty() && part.chars().all(|c| c.is_ascii_digit())
    };
    match parts[..] {
        [year, month, day] if year.len() == 4 => {
            is_number(&year, 4) && is_number(&month, 2) && is_number(&day, 2)
        }
        [day, month, year] => is_number(&day, 2) && is_number(&month, 2) && is_number(&year, 4),
        _ => false,
    }
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

/// A latitude and behind it a longitude, both with decimals.
fn has_coordinates(text: &str) -> bool {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || ",;()".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let number = |text: &str, most: f64| {
        let value = text.parse::<f64>().ok();
        let decimals = text
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len());
        decimals >= 2 && value.is_some_and(|value| value.abs() <= most)
    };
    words
        .windows(2)
        .any(|pair| number(pair[0], 90.0) && number(pair[1], 180.0))
}

/// A long word of letters and digits, as only machines make them.
fn is_token(word: &str) -> bool {
    let is_word = word
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "-_.=+/".contains(c));
    let has = |test: fn(&char) -> bool| word.chars().any(|c| test(&c));
    is_word && word.len() >= 20 && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
}

/// Two to four words that begin with capitals and have nothing but letters; those between may be
/// small, as in `Vincent van Gogh`.
fn is_full_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_part = |word: &str| {
        let letters = word.trim_end_matches('.');
        !letters.is_empty()
            && letters
                .chars()
                .all(|c| c.is_alphabetic() || "-'’".contains(c))
            && letters.chars().skip(1).any(char::is_lowercase) | (letters.chars().count() == 1)
    };
    let is_capital = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    (2..=4).contains(&words.len())
        && words.iter().all(|word| is_part(word))
        && is_capital(words[0])
        && is_capital(words[words.len() - 1])
        && words[1..]
            .iter()
            .all(|word| is_capital(word) || word.len() <= 3)
}

#[cfg(test)]
mod tests {
    use super::category;
    use crate::reduce::sequence::guimin::privacy::Category::{Credentials, Identity, Location};

    #[test]
    fn private_texts_are_known_wherever_they_stand() {
        let cases = [
            (Identity, "jo@example.org"),
            (Identity, "write to <jo@example.org>, please"),
            (Identity, "+31 (30) 253-4000"),
            (Identity, "call me: 030/2534000 today"),
            (Identity, "Ada Lovelace"),
            (Identity, "Vincent van Gogh"),
            (Identity, "John F. Kennedy"),
            (Identity, "Anne-Marie O'Neil"),
            (Credentials, "4111 1111 1111 1111"),
            (Credentials, "card 4111-1111-1111-1111 exp 12/27"),
            (Credentials, "ghp_16C7e42F292c6912E7710c838347Ae17"),
            (Credentials, "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0"),
            (Location, "52.0907, 5.1214"),
            (Location, "at (-33.86, 151.21) since noon"),
        ];
        for (expect, text) in cases {
            assert_eq!(category(text), Some(expect), "{text}");
        }
    }

    #[test]
    fn plain_texts_give_nothing_away() {
        let texts = [
            "milk and eggs",
            "4111 1111 1111 1112 2",
            "12.5",
            "1234567.5",
            "2024-01-31",
            "31.01.2024",
            "1.5 2.5",
            "version 1.2.3",
            "Hello",
            "HELLO WORLD",
            "Buy Milk & Eggs",
            "",
        ];
        for text in texts {
            assert_eq!(category(text), None, "{text}");
        }
    }
}
