//! `custom`: the attributes that the user names, of every widget that has any of them.

use super::Lens;
use super::lens::{Attribute, Seen};
use crate::model::window::Window;

/// The named attributes of every widget.
pub(super) fn lines(window: &Window, lens: &Lens) -> Vec<String> {
    let line = |seen: Seen| {
        let shown = lens.attributes.iter().filter_map(|attribute| {
            let shown = attribute.of(&seen);
            (!shown.is_empty()).then(|| format!("{}={shown:?}", attribute.name()))
        });
        shown.collect::<Vec<_>>().join(" ")
    };
    let keyboard = lens.attributes.contains(&Attribute::Keyboard) && window.keyboard;
    let keyboard = keyboard.then(|| "keyboard".to_owned());
    let widgets = lens.look(window).map(line).filter(|line| !line.is_empty());
    keyboard.into_iter().chain(widgets).collect()
}
