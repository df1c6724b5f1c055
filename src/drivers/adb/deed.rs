//! What an action means on the present window: which widget, and which input.

use crate::model::act::{Act, Side, Target, Verb};
use crate::model::gesture::{Gesture, Key, Point};
use crate::model::window::{Bounds, Widget, Window};
use crate::replay::Aim;

/// How long a long touch takes, in milliseconds.
const HOLD_MILLIS: u32 = 1000;
/// How long a finger takes over the screen, in milliseconds.
const SWIPE_MILLIS: u32 = 300;

/// Input to a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Deed {
    Tap(i32, i32),
    Double(i32, i32),
    Stroke {
        from: (i32, i32),
        to: (i32, i32),
        millis: u32,
    },
    Press(Key),
    /// Types into what has the focus.
    Type(String),
    /// Takes away so many characters before the end.
    Erase(usize),
    /// Turns the screen; none is to the other way than now.
    Rotate(Option<u8>),
    Launch(String),
    Intent(String),
    /// Taps the entry of this text once it is shown.
    Choose(String),
    /// Nothing that adb can do.
    Impossible(&'static str),
}

/// What is to be done, and to what.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Deeds {
    pub(super) deeds: Vec<Deed>,
    pub(super) aim: Option<Aim>,
}

/// What an action means on a window; nothing where it is not there to be done.
pub(super) fn deeds(action: &str, window: &Window) -> Option<Deeds> {
    if action.starts_with('{') {
        return match Act::parse(action) {
            Ok(act) => of_act(&act, window),
            Err(_) => tap_named(action, action, window),
        };
    }
    if let Some(gesture) = Gesture::parse(action) {
        return Some(of_gesture(&gesture));
    }
    // JSON of a string that looks like JSON.
    let text: Option<String> = serde_json::from_str(action).ok();
    of_words(action, text.as_deref().unwrap_or(action), window)
}

/// Plain words: a verb, and a name behind a colon.
fn of_words(action: &str, text: &str, window: &Window) -> Option<Deeds> {
    let (verb, rest) = text.split_once(':').unwrap_or((text, ""));
    // Something may be called just so.
    if !rest.is_empty()
        && let Some(deeds) = tap_described(action, text, window)
    {
        return Some(deeds);
    }
    let on = |verb: Verb| {
        let index = find(window, rest, &verb)?;
        at_widget(&verb, index, action, "words", window)
    };
    let side = |usual| match Side::ALL.iter().find(|(name, _)| *name == rest) {
        Some((_, side)) => Some(*side),
        None => rest.is_empty().then_some(usual),
    };
    match verb {
        "back" | "menu" | "home" if rest.is_empty() => {
            let verb = match verb {
                "back" => Verb::Back,
                "menu" => Verb::Menu,
                _ => Verb::Home,
            };
            of_act(&Act::plain(verb), window)
        }
        "key" => Key::parse(&rest.to_uppercase()).map(|key| plain(Deed::Press(key))),
        "tap" | "click" => on(Verb::Tap),
        "hold" | "long" => on(Verb::Hold),
        "double" => on(Verb::Double),
        "type" => {
            let index = field(window)?;
            at_widget(&Verb::Type(rest.to_owned()), index, action, "words", window)
        }
        "scroll" => stroke(&Verb::Scroll(side(Side::Down)?), action, window),
        "swipe" => stroke(&Verb::Swipe(side(Side::Left)?), action, window),
        "rotate" if rest.is_empty() => Some(plain(Deed::Rotate(None))),
        "rotate" => {
            let quarters = rest.parse().ok().filter(|quarters| *quarters < 4)?;
            Some(plain(Deed::Rotate(Some(quarters))))
        }
        "intent" if !rest.is_empty() => Some(plain(Deed::Intent(rest.to_owned()))),
        _ => tap_named(action, text, window),
    }
}

fn plain(deed: Deed) -> Deeds {
    Deeds {
        deeds: vec![deed],
        aim: None,
    }
}

fn tap_described(action: &str, name: &str, window: &Window) -> Option<Deeds> {
    let fits = |widget: &Widget| is_usable(widget) && widget.description == name;
    let index = window.widgets.iter().position(fits)?;
    at_widget(&Verb::Tap, index, action, "words", window)
}

fn tap_named(action: &str, name: &str, window: &Window) -> Option<Deeds> {
    let index = || find(window, name, &Verb::Tap);
    tap_described(action, name, window)
        .or_else(|| at_widget(&Verb::Tap, index()?, action, "words", window))
}

