//! Steps as scripts of other tools know them: an act on a widget, a drag between places, or the start
//! of an app, whichever way the suite spells it.

use super::Exported;
use crate::model::act::{Act, Target, Verb};
use crate::model::gesture::{Gesture, Key, Point, component_parts};
use crate::model::{Names, Suite, TraceIdx};

/// What a step does.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Deed {
    Act(Act),
    Drag {
        from: [i32; 2],
        to: [i32; 2],
        millis: u32,
    },
    Start {
        package: String,
        activity: Option<String>,
    },
}

/// How long a drag takes whose moves alone are known.
const MILLIS_A_MOVE: u32 = 20;

impl Deed {
    /// What an action does, if any tool for phones could do it.
    pub(super) fn of(action: &str) -> Option<Self> {
        if let Ok(act) = Act::parse(action) {
            return Some(match start_of(&act) {
                Some((package, activity)) => Self::Start { package, activity },
                None => Self::Act(act),
            });
        }
        match Gesture::parse(action)? {
            Gesture::Launch { package, activity } => Some(Self::Start {
                package,
                activity: Some(activity),
            }),
            Gesture::Tap { at, .. } => Some(Self::Act(Act::on(Verb::Tap, at_place(at)))),
            Gesture::Hold { at, .. } => Some(Self::Act(Act::on(Verb::Hold, at_place(at)))),
            Gesture::Swipe { from, to, steps } => Some(Self::Drag {
                from: place(from),
                to: place(to),
                millis: steps.saturating_mul(MILLIS_A_MOVE).clamp(100, 60_000),
            }),
            Gesture::Press(Key::BACK) => Some(Self::Act(Act::plain(Verb::Back))),
            Gesture::Press(Key::HOME) => Some(Self::Act(Act::plain(Verb::Home))),
            Gesture::Press(key) => Some(Self::Act(Act::plain(Verb::Key(key.0.to_string())))),
            Gesture::Type(text) => Some(Self::Act(Act::plain(Verb::Type(text)))),
            Gesture::Rotate { quarters, .. } => Some(Self::Act(Act::plain(Verb::Rotate(quarters)))),
            Gesture::Pinch { .. } | Gesture::Trackball { .. } | Gesture::Flip { .. } => None,
        }
    }
}

fn place(at: Point) -> [i32; 2] {
    [at.x as i32, at.y as i32]
}

fn at_place(at: Point) -> Target {
    Target {
        at: Some(place(at)),
        ..Target::default()
    }
}

/// The app that an intent opens and does nothing else to.
fn start_of(act: &Act) -> Option<(String, Option<String>)> {
    let Verb::Intent(uri) = &act.verb else {
        return None;
    };
    let inside = uri.strip_prefix("intent:#Intent;")?.strip_suffix(";end")?;
    match inside.split(';').collect::<Vec<_>>()[..] {
        [one] => {
            if let Some(component) = one.strip_prefix("component=") {
                let (package, activity) = component_parts(component)?;
                return Some((package, Some(activity)));
            }
            let package = one.strip_prefix("package=")?;
            Some((package.to_owned(), None))
        }
        _ => None,
    }
}

/// The Android code of a key by its name, as acts name keys, or by its number.
pub(super) fn key_code(name: &str) -> Option<u16> {
    let plain = name.strip_prefix("KEYCODE_").unwrap_or(name).to_uppercase();
    let plain = match &*plain {
        "BACKSPACE" | "DELETE" => "DEL",
        "RETURN" => "ENTER",
        "ARROWUP" => "DPAD_UP",
        "ARROWDOWN" => "DPAD_DOWN",
        "ARROWLEFT" => "DPAD_LEFT",
        "ARROWRIGHT" => "DPAD_RIGHT",
        other => other,
    };
    match *plain.as_bytes() {
        [letter @ b'A'..=b'Z'] => Some(29 + u16::from(letter - b'A')),
        [_, _, ..] | [b'0'..=b'9'] => {
            let key = Key::parse(plain).or_else(|| Key::parse(&format!("KEYCODE_{plain}")));
            key.map(|key| key.0)
        }
        _ => None,
    }
}

