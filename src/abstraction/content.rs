//! `content`: everything there is to see.

use super::Lens;
use super::lens::Seen;
use crate::model::window::Window;

/// Every widget with all its attributes but its place in pixels.
pub(super) fn lines(window: &Window, lens: &Lens) -> Vec<String> {
    let line = |seen: Seen| {
        let widget = seen.widget;
        let (text, description) = (seen.text(), seen.description());
        format!(
            "{} {}:{} {} {text:?} {description:?}{}",
            seen.path,
            seen.takes(),
            widget.class,
            widget.id,
            seen.state(),
        )
    };
    let keyboard = window.keyboard.then(|| "keyboard".to_owned());
    let widgets = lens.look(window).map(line);
    keyboard.into_iter().chain(widgets).collect()
}
