//! The grammar of the notation for people.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::jsonl::json_offset;
use super::wire::{Label, WireLaunch, WireStep, WireTrace};
use crate::model::action::{Text, message, object_text, plain};

/// The trace on a line.
pub(super) fn parse(line: &str) -> Result<WireTrace<'_>, Fault> {
    let mut cursor = Cursor { line, at: 0 };
    cursor.skip_space();
    let id = cursor.id()?;
    cursor.skip_space();
    let screen = cursor.screen()?;
    let covered = cursor.covered()?;
    if covered.fault.is_some() {
        return cursor.fault("a launch has no fault; write it as the element `fault:…`");
    }
    let launch = WireLaunch {
        screen,
        covers: covered.covers,
        fields: Vec::new(),
    };
    let mut steps = Vec::new();
    while !cursor.at_end() {
        steps.push(cursor.step()?);
    }
    Ok(WireTrace {
        id,
        launch,
        steps,
        fields: Vec::new(),
    })
}

/// What is wrong with a line and where, in bytes from its start.
pub(super) struct Fault {
    pub(super) offset: usize,
    pub(super) reason: String,
}

#[derive(Default)]
struct Covered<'a> {
    covers: Vec<Label<'a>>,
    fault: Option<Cow<'a, str>>,
}

struct Cursor<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    fn fault<T>(&self, reason: impl Into<String>) -> Result<T, Fault> {
        Err(Fault {
            offset: self.at,
            reason: reason.into(),
        })
    }

    fn skip_space(&mut self) {
        self.at = self.line.len() - self.rest().trim_start().len();
    }

    fn at_end(&mut self) -> bool {
        self.skip_space();
        self.rest().is_empty()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), Fault> {
        if self.eat(token) {
            Ok(())
        } else {
            self.fault(format!("expected `{token}`"))
        }
    }

    /// An id with the colon behind it, if there is one.
    fn id(&mut self) -> Result<Option<Cow<'a, str>>, Fault> {
        let start = self.at;
        if self.rest().starts_with('"') {
            let id = self.quoted()?;
            if self.eat(":") {
                return Ok(Some(id));
            }
        } else if let Some(id) = self.until(char::is_whitespace).strip_suffix(':') {
            self.at += 1 + id.len();
            return Ok(Some(id.into()));
        }
        self.at = start;
        Ok(None)
    }

    fn screen(&mut self) -> Result<Cow<'a, str>, Fault> {
        if self.rest().starts_with('"') {
            return self.quoted();
        }
        let name = self.until(|c| c.is_whitespace() || c == '{');
        if name.starts_with('-') {
            return self.fault("expected a screen");
        }
        self.bare(name, "a screen")
    }

    fn step(&mut self) -> Result<WireStep<'a>, Fault> {
        self.expect("-")?;
        let action = self.action()?;
        let Covered { covers, fault } = self.covered()?;
        self.expect("->")?;
        self.skip_space();
        let screen = self.screen()?;
        if self.rest().starts_with('{') {
            return self.fault("what a step covers stands behind its action");
        }
        Ok(WireStep {
            action,
            covers,
            screen,
            fault,
            millis: None,
            fields: Vec::new(),
        })
    }

    fn action(&mut self) -> Result<Cow<'a, str>, Fault> {
        match self.rest().chars().next() {
            Some('"') => self.quoted().map(plain),
            Some('{') => {
                let raw: &RawValue = self.json()?;
                let text = object_text(raw.get());
                text.map(Cow::Owned).or_else(|e| self.fault(message(&e)))
            }
            _ => {
                let rest = self.until(|c| c.is_whitespace() || c == '{');
                let name = rest.split("->").next().unwrap_or_default();
                self.bare(name, "an action")
            }
        }
    }

    /// What stands in braces, if they are there.
    fn covered(&mut self) -> Result<Covered<'a>, Fault> {
        let mut covered = Covered::default();
        if !self.eat("{") {
            return Ok(covered);
        }
        self.skip_space();
        if self.eat("}") {
            return Ok(covered);
        }
        loop {
            self.skip_space();
            if self.eat("!") {
                if covered.fault.is_some() {
                    return self.fault("one step has one fault at most");
                }
                covered.fault = Some(self.item("a fault")?);
            } else {
                covered.covers.push(Label::Text(self.item("an element")?));
            }
            self.skip_space();
            if self.eat("}") {
                return Ok(covered);
            }
            self.expect(",")?;
        }
    }

    fn item(&mut self, what: &str) -> Result<Cow<'a, str>, Fault> {
        if self.rest().starts_with('"') {
            return self.quoted();
        }
        let name = self.until(|c| c == ',' || c == '}').trim_end();
        self.bare(name, what)
    }

    fn until(&self, is_end: impl Fn(char) -> bool) -> &'a str {
        self.rest().split(is_end).next().unwrap_or_default()
    }

    fn bare(&mut self, name: &'a str, what: &str) -> Result<Cow<'a, str>, Fault> {
        if name.is_empty() {
            return self.fault(format!("expected {what}"));
        }
        if let Some(offset) = name.find(['"', '{', '}', '\0']) {
            self.at += offset;
            return self.fault(format!("{what} with such characters must be in quotes"));
        }
        self.at += name.len();
        Ok(name.into())
    }

    fn quoted(&mut self) -> Result<Cow<'a, str>, Fault> {
        let Text(text) = self.json()?;
        Ok(text)
    }

    fn json<T: serde::Deserialize<'a>>(&mut self) -> Result<T, Fault> {
        let mut values = serde_json::Deserializer::from_str(self.rest()).into_iter();
        match values.next() {
            Some(Ok(value)) => {
                self.at += values.byte_offset();
                Ok(value)
            }
            Some(Err(error)) => {
                self.at += json_offset(self.rest(), &error);
                self.fault(message(&error))
            }
            None => self.fault("expected JSON"),
        }
    }
}
