//! What a page offers: the acts that its present window takes.

use super::browser::Browser;
use super::tree::Kind;
use crate::model::act::{Act, Side, Target, Verb};

/// What is typed where nobody says what.
const TYPED: &str = "abc";
/// How many entries of one list are offered.
const MOST_CHOICES: usize = 20;

impl Browser {
    /// The acts that the page in front takes, in the order of its widgets.
    pub(super) fn offers(&self) -> Vec<String> {
        if self.dead {
            return Vec::new();
        }
        if let Some(dialog) = self.tabs.last().and_then(|tab| tab.dialog.as_ref()) {
            let mut verbs = vec![Verb::Accept(None)];
            if dialog.kind == "prompt" {
                verbs.push(Verb::Accept(Some(TYPED.to_owned())));
            }
            if dialog.kind != "alert" {
                verbs.push(Verb::Dismiss);
            }
            return verbs
                .into_iter()
                .map(|verb| Act::plain(verb).to_string())
                .collect();
        }
        let window = &self.seen.window;
        let mut acts = Vec::new();
        for (index, (widget, node)) in window.widgets.iter().zip(&self.seen.nodes).enumerate() {
            let takes = widget.takes;
            if node.backend == 0 || widget.state.disabled || !takes.anything() {
                continue;
            }
            let verbs = if node.kind == Kind::Select {
                let choices = node.choices.iter().take(MOST_CHOICES);
                choices.map(|choice| Verb::Select(choice.clone())).collect()
            } else if takes.types {
                vec![
                    Verb::Type(TYPED.to_owned()),
                    Verb::Key("Enter".to_owned()),
                    Verb::Tap,
                ]
            } else if node.kind == Kind::File {
                Vec::new()
            } else {
                vec![Verb::Tap]
            };
            if verbs.is_empty() {
                continue;
            }
            let target = Target::of(window, index);
            acts.extend(verbs.into_iter().map(|verb| Act::on(verb, target.clone())));
        }
        if self.ways.scroll {
            acts.push(Act::plain(Verb::Scroll(Side::Down)));
        }
        if self.ways.back {
            acts.push(Act::plain(Verb::Back));
        }
        acts.iter().map(Act::to_string).collect()
    }
}
