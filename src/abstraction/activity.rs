//! `activity`: where in the app a screen is, and nothing else.

use super::Lens;
use crate::model::window::Window;

/// Nothing but the activity.
pub(super) const LINES: Option<fn(&Window, &Lens) -> Vec<String>> = None;
