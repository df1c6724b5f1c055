//! A page as a script tells of it: its window, what is behind each widget, and what it offers.

use serde_json::Value;

use crate::model::act::{Act, Side, Target, Verb};
use crate::model::window::{State, Takes, Widget, Window};

/// What is typed where nobody says what.
const TYPED: &str = "abc";
/// How many entries of one list are offered.
const MOST_CHOICES: usize = 20;

/// A page as it was seen.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) window: Window,
    pub(super) nodes: Vec<Node>,
    /// Whether one can go back from it.
    pub(super) back: bool,
    /// Whether it is a dialog, which stands in front of everything.
    pub(super) is_dialog: bool,
}

/// What is behind a widget.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The end's name for the element; nothing where it cannot be touched.
    pub(super) element: Value,
    /// `select`, `file`, or nothing.
    pub(super) kind: String,
    choices: Vec<String>,
}

impl Page {
    /// Reads what the script says.
    pub(super) fn read(said: &Value, activity: String) -> Self {
        let empty = Vec::new();
        let widgets = said["widgets"].as_array().unwrap_or(&empty);
        let texts = |value: &Value| -> Vec<String> {
            let list = value.as_array().into_iter().flatten();
            list.filter_map(|text| Some(text.as_str()?.to_owned()))
                .collect()
        };
        let node = |(index, widget): (usize, &Value)| Node {
            element: said["elements"][index].clone(),
            kind: widget["kind"].as_str().unwrap_or_default().to_owned(),
            choices: texts(&widget["choices"]),
        };
        Self {
            nodes: widgets.iter().enumerate().map(node).collect(),
            window: Window {
                activity,
                widgets: widgets.iter().map(widget).collect(),
                ..Window::default()
            },
            back: said["back"] == true,
            is_dialog: false,
        }
    }

    /// A dialog with a message. Which kind it is the standard does not tell.
    pub(super) fn dialog(message: &str, activity: String) -> Self {
        let said = serde_json::json!({"widgets": [
            {"class": "alertdialog", "id": "dialog", "text": message, "taps": true},
            {"class": "button", "id": "accept", "text": "accept", "taps": true, "parent": 0},
            {"class": "button", "id": "dismiss", "text": "dismiss", "taps": true, "parent": 0},
        ]});
        Self {
            is_dialog: true,
            ..Self::read(&said, activity)
        }
    }

    /// The acts that it takes, in the order of its widgets.
    pub(super) fn offers(&self) -> Vec<String> {
        if self.is_dialog {
            let both = [Verb::Accept(None), Verb::Dismiss];
            return both.map(|verb| Act::plain(verb).to_string()).to_vec();
        }
        let mut acts = Vec::new();
        for (index, (widget, node)) in self.window.widgets.iter().zip(&self.nodes).enumerate() {
            if node.element.is_null() || widget.state.disabled || !widget.takes.anything() {
                continue;
            }
            let verbs = match &*node.kind {
                "select" => {
                    let choices = node.choices.iter().take(MOST_CHOICES);
                    choices.map(|choice| Verb::Select(choice.clone())).collect()
                }
                "file" => Vec::new(),
                _ if widget.takes.types => vec![
                    Verb::Type(TYPED.to_owned()),
                    Verb::Key("Enter".to_owned()),
                    Verb::Tap,
                ],
                _ => vec![Verb::Tap],
            };
            let target = Target::of(&self.window, index);
            acts.extend(verbs.into_iter().map(|verb| Act::on(verb, target.clone())));
        }
        acts.push(Act::plain(Verb::Scroll(Side::Down)));
        if self.back {
            acts.push(Act::plain(Verb::Back));
        }
        acts.iter().map(Act::to_string).collect()
    }
}

fn widget(said: &Value) -> Widget {
    let text = |key: &str| said[key].as_str().unwrap_or_default().to_owned();
    let flag = |key: &str| said[key] == true;
    Widget {
        class: text("class"),
        id: text("id"),
        text: text("text"),
        description: text("description"),
        takes: Takes {
            taps: flag("taps"),
            ticks: flag("ticks"),
            types: flag("types"),
            ..Takes::default()
        },
        state: State {
            checked: flag("checked"),
            selected: flag("selected"),
            focused: flag("focused"),
            disabled: flag("disabled"),
            password: flag("password"),
        },
        parent: said["parent"].as_u64().map(|parent| parent as u32),
        ..Widget::default()
    }
}
