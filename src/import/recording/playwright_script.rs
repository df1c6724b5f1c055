//! Tests of `@playwright/test` as its recorder writes them: plain calls on `page`, one after the
//! other. Each `test(…)` is a trace; what is more than a plain call is named and left out.

mod call;

use super::super::collect::Collector;
use super::super::source::Source;
use super::super::{ImportError, Importer, PLAIN};
use super::{Locator, Recording, add_all, refuse, text};
use crate::model::act::{Side, Target, Verb};
use crate::model::selector::css_string;
use call::{Argument, Call, Statement, statements};

pub(in super::super) const IMPORTER: Importer = Importer {
    name: "playwright",
    extensions: &["spec.ts", "spec.js", "spec.mjs"],
    read,
    ..PLAIN
};

/// A click that lasts so long is meant to last.
const HOLD_MILLIS: u64 = 500;

fn read(source: &mut Source, collector: &mut Collector) -> Result<(), ImportError> {
    let recordings = parse(&text(source)?);
    if recordings.is_empty() {
        let reason = "no call of `page` in the script".to_owned();
        let advice = "give a test that Playwright's recorder wrote";
        refuse(collector, 1, reason, advice);
    }
    add_all(source, collector, recordings);
    Ok(())
}

pub(super) fn parse(script: &str) -> Vec<Recording> {
    let mut recordings: Vec<Recording> = Vec::new();
    let mut dialogs = Vec::new();
    for statement in statements(script) {
        match statement {
            Statement::Test { line, name } => {
                dialogs.clear();
                recordings.push(Recording {
                    line,
                    name,
                    ..Recording::default()
                });
            }
            Statement::Chain { line, calls } => {
                if recordings.is_empty() {
                    recordings.push(Recording {
                        line,
                        ..Recording::default()
                    });
                }
                if let Some(recording) = recordings.last_mut() {
                    add(recording, line, &calls, &mut dialogs);
                }
            }
        }
    }
    recordings
}

/// Adds a chain of calls; `dialogs` are the answers that were prepared for the next action.
fn add(recording: &mut Recording, line: usize, calls: &[Call], dialogs: &mut Vec<Answer>) {
    let Some((last, before)) = calls.split_last() else {
        return;
    };
    if let ([], "once" | "on") = (before, &*last.name) {
        match Answer::of(last) {
            Some(answer) => dialogs.push(answer),
            None => recording.note(line, format!("page.{}: not understood", last.name)),
        }
        return;
    }
    let n_steps = recording.steps.len();
    act(recording, line, before, last);
    if recording.steps.len() > n_steps {
        for answer in dialogs.drain(..) {
            match answer {
                Answer::Accept(None) => recording.plain(Verb::Accept(None)),
                Answer::Accept(Some(text)) => recording.plain(Verb::Accept(Some(text))),
                Answer::Dismiss => recording.plain(Verb::Dismiss),
            }
        }
    }
}

fn act(recording: &mut Recording, line: usize, before: &[Call], last: &Call) {
    let first = last.text(0).unwrap_or_default();
    let names: Vec<&str> = before.iter().map(|call| &*call.name).collect();
    match (&*names, &*last.name) {
        ([], "goto") => return recording.open(first),
        ([], "goBack") => return recording.plain(Verb::Back),
        ([], "setViewportSize") => {
            let size = last.number("width").zip(last.number("height"));
            recording.viewport = size.or(recording.viewport);
            return;
        }
        (["keyboard"], "insertText" | "type") => {
            return recording.plain(Verb::Type(first.to_owned()));
        }
        (["mouse"], "wheel") => {
            let turns = |place: usize| last.raw(place).and_then(|by| by.parse::<f64>().ok());
            let (right, down) = (turns(0).unwrap_or(0.0), turns(1).unwrap_or(0.0));
            return recording.plain(Verb::Scroll(Side::of(right, down)));
        }
        (["keyboard"], "press") => return recording.plain(Verb::Key(first.to_owned())),
        _ => {}
    }
    // `page.click("#a")` has its selector as the first argument.
    let (at, value) = if before.is_empty() {
        (Locator::of_playwright(first), last.text(1))
    } else {
        (locator(before), last.text(0))
    };
    let value = value.unwrap_or_default();
    match &*last.name {
        "click"
            if last
                .number("delay")
                .is_some_and(|delay| delay >= HOLD_MILLIS) =>
        {
            recording.on(line, Verb::Hold, at);
        }
        "click" if last.option("button").is_some_and(|button| button != "left") => {
            recording.note(line, "click: with another button".to_owned());
        }
        "click" | "tap" | "check" | "uncheck" => recording.on(line, Verb::Tap, at),
        "dblclick" => recording.on(line, Verb::Double, at),
        "hover" => recording.on(line, Verb::Hover, at),
        "fill" | "type" | "pressSequentially" => {
            recording.on(line, Verb::Type(value.to_owned()), at);
        }
        "clear" => recording.on(line, Verb::Clear, at),
        "press" => recording.on(line, Verb::Key(value.to_owned()), at),
        "selectOption" => recording.on(line, Verb::Select(value.to_owned()), at),
        name => recording.note(line, format!("`{name}` is no action that can be replayed")),
    }
}

/// The widget that a chain of calls names.
fn locator(calls: &[Call]) -> Result<Locator, String> {
    let mut calls = calls.iter().filter(|call| {
        // What `or` adds are other names of the same widget.
        let is_first = matches!(&*call.name, "first" | "or");
        !(is_first || (call.name == "nth" && call.raw(0) == Some("0")))
    });
    let call = calls.next().ok_or("no locator")?;
    if let Some(next) = calls.next() {
        return Err(format!("`{}` behind a locator", next.name));
    }
    let text = call
        .text(0)
        .ok_or_else(|| format!("{}: no plain text", call.name))?;
    let text = text.to_owned();
    let attribute = |name: &str| Target {
        css: format!("[{name}={}]", css_string(&text)),
        ..Target::default()
    };
    let target = match &*call.name {
        "locator" => return Locator::of_playwright(&text),
        "getByRole" => Target {
            class: text,
            description: call.option("name").unwrap_or_default().to_owned(),
            ..Target::default()
        },
        "getByLabel" => Target {
            description: text,
            ..Target::default()
        },
        "getByText" => Target {
            text,
            ..Target::default()
        },
        "getByTestId" => attribute("data-testid"),
        "getByPlaceholder" => attribute("placeholder"),
        "getByTitle" => attribute("title"),
        "getByAltText" => attribute("alt"),
        name => return Err(format!("`{name}` is not known")),
    };
    Ok(Locator(target))
}

/// What a prepared answer to a dialog does.
enum Answer {
    Accept(Option<String>),
    Dismiss,
}

impl Answer {
    /// The answer of `page.once('dialog', dialog => dialog.accept('…'))`.
    fn of(call: &Call) -> Option<Self> {
        if call.text(0) != Some("dialog") {
            return None;
        }
        let Some(Argument::Code(code)) = call.arguments.get(1) else {
            return None;
        };
        if code.contains(".dismiss(") {
            return Some(Self::Dismiss);
        }
        let (_, rest) = code.split_once(".accept(")?;
        Some(Self::Accept(call::leading_string(rest)))
    }
}
