//! `swifthand`: what `SwiftHand2` compares: the ordered kinds and classes of what can be done.

use super::Lens;
use super::lens::Seen;
use crate::model::window::Window;

/// Kind and class of everything that takes anything.
pub(super) fn lines(window: &Window, lens: &Lens) -> Vec<String> {
    let actionable = lens
        .look(window)
        .filter(|seen| seen.widget.takes.anything());
    let line = |seen: Seen| format!("{}:{}", seen.takes(), seen.widget.class);
    actionable.map(line).collect()
}
