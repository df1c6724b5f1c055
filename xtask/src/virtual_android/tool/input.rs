//! Input: touches, keys and text.

use reduce_suite::model::gesture::Key;

use crate::virtual_android::phone::Phone;
use crate::virtual_android::shell::{Call, Done};

/// From so many milliseconds on a touch is a long one.
const LONG: u64 = 400;
/// A finger that moves less than this stays where it is.
const SLOP: i32 = 8;

pub(super) fn input(call: &Call) -> Done {
    let words: Vec<&str> = call.words.iter().map(String::as_str).collect();
    let words = match words.split_first() {
        Some((&("keyboard" | "touchscreen" | "mouse" | "dpad"), rest)) => rest,
        _ => &words,
    };
    let number = |word: &str| word.parse::<f64>().map(|value| value.round() as i32);
    let mut phone = call.shared.phone();
    match words {
        ["tap", x, y] => match (number(x), number(y)) {
            (Ok(x), Ok(y)) => phone.touch((x, y), (x, y), 0),
            _ => return wrong("tap"),
        },
        ["swipe" | "draganddrop", a, b, c, d, rest @ ..] => {
            let millis = rest.first().map_or(Ok(300), |millis| millis.parse());
            match (number(a), number(b), number(c), number(d), millis) {
                (Ok(a), Ok(b), Ok(c), Ok(d), Ok(millis)) => phone.touch((a, b), (c, d), millis),
                _ => return wrong("swipe"),
            }
        }
        ["text", text] => {
            if !text.is_ascii() {
                return Done::fails(
                    255,
                    "java.lang.NullPointerException: Attempt to get length of null array\n\
                     \tat com.android.commands.input.Input.sendText(Input.java:195)",
                );
            }
            phone.type_text(&text.replace("%s", " "));
        }
        ["keyevent", rest @ ..] => {
            for name in rest.iter().filter(|word| !word.starts_with("--")) {
                let Some(key) = Key::parse(name) else {
                    return wrong("keyevent");
                };
                phone.press(key);
            }
        }
        _ => return wrong(words.first().unwrap_or(&"")),
    }
    Done::default()
}

fn wrong(what: &str) -> Done {
    Done::fails(255, format!("Error: Invalid arguments for command: {what}"))
}

pub(super) fn ime(call: &Call) -> Done {
    let mut phone = call.shared.phone();
    match call.word(0) {
        "set" => {
            phone.keyboard = Some(call.word(1).to_owned());
            let name = call.word(1).to_owned();
            phone
                .settings
                .insert("secure default_input_method".to_owned(), name);
        }
        "reset" => phone.keyboard = None,
        "list" => return Done::says("com.android.adbkeyboard/.AdbIME\n"),
        _ => {}
    }
    Done::says(format!("Input method {} selected\n", call.word(1)))
}

impl Phone {
    fn touch(&mut self, from: (i32, i32), to: (i32, i32), millis: u64) {
        if !self.is_awake {
            return;
        }
        let (_, screen) = self.window();
        let moved = (to.0 - from.0).abs().max((to.1 - from.1).abs());
        if self.is_locked {
            self.is_locked = from.1 - to.1 < SLOP;
            return;
        }
        if moved >= SLOP {
            match screen.stroke(from, to) {
                Some(action) => self.act(action),
                None => self.refuse(),
            }
            return;
        }
        let does = if millis >= LONG {
            screen.hit(from.0, from.1, |view| view.on_hold.as_ref())
        } else {
            screen.hit(from.0, from.1, |view| view.on_tap.as_ref())
        };
        self.touched(does.cloned());
    }

    fn press(&mut self, key: Key) {
        const SLEEP: Key = Key(223);
        const WAKE: Key = Key(224);
        const POWER: Key = Key(26);
        match key {
            WAKE => self.is_awake = true,
            SLEEP => self.is_awake = false,
            POWER => self.is_awake = !self.is_awake,
            Key::MENU if self.is_locked => self.is_locked = !self.is_awake,
            _ if self.is_locked || !self.is_awake => {}
            // A dialog of the system gets the key before the app does.
            _ if self.has_anr => self.has_anr = key != Key::BACK,
            key => {
                let (_, screen) = self.window();
                let action = screen.keys.iter().find(|(known, _)| *known == key);
                match action {
                    Some((_, action)) => self.act(&action.clone()),
                    None => self.refuse(),
                }
            }
        }
    }

    /// The screen was turned.
    pub(super) fn turned(&mut self) {
        let (_, screen) = self.window();
        match screen.rotate {
            Some(action) => self.act(&action),
            None => self.refuse(),
        }
    }
}
