//! Keys of a phone by their Android key codes.

use std::fmt;

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u16);

/// The keys that matter to rules and readers, by code; others go by their number.
const NAMES: &[(u16, &str)] = &[
    (1, "SOFT_LEFT"),
    (2, "SOFT_RIGHT"),
    (3, "HOME"),
    (4, "BACK"),
    (5, "CALL"),
    (6, "ENDCALL"),
    (17, "STAR"),
    (18, "POUND"),
    (19, "DPAD_UP"),
    (20, "DPAD_DOWN"),
    (21, "DPAD_LEFT"),
    (22, "DPAD_RIGHT"),
    (23, "DPAD_CENTER"),
    (24, "VOLUME_UP"),
    (25, "VOLUME_DOWN"),
    (26, "POWER"),
    (27, "CAMERA"),
    (28, "CLEAR"),
    (61, "TAB"),
    (62, "SPACE"),
    (64, "EXPLORER"),
    (65, "ENVELOPE"),
    (66, "ENTER"),
    (67, "DEL"),
    (79, "HEADSETHOOK"),
    (80, "FOCUS"),
    (82, "MENU"),
    (83, "NOTIFICATION"),
    (84, "SEARCH"),
    (91, "MUTE"),
    (164, "VOLUME_MUTE"),
    (187, "APP_SWITCH"),
];

impl Key {
    /// The way home.
    pub const HOME: Self = Self(3);
    /// One step back.
    pub const BACK: Self = Self(4);
    /// The telephone.
    pub const CALL: Self = Self(5);
    /// Hanging up.
    pub const ENDCALL: Self = Self(6);
    /// Louder.
    pub const VOLUME_UP: Self = Self(24);
    /// Softer.
    pub const VOLUME_DOWN: Self = Self(25);
    /// Without a sound.
    pub const VOLUME_MUTE: Self = Self(164);
    /// The menu of the window.
    pub const MENU: Self = Self(82);

    /// The key of a code or of a name, with `KEYCODE_` in front or without.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(code) = text.parse() {
            return Some(Self(code));
        }
        let name = text.strip_prefix("KEYCODE_").unwrap_or(text);
        let known = NAMES.iter().find(|(_, known)| *known == name);
        known.map(|&(code, _)| Self(code)).or_else(|| plain(name))
    }

    /// The group of keys it is of, as CHARD's sentences name it.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self.0 {
            3 | 5 | 6 | 24..=26 | 164 => "SysOp",
            4 | 82 | 23 => "MajorNav",
            19..=22 => "Nav",
            _ => "Key",
        }
    }
}

/// Digits and letters, which have codes in a row.
fn plain(name: &str) -> Option<Key> {
    match name.as_bytes() {
        [digit @ b'0'..=b'9'] => Some(Key(u16::from(digit - b'0') + 7)),
        [letter @ b'A'..=b'Z'] => Some(Key(u16::from(letter - b'A') + 29)),
        _ => None,
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = NAMES.iter().find(|(code, _)| *code == self.0);
        match (known, self.0) {
            (Some((_, name)), _) => f.write_str(name),
            // A digit's name would be read as a code.
            (None, code @ 29..=54) => {
                let letter = b'A' + u8::try_from(code - 29).expect("it is below 26");
                write!(f, "{}", char::from(letter))
            }
            (None, code) => write!(f, "{code}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn every_key_is_read_back_from_its_name() {
        for code in 0..400 {
            let key = Key(code);
            assert_eq!(Key::parse(&key.to_string()), Some(key));
        }
    }

    #[test]
    fn names_may_have_their_prefix_and_unknown_ones_are_none() {
        assert_eq!(Key::parse("KEYCODE_BACK"), Some(Key::BACK));
        assert_eq!(Key::parse("KEYCODE_7"), Some(Key(14)));
        assert_eq!(Key::parse("KEYCODE_NO_SUCH"), None);
        assert_eq!(Key::parse("70000"), None);
    }
}
