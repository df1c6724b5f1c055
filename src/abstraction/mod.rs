//! Layer 1: from windows to screens. What counts as the same screen is a choice; each way of
//! choosing is one file and one line in [`all`].
//!
//! An abstraction writes down, line by line, what it looks at. The screen's name is the activity
//! and a digest of these lines, so it is readable, short, and the same on every device. The order
//! of attributes in a dump never matters, since windows have none.

mod actionable;
mod activity;
mod content;
mod custom;
mod lens;
mod structure;
mod swifthand;

pub use lens::{Attribute, Lens, Lists};

use crate::model::sha256;
use crate::model::window::Window;

/// Digits of the digest behind a screen's name: 48 bits, so that even a million screens have
/// names of their own.
const DIGITS: usize = 12;

/// A way to tell screens from each other.
#[derive(Debug)]
pub struct Abstraction {
    /// Its name in settings.
    pub name: &'static str,
    /// What it looks at.
    pub about: &'static str,
    /// Everything it looks at, a line each; none where the activity alone decides.
    lines: Option<fn(&Window, &Lens) -> Vec<String>>,
}

/// All abstractions, coarse ones first.
#[must_use]
pub fn all() -> &'static [Abstraction] {
    &[
        Abstraction {
            name: "activity",
            about: "the activity alone",
            lines: activity::LINES,
        },
        Abstraction {
            name: "swifthand",
            about: "what can be done, by kind and class in order (the key of SwiftHand2)",
            lines: Some(swifthand::lines),
        },
        Abstraction {
            name: "structure",
            about: "the tree of classes",
            lines: Some(structure::lines),
        },
        Abstraction {
            name: "actionable",
            about: "what can be done, with its place and what it shows, and the keyboard (the paper's)",
            lines: Some(actionable::lines),
        },
        Abstraction {
            name: "content",
            about: "everything there is to see",
            lines: Some(content::lines),
        },
        Abstraction {
            name: "custom",
            about: "the attributes that `screen.attributes` names, of every widget",
            lines: Some(custom::lines),
        },
    ]
}

/// The abstraction of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Abstraction> {
    all().iter().find(|one| one.name == name)
}

impl Abstraction {
    /// The name of the screen that a window is.
    #[must_use]
    pub fn screen(&self, window: &Window, lens: &Lens) -> String {
        let activity = if window.activity.is_empty() {
            &window.package
        } else {
            &window.activity
        };
        match self.lines {
            None => activity.clone(),
            Some(lines) => {
                let mut text = format!("{}\n", window.activity);
                for line in lines(window, lens) {
                    text.push_str(&line);
                    text.push('\n');
                }
                format!("{activity}#{}", &sha256(text.as_bytes())[..DIGITS])
            }
        }
    }

    /// Everything it looks at in a window, a line each, for people who wonder why two screens
    /// differ.
    #[must_use]
    pub fn looks_at(&self, window: &Window, lens: &Lens) -> Vec<String> {
        self.lines
            .map_or_else(Vec::new, |lines| lines(window, lens))
    }
}

#[cfg(test)]
mod tests;
