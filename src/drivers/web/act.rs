//! Acting on a page: the mouse, the keyboard, and what has neither.

use std::time::Duration;

use serde_json::{Value, json};

use super::browser::{Browser, Halt};
use super::find::{FINDING, Found};
use super::keys;
use super::site;
use super::tree::Kind;
use crate::model::act::{Act, Side, Verb};

/// How long a wheel may take to turn; some pages never say that it did.
const TURNING: Duration = Duration::from_secs(2);
/// For how long a finger stays down where a long touch is meant.
const HOLDING: Duration = Duration::from_millis(800);

/// Gets a field ready to be typed into; true when it has the text already.
pub(crate) const FILL: &str = "function (text) {
  const type = this instanceof HTMLInputElement ? this.type : '';
  this.focus();
  if (['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range'].includes(type)) {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(this, text);
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    this.dispatchEvent(new Event('change', { bubbles: true }));
    return true;
  }
  if (this.isContentEditable) getSelection().selectAllChildren(this);
  else if (this.select) this.select();
  return false;
}";

/// Chooses an entry of a list by its words or its value; whether there is one.
pub(crate) const SELECT: &str = "function (text) {
  const words = (option) => (option.label || option.text).replace(/\\s+/g, ' ').trim();
  const options = Array.from(this.options || []).filter((option) => !option.disabled);
  const option = options.find((one) => words(one) === text) || options.find((one) => one.value === text);
  if (!option) return false;
  this.focus();
  option.selected = true;
  this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  this.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}";

/// What came of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    /// It was done.
    Done,
    /// The page does not offer it.
    NotEnabled,
}

impl Browser {
    /// Does something to the page in front.
    pub(super) fn act(&mut self, act: &Act) -> Result<Done, Halt> {
        self.aim = None;
        if self.front()?.dialog.is_some() {
            return self.answer(&act.verb);
        }
        let found = match &act.target {
            None => None,
            Some(target) => match self.find(target)? {
                Some(found) => Some(found),
                None => return Ok(Done::NotEnabled),
            },
        };
        match &act.verb {
            Verb::Tap | Verb::Double | Verb::Hold | Verb::Hover => match found {
                Some(found) => self.point(&act.verb, found),
                None => Ok(Done::NotEnabled),
            },
            Verb::Type(text) => self.fill(found, text),
            Verb::Clear => self.fill(found, ""),
            Verb::Select(text) => match found {
                Some(found) => self.on(found, SELECT, text).map(done_if),
                None => Ok(Done::NotEnabled),
            },
            Verb::Key(name) => self.press(found, name),
            Verb::Scroll(side) => self.scroll(found, *side),
            Verb::Swipe(side) => self.swipe(found, *side),
            Verb::Back => self.back(),
            Verb::Open(link) => self.open(link),
            Verb::Accept(_)
            | Verb::Dismiss
            | Verb::Menu
            | Verb::Home
            | Verb::Rotate(_)
            | Verb::Intent(_) => Ok(Done::NotEnabled),
        }
    }

    /// Answers a dialog, which is all that can be done while it is open.
    fn answer(&mut self, verb: &Verb) -> Result<Done, Halt> {
        let answer = match verb {
            Verb::Accept(Some(text)) => json!({"accept": true, "promptText": text}),
            Verb::Accept(None) => json!({"accept": true}),
            Verb::Dismiss => json!({"accept": false}),
            _ => return Ok(Done::NotEnabled),
        };
        self.tell("Page.handleJavaScriptDialog", answer)?;
        if let Some(tab) = self.tabs.last_mut() {
            tab.dialog = None;
        }
        Ok(Done::Done)
    }

    /// The middle of an element on the screen; none where it takes up no room.
    fn place(&mut self, found: Found) -> Result<Option<(f64, f64)>, Halt> {
        let node = json!({"backendNodeId": found.backend});
        self.tell("DOM.scrollIntoViewIfNeeded", node.clone())?;
        let quads = match self.call("DOM.getContentQuads", node, FINDING) {
            Ok(quads) => quads,
            Err(Halt::Refused(_)) => return Ok(None),
            Err(halt) => return Err(halt),
        };
        let mut quads = quads["quads"].as_array().into_iter().flatten();
        Ok(quads.find_map(middle))
    }

