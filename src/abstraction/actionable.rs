//! `actionable`: the abstraction of the `DetReduce` paper (004, Section 2): the components that can
//! be acted on, each with its access path and its visible attributes, and whether the keyboard is
//! shown.

use super::Lens;
use super::lens::Seen;
use crate::model::window::Window;

/// What can be done, where, on what it shows.
pub(super) fn lines(window: &Window, lens: &Lens) -> Vec<String> {
    let actionable = lens
        .look(window)
        .filter(|seen| seen.widget.takes.anything());
    let line = |seen: Seen| {
        let (takes, class, label) = (seen.takes(), &seen.widget.class, seen.label());
        format!("{} {takes}:{class} {label:?}{}", seen.path, seen.state())
    };
    let keyboard = window.keyboard.then(|| "keyboard".to_owned());
    keyboard.into_iter().chain(actionable.map(line)).collect()
}
