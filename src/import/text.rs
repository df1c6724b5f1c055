//! The notation for people: `t1: Home{b0} -tap:menu{b1,b7,!NullPointer}-> Menu`, one trace a line.
//!
//! Any name may be written as a JSON string, and an action as a JSON object. `!` marks a fault,
//! `#` at the start of a line a comment.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::model::{Names, NewStep, NewTrace, Suite};

use super::canonical::{message, object_text, plain};
use super::jsonl::check_names;
use super::lines::{self, LineFault};
use super::wire::{Label, Text, WireLaunch, WireStep, WireTrace};
use super::{Importer, Limits};

pub(super) const IMPORTER: Importer = Importer {
    name: "text",
    extensions: &["trace"],
    read: |source, collector| lines::read(source, collector, parse_line),
};

/// What is wrong with a trace in this notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {reason}")]
pub struct TextError {
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
}

/// What is wrong with a suite in this notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, {error}")]
pub struct SuiteTextError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub error: TextError,
}

/// The trace on a line; it is called `t1` if the line gives it no id.
pub fn parse_trace(line: &str, names: &mut Names) -> Result<(NewTrace, Vec<NewStep>), TextError> {
    let trace = parse(line).map_err(|error| error.in_line(line))?;
    let id = trace.id.as_deref().unwrap_or("t1").into();
    Ok(trace.intern(id, names))
}

/// A suite of one trace a line; those without an id are called `t1`, `t2`, … by their place.
pub fn parse_suite(text: &str) -> Result<(Suite, Names), SuiteTextError> {
    let (mut suite, mut names) = (Suite::default(), Names::default());
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !is_blank(line)) {
        let trace = parse(line).map_err(|error| SuiteTextError {
            line: i + 1,
            error: error.in_line(line),
        })?;
        let id = match &trace.id {
            Some(id) => (&**id).into(),
            None => format!("t{}", suite.n_traces() + 1).into(),
        };
        let (trace, steps) = trace.intern(id, &mut names);
        suite.push(trace, steps);
    }
    Ok((suite, names))
}

fn parse_line<'a>(line: &'a str, limits: &Limits) -> Result<Option<WireTrace<'a>>, LineFault> {
    if is_blank(line) {
        return Ok(None);
    }
    let trace = parse(line).map_err(|error| LineFault {
        offset: error.offset,
        reason: error.reason,
        advice: "write traces like `t1: Home -tap:menu{b1,b7}-> Menu`",
    })?;
    check_names(&trace, line, limits)?;
    Ok(Some(trace))
}

fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

fn parse(line: &str) -> Result<WireTrace<'_>, Fault> {
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

struct Fault {
    offset: usize,
    reason: String,
}

impl Fault {
    fn in_line(self, line: &str) -> TextError {
        TextError {
            column: line[..self.offset].chars().count() + 1,
            reason: self.reason,
        }
    }
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
            Some(Err(error)) => self.fault(message(&error)),
            None => self.fault("expected JSON"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, parse_suite, parse_trace};

    /// Spells out what was understood: launch, then each step.
    fn read(line: &str) -> String {
        let mut names = Names::default();
        let (trace, steps) = match parse_trace(line, &mut names) {
            Ok(parsed) => parsed,
            Err(error) => return error.to_string(),
        };
        let list = |ids: &[_]| {
            let ids = ids.iter().map(|&id| names.element_name(id));
            ids.collect::<Vec<_>>().join("+")
        };
        let launch = names.screen_name(trace.launch_screen);
        let mut out = format!("{}|{launch}|{}", trace.id, list(&trace.launch_covers));
        for step in steps {
            let (action, screen) = (
                names.action_text(step.action),
                names.screen_name(step.screen),
            );
            let fault = step.fault.map_or("", |fault| names.element_name(fault));
            out += &format!("|{action}|{}|{fault}|{screen}", list(&step.covers));
        }
        out
    }

    #[track_caller]
    fn check(line: &str, expect: &str) {
        assert_eq!(read(line), expect);
    }

    #[test]
    fn a_trace_is_screens_with_actions_between() {
        check(
            "Home -tap:menu{b1,b7}-> Menu -tap:option{b9}-> Options",
            "t1|Home||tap:menu|b1+b7||Menu|tap:option|b9||Options",
        );
        check("Home", "t1|Home|");
    }

    #[test]
    fn ids_launch_coverage_and_faults_are_understood() {
        check(
            " x9:  Home{b0} -a{ b1 , !Null Pointer }-> Menu ",
            "x9|Home|b0|a|b1|fault:Null Pointer|Menu",
        );
    }

    #[test]
    fn names_may_be_quoted_and_actions_be_objects() {
        check(
            r#""i d": "A -> B" -"tap {x}"{"b,1",!"f}"}-> "" -{"b":1, "a":2}{}-> C"#,
            r#"i d|A -> B||tap {x}|b,1|fault:f}||{"a":2,"b":1}|||C"#,
        );
        check(r#"A -"{"-> B"#, r#"t1|A||"{"|||B"#);
    }

    #[test]
    fn errors_name_the_column() {
        check("", "column 1: expected a screen");
        check("Home tap", "column 6: expected `-`");
        check("Höme -tap Menu", "column 10: expected `->`");
        check("Home -tap{b1-> Menu", "column 20: expected `,`");
        check("Home -{b1}-> Menu", "column 7: key must be a string");
        check(
            "Home{!x}",
            "column 9: a launch has no fault; write it as the element `fault:…`",
        );
        check(
            "A -t-> B{b1}",
            "column 9: what a step covers stands behind its action",
        );
        check(
            "A -t{!a,!b}-> B",
            "column 10: one step has one fault at most",
        );
        check("A -\"x-> B", "column 4: EOF while parsing a string");
    }

    #[test]
    fn suites_number_their_traces_and_skip_comments() {
        let (suite, _) = parse_suite("# two\nA\n\nx: B\nC\n").unwrap();
        let ids: Vec<_> = suite.traces().map(|(_, trace)| &*trace.id).collect();
        assert_eq!(ids, ["t1", "x", "t3"]);
        let error = parse_suite("A\n\n -> B").unwrap_err();
        assert_eq!(error.to_string(), "line 3, column 2: expected a screen");
    }
}
