//! The door from a strategy to the app: sessions that see what a screen offers.
//!
//! The rules are those of live walks: a session decides by its quest and by what it has seen
//! itself, never by what other sessions do meanwhile, and it is in the journal before it is used.

use std::sync::Arc;

use crate::model::{Names, RunEvent, Stop, Walk};

/// What a session is after; it may be asked for a rover again when a device fails.
pub trait Quest: Send + Sync {
    /// What tells this quest from others, so that a journal can answer it.
    fn key(&self) -> String;
    /// Someone who has seen nothing yet and goes on this quest.
    fn rover(&self) -> Box<dyn Rover + '_>;
    /// Whether this must never be done.
    fn is_denied(&self, offer: &Offer) -> bool;
    /// The ways in which an offered action is carried out: once for each text to type.
    fn spellings(&self, action: &str) -> Vec<String>;
}

/// Steers a session.
pub trait Rover {
    /// The next action; none ends the session.
    fn next(&mut self, look: Look<'_>) -> Option<String>;
}

/// An action that a screen offers, with everything that is written on its widget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The action.
    pub action: String,
    /// The words on the widget and in its names.
    pub says: String,
}

/// What a rover sees after a start or an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look<'a> {
    /// A screen with what may be done on it.
    Screen {
        /// The screen.
        name: &'a str,
        /// What may be done, in a stable order; nothing that is denied.
        offers: &'a [String],
    },
    /// The action was not there to be done, and nothing has changed.
    Refused,
}

/// What a session found: its walk, and what each of its screens offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it went.
    pub walk: Walk,
    /// What could be done after the launch and after each step that showed something.
    pub offers: Vec<Arc<[String]>>,
    /// What was offered there and left alone.
    pub denied: Vec<Arc<[String]>>,
}

/// Explores. Sessions come back in the given order, up to and including the first that is
/// `enough`, whatever the number of devices behind it.
pub trait Explorer {
    /// Goes on quests, one session each; its number tells a session from all others.
    fn rove(
        &mut self,
        sessions: &[(Arc<dyn Quest>, u32)],
        enough: &mut dyn FnMut(Found) -> bool,
    ) -> Result<(), Stop>;
    /// Tells the observers.
    fn tell(&mut self, event: RunEvent);
    /// The names of everything seen so far.
    fn known(&self) -> &Names;
}
