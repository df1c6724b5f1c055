//! The one spelling of a gesture, `Command(argument, …)`, and the reader of all spellings.

use std::fmt;

use super::{Gesture, Key, Point};

impl fmt::Display for Gesture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Launch { package, activity } => {
                write!(f, "LaunchActivity({package}, {activity})")
            }
            Self::Tap { at, millis } => write!(f, "Tap({at}, {millis})"),
            Self::Hold { at, millis } => write!(f, "PressAndHold({at}, {millis})"),
            Self::Swipe { from, to, steps } => write!(f, "Drag({from}, {to}, {steps})"),
            Self::Pinch { fingers, steps } => {
                let [(from, to), (other_from, other_to)] = fingers;
                write!(
                    f,
                    "PinchZoom({from}, {to}, {other_from}, {other_to}, {steps})"
                )
            }
            Self::Trackball { by } => {
                write!(f, "DispatchTrackball(0, 0, 2, {by}, 0, 0, 0, 0, 0, 0, 0)")
            }
            Self::Press(key) => write!(f, "DispatchPress({})", key.0),
            Self::Type(text) => write!(f, "DispatchString({text})"),
            Self::Rotate { quarters, persist } => {
                write!(f, "RotateScreen({quarters}, {})", u8::from(*persist))
            }
            Self::Flip { open } => write!(f, "DispatchFlip({open})"),
        }
    }
}

/// The name of a command and what stands between its brackets.
fn call(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.trim().split_once('(')?;
    let arguments = rest.strip_suffix(')')?;
    let is_word = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic());
    is_word(name.trim_end()).then_some((name.trim_end(), arguments))
}

impl Gesture {
    /// The gesture that a command means; none for another command or one with bad arguments.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (name, arguments) = call(text)?;
        if name == "DispatchString" {
            return Some(Self::Type(arguments.to_owned()));
        }
        let words: Vec<&str> = arguments.split(',').map(str::trim).collect();
        Self::of_words(name, &words)
    }

    fn of_words(name: &str, words: &[&str]) -> Option<Self> {
        match (name, words) {
            ("LaunchActivity", [package, activity, ..]) if !package.is_empty() => {
                let (package, activity) = ((*package).to_owned(), (*activity).to_owned());
                (!activity.is_empty()).then_some(Self::Launch { package, activity })
            }
            ("Tap", [x, y]) => tap(point(x, y)?, 0),
            ("Tap", [x, y, millis]) => tap(point(x, y)?, number(millis)?),
            ("PressAndHold", [x, y, millis]) => Some(Self::Hold {
                at: point(x, y)?,
                millis: number(millis)?,
            }),
            ("Drag", [a, b, c, d, steps]) => Some(Self::Swipe {
                from: point(a, b)?,
                to: point(c, d)?,
                steps: number(steps)?,
            }),
            ("PinchZoom", [places @ .., steps]) => Some(Self::Pinch {
                fingers: fingers(places)?,
                steps: number(steps)?,
            }),
            ("DispatchTrackball", [_, _, _, x, y, ..]) => {
                Some(Self::Trackball { by: point(x, y)? })
            }
            ("DispatchPress", [key]) => Key::parse(key).map(Self::Press),
            ("RotateScreen", [quarters]) => rotate(quarters, "0"),
            ("RotateScreen", [quarters, persist]) => rotate(quarters, persist),
            ("DispatchFlip", [open]) => open.parse().ok().map(|open| Self::Flip { open }),
            _ => None,
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it is an arm among optional ones")]
fn tap(at: Point, millis: u32) -> Option<Gesture> {
    Some(Gesture::Tap { at, millis })
}

fn rotate(quarters: &str, persist: &str) -> Option<Gesture> {
    let quarters = quarters.parse().ok().filter(|quarters| *quarters < 4)?;
    let persist = match persist {
        "0" | "false" => false,
        "1" | "true" => true,
        _ => return None,
    };
    Some(Gesture::Rotate { quarters, persist })
}

/// Where each of two fingers starts and ends.
fn fingers(places: &[&str]) -> Option<[(Point, Point); 2]> {
    let mut points = Vec::new();
    for pair in places.chunks(2) {
        let [x, y] = pair else { return None };
        points.push(point(x, y)?);
    }
    match *points {
        [from, to, other_from, other_to] => Some([(from, to), (other_from, other_to)]),
        _ => None,
    }
}

fn point(x: &str, y: &str) -> Option<Point> {
    Point::new(x.parse().ok()?, y.parse().ok()?)
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::Gesture;

    /// The gesture in its one spelling.
    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        let read = Gesture::parse(text);
        assert_eq!(read.as_ref().map(Gesture::to_string).as_deref(), expect);
        if let (Some(read), Some(expect)) = (read, expect) {
            assert_eq!(Gesture::parse(expect), Some(read), "{expect} is not stable");
        }
    }

    #[test]
    fn commands_of_scripts_are_read_and_written() {
        check(
            "LaunchActivity(a.b, a.b.C)",
            Some("LaunchActivity(a.b, a.b.C)"),
        );
        check(
            " Tap( 912.2389 ,1009.93427, 0) ",
            Some("Tap(912.2389, 1009.93427, 0)"),
        );
        check("Tap(5, 6)", Some("Tap(5.0, 6.0, 0)"));
        check(
            "PressAndHold(1, 2, 900)",
            Some("PressAndHold(1.0, 2.0, 900)"),
        );
        check("Drag(1, 2, 3, 4, 5)", Some("Drag(1.0, 2.0, 3.0, 4.0, 5)"));
        check(
            "PinchZoom(1,2,3,4,5,6,7,8,9)",
            Some("PinchZoom(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9)"),
        );
        check("DispatchPress(KEYCODE_BACK)", Some("DispatchPress(4)"));
        check("RotateScreen(3, true)", Some("RotateScreen(3, 1)"));
        check("DispatchFlip(false)", Some("DispatchFlip(false)"));
        check(
            "DispatchTrackball(1,2,2,-5,4.5,1,1,0,0,0,0,0)",
            Some("DispatchTrackball(0, 0, 2, -5.0, 4.5, 0, 0, 0, 0, 0, 0, 0)"),
        );
    }

    #[test]
    fn typed_text_keeps_its_brackets_commas_and_blanks() {
        check("DispatchString( a, (b) )", Some("DispatchString( a, (b) )"));
    }

    #[test]
    fn what_is_no_gesture_is_none() {
        for text in [
            "",
            "Tap",
            "Tap(",
            "Tap()",
            "Tap(1)",
            "Tap(1, x, 0)",
            "Tap(NaN, 1, 0)",
            "Tap(1e9, 1, 0)",
            "Tap(1, 2, -3)",
            "RotateScreen(4)",
            "LaunchActivity(, )",
            "rm -rf (x)",
            "DispatchPress(999999)",
        ] {
            check(text, None);
        }
    }
}
