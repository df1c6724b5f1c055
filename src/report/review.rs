//! What is left of failing traces, to be looked at before anybody else does: the error report in
//! parts that are shown one after the other, and the page that shows them.
//!
//! The report is its parts and nothing else, so what is written is what was shown.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

use super::html::{policy_and_title, source_hash};
use super::number::counted;
use super::text::{html_escaped, visible, visible_json};
use super::{Minimized, PrivateStep};

const STYLE: &str = concat!(
    include_str!("html/page.css"),
    include_str!("review/review.css")
);
const SCRIPT: &str = include_str!("review/review.js");

/// An error report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorReport {
    /// Its parts, to be shown one after the other.
    pub parts: Vec<String>,
}

/// What is left of one failing trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewed<'a> {
    /// What `minimize` says of it.
    pub failure: &'a Minimized,
    /// The tool that minimised it.
    pub tool: &'a str,
    /// The screen after the start, and the screen after each event.
    pub screens: Vec<String>,
    /// What to do, as a suite writes it: a text or an object.
    pub actions: Vec<serde_json::Value>,
}

impl ErrorReport {
    /// The report on some failures.
    #[must_use]
    pub fn new(failures: &[Reviewed]) -> Self {
        let parts = failures.iter().flat_map(Reviewed::parts);
        Self {
            parts: parts.collect(),
        }
    }

    /// All of it.
    #[must_use]
    pub fn text(&self) -> String {
        self.parts.concat()
    }
}

impl Reviewed<'_> {
    fn parts(&self) -> Vec<String> {
        let mut parts = vec![self.head()];
        let events = self.failure.actions.iter().enumerate();
        parts.extend(events.map(|(at, action)| self.event(at, action)));
        parts.push(self.replayable());
        parts
    }

    fn head(&self) -> String {
        let failure = self.failure;
        let check = failure.check;
        let mut text = format!(
            "Error report {}\n\nreaches  {}\nevents   {} of {}\n",
            visible(&failure.trace),
            visible(&failure.target),
            failure.output.steps,
            counted(failure.input.steps, "recorded event"),
        );
        let _ = writeln!(
            text,
            "runs     {} of {} reach it",
            check.accepted, check.runs
        );
        for (category, bytes) in &failure.private {
            let _ = writeln!(
                text,
                "private  {}: {} recorded, {} here",
                visible(category),
                counted(bytes.before, "byte"),
                bytes.after
            );
        }
        let _ = writeln!(text, "made by  {}\n", visible(self.tool));
        let start = self.screens.first().map_or("", String::as_str);
        let _ = writeln!(text, "   0. start\n      shows {}", visible(start));
        text
    }

    fn event(&self, at: usize, action: &str) -> String {
        let mut text = format!("{:>4}. {}\n", at + 1, visible(action));
        let mut private = self.failure.private_steps.iter();
        if let Some(private) = private.find(|private| private.step == at) {
            let _ = writeln!(text, "      {}", told(private));
        }
        if let Some(screen) = self.screens.get(at + 1) {
            let _ = writeln!(text, "      shows {}", visible(screen));
        }
        text
    }

    /// The same once more, for a program that replays it.
    fn replayable(&self) -> String {
        let screen = |at: usize| self.screens.get(at).map_or("", String::as_str);
        let steps = self.actions.iter().enumerate().map(|(at, action)| Step {
            action,
            screen: screen(at + 1),
        });
        let trace = Trace {
            id: &self.failure.trace,
            launch: Launch { screen: screen(0) },
            steps: steps.collect(),
        };
        let line = serde_json::to_string(&trace).expect("texts are plain JSON values");
        format!(
            "\nThe same as a suite of one trace, to be replayed:\n\n{}\n\n",
            visible_json(&line)
        )
    }
}

#[derive(Serialize)]
struct Trace<'a> {
    id: &'a str,
    launch: Launch<'a>,
    steps: Vec<Step<'a>>,
}

#[derive(Serialize)]
struct Launch<'a> {
    screen: &'a str,
}

#[derive(Serialize)]
struct Step<'a> {
    action: &'a serde_json::Value,
    screen: &'a str,
}

fn told(private: &PrivateStep) -> String {
    let category = visible(&private.category);
    if private.replaced {
        format!("types a text in place of a recorded one that looks like {category}")
    } else {
        let bytes = counted(private.bytes, "byte");
        format!("types {bytes} that look like {category}")
    }
}

/// Writes the page: the parts, a way to step through them, and a way to agree at the end.
pub fn review_page(report: &ErrorReport, file: &str, out: &mut dyn Write) -> io::Result<()> {
    policy_and_title("Review", STYLE, &source_hash(SCRIPT), out)?;
    writeln!(out, "<script>{SCRIPT}</script>\n</head>\n<body>\n<main>")?;
    let total = report.parts.len();
    writeln!(
        out,
        "<h1>Before you share it</h1>\n\
         <p>This is all that the error report will hold. Step through its {total} parts; at the end \
         you are asked whether you agree. Nothing leaves this page unless you save it.</p>\n\
         <noscript><p class=\"banner warn\">Without scripts this page can be read only. \
         <code>cargo reduce-suite review DIR</code> writes the report in a terminal.</p></noscript>"
    )?;
    for (part, number) in report.parts.iter().zip(1..) {
        // A line break behind the tag is dropped by browsers, so that one stands there always.
        writeln!(
            out,
            "<section class=\"part\" aria-label=\"Part {number} of {total}\"><p>{number} of {total}</p>\
             <pre tabindex=\"0\">\n{}</pre></section>",
            html_escaped(part)
        )?;
    }
    writeln!(
        out,
        "<div class=\"steps\" hidden><button type=\"button\" id=\"back\">Back</button> \
         <button type=\"button\" id=\"next\">Next</button> <span id=\"at\" role=\"status\"></span></div>\n\
         <section class=\"consent\" hidden><label><input type=\"checkbox\" id=\"agree\"> \
         I have seen all {total} parts and agree to share them.</label> \
         <button type=\"button\" id=\"save\" data-file=\"{}\" disabled>Save the error report</button> \
         <span id=\"saved\" role=\"status\"></span></section>\n</main>\n</body>\n</html>",
        html_escaped(file)
    )
}
