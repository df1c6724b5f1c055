//! One event of `DroidBot`: what was done, and the states before and after it.

use serde::Deserialize;

use super::state::WireView;
use crate::model::act::{Act, Side, Target, Verb};

/// An event.
#[derive(Debug, PartialEq)]
pub(super) struct Event {
    pub(super) done: Done,
    /// The state that it was done to.
    pub(super) start: String,
    /// The state that the tool saw after it.
    pub(super) stop: String,
}

/// What was done.
#[derive(Debug, PartialEq)]
pub(super) enum Done {
    /// The app was stopped, as at the beginning of a run.
    Kill,
    Act(Act),
    /// A command of the shell that no act stands for.
    Shell(String),
}

impl Done {
    /// Its spelling as an action.
    pub(super) fn action(&self) -> String {
        match self {
            Self::Kill => "kill app".to_owned(),
            Self::Act(act) => act.to_string(),
            Self::Shell(text) => crate::model::action::plain(text.into()).into_owned(),
        }
    }

    pub(super) fn is_home(&self) -> bool {
        matches!(self, Self::Act(act) if act.verb == Verb::Home)
    }

    /// Whether it opens an app.
    pub(super) fn is_start(&self) -> bool {
        matches!(self, Self::Act(Act { verb: Verb::Intent(to), .. }) if to.contains("component="))
    }
}

#[derive(Deserialize)]
struct Wire {
    event: WireEvent,
    #[serde(default)]
    start_state: Option<String>,
    #[serde(default)]
    stop_state: Option<String>,
}

#[derive(Deserialize)]
struct WireEvent {
    event_type: String,
    #[serde(default)]
    x: Option<f64>,
    #[serde(default)]
    y: Option<f64>,
    #[serde(default)]
    view: Option<WireView>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    direction: Option<String>,
    #[serde(default)]
    intent: Option<String>,
}

/// What stands for a state that an event does not name.
const UNKNOWN: &str = "unknown";

/// Reads the file of an event; the reason if it cannot be used.
pub(super) fn parse(bytes: &[u8]) -> Result<Event, String> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err("the file of the event is empty".to_owned());
    }
    let text = super::super::bytes::text(bytes);
    let wire: Wire =
        serde_json::from_str(&text).map_err(|error| format!("no event of DroidBot: {error}"))?;
    let state = |state: Option<String>| {
        let known = state.filter(|state| !state.is_empty());
        known.unwrap_or_else(|| UNKNOWN.to_owned())
    };
    Ok(Event {
        done: done(wire.event)?,
        start: state(wire.start_state),
        stop: state(wire.stop_state),
    })
}

fn done(event: WireEvent) -> Result<Done, String> {
    let target = || {
        let place = event.x.zip(event.y);
        let target = target(event.view.as_ref(), place);
        target.ok_or_else(|| format!("`{}` says neither where nor on what", event.event_type))
    };
    let act = match &*event.event_type {
        "kill_app" => return Ok(Done::Kill),
        "touch" | "select" | "unselect" => Act::on(Verb::Tap, target()?),
        "long_touch" => Act::on(Verb::Hold, target()?),
        "set_text" => Act::on(
            Verb::Type(event.text.clone().unwrap_or_default()),
            target()?,
        ),
        "scroll" => {
            let name = event.direction.as_deref().unwrap_or("DOWN");
            let mut sides = Side::ALL.iter();
            let side = sides.find(|(side, _)| side.eq_ignore_ascii_case(name));
            let (_, side) = side.ok_or_else(|| format!("no side is called `{name}`"))?;
            Act {
                verb: Verb::Scroll(*side),
                target: target().ok(),
            }
        }
        "key" => match event.name.as_deref() {
            Some("BACK") => Act::plain(Verb::Back),
            Some("MENU") => Act::plain(Verb::Menu),
            Some("HOME") => Act::plain(Verb::Home),
            Some(name) => Act::plain(Verb::Key(name.to_owned())),
            None => return Err("a key without a name".to_owned()),
        },
        "intent" => {
            let intent = event.intent.ok_or("an intent that says nothing")?;
            return Ok(shell(&intent));
        }
        other => return Err(format!("no kind of event is called `{other}`")),
    };
    Ok(Done::Act(act))
}

/// `am start PACKAGE/ACTIVITY` is an intent; other commands stay what they are.
fn shell(command: &str) -> Done {
    let words: Vec<&str> = command.split_whitespace().collect();
    match *words {
        ["am", "start", component] | ["am", "start", "-n", component]
            if component.contains('/') =>
        {
            let intent = format!("intent:#Intent;component={component};end");
            Done::Act(Act::plain(Verb::Intent(intent)))
        }
        _ => Done::Shell(command.to_owned()),
    }
}

/// A view by what its event tells of it, and by its place where nothing is written on it.
fn target(view: Option<&WireView>, place: Option<(f64, f64)>) -> Option<Target> {
    let at = place.map(|(x, y)| [x as i32, y as i32]);
    let Some(view) = view else {
        return at.map(|at| Target {
            at: Some(at),
            ..Target::default()
        });
    };
    let widget = view.widget();
    let short = |text: &str| {
        let fits = text.chars().count() <= 80;
        if fits { text.to_owned() } else { String::new() }
    };
    // What is typed into a field is not what the field is called.
    let text = if widget.takes.types {
        String::new()
    } else {
        short(&widget.text)
    };
    let mut target = Target {
        class: widget.class.clone(),
        id: short(&widget.id),
        description: short(&widget.description),
        text,
        ..Target::default()
    };
    if target.text.is_empty() && target.description.is_empty() {
        let bounds = widget.bounds;
        let middle = |low: i32, high: i32| i32::midpoint(low, high);
        let middle = [
            middle(bounds.left, bounds.right),
            middle(bounds.top, bounds.bottom),
        ];
        target.at = at.or(Some(middle));
    }
    Some(target)
}
