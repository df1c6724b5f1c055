//! View trees of `SwiftHand2`: nested nodes with a class, a place and perhaps a text.

use serde::Deserialize;

use super::step::{self, Step};
use crate::model::window::{Bounds, State, Takes, Widget, Window};

#[derive(Deserialize)]
struct WireNode {
    #[serde(default)]
    class: String,
    #[serde(default)]
    bound: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    actionable: bool,
    #[serde(default)]
    enabled: Option<bool>,
    #[serde(default)]
    checked: bool,
    #[serde(default)]
    children: Vec<WireNode>,
}

/// Longer texts are cut.
const MOST_CHARS: usize = 500;

/// The window of a step; the reason if it has none.
pub(super) fn window_of(step: &Step) -> Result<Window, String> {
    let raw = step.ui.ok_or("it has no `ui`")?;
    let activity = step.activity.rsplit(['/', '.']).next().unwrap_or_default();
    let mut window = Window {
        activity: activity.to_owned(),
        keyboard: step.keyboard,
        ..Window::default()
    };
    if raw.get().bytes().all(|b| b"{} \n\t\r".contains(&b)) {
        return Ok(window);
    }
    let root: WireNode = serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
    add(&mut window, root, None);
    Ok(window)
}

/// The windows of all steps that have one, of the text of a whole file.
pub(in crate::import) fn windows(text: &str) -> Vec<(usize, Result<Window, String>)> {
    let mut found = Vec::new();
    let (n_steps, trouble) = step::each(text, |number, step| match step {
        Ok(step) if step.ui.is_none() => {}
        Ok(step) => found.push((number, window_of(&step))),
        Err(reason) => found.push((number, Err(reason))),
    });
    found.extend(trouble.map(|reason| (n_steps, Err(reason))));
    found
}

/// Nesting is bounded by the reader of JSON.
fn add(window: &mut Window, node: WireNode, parent: Option<u32>) {
    let index = window.widgets.len() as u32;
    let class = node.class.rsplit('.').next().unwrap_or_default();
    // Attributes are there only where they are true.
    let disabled = !node.enabled.unwrap_or_default();
    let types = class.ends_with("EditText");
    let takes = Takes {
        taps: node.actionable,
        types: types && node.actionable,
        ..Takes::default()
    };
    window.widgets.push(Widget {
        text: node
            .text
            .unwrap_or_default()
            .chars()
            .take(MOST_CHARS)
            .collect(),
        bounds: bounds(&node.bound).unwrap_or_default(),
        takes,
        state: State {
            checked: node.checked,
            disabled,
            ..State::default()
        },
        class: class.to_owned(),
        parent,
        ..Widget::default()
    });
    for child in node.children {
        add(window, child, Some(index));
    }
}

/// `left:top-right:bottom`, each of which may be negative.
fn bounds(text: &str) -> Option<Bounds> {
    let (left, rest) = text.split_once(':')?;
    let (right, bottom) = rest.rsplit_once(':')?;
    // The minus between the two pairs stands behind at least one digit.
    let at = right.char_indices().skip(1).find(|(_, c)| *c == '-')?.0;
    Some(Bounds {
        left: left.trim().parse().ok()?,
        top: right[..at].trim().parse().ok()?,
        right: right[at + 1..].trim().parse().ok()?,
        bottom: bottom.trim().parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::bounds;

    #[test]
    fn bounds_may_be_negative() {
        let edges = |text| bounds(text).map(|b| [b.left, b.top, b.right, b.bottom]);
        assert_eq!(edges("0:72-1080:1920"), Some([0, 72, 1080, 1920]));
        assert_eq!(edges("-5:-72--1:-20"), Some([-5, -72, -1, -20]));
        for bad in ["", "1:2", "1:2-3", "a:b-c:d", "1:-", "-:-:"] {
            assert_eq!(edges(bad), None, "{bad}");
        }
    }
}