/// A widget of this name: by its text, its description or its id, in this order; one that takes
/// what is to be done comes before others.
fn find(window: &Window, name: &str, verb: &Verb) -> Option<usize> {
    let plain = |c: char| match c {
        c if c.is_ascii_alphanumeric() => c.to_ascii_lowercase(),
        _ => '_',
    };
    let slug: String = name.chars().map(plain).collect();
    let ways: [&dyn Fn(&Widget) -> bool; 4] = [
        &|widget| widget.text == name,
        &|widget| widget.description == name,
        &|widget| widget.id == name,
        &|widget| widget.id == slug,
    ];
    if name.is_empty() {
        return None;
    }
    let takes = |widget: &Widget| match verb {
        Verb::Hold => widget.takes.holds,
        _ => widget.takes.taps || widget.takes.ticks,
    };
    let first = |fits: &dyn Fn(&Widget) -> bool| window.widgets.iter().position(fits);
    ways.iter().find_map(|fits| {
        first(&|widget| is_usable(widget) && fits(widget) && takes(widget))
            .or_else(|| first(&|widget| is_usable(widget) && fits(widget)))
    })
}

fn is_usable(widget: &Widget) -> bool {
    widget.takes.anything() && !widget.state.disabled
}

/// The field that has the focus, or else the first one.
fn field(window: &Window) -> Option<usize> {
    let fields = || {
        let widgets = window.widgets.iter().enumerate();
        widgets.filter(|(_, widget)| widget.takes.types)
    };
    let focused = fields().find(|(_, widget)| widget.state.focused);
    focused.or_else(|| fields().next()).map(|(index, _)| index)
}

fn is_pager(widget: &Widget) -> bool {
    ["Pager", "Horizontal", "Gallery", "Carousel"]
        .iter()
        .any(|word| widget.class.contains(word))
}

/// Scrolls a list or swipes a pager, whichever the window has; a swipe may be over all of it.
fn stroke(verb: &Verb, action: &str, window: &Window) -> Option<Deeds> {
    let of_kind = |pager: bool| {
        window
            .widgets
            .iter()
            .position(|widget| widget.takes.swipes && is_pager(widget) == pager)
    };
    match verb {
        Verb::Scroll(_) => at_widget(
            verb,
            of_kind(false).or_else(|| of_kind(true))?,
            action,
            "words",
            window,
        ),
        _ if of_kind(true).is_some() => at_widget(verb, of_kind(true)?, action, "words", window),
        _ => {
            let whole = window.widgets.first()?.bounds;
            Some(plain(stroke_over(whole, verb)))
        }
    }
}

fn stroke_over(bounds: Bounds, verb: &Verb) -> Deed {
    let Bounds {
        left,
        top,
        right,
        bottom,
    } = bounds;
    let (x, y) = center(bounds);
    let part = |low: i32, high: i32, fifths: i32| low + (high - low) / 5 * fifths;
    let finger = match verb {
        // Content moves against the finger.
        Verb::Scroll(Side::Down) | Verb::Swipe(Side::Up) => Side::Up,
        Verb::Scroll(Side::Up) | Verb::Swipe(Side::Down) => Side::Down,
        Verb::Scroll(Side::Right) | Verb::Swipe(Side::Left) => Side::Left,
        _ => Side::Right,
    };
    let (from, to) = match finger {
        Side::Up => ((x, part(top, bottom, 4)), (x, part(top, bottom, 1))),
        Side::Down => ((x, part(top, bottom, 1)), (x, part(top, bottom, 4))),
        Side::Left => ((part(left, right, 4), y), (part(left, right, 1), y)),
        Side::Right => ((part(left, right, 1), y), (part(left, right, 4), y)),
    };
    Deed::Stroke {
        from,
        to,
        millis: SWIPE_MILLIS,
    }
}

fn center(bounds: Bounds) -> (i32, i32) {
    let middle = |low: i32, high: i32| low + (high - low) / 2;
    (
        middle(bounds.left, bounds.right),
        middle(bounds.top, bounds.bottom),
    )
}