/// The app of a trace: what its launch was recorded to open, or what its first screen names.
pub(super) fn app(suite: &Suite, names: &Names, idx: TraceIdx) -> Option<(String, Option<String>)> {
    let trace = suite.trace(idx);
    let field = |name: &str| {
        let fields = trace.launch_fields.iter().chain(trace.fields);
        let mut found = fields.filter(|(field, _)| **field == *name);
        let found = found.next()?;
        serde_json::from_str::<String>(&found.1).ok()
    };
    let recorded = field("action").and_then(|action| match Deed::of(&action) {
        Some(Deed::Start { package, activity }) => Some((package, activity)),
        _ => None,
    });
    let shown = || {
        let screen = names.screen_name(trace.launch_screen);
        let screen = screen.split('#').next().unwrap_or(screen);
        let (package, activity) = component_parts(screen)?;
        Some((package, Some(activity)))
    };
    let found = recorded
        .or_else(|| field("package").map(|package| (package, None)))
        .or_else(shown);
    found.filter(|(package, activity)| is_name(package) && activity.as_deref().is_none_or(is_name))
}

/// Whether a text can be a package or an activity, and so is safe everywhere.
fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._$".contains(c);
    text.contains('.') && text.chars().all(is_part)
}

/// Writes a trace step by step; what `write` refuses is told.
pub(super) fn write_steps(
    suite: &Suite,
    names: &Names,
    idx: TraceIdx,
    text: String,
    mut write: impl FnMut(&mut String, &Deed) -> Option<()>,
) -> Exported {
    let mut exported = Exported {
        text,
        unwritten: Vec::new(),
    };
    for (i, step) in suite.steps(idx).iter().enumerate() {
        let action = names.action_text(step.action);
        let mut lines = String::new();
        let written = Deed::of(action).and_then(|deed| write(&mut lines, &deed));
        if written.is_some() {
            exported.text.push_str(&lines);
        } else {
            exported.unwritten.push((i, action.to_owned()));
        }
    }
    exported
}

/// A comment without anything that could end it or upset a terminal.
pub(super) fn remark(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().take(200) {
        if c.is_control() || "*/\u{2028}\u{2029}".contains(c) {
            out.push('_');
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Deed, key_code, remark};

    #[track_caller]
    fn starts(action: &str, expect: Option<(&str, Option<&str>)>) {
        let start = match Deed::of(action) {
            Some(Deed::Start { package, activity }) => Some((package, activity)),
            _ => None,
        };
        let expect = expect.map(|(p, a)| (p.to_owned(), a.map(str::to_owned)));
        assert_eq!(start, expect);
    }

    #[test]
    fn starts_are_known_whichever_way_they_are_spelt() {
        starts("LaunchActivity(a.b, a.b.C)", Some(("a.b", Some("a.b.C"))));
        let intent =
            |inside: &str| format!(r#"{{"do":"intent","to":"intent:#Intent;{inside};end"}}"#);
        starts(&intent("component=a.b/.C"), Some(("a.b", Some("a.b.C"))));
        starts(&intent("package=a.b"), Some(("a.b", None)));
        starts(&intent("component=a.b/.C;S.x=1"), None);
        starts("tap:menu", None);
    }

    #[test]
    fn keys_go_by_name_and_by_number() {
        let codes = ["Enter", "KEYCODE_BACK", "66", "a", "Backspace", "F77", ""].map(key_code);
        let expect = [Some(66), Some(4), Some(66), Some(29), Some(67), None, None];
        assert_eq!(codes, expect);
    }

    #[test]
    fn remarks_cannot_be_left() {
        assert_eq!(remark("a\n*/ b\u{1b}"), "a___ b_");
    }
}
