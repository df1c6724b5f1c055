//! Finding the widget that an action names on the present page.

use std::time::Duration;

use serde_json::json;

use super::browser::{Browser, Halt};
use super::tree::Kind;
use crate::model::act::{Resolved, Target};
use crate::replay::Aim;

/// How long a page may take to say where an element is.
pub(super) const FINDING: Duration = Duration::from_secs(10);

/// Finds an element by selectors, each inside the shadow root of what the one before found.
const CSS: &str = "(parts) => {
  let found = document;
  for (const part of parts) {
    found = (found.shadowRoot || found).querySelector(part);
    if (!found) return null;
  }
  return found;
}";

/// A widget of the page in front.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) backend: i64,
    pub(super) kind: Kind,
}

impl Browser {
    /// The widget of a target: one that was seen, or what a recorder's selector finds.
    pub(super) fn find(&mut self, target: &Target) -> Result<Option<Found>, Halt> {
        let seen = self.seen_widget(target);
        let Some(query) = query(target).filter(|_| seen.is_none()) else {
            return Ok(seen);
        };
        let answer = self.call("Runtime.evaluate", json!({"expression": query}), FINDING)?;
        let object = &answer["result"]["objectId"];
        if object.is_null() || !answer["exceptionDetails"].is_null() {
            return Ok(None);
        }
        let node = match self.call("DOM.describeNode", json!({"objectId": object}), FINDING) {
            Ok(node) => node,
            Err(Halt::Refused(_)) => return Ok(None),
            Err(halt) => return Err(halt),
        };
        let backend = node["node"]["backendNodeId"].as_i64().unwrap_or_default();
        let known = self.seen.nodes.iter().find(|node| node.backend == backend);
        let kind = known.map(|node| node.kind).unwrap_or_default();
        Ok((backend != 0).then_some(Found { backend, kind }))
    }

    fn seen_widget(&mut self, target: &Target) -> Option<Found> {
        let Resolved { index, how } = target.resolve(&self.seen.window)?;
        self.aim = Some(Aim {
            recorded: serde_json::to_string(target).unwrap_or_default(),
            resolved: serde_json::to_string(&Target::of(&self.seen.window, index))
                .unwrap_or_default(),
            how: how.name().to_owned(),
        });
        let widget = &self.seen.window.widgets[index];
        let node = &self.seen.nodes[index];
        (!widget.state.disabled && node.backend != 0).then_some(Found {
            backend: node.backend,
            kind: node.kind,
        })
    }
}

/// A script that finds what a recorder's selector is about.
fn query(target: &Target) -> Option<String> {
    if !target.css.is_empty() {
        let parts: Vec<&str> = target.css.split(" >>> ").collect();
        return Some(format!("({CSS})({})", json!(parts)));
    }
    let xpath = json!(target.xpath);
    let found = format!("document.evaluate({xpath}, document, null, 9, null).singleNodeValue");
    (!target.xpath.is_empty()).then_some(found)
}
