//! The accessibility tree of a page as a window: roles become classes, accessible names
//! descriptions, values texts, test ids or ids of elements ids.

use std::collections::HashMap;

use serde_json::Value;

use super::dom::{Element, Elements};
use crate::model::window::{State, Takes, Widget, Window};

/// Roles that say nothing by themselves.
const SILENT: [&str; 7] = [
    "none",
    "generic",
    "InlineTextBox",
    "LineBreak",
    "ListMarker",
    "MenuListPopup",
    "Pre",
];

/// Roles that a click does something to.
const TAPPED: [&str; 19] = [
    "button",
    "link",
    "checkbox",
    "radio",
    "switch",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "tab",
    "treeitem",
    "option",
    "combobox",
    "DisclosureTriangle",
    "DisclosureTriangleGrouped",
    "PopUpButton",
    "ToggleButton",
    "ColorWell",
    "slider",
    "listbox",
];

/// Roles that take text.
const TYPED: [&str; 10] = [
    "textbox",
    "searchbox",
    "spinbutton",
    "slider",
    "ColorWell",
    "Date",
    "DateTime",
    "InputTime",
    "Month",
    "Week",
];

/// A page as it was seen: a window, and what is behind each of its widgets.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) window: Window,
    pub(super) nodes: Vec<Node>,
}

/// What is behind a widget.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Node {
    /// The number by which the browser knows the element.
    pub(super) backend: i64,
    /// What kind of element it is.
    pub(super) kind: Kind,
    /// The entries of a list to choose from.
    pub(super) choices: Vec<String>,
}

/// Kinds of elements that are acted on in ways of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    #[default]
    Plain,
    /// A list whose entries the browser shows outside the page.
    Select,
    /// A field that opens a file chooser.
    File,
}

/// Makes a window of the accessibility trees of a page and its frames, at most so many widgets.
pub(super) fn window(trees: &[Value], elements: &Elements, most: usize) -> Seen {
    let mut seen = Seen::default();
    for tree in trees {
        let nodes = tree["nodes"].as_array().map_or(&[][..], Vec::as_slice);
        let by_id: HashMap<&str, &Value> = nodes
            .iter()
            .filter_map(|node| Some((node["nodeId"].as_str()?, node)))
            .collect();
        let Some(root) = nodes.first() else { continue };
        // Depth first without recursion: pages may nest as deep as they like.
        let mut open = vec![(root, None::<u32>)];
        while let Some((node, parent)) = open.pop() {
            if seen.window.widgets.len() >= most {
                break;
            }
            let around = parent.map(|parent| &seen.window.widgets[parent as usize]);
            let inside = match widget(node, elements, around) {
                Some((widget, behind)) => {
                    seen.window.widgets.push(Widget { parent, ..widget });
                    seen.nodes.push(behind);
                    Some(seen.window.widgets.len() as u32 - 1)
                }
                None => parent,
            };
            if let Some(index) = inside
                && seen.nodes[index as usize].kind == Kind::Select
            {
                let choices = choices(node, &by_id);
                seen.nodes[index as usize].choices = choices;
                continue;
            }
            let children = node["childIds"].as_array().into_iter().flatten();
            let children = children.filter_map(|id| by_id.get(id.as_str()?).copied());
            let first = open.len();
            open.extend(children.map(|child| (child, inside)));
            open[first..].reverse();
        }
    }
    seen
}

/// The words on the entries of a list.
fn choices(select: &Value, by_id: &HashMap<&str, &Value>) -> Vec<String> {
    let mut choices = Vec::new();
    let mut open = vec![select];
    while let Some(node) = open.pop() {
        if matches!(
            node["role"]["value"].as_str(),
            Some("option" | "MenuListOption")
        ) && !flag(node, "disabled")
        {
            choices.push(text_of(&node["name"]));
        }
        let children = node["childIds"].as_array().into_iter().flatten();
        let first = open.len();
        open.extend(children.filter_map(|id| by_id.get(id.as_str()?).copied()));
        open[first..].reverse();
    }
    choices
}

fn widget(node: &Value, elements: &Elements, around: Option<&Widget>) -> Option<(Widget, Node)> {
    if node["ignored"] == true {
        return None;
    }
    let role = node["role"]["value"].as_str()?;
    let backend = node["backendDOMNodeId"].as_i64().unwrap_or_default();
    let bare = Element::default();
    let element = elements.get(backend).unwrap_or(&bare);
    let name = text_of(&node["name"]);
    let is_text = role == "StaticText";
    if is_text && around.is_some_and(|around| says(around, &name)) {
        return None;
    }
    let is_clicked = element.clickable && !is_text && !matches!(role, "RootWebArea" | "LabelText");
    if SILENT.contains(&role) && !(role == "generic" && (is_clicked || element.has_test_id)) {
        return None;
    }
    let editable = property(node, "editable").is_some()
        && property(node, "readonly").is_none_or(|v| v != true);
    // The inside of a field that can be edited is part of the field.
    let types = (editable || TYPED.contains(&role))
        && !around.is_some_and(|around| around.takes.types)
        && !is_text;
    let disabled = flag(node, "disabled");
    let checked = ["checked", "pressed"]
        .iter()
        .any(|key| property(node, key).is_some_and(|value| value == "true" || value == true));
    let kind = match (&*element.tag, &*element.r#type) {
        ("SELECT", _) => Kind::Select,
        ("INPUT", "file") => Kind::File,
        _ => Kind::Plain,
    };
    let widget = Widget {
        class: role.to_owned(),
        id: element.id.clone(),
        text: if is_text {
            name.clone()
        } else {
            text_of(&node["value"])
        },
        description: if is_text { String::new() } else { name },
        bounds: element.bounds,
        takes: Takes {
            taps: !disabled && (is_clicked || TAPPED.contains(&role)),
            holds: false,
            swipes: false,
            ticks: !disabled && matches!(role, "checkbox" | "radio" | "switch"),
            types: types && !disabled,
        },
        state: State {
            checked,
            selected: flag(node, "selected") || flag(node, "expanded"),
            focused: flag(node, "focused"),
            disabled,
            password: element.r#type == "password",
        },
        parent: None,
    };
    Some((
        widget,
        Node {
            backend,
            kind,
            choices: Vec::new(),
        },
    ))
}

/// Whether a text is part of what the widget around it is called already.
fn says(around: &Widget, text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || around.description.contains(text) || around.takes.types
}

fn text_of(value: &Value) -> String {
    match &value["value"] {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

fn property<'a>(node: &'a Value, name: &str) -> Option<&'a Value> {
    let properties = node["properties"].as_array()?;
    let found = properties.iter().find(|property| property["name"] == name);
    found.map(|property| &property["value"]["value"])
}

fn flag(node: &Value, name: &str) -> bool {
    property(node, name).is_some_and(|value| value == true)
}
