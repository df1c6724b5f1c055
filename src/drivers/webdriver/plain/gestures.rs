//! Gestures as the standard spells them: sequences for pointers, wheels and keys.

use serde_json::{Value, json};

use crate::model::act::{Side, Verb};

/// For how long a finger stays down where a long touch is meant, in milliseconds.
const HOLDING: u32 = 800;
/// How far a finger moves, and a wheel turns, in pixels.
const REACH: i32 = 200;
const TURN: i32 = 640;

/// Keys that have no letter, by the numbers of the standard.
const KEYS: [(&str, char); 21] = [
    ("Enter", '\u{e007}'),
    ("Tab", '\u{e004}'),
    ("Escape", '\u{e00c}'),
    ("Backspace", '\u{e003}'),
    ("Delete", '\u{e017}'),
    ("Insert", '\u{e016}'),
    ("Home", '\u{e011}'),
    ("End", '\u{e010}'),
    ("PageUp", '\u{e00e}'),
    ("PageDown", '\u{e00f}'),
    ("ArrowLeft", '\u{e012}'),
    ("ArrowUp", '\u{e013}'),
    ("ArrowRight", '\u{e014}'),
    ("ArrowDown", '\u{e015}'),
    ("Space", ' '),
    ("F2", '\u{e032}'),
    ("Alt", '\u{e00a}'),
    ("Control", '\u{e009}'),
    ("Meta", '\u{e03d}'),
    ("Shift", '\u{e008}'),
    ("Plus", '+'),
];

/// A gesture on an element; none where the verb is no such gesture.
pub(super) fn pointer(verb: &Verb, element: &Value) -> Option<Value> {
    let down = json!({"type": "pointerDown", "button": 0});
    let up = json!({"type": "pointerUp", "button": 0});
    let mut actions = vec![to(element, 0, 0)];
    match verb {
        Verb::Hover => {}
        Verb::Tap => actions.extend([down, up]),
        Verb::Double => actions.extend([down.clone(), up.clone(), down, up]),
        Verb::Hold => {
            let pause = json!({"type": "pause", "duration": HOLDING});
            actions.extend([down, pause, up]);
        }
        Verb::Swipe(side) => {
            let (right, below) = direction(*side);
            actions.push(down);
            actions.extend(
                (1..=5).map(|step| to(element, right * REACH * step / 5, below * REACH * step / 5)),
            );
            actions.push(up);
        }
        _ => return None,
    }
    let mouse = json!({"pointerType": "mouse"});
    Some(
        json!({"actions": [{"type": "pointer", "id": "mouse", "parameters": mouse, "actions": actions}]}),
    )
}

fn to(element: &Value, x: i32, y: i32) -> Value {
    json!({"type": "pointerMove", "duration": 0, "origin": element, "x": x, "y": y})
}

/// A turn of the wheel over a place of the page.
pub(super) fn wheel(side: Side, origin: &Value, x: i64, y: i64) -> Value {
    let (right, below) = direction(side);
    let turn = json!({
        "type": "scroll", "duration": 0, "origin": origin, "x": x, "y": y,
        "deltaX": right * TURN, "deltaY": below * TURN,
    });
    json!({"actions": [{"type": "wheel", "id": "wheel", "actions": [turn]}]})
}

/// A key or a chord such as `Control+A`; none where no key has this name.
pub(super) fn chord(name: &str) -> Option<Value> {
    let (held, last) = match name.rsplit_once('+') {
        Some((held, last)) if !last.is_empty() => (held.split('+').collect(), last),
        _ => (Vec::new(), name),
    };
    let mut keys = Vec::new();
    for name in held.into_iter().chain([last]) {
        keys.push(key(name)?);
    }
    let down = keys
        .iter()
        .map(|key| json!({"type": "keyDown", "value": key}));
    let up = keys
        .iter()
        .rev()
        .map(|key| json!({"type": "keyUp", "value": key}));
    Some(typed(&down.chain(up).collect::<Vec<_>>()))
}

/// The keys that type a text.
pub(super) fn text(text: &str) -> Value {
    let both = |letter: char| {
        let letter = if letter == '\n' { '\u{e007}' } else { letter };
        ["keyDown", "keyUp"].map(|what| json!({"type": what, "value": letter}))
    };
    typed(&text.chars().flat_map(both).collect::<Vec<_>>())
}

fn typed(actions: &[Value]) -> Value {
    json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]})
}

fn key(name: &str) -> Option<char> {
    let known = KEYS.iter().find(|(known, _)| *known == name);
    let mut letters = name.chars();
    let letter = letters.next().filter(|_| letters.next().is_none());
    known.map(|(_, key)| *key).or(letter)
}

/// To the right and down.
fn direction(side: Side) -> (i32, i32) {
    match side {
        Side::Up => (0, -1),
        Side::Down => (0, 1),
        Side::Left => (-1, 0),
        Side::Right => (1, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::chord;

    #[test]
    fn chords_are_released_in_reverse_and_unknown_keys_are_none() {
        let keys = chord("Control+A").unwrap()["actions"][0]["actions"].to_string();
        let expect = "[{\"type\":\"keyDown\",\"value\":\"\u{e009}\"},{\"type\":\"keyDown\",\"value\":\"A\"},\
                      {\"type\":\"keyUp\",\"value\":\"A\"},{\"type\":\"keyUp\",\"value\":\"\u{e009}\"}]";
        assert_eq!(keys, expect);
        assert!(chord("+").is_some());
        assert!(chord("Nothing").is_none() && chord("Nothing+A").is_none());
    }
}
