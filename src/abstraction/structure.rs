//! `structure`: the tree of classes, whatever stands in it.

use super::Lens;
use super::lens::Seen;
use crate::model::window::Window;

/// Path and class of every widget.
pub(super) fn lines(window: &Window, lens: &Lens) -> Vec<String> {
    let line = |seen: Seen| format!("{} {}", seen.path, seen.widget.class);
    lens.look(window).map(line).collect()
}
