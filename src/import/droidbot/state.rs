//! States of `DroidBot`: the views of a screen as a flat list, and the graph of all states.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::model::window::{Bounds, State as Looks, Takes, Widget, Window};

/// A state.
#[derive(Debug)]
pub(super) struct State {
    /// What the tool knows it by.
    pub(super) id: String,
    pub(super) window: Window,
}

/// More views than these are no screen.
const MOST_VIEWS: usize = 100_000;
/// Longer texts are cut.
const MOST_CHARS: usize = 500;

#[derive(Deserialize)]
struct WireState {
    state_str: String,
    #[serde(default)]
    foreground_activity: Option<String>,
    views: Vec<WireView>,
}

/// A view as states and events tell of it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each of them is an attribute of its own in a state"
)]
pub(super) struct WireView {
    package: Option<String>,
    class: Option<String>,
    resource_id: Option<String>,
    text: Option<String>,
    content_description: Option<String>,
    bounds: Option<[[f64; 2]; 2]>,
    clickable: bool,
    long_clickable: bool,
    scrollable: bool,
    checkable: bool,
    checked: bool,
    editable: bool,
    selected: bool,
    focused: bool,
    enabled: Option<bool>,
    is_password: bool,
    parent: Option<i64>,
    temp_id: Option<i64>,
}

impl WireView {
    /// The same as the widget of a window, without what is around it.
    pub(super) fn widget(&self) -> Widget {
        let last = |text: &Option<String>, separator: char| {
            let text = text.as_deref().unwrap_or_default();
            cut(text.rsplit(separator).next().unwrap_or(text))
        };
        let class = last(&self.class, '.');
        let disabled = self.enabled == Some(false);
        let takes = Takes {
            taps: self.clickable,
            holds: self.long_clickable,
            swipes: self.scrollable,
            ticks: self.checkable,
            types: self.editable || class.ends_with("EditText"),
        };
        Widget {
            id: last(&self.resource_id, '/'),
            text: cut(self.text.as_deref().unwrap_or_default()),
            description: cut(self.content_description.as_deref().unwrap_or_default()),
            bounds: self.bounds.map(bounds).unwrap_or_default(),
            takes: if disabled { Takes::default() } else { takes },
            state: Looks {
                checked: self.checked,
                selected: self.selected,
                focused: self.focused,
                disabled,
                password: self.is_password,
            },
            class,
            ..Widget::default()
        }
    }
}

fn cut(text: &str) -> String {
    text.chars().take(MOST_CHARS).collect()
}

fn bounds([start, end]: [[f64; 2]; 2]) -> Bounds {
    Bounds {
        left: start[0] as i32,
        top: start[1] as i32,
        right: end[0] as i32,
        bottom: end[1] as i32,
    }
}

/// The window of a state's file; the reason if it is none.
pub(in crate::import) fn window(text: &str) -> Result<Window, String> {
    parse(text.as_bytes()).map(|state| state.window)
}

/// Reads the file of a state; the reason if it cannot be used.
pub(super) fn parse(bytes: &[u8]) -> Result<State, String> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err("the file of the state is empty".to_owned());
    }
    let text = super::super::bytes::text(bytes);
    let state: WireState =
        serde_json::from_str(&text).map_err(|error| format!("no state of DroidBot: {error}"))?;
    if state.views.len() > MOST_VIEWS {
        return Err(format!("it has more than {MOST_VIEWS} views"));
    }
    let activity = state.foreground_activity.unwrap_or_default();
    let (package, name) = activity.split_once('/').unwrap_or(("", &activity));
    let name = match name.strip_prefix(package) {
        Some(rest) if !package.is_empty() => rest,
        _ => name,
    };
    let mut window = Window {
        package: package.to_owned(),
        activity: name.trim_start_matches('.').to_owned(),
        keyboard: state.views.iter().any(is_keyboard),
        widgets: Vec::with_capacity(state.views.len()),
    };
    let order = pre_order(&state.views)?;
    let mut place = vec![None; state.views.len()];
    for &(index, parent) in &order {
        place[index] = Some(window.widgets.len() as u32);
        let parent = parent.and_then(|parent: usize| place[parent]);
        window.widgets.push(Widget {
            parent,
            ..state.views[index].widget()
        });
    }
    Ok(State {
        id: state.state_str,
        window,
    })
}

fn is_keyboard(view: &WireView) -> bool {
    let package = view.package.as_deref().unwrap_or_default();
    package.contains("inputmethod")
}

/// The views, those around others first, each with the one around it. Siblings stay in order.
fn pre_order(views: &[WireView]) -> Result<Vec<(usize, Option<usize>)>, String> {
    let index_of = |id: i64| {
        usize::try_from(id)
            .ok()
            .filter(|index| *index < views.len())
    };
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); views.len()];
    let mut roots = Vec::new();
    for (index, view) in views.iter().enumerate() {
        if view.temp_id.is_some_and(|id| index_of(id) != Some(index)) {
            return Err("its views are not numbered in order".to_owned());
        }
        match view.parent.and_then(index_of) {
            Some(parent) if parent != index => children[parent].push(index),
            _ => roots.push((index, None)),
        }
    }
    let mut order = Vec::with_capacity(views.len());
    let mut open: Vec<(usize, Option<usize>)> = roots.into_iter().rev().collect();
    while let Some((index, parent)) = open.pop() {
        order.push((index, parent));
        open.extend(
            children[index]
                .iter()
                .rev()
                .map(|&child| (child, Some(index))),
        );
    }
    if order.len() == views.len() {
        Ok(order)
    } else {
        Err("its views are around each other".to_owned())
    }
}

#[derive(Deserialize)]
struct WireGraph<'a> {
    #[serde(borrow)]
    nodes: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct WireNode {
    #[serde(default)]
    state_str: Option<String>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    activity: Option<String>,
}

/// The states of `utg.js` and their activities.
pub(super) fn graph(bytes: &[u8]) -> Result<Vec<(String, String)>, String> {
    let text = super::super::bytes::text(bytes);
    let start = text.find('{').ok_or("no graph of DroidBot")?;
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<WireGraph>();
    let graph = values.next().ok_or("no graph of DroidBot")?;
    let graph = graph.map_err(|error| format!("no graph of DroidBot: {error}"))?;
    let nodes = graph.nodes.iter().filter_map(|node| {
        let node: WireNode = serde_json::from_str(node.get()).ok()?;
        let id = node.state_str.or(node.id)?;
        Some((id, node.activity.unwrap_or_default()))
    });
    Ok(nodes.collect())
}
