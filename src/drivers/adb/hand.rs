//! Deeds as commands of the device's shell.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::deed::Deed;
use super::words::quoted;

/// The keyboard that types any text it is told by broadcast.
pub(super) const KEYBOARD: &str = "com.android.adbkeyboard/.AdbIME";
/// More characters than these are not taken away at once.
const MOST_ERASED: usize = 500;
const MOVE_END: u16 = 123;
const DELETE: u16 = 67;

/// The command for a deed; the reason where adb cannot do it.
pub(super) fn script(deed: &Deed, rotation: u8, has_keyboard: bool) -> Result<String, String> {
    Ok(match deed {
        Deed::Tap(x, y) => format!("input tap {x} {y}"),
        Deed::Double(x, y) => format!("input tap {x} {y}; input tap {x} {y}"),
        Deed::Stroke { from, to, millis } => {
            format!(
                "input swipe {} {} {} {} {millis}",
                from.0, from.1, to.0, to.1
            )
        }
        Deed::Press(key) => format!("input keyevent {}", key.0),
        Deed::Type(text) if text.is_ascii() => typed(text),
        Deed::Type(text) if has_keyboard => {
            let bytes = STANDARD.encode(text);
            format!("am broadcast -a ADB_INPUT_B64 --es msg {}", quoted(&bytes))
        }
        Deed::Type(text) => {
            return Err(format!(
                "`{text}` has letters that `input text` cannot type; install the keyboard app \
                 com.android.adbkeyboard on the device"
            ));
        }
        Deed::Erase(0) | Deed::Choose(_) => "true".to_owned(),
        Deed::Erase(count) => {
            let deletes = vec![DELETE.to_string(); (*count).min(MOST_ERASED)];
            format!("input keyevent {MOVE_END} {}", deletes.join(" "))
        }
        Deed::Rotate(quarters) => {
            let quarters = quarters.unwrap_or(u8::from(rotation == 0));
            format!(
                "settings put system accelerometer_rotation 0; settings put system user_rotation {quarters}"
            )
        }
        Deed::Launch(component) => format!("am start -W -n {}", quoted(component)),
        Deed::Intent(uri) => format!("am start -W -d {}", quoted(uri)),
        Deed::Impossible(why) => return Err(format!("adb cannot do this: it {why}")),
    })
}

/// Commands that type a text of plain letters.
///
/// `input text` takes `%s` for a blank, so a real `%s` is typed in two pieces; line ends and tabs
/// are keys.
fn typed(text: &str) -> String {
    let mut commands: Vec<String> = Vec::new();
    let mut piece = String::new();
    let flush = |piece: &mut String, commands: &mut Vec<String>| {
        if !piece.is_empty() {
            let whole = std::mem::take(piece);
            commands.push(format!("input text {}", quoted(&whole)));
        }
    };
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '\n' | '\t' => {
                flush(&mut piece, &mut commands);
                let key = if c == '\n' { 66 } else { 61 };
                commands.push(format!("input keyevent {key}"));
            }
            ' ' => piece.push_str("%s"),
            's' if before == '%' => {
                flush(&mut piece, &mut commands);
                piece.push('s');
            }
            c if c.is_control() => {}
            c => piece.push(c),
        }
        before = c;
    }
    flush(&mut piece, &mut commands);
    if commands.is_empty() {
        return "true".to_owned();
    }
    commands.join("; ")
}

#[cfg(test)]
mod tests {
    use super::super::deed::Deed;
    use super::script;

    #[track_caller]
    fn check(deed: &Deed, expect: &str) {
        assert_eq!(script(deed, 0, true).as_deref(), Ok(expect));
    }

    #[test]
    fn text_is_quoted_and_blanks_have_their_own_spelling() {
        let text = |text: &str| Deed::Type(text.to_owned());
        check(&text("shoes"), "input text shoes");
        check(&text("a b"), "input text a%sb");
        check(&text("100%sure"), "input text 100%; input text sure");
        check(
            &text("a\nb"),
            "input text a; input keyevent 66; input text b",
        );
        check(&text("'; reboot"), r"input text ''\'';%sreboot'");
        check(&text("é"), "am broadcast -a ADB_INPUT_B64 --es msg w6k=");
        assert!(script(&text("é"), 0, false).is_err());
    }

    #[test]
    fn turning_goes_to_the_other_way_unless_told() {
        let put = "settings put system accelerometer_rotation 0; settings put system user_rotation";
        assert_eq!(script(&Deed::Rotate(None), 0, true), Ok(format!("{put} 1")));
        assert_eq!(script(&Deed::Rotate(None), 1, true), Ok(format!("{put} 0")));
        assert_eq!(
            script(&Deed::Rotate(Some(3)), 1, true),
            Ok(format!("{put} 3"))
        );
    }
}
