//! CHARD (paper 003): events without effect go by rules, then the key events of a crash are found.
//!
//! Low-level input has become gestures before it gets here (Section 3.2). [`events`] binds them to
//! widgets where dumps are at hand, [`rules`] are the nine of Section 4, [`tree`] and [`key`] the
//! search for key events of Section 5, [`sentence`] the format of Section 6. What a rule needs and
//! the recording lacks is told, never guessed; everything that is removed is confirmed by asking.

pub mod events;
#[cfg(test)]
pub(super) mod fixture;
pub mod key;
pub mod rules;
pub mod sentence;
pub mod tree;