fn of_act(act: &Act, window: &Window) -> Option<Deeds> {
    let Some(target) = &act.target else {
        let recorded = act.to_string();
        return Some(plain(match &act.verb {
            Verb::Back => Deed::Press(Key::BACK),
            Verb::Menu => Deed::Press(Key::MENU),
            Verb::Home => Deed::Press(Key::HOME),
            Verb::Key(name) => Deed::Press(Key::parse(&name.to_uppercase())?),
            Verb::Rotate(quarters) => Deed::Rotate(Some(*quarters)),
            Verb::Intent(uri) | Verb::Open(uri) => Deed::Intent(uri.clone()),
            Verb::Scroll(_) | Verb::Swipe(_) => return stroke(&act.verb, &recorded, window),
            Verb::Type(_) => {
                return at_widget(&act.verb, field(window)?, &recorded, "focus", window);
            }
            Verb::Accept(_) => return tap_named(&recorded, "button1", window),
            Verb::Dismiss => return tap_named(&recorded, "button2", window),
            _ => Deed::Impossible("does nothing without a widget"),
        }));
    };
    let recorded = serde_json::to_string(target).expect("texts and numbers are JSON");
    match target.resolve(window) {
        Some(found) => at_widget(&act.verb, found.index, &recorded, found.how.name(), window),
        None => target.at.map(|[x, y]| of_place(&act.verb, x, y, recorded)),
    }
}

/// Something done at a place where no widget is known.
fn of_place(verb: &Verb, x: i32, y: i32, recorded: String) -> Deeds {
    let deed = match verb {
        Verb::Hold => held(x, y, HOLD_MILLIS),
        Verb::Double => Deed::Double(x, y),
        _ => Deed::Tap(x, y),
    };
    Deeds {
        deeds: vec![deed],
        aim: Some(Aim {
            recorded,
            resolved: format!("{{\"at\":[{x},{y}]}}"),
            how: "coordinates".to_owned(),
        }),
    }
}

fn held(x: i32, y: i32, millis: u32) -> Deed {
    Deed::Stroke {
        from: (x, y),
        to: (x, y),
        millis,
    }
}

/// Something done to a widget; nothing if it takes nothing at the moment.
fn at_widget(
    verb: &Verb,
    index: usize,
    recorded: &str,
    how: &str,
    window: &Window,
) -> Option<Deeds> {
    let widget = &window.widgets[index];
    if widget.state.disabled {
        return None;
    }
    let (x, y) = center(widget.bounds);
    let typed = widget.text.chars().count();
    let deeds = match verb {
        Verb::Tap => vec![Deed::Tap(x, y)],
        Verb::Hold => vec![held(x, y, HOLD_MILLIS)],
        Verb::Double => vec![Deed::Double(x, y)],
        Verb::Type(text) => vec![
            Deed::Tap(x, y),
            Deed::Erase(typed),
            Deed::Type(text.clone()),
        ],
        Verb::Clear => vec![Deed::Tap(x, y), Deed::Erase(typed)],
        Verb::Select(text) => vec![Deed::Tap(x, y), Deed::Choose(text.clone())],
        Verb::Scroll(_) | Verb::Swipe(_) => vec![stroke_over(widget.bounds, verb)],
        Verb::Key(name) => vec![
            Deed::Tap(x, y),
            Deed::Press(Key::parse(&name.to_uppercase())?),
        ],
        _ => vec![Deed::Impossible("is not done to widgets of phones")],
    };
    let resolved = Target {
        at: Some([x, y]),
        class: widget.class.clone(),
        ..Target::of(window, index)
    };
    Some(Deeds {
        deeds,
        aim: Some(Aim {
            recorded: recorded.to_owned(),
            resolved: serde_json::to_string(&resolved).expect("texts and numbers are JSON"),
            how: how.to_owned(),
        }),
    })
}

fn of_gesture(gesture: &Gesture) -> Deeds {
    let pixel = |at: &Point| (at.x.round() as i32, at.y.round() as i32);
    plain(match gesture {
        Gesture::Launch { package, activity } => Deed::Launch(format!("{package}/{activity}")),
        Gesture::Tap { at, millis: 0 } => {
            let (x, y) = pixel(at);
            Deed::Tap(x, y)
        }
        Gesture::Tap { at, millis } | Gesture::Hold { at, millis } => {
            let (x, y) = pixel(at);
            held(x, y, *millis)
        }
        Gesture::Swipe { from, to, .. } => Deed::Stroke {
            from: pixel(from),
            to: pixel(to),
            millis: SWIPE_MILLIS,
        },
        Gesture::Press(key) => Deed::Press(*key),
        Gesture::Type(text) => Deed::Type(text.clone()),
        Gesture::Rotate { quarters, .. } => Deed::Rotate(Some(*quarters)),
        Gesture::Pinch { .. } => Deed::Impossible("needs two fingers"),
        Gesture::Trackball { .. } => Deed::Impossible("needs a trackball"),
        Gesture::Flip { .. } => Deed::Impossible("needs a keyboard to open"),
    })
}

#[cfg(test)]
mod tests;
