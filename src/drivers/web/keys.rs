//! Keys of a keyboard by the names that pages know them by.

use serde_json::{Value, json};

/// A key as the browser wants it: name, code, number, and the text it types.
struct Key {
    name: String,
    code: String,
    number: u32,
    text: String,
}

/// Keys that type nothing, or something other than their name.
const NAMED: [(&str, u32, &str); 16] = [
    ("Enter", 13, "\r"),
    ("Tab", 9, ""),
    ("Escape", 27, ""),
    ("Backspace", 8, ""),
    ("Delete", 46, ""),
    ("Insert", 45, ""),
    ("Home", 36, ""),
    ("End", 35, ""),
    ("PageUp", 33, ""),
    ("PageDown", 34, ""),
    ("ArrowLeft", 37, ""),
    ("ArrowUp", 38, ""),
    ("ArrowRight", 39, ""),
    ("ArrowDown", 40, ""),
    ("Space", 32, " "),
    ("F2", 113, ""),
];

/// The modifiers of a chord such as `Control+Shift+A`, by their bits in the protocol.
const MODIFIERS: [(&str, u32, u32); 4] = [
    ("Alt", 1, 18),
    ("Control", 2, 17),
    ("Meta", 4, 91),
    ("Shift", 8, 16),
];

impl Key {
    fn named(name: &str) -> Option<Self> {
        let known = NAMED.iter().find(|(known, ..)| *known == name);
        if let Some((name, number, text)) = known {
            let spelt = if *name == "Space" { " " } else { name };
            return Some(Self {
                name: spelt.to_owned(),
                code: (*name).to_owned(),
                number: *number,
                text: (*text).to_owned(),
            });
        }
        let mut letters = name.chars();
        let letter = letters.next().filter(|_| letters.next().is_none())?;
        let upper = letter.to_ascii_uppercase();
        let (code, number) = match upper {
            'A'..='Z' => (format!("Key{upper}"), upper as u32),
            '0'..='9' => (format!("Digit{upper}"), upper as u32),
            _ => (String::new(), 0),
        };
        Some(Self {
            name: name.to_owned(),
            code,
            number,
            text: name.to_owned(),
        })
    }
}

/// The messages of `Input.dispatchKeyEvent` that press and release a key or a chord of them;
/// none where no key has this name.
pub(super) fn press(chord: &str) -> Option<Vec<Value>> {
    // The plus sign is a key of its own.
    let (held, last) = match chord.rsplit_once('+') {
        Some((held, last)) if !last.is_empty() => (held.split('+').collect(), last),
        _ => (Vec::new(), chord),
    };
    let mut messages = Vec::new();
    let (mut bits, mut released) = (0, Vec::new());
    for name in held {
        let (name, bit, number) = MODIFIERS.iter().find(|(known, ..)| *known == name)?;
        bits |= bit;
        let message = |what: &str, bits: u32| json!({"type": what, "key": name, "code": format!("{name}Left"), "windowsVirtualKeyCode": number, "modifiers": bits});
        messages.push(message("rawKeyDown", bits));
        released.push(message("keyUp", bits & !bit));
    }
    let key = Key::named(last)?;
    let types = !key.text.is_empty() && bits & !8 == 0;
    let mut down = json!({
        "type": if types { "keyDown" } else { "rawKeyDown" }, "key": key.name, "code": key.code,
        "windowsVirtualKeyCode": key.number, "modifiers": bits,
    });
    if types {
        down["text"] = json!(key.text);
    }
    // A browser without a window has no menu that would know what select all is.
    if bits == 2 && key.number == u32::from(b'A') {
        down["commands"] = json!(["selectAll"]);
    }
    messages.push(down);
    messages.push(json!({"type": "keyUp", "key": key.name, "code": key.code, "windowsVirtualKeyCode": key.number, "modifiers": bits}));
    messages.extend(released.into_iter().rev());
    Some(messages)
}