    fn point(&mut self, verb: &Verb, found: Found) -> Result<Done, Halt> {
        if found.kind == Kind::Select && *verb == Verb::Tap {
            // Its list would open outside the page, where nobody could choose from it.
            let node = json!({"backendNodeId": found.backend});
            return Ok(match self.call("DOM.focus", node, FINDING) {
                Err(Halt::Refused(_)) => Done::NotEnabled,
                focused => focused.map(|_| Done::Done)?,
            });
        }
        let Some(at) = self.place(found)? else {
            return Ok(Done::NotEnabled);
        };
        self.mouse("mouseMoved", at, 0)?;
        match verb {
            Verb::Hover => self.settled("mouseMoved", at, 0)?,
            Verb::Hold => {
                self.mouse("mousePressed", at, 1)?;
                self.pause(HOLDING)?;
                self.settled("mouseReleased", at, 1)?;
            }
            Verb::Double => {
                self.mouse("mousePressed", at, 1)?;
                self.mouse("mouseReleased", at, 1)?;
                self.mouse("mousePressed", at, 2)?;
                self.settled("mouseReleased", at, 2)?;
            }
            _ => {
                self.mouse("mousePressed", at, 1)?;
                self.settled("mouseReleased", at, 1)?;
            }
        }
        Ok(Done::Done)
    }

    fn mouse(&mut self, what: &str, at: (f64, f64), clicks: u32) -> Result<(), Halt> {
        self.tell("Input.dispatchMouseEvent", mouse(what, at, clicks))
    }

    /// Lets the page come to rest in the middle of an act, while so much of its time passes.
    fn pause(&mut self, time: Duration) -> Result<(), Halt> {
        let step = std::mem::replace(&mut self.plan.setup.step, time);
        let rested = self.rest(self.plan.setup.quiet);
        self.plan.setup.step = step;
        rested.map(|_| ())
    }

    /// Moves the mouse and waits until the page has taken it in.
    fn settled(&mut self, what: &str, at: (f64, f64), clicks: u32) -> Result<(), Halt> {
        let event = mouse(what, at, clicks);
        self.settle("Input.dispatchMouseEvent", event, self.plan.setup.quiet)
    }

    /// Waits until the page has taken something in; it may close its tab over it.
    fn settle(&mut self, method: &str, params: Value, limit: Duration) -> Result<(), Halt> {
        match self.call(method, params, limit) {
            Ok(_) | Err(Halt::Refused(_)) => Ok(()),
            Err(halt) => Err(halt),
        }
    }

    /// Calls a function on an element with a text; whether it says so.
    fn on(&mut self, found: Found, function: &str, text: &str) -> Result<bool, Halt> {
        let node = json!({"backendNodeId": found.backend});
        let object = self.call("DOM.resolveNode", node, FINDING)?;
        let call = json!({
            "objectId": object["object"]["objectId"], "functionDeclaration": function,
            "arguments": [{"value": text}], "returnByValue": true, "userGesture": true,
        });
        let answer = self.call("Runtime.callFunctionOn", call, self.plan.setup.quiet)?;
        Ok(answer["result"]["value"] == true)
    }

    fn fill(&mut self, found: Option<Found>, text: &str) -> Result<Done, Halt> {
        if let Some(found) = found {
            match self.on(found, FILL, text) {
                Ok(false) => {}
                Ok(true) => return Ok(Done::Done),
                Err(Halt::Refused(_)) => return Ok(Done::NotEnabled),
                Err(halt) => return Err(halt),
            }
            // Pages hear of a selection with the next frame, and some put another one in its place.
            self.pause(Duration::ZERO)?;
        }
        if text.is_empty() {
            return self.press(None, "Delete");
        }
        let limit = self.plan.setup.quiet;
        self.settle("Input.insertText", json!({"text": text}), limit)?;
        Ok(Done::Done)
    }

    fn press(&mut self, found: Option<Found>, name: &str) -> Result<Done, Halt> {
        let Some(mut messages) = keys::press(name) else {
            return Ok(Done::NotEnabled);
        };
        if let Some(found) = found {
            let node = json!({"backendNodeId": found.backend});
            match self.call("DOM.focus", node, FINDING) {
                Err(Halt::Refused(_)) => return Ok(Done::NotEnabled),
                focused => focused?,
            };
        }
        let last = messages.pop().unwrap_or_default();
        for message in messages {
            self.tell("Input.dispatchKeyEvent", message)?;
        }
        let limit = self.plan.setup.quiet;
        self.settle("Input.dispatchKeyEvent", last, limit)?;
        Ok(Done::Done)
    }

