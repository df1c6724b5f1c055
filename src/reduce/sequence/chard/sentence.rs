//! Events as sentences, in the form of Section 6, with the significance of each.
//!
//! `#8,9 is a Touch event that clicks on ListView with the id "list", causing the launch of activity
//! "/.Add", whose level is Essential.` The table of levels is not legible in our copy of the paper;
//! its figures and its text give the criteria used here.

use std::fmt::{self, Write as _};

use super::events::{Event, Object, Recording, View};
use crate::model::Names;
use crate::model::gesture::Gesture;

/// How much an event matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// It hit nothing.
    Trivial,
    /// It was done to something, and nothing is known to have come of it.
    Minor,
    /// Something happened inside the app.
    Major,
    /// Another window, the start of the app, or a fault.
    Essential,
}

impl Level {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Trivial => "Trivial",
            Self::Minor => "Minor",
            Self::Major => "Major",
            Self::Essential => "Essential",
        }
    }
}

/// A sentence in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// The numbers of the low-level events.
    pub ids: Vec<u32>,
    /// The kind of event.
    pub kind: &'static str,
    /// What is done, and to what.
    pub operates: Option<String>,
    /// What came of it.
    pub result: Option<String>,
    /// How much it matters.
    pub level: Level,
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<_> = self.ids.iter().map(u32::to_string).collect();
        write!(f, "#{} is a {} event", ids.join(","), self.kind)?;
        match (&self.operates, &self.result) {
            (Some(operates), Some(result)) => write!(f, " that {operates}, causing {result}")?,
            (Some(operates), None) => write!(f, " that {operates}")?,
            (None, Some(result)) => write!(f, " that causes {result}")?,
            (None, None) => {}
        }
        write!(f, ", whose level is {}.", self.level.name())
    }
}

/// The sentence of the start; `action` is how the app was started, if that is known.
#[must_use]
pub fn launch(recording: &Recording, names: &Names, action: Option<&Gesture>) -> Sentence {
    let screen = names.screen_name(recording.launch.screen);
    let what = match action {
        Some(Gesture::Launch { package, .. }) => format!("the entry page of {}", quoted(package)),
        _ => "the app".to_owned(),
    };
    Sentence {
        ids: vec![1],
        kind: "Appswitch",
        operates: Some(format!("opens {what}")),
        result: Some(format!("the launch of {}", place(screen, package(screen)))),
        level: Level::Essential,
    }
}

/// The sentences of all events.
#[must_use]
pub fn sentences(recording: &Recording, names: &Names) -> Vec<Sentence> {
    let app = package(names.screen_name(recording.launch.screen));
    // The windows that are open, one over the other.
    let mut open = vec![recording.launch];
    let mut sentences = Vec::with_capacity(recording.events.len());
    for event in &recording.events {
        let (kind, operates) = operation(event);
        sentences.push(Sentence {
            ids: event.ids.clone(),
            kind,
            operates,
            result: result(event, names, app, &mut open),
            level: level(event),
        });
    }
    sentences
}

/// How much an event matters; the highest level that fits.
#[must_use]
pub fn level(event: &Event) -> Level {
    let changes_all = matches!(
        event.gesture,
        Some(Gesture::Launch { .. } | Gesture::Rotate { .. } | Gesture::Pinch { .. })
    );
    if changes_all && event.injected || event.moves() || event.fault.is_some() {
        Level::Essential
    } else if event.inside == Some(true) {
        Level::Major
    } else if event.object == Object::Nothing || !event.injected {
        Level::Trivial
    } else {
        Level::Minor
    }
}

