//! Gestures: what a person does to a phone, spelt as the commands of Monkey scripts.
//!
//! The spelling is the action's text in a suite, so that a script can be written from a suite and
//! a suite read from a script without losing anything.

mod key;
mod spelling;

pub use key::Key;

use std::fmt;

/// A place on the screen, in pixels, or a movement between two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

impl Point {
    /// Farther out than this no screen reaches.
    const FARTHEST: f32 = 1e6;

    /// A point with sensible coordinates.
    #[must_use]
    pub fn new(x: f32, y: f32) -> Option<Self> {
        let fits = |c: f32| c.is_finite() && c.abs() <= Self::FARTHEST;
        (fits(x) && fits(y)).then_some(Self { x, y })
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {:?}", self.x, self.y)
    }
}

/// One thing a person does.
#[derive(Debug, Clone, PartialEq)]
pub enum Gesture {
    /// Opens an activity, as the launcher does.
    Launch {
        /// The app.
        package: String,
        /// The activity, with its package in front.
        activity: String,
    },
    /// Touches a place for a moment.
    Tap {
        /// Where.
        at: Point,
        /// For how long; zero is as short as can be.
        millis: u32,
    },
    /// Touches a place until a long touch is recognised.
    Hold {
        /// Where.
        at: Point,
        /// For how long.
        millis: u32,
    },
    /// Moves a finger over the screen.
    Swipe {
        /// Where it starts.
        from: Point,
        /// Where it ends.
        to: Point,
        /// In how many moves.
        steps: u32,
    },
    /// Moves two fingers over the screen.
    Pinch {
        /// Where each of them starts and ends.
        fingers: [(Point, Point); 2],
        /// In how many moves.
        steps: u32,
    },
    /// Turns the trackball.
    Trackball {
        /// How far.
        by: Point,
    },
    /// Presses a key.
    Press(Key),
    /// Types a text.
    Type(String),
    /// Turns the phone.
    Rotate {
        /// To 0, 1, 2 or 3 quarters.
        quarters: u8,
        /// Whether it stays that way afterwards.
        persist: bool,
    },
    /// Opens or closes the keyboard of a phone that has one.
    Flip {
        /// Whether it is open then.
        open: bool,
    },
}

impl Gesture {
    /// The kind of gesture in one word, as CHARD's sentences name it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Launch { .. } => "Appswitch",
            Self::Tap { .. } => "Touch",
            Self::Hold { .. } => "LongTouch",
            Self::Swipe { .. } => "Motion",
            Self::Pinch { .. } => "PinchZoom",
            Self::Trackball { .. } => "Trackball",
            Self::Press(key) => key.kind(),
            Self::Type(_) => "Text",
            Self::Rotate { .. } => "Rotation",
            Self::Flip { .. } => "Flip",
        }
    }

    /// The place that decides what it is done to; none where that is not a matter of place.
    #[must_use]
    pub fn at(&self) -> Option<Point> {
        match self {
            Self::Tap { at, .. } | Self::Hold { at, .. } => Some(*at),
            Self::Swipe { from, .. } => Some(*from),
            Self::Pinch { fingers, .. } => Some(fingers[0].0),
            _ => None,
        }
    }
}

/// The short name of an activity: `package/.Activity` where it is in the package of its app.
#[must_use]
pub fn component(package: &str, activity: &str) -> String {
    match activity.strip_prefix(package) {
        Some(rest) if rest.starts_with('.') => format!("{package}/{rest}"),
        _ => format!("{package}/{activity}"),
    }
}

/// The package and the activity of a short name.
#[must_use]
pub fn component_parts(component: &str) -> Option<(String, String)> {
    let (package, activity) = component.split_once('/')?;
    let full = match activity.strip_prefix('.') {
        Some(_) => format!("{package}{activity}"),
        None => activity.to_owned(),
    };
    (!package.is_empty() && !activity.is_empty()).then(|| (package.to_owned(), full))
}