    /// Where a gesture begins: on an element, or in the middle of the page.
    fn begin(&mut self, found: Option<Found>) -> Result<Option<(f64, f64)>, Halt> {
        let setup = &self.plan.setup;
        let middle = (f64::from(setup.width) / 2.0, f64::from(setup.height) / 2.0);
        found.map_or(Ok(Some(middle)), |found| self.place(found))
    }

    fn scroll(&mut self, found: Option<Found>, side: Side) -> Result<Done, Halt> {
        let Some((x, y)) = self.begin(found)? else {
            return Ok(Done::NotEnabled);
        };
        let (right, down) = direction(side);
        let reach = f64::from(self.plan.setup.height) * 0.8;
        let wheel = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": right * reach, "deltaY": down * reach});
        match self.settle("Input.dispatchMouseEvent", wheel, TURNING) {
            Err(Halt::Silent) | Ok(()) => Ok(Done::Done),
            Err(halt) => Err(halt),
        }
    }

    fn swipe(&mut self, found: Option<Found>, side: Side) -> Result<Done, Halt> {
        let Some((x, y)) = self.begin(found)? else {
            return Ok(Done::NotEnabled);
        };
        let (right, down) = direction(side);
        self.mouse("mouseMoved", (x, y), 0)?;
        self.mouse("mousePressed", (x, y), 1)?;
        let mut at = (x, y);
        for step in 1..=5 {
            let reach = f64::from(step) * 40.0;
            at = (x + right * reach, y + down * reach);
            let mut event = mouse("mouseMoved", at, 0);
            event["buttons"] = json!(1);
            event["button"] = json!("left");
            self.tell("Input.dispatchMouseEvent", event)?;
        }
        self.settled("mouseReleased", at, 1)?;
        Ok(Done::Done)
    }

    fn back(&mut self) -> Result<Done, Halt> {
        let history = self.call("Page.getNavigationHistory", json!({}), FINDING)?;
        let now = history["currentIndex"].as_u64().unwrap_or_default();
        let tab = self.front()?;
        let first = tab.first_entry.unwrap_or_default();
        if now > first {
            let entry = &history["entries"][now as usize - 1]["id"];
            let limit = self.plan.setup.quiet;
            self.settle(
                "Page.navigateToHistoryEntry",
                json!({"entryId": entry}),
                limit,
            )?;
            if let Some(tab) = self.tabs.last_mut() {
                tab.leaving = true;
            }
            return Ok(Done::Done);
        }
        if self.tabs.len() < 2 {
            return Ok(Done::NotEnabled);
        }
        // Going back from the first page of a tab closes it.
        let target = json!({"targetId": self.front()?.target});
        let session = self.front()?.session.clone();
        self.root("Target.closeTarget", target)?;
        self.tabs.retain(|tab| tab.session != session);
        Ok(Done::Done)
    }

    fn open(&mut self, link: &str) -> Result<Done, Halt> {
        let url = site::join(&self.front()?.url, link);
        if !self.plan.allows(&url) {
            return Ok(Done::NotEnabled);
        }
        let limit = self.plan.setup.load;
        self.settle("Page.navigate", json!({"url": url}), limit)?;
        Ok(Done::Done)
    }
}

fn done_if(done: bool) -> Done {
    if done { Done::Done } else { Done::NotEnabled }
}

fn mouse(what: &str, (x, y): (f64, f64), clicks: u32) -> Value {
    let pressed = u32::from(what == "mousePressed");
    let button = if clicks > 0 { "left" } else { "none" };
    json!({"type": what, "x": x, "y": y, "button": button, "buttons": pressed, "clickCount": clicks})
}

/// To the right and down.
fn direction(side: Side) -> (f64, f64) {
    match side {
        Side::Up => (0.0, -1.0),
        Side::Down => (0.0, 1.0),
        Side::Left => (-1.0, 0.0),
        Side::Right => (1.0, 0.0),
    }
}

/// The middle of a quadrangle that takes up room.
fn middle(quad: &Value) -> Option<(f64, f64)> {
    let quad: Vec<f64> = quad.as_array()?.iter().filter_map(Value::as_f64).collect();
    let [ax, ay, bx, by, cx, cy, dx, dy] = quad[..] else {
        return None;
    };
    let area = (cx - ax) * (dy - by) - (dx - bx) * (cy - ay);
    let middle = ((ax + bx + cx + dx) / 4.0, (ay + by + cy + dy) / 4.0);
    (area.abs() > 1.0).then_some(middle)
}
