//! The notation for people: `t1: Home{b0} -tap:menu{b1,b7,!NullPointer}-> Menu`, one trace a line.
//!
//! Any name may be written as a JSON string, and an action as a JSON object. `!` marks a fault,
//! `#` at the start of a line a comment.

use rustc_hash::FxHashSet;

use crate::model::{Names, NewStep, NewTrace, Suite};

use super::jsonl::check_names;
use super::lines::{self, LineFault};
use super::notation::{Fault, parse};
use super::wire::WireTrace;
use super::{Importer, Limits, PLAIN};

pub(super) const IMPORTER: Importer = Importer {
    name: "text",
    extensions: &["trace"],
    read: |source, collector| {
        lines::read(source, collector, &|line, _, limits| {
            parse_line(line, limits)
        })
    },
    ..PLAIN
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
    let trace = parse(line).map_err(|error| located(line, error))?;
    let id = trace.id.as_deref().unwrap_or("t1").into();
    let (trace, steps) = trace.intern(id, names);
    Ok((trace, steps.collect()))
}

/// A suite of one trace a line; those without an id are called `t1`, `t2`, … by their place.
pub fn parse_suite(text: &str) -> Result<(Suite, Names), SuiteTextError> {
    let (mut suite, mut names) = (Suite::default(), Names::default());
    let mut ids = FxHashSet::default();
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !is_blank(line)) {
        let trace = parse(line).map_err(|error| SuiteTextError {
            line: i + 1,
            error: located(line, error),
        })?;
        let id: Box<str> = match &trace.id {
            Some(id) => (&**id).into(),
            None => format!("t{}", suite.n_traces() + 1).into(),
        };
        if !ids.insert(id.clone()) {
            let error = TextError {
                column: 1,
                reason: format!("duplicate trace id `{id}`"),
            };
            return Err(SuiteTextError { line: i + 1, error });
        }
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

fn located(line: &str, fault: Fault) -> TextError {
    TextError {
        column: line[..fault.offset].chars().count() + 1,
        reason: fault.reason,
    }
}

fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
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
            let covers = list(&step.covers);
            out.extend(["|", action, "|", &covers, "|", fault, "|", screen]);
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
        check("Home -{b1}-> Menu", "column 8: key must be a string");
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
        check("A -\"x-> B", "column 9: EOF while parsing a string");
    }

    #[test]
    fn suites_number_their_traces_and_skip_comments() {
        let (suite, _) = parse_suite("# two\nA\n\nx: B\nC\n").unwrap();
        let ids: Vec<_> = suite.traces().map(|(_, trace)| trace.id).collect();
        assert_eq!(ids, ["t1", "x", "t3"]);
        let error = parse_suite("A\n\n -> B").unwrap_err();
        assert_eq!(error.to_string(), "line 3, column 2: expected a screen");
        let error = parse_suite("t2: A\nB").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2, column 1: duplicate trace id `t2`"
        );
    }
}