fn operation(event: &Event) -> (&'static str, Option<String>) {
    let Some(gesture) = &event.gesture else {
        return spelt(&event.action);
    };
    let on = |verb: &str| match &event.object {
        Object::Widget(widget) => {
            let mut text = format!("{verb} on {}", widget.class);
            let id = (!widget.id.is_empty()).then(|| format!("the id {}", quoted(&widget.id)));
            let label = widget.label();
            let shown = (!label.is_empty()).then(|| format!("text {}", quoted(label)));
            let parts: Vec<_> = id.into_iter().chain(shown).collect();
            if !parts.is_empty() {
                let _ = write!(text, " with {}", parts.join(" and "));
            }
            Some(text)
        }
        Object::Nothing => None,
        _ => gesture.at().map(|at| format!("{verb} at ({at})")),
    };
    let operates = match gesture {
        Gesture::Tap { .. } => on("clicks"),
        Gesture::Hold { .. } => on("clicks long"),
        Gesture::Swipe { .. } => on("swipes"),
        Gesture::Pinch { .. } => on("pinches"),
        Gesture::Press(key) => Some(format!("presses {key}")),
        Gesture::Type(text) => Some(format!("types {}", quoted(text))),
        Gesture::Rotate { quarters, .. } => Some(format!(
            "turns the screen to {} degrees",
            u32::from(*quarters) * 90
        )),
        Gesture::Flip { open: true } => Some("opens the keyboard".to_owned()),
        Gesture::Flip { open: false } => Some("closes the keyboard".to_owned()),
        Gesture::Trackball { by } => Some(format!("turns the trackball by ({by})")),
        Gesture::Launch { package, .. } => {
            Some(format!("opens the entry page of {}", quoted(package)))
        }
    };
    (gesture.kind(), operates)
}

/// Actions as suites of other origin spell them: `tap:menu`, or anything else.
fn spelt(action: &str) -> (&'static str, Option<String>) {
    let (verb, object) = action.split_once(':').unwrap_or((action, ""));
    let (kind, does) = match verb {
        "tap" | "click" | "itemclick" | "touch" => ("Touch", "clicks on"),
        "longtap" | "longclick" | "hold" => ("LongTouch", "clicks long on"),
        "swipe" | "scroll" | "drag" => ("Motion", "swipes over"),
        "type" | "text" | "input" => ("Text", "types into"),
        "key" | "press" => ("Key", "presses"),
        "back" => return ("MajorNav", Some("presses BACK".to_owned())),
        "rotate" => ("Rotation", "turns the screen to"),
        _ => return ("Action", Some(format!("does {}", quoted(action)))),
    };
    match object {
        "" => (kind, Some(format!("does {}", quoted(action)))),
        object => (kind, Some(format!("{does} {}", quoted(object)))),
    }
}

fn result(event: &Event, names: &Names, app: &str, open: &mut Vec<View>) -> Option<String> {
    if let Some(fault) = &event.fault {
        return Some(format!("the crash of the app ({fault})"));
    }
    if !event.injected {
        return Some("nothing, since the input failed".to_owned());
    }
    if !event.moves() {
        return event.rejected.then(|| "something to be refused".to_owned());
    }
    let name = |view: View| place(names.screen_name(view.screen), app);
    let is_window = event.before.screen == event.after.screen;
    if let Some(below) = open.iter().position(|view| *view == event.after) {
        open.truncate(below + 1);
        return Some(if is_window {
            let window = event.before.window;
            format!("the close of window {window} of {}", name(event.before))
        } else {
            format!("the return to {}", name(event.after))
        });
    }
    open.push(event.after);
    Some(if is_window {
        let window = event.after.window;
        format!("the launch of window {window} of {}", name(event.after))
    } else {
        format!("the launch of {}", name(event.after))
    })
}

fn package(screen: &str) -> &str {
    screen.split_once('/').map_or("", |(package, _)| package)
}

/// The name of a screen as sentences have it: without the package of the app itself.
fn place(screen: &str, app: &str) -> String {
    match screen.strip_prefix(app) {
        Some(rest) if !app.is_empty() && rest.starts_with('/') => {
            format!("activity {}", quoted(rest))
        }
        _ if screen.contains('/') => format!("activity {}", quoted(screen)),
        _ => format!("screen {}", quoted(screen)),
    }
}

/// Longer texts are cut: a sentence is to be read.
const MOST_CHARS: usize = 80;

fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(MOST_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("\"{short}\"")
}

#[cfg(test)]
mod tests;
