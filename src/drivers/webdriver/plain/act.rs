//! Acting on a page by the commands of the standard.

use serde_json::{Value, json};

use super::Plain;
use super::gestures;
use super::talk::{Said, Talk};
use crate::drivers::web::{self, FILL, SELECT};
use crate::model::act::{Act, Resolved, Target, Verb};
use crate::replay::{Aim, DriverError};

/// Brings an element to where it can be touched; false where it takes up no room.
const SHOW: &str = "const e = arguments[0]; \
                    if (e.scrollIntoViewIfNeeded) e.scrollIntoViewIfNeeded(); else e.scrollIntoView({block: 'nearest'}); \
                    const box = e.getBoundingClientRect(); return box.width * box.height > 0;";
const FOCUS: &str = "arguments[0].focus(); return true;";

impl Plain {
    /// Does something to the page in front; false where the page does not offer it.
    pub(super) fn act(&mut self, act: &Act) -> Result<bool, DriverError> {
        self.aim = None;
        if self.seen.is_dialog {
            return self.answer(&act.verb);
        }
        let index = match &act.target {
            None => None,
            Some(target) => match self.find(target) {
                Some(index) => Some(index),
                None => return Ok(false),
            },
        };
        let node = index.map(|index| &self.seen.nodes[index]);
        let element = node.map(|node| &node.element);
        let is_list = node.is_some_and(|node| node.kind == "select");
        let talk = self.talk()?;
        match (&act.verb, element) {
            // Its list would open outside the page, where nobody could choose from it.
            (Verb::Tap, Some(element)) if is_list => says(&talk, FOCUS, &json!([element])),
            (Verb::Type(text), _) => fill(&talk, element, text),
            (Verb::Clear, _) => fill(&talk, element, ""),
            (Verb::Select(text), Some(element)) => {
                let script = format!("return ({SELECT}).call(arguments[0], arguments[1])");
                says(&talk, &script, &json!([element, text]))
            }
            (Verb::Key(name), _) => match gestures::chord(name) {
                Some(keys) => Ok(focus(&talk, element)? && play(&talk, &keys)?),
                None => Ok(false),
            },
            (Verb::Scroll(side), None) => {
                let setup = &self.plan.setup;
                let (x, y) = (i64::from(setup.width) / 2, i64::from(setup.height) / 2);
                play(&talk, &gestures::wheel(*side, &json!("viewport"), x, y))
            }
            (Verb::Scroll(side), Some(element)) => {
                let turn = gestures::wheel(*side, element, 0, 0);
                Ok(says(&talk, SHOW, &json!([element]))? && play(&talk, &turn)?)
            }
            (Verb::Back, None) => self.back(),
            (Verb::Open(link), None) => self.open(link),
            (verb, Some(element)) => match gestures::pointer(verb, element) {
                Some(gesture) => {
                    Ok(says(&talk, SHOW, &json!([element]))? && play(&talk, &gesture)?)
                }
                None => Ok(false),
            },
            _ => Ok(false),
        }
    }

    /// The widget that a target means on the present page.
    fn find(&mut self, target: &Target) -> Option<usize> {
        let window = &self.seen.window;
        let Resolved { index, how } = target.resolve(window)?;
        let name = |target: &Target| serde_json::to_string(target).unwrap_or_default();
        self.aim = Some(Aim {
            recorded: name(target),
            resolved: name(&Target::of(window, index)),
            how: how.name().to_owned(),
        });
        let is_there = !self.seen.nodes[index].element.is_null();
        (is_there && !window.widgets[index].state.disabled).then_some(index)
    }

    /// Answers a dialog, which is all that can be done while it is open.
    fn answer(&self, verb: &Verb) -> Result<bool, DriverError> {
        let talk = self.talk()?;
        let path = match verb {
            Verb::Accept(text) => {
                if let Some(text) = text {
                    talk.tell("POST", "/alert/text", &json!({"text": text}))?;
                }
                "/alert/accept"
            }
            Verb::Dismiss => "/alert/dismiss",
            _ => return Ok(false),
        };
        talk.tell("POST", path, &json!({}))?;
        Ok(true)
    }

    /// Goes back; from the first page of a window that a page opened, the window is closed.
    fn back(&self) -> Result<bool, DriverError> {
        if !self.seen.back {
            return Ok(false);
        }
        let talk = self.talk()?;
        let script = "return !globalThis.navigation || navigation.currentEntry?.index > 0";
        if says(&talk, script, &json!([]))? {
            talk.tell("POST", "/back", &json!({}))?;
        } else {
            talk.tell("DELETE", "/window", &Value::Null)?;
        }
        Ok(true)
    }

    fn open(&self, link: &str) -> Result<bool, DriverError> {
        let url = web::join(&self.plan.url, link);
        if !self.plan.allows(&url) {
            return Ok(false);
        }
        self.talk()?.tell("POST", "/url", &json!({"url": url}))?;
        Ok(true)
    }
}

/// Whether a script says so; a dialog that it opens is as good as a yes.
fn says(talk: &Talk, script: &str, args: &Value) -> Result<bool, DriverError> {
    Ok(match talk.run(script, args)? {
        Said::Value(value) => value == true,
        Said::Dialog => true,
        Said::NoWindow | Said::Refused => false,
    })
}

/// Plays a gesture; false where the element is out of reach.
fn play(talk: &Talk, gesture: &Value) -> Result<bool, DriverError> {
    let said = talk.tell("POST", "/actions", gesture)?;
    Ok(!matches!(said, Said::Refused))
}

fn focus(talk: &Talk, element: Option<&Value>) -> Result<bool, DriverError> {
    element.map_or(Ok(true), |element| says(talk, FOCUS, &json!([element])))
}

fn fill(talk: &Talk, element: Option<&Value>, text: &str) -> Result<bool, DriverError> {
    if let Some(element) = element {
        let script = format!("return ({FILL}).call(arguments[0], arguments[1])");
        match talk.run(&script, &json!([element, text]))? {
            Said::Value(value) if value == true => return Ok(true),
            Said::Value(_) | Said::Dialog => {}
            Said::NoWindow | Said::Refused => return Ok(false),
        }
    }
    let keys = gestures::chord("Delete").unwrap_or_default();
    play(
        talk,
        &if text.is_empty() {
            keys
        } else {
            gestures::text(text)
        },
    )
}
