//! The reduced traces: how sure each of them is, and its screens with where they come from.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};

use serde_json::Value;

use super::anchor::Anchors;
use super::certainty::trace_figures;
use super::origins::steps;
use super::page::Page;
use super::table::{FIRST, List, Tone};
use crate::report::number::counted;
use crate::report::text::html;
use crate::report::{Fragment, Frame, Report, Shown, Strip, Validated};

/// Room for all strips, in bytes.
const ROOM: usize = 1_400_000;

/// Room for a single one.
const ONE: usize = 400_000;

/// For each reduced trace and step the number of elements that are witnessed there; no step: the
/// launch.
struct Witnessed<'a>(BTreeMap<(&'a str, Option<u32>), usize>);

impl<'a> Witnessed<'a> {
    fn new(report: &'a Report) -> Self {
        let mut counts = BTreeMap::new();
        for witness in report.witness.values() {
            let place = (witness.trace.as_str(), witness.step);
            *counts.entry(place).or_default() += 1;
        }
        Self(counts)
    }

    fn at(&self, trace: &'a str, step: Option<u32>) -> usize {
        self.0.get(&(trace, step)).copied().unwrap_or(0)
    }
}

/// The reduced traces as strips of screens.
pub(super) fn strips(shown: &Shown, anchors: &Anchors, page: &mut Page) -> io::Result<()> {
    let strips = shown.strips;
    if strips.is_empty() {
        return Ok(());
    }
    let witnessed = Witnessed::new(shown.report);
    let list = List {
        id: "reduced",
        title: "Reduced traces",
        about: "The new suite, screen by screen. Each piece says which recorded trace it comes \
                from; +3 marks a step that is the witness of 3 elements. Steps count from 0.",
        tone: Tone::Calm,
    };
    list.begin(page, strips.len())?;
    writeln!(page, "<div class=\"items\">")?;
    let room = page.room(ROOM);
    let (mut written, mut size) = (0, 0);
    for strip in strips {
        let text = one(strip, shown.report, &witnessed, anchors, written == 0);
        size += text.len();
        if size > room {
            break;
        }
        if written == FIRST {
            writeln!(page, "</div>\n<div class=\"items rest\">")?;
        }
        page.write_all(text.as_bytes())?;
        written += 1;
    }
    writeln!(page, "</div>")?;
    List::end(page, strips.len() - written)
}

fn one<'a>(
    strip: &'a Strip,
    report: &'a Report,
    witnessed: &Witnessed<'a>,
    anchors: &Anchors,
    open: bool,
) -> String {
    let mut text = String::new();
    let id = anchors.reduced_id(&strip.id).unwrap_or_default();
    let open = if open { " open" } else { "" };
    let _ = writeln!(
        text,
        "<details class=\"strip\" id=\"{id}\"{open}>\n<summary>{}</summary>\n<div class=\"film\">",
        head(strip, report)
    );
    let launch = witnessed.at(&strip.id, None);
    let start = "<span class=\"do\">launch</span>";
    let _ = writeln!(
        text,
        "<div class=\"piece start\"><p class=\"from\">clean start</p><ol>{}</ol></div>",
        frame(&strip.launch, start, launch)
    );
    let mut at = 0;
    for (fragment, frames) in pieces(strip) {
        // Between pieces that were not recorded one after the other there is a join.
        if at > 0 {
            text.push_str("<span class=\"join\" title=\"joined here\">⋈</span>\n");
        }
        let live = fragment.is_some_and(|fragment| fragment.trace.is_none());
        let class = if live { " observed" } else { "" };
        let _ = write!(
            text,
            "<div class=\"piece{class}\"><p class=\"from\">{}</p><ol>",
            source(fragment, anchors)
        );
        for step in frames {
            if text.len() >= ONE {
                break;
            }
            let count = witnessed.at(&strip.id, Some(at as u32));
            let action = format!("<span class=\"do\">{}</span>", html(&action(&step.action)));
            text.push_str(&frame(step, &action, count));
            at += 1;
        }
        text.push_str("</ol></div>\n");
        if text.len() >= ONE {
            break;
        }
    }
    if at < strip.steps.len() {
        let _ = writeln!(
            text,
            "<p class=\"capped\">{} more of this trace are in <code>suite.jsonl</code>.</p>",
            counted(strip.steps.len() - at, "step")
        );
    }
    text.push_str("</div>\n</details>\n");
    text
}

/// What is said of a trace while its strip is folded.
fn head(strip: &Strip, report: &Report) -> String {
    let traces = report.validation.traces.iter();
    let found = traces.into_iter().find(|trace| trace.trace == strip.id);
    let pieces = strip.from.len().max(1);
    let mut told = vec![counted(strip.steps.len(), "step"), counted(pieces, "piece")];
    told.extend(found.map(|trace| trace_figures(trace, report)));
    let flaky = found.is_some_and(|trace: &Validated| trace.flaky);
    let flag = if flaky {
        " <span class=\"pill warn\">flaky</span>"
    } else {
        ""
    };
    format!(
        "<b>{}</b>{flag} <span class=\"facts\">{}</span>",
        html(&strip.id),
        told.join(" · ")
    )
}

/// The steps of a strip by the fragment they come from; steps that no fragment speaks of come
/// last.
fn pieces(strip: &Strip) -> Vec<(Option<&Fragment>, &[Frame])> {
    let mut rest = strip.steps.as_slice();
    let mut pieces = Vec::new();
    for fragment in &strip.from {
        let len = fragment.last.saturating_sub(fragment.first) as usize + 1;
        let (frames, others) = rest.split_at(len.min(rest.len()));
        rest = others;
        if !frames.is_empty() {
            pieces.push((Some(fragment), frames));
        }
    }
    if !rest.is_empty() {
        pieces.push((None, rest));
    }
    pieces
}

/// Where a piece comes from.
fn source(fragment: Option<&Fragment>, anchors: &Anchors) -> String {
    let Some(fragment) = fragment else {
        return "of unknown origin".to_owned();
    };
    let steps = steps(fragment.first, fragment.last);
    match (&fragment.trace, fragment.observed) {
        (Some(trace), _) => format!("{} <small>{steps}</small>", anchors.to_recorded(trace)),
        (None, Some(session)) => format!("seen live <small>session {session}, {steps}</small>"),
        (None, None) => "of unknown origin".to_owned(),
    }
}

fn action(action: &Value) -> String {
    match action {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A screen and what led there.
fn frame(frame: &Frame, action: &str, witnessed: usize) -> String {
    let fault = frame.fault.as_ref().map_or_else(String::new, |fault| {
        format!("<span class=\"pill bad\">{}</span>", html(fault))
    });
    let new = match witnessed {
        0 => String::new(),
        count => format!(" <span class=\"new\">+{count}</span>"),
    };
    let screen = html(&frame.screen);
    format!("<li>{action}<span class=\"see\">{screen}{new}</span>{fault}</li>")
}

#[cfg(test)]
mod tests {
    use super::pieces;
    use crate::report::strips;

    #[track_caller]
    fn check(steps: usize, from: &[(u32, u32)], expect: &[usize]) {
        let step = serde_json::json!({"action": "a", "screen": "S"});
        let from = from
            .iter()
            .map(|(first, last)| serde_json::json!({"trace": "t", "first": first, "last": last}));
        let line = serde_json::json!({
            "id": "r1", "launch": {"screen": "S"}, "steps": vec![step; steps],
            "from": from.collect::<Vec<_>>(),
        });
        let strips = strips(line.to_string().as_bytes()).unwrap();
        let lengths = pieces(&strips[0]).into_iter().map(|piece| piece.1.len());
        assert_eq!(lengths.collect::<Vec<_>>(), expect);
    }

    #[test]
    fn steps_are_told_by_fragment_and_none_is_lost() {
        check(5, &[(0, 2), (7, 8)], &[3, 2]);
        check(5, &[(0, 2)], &[3, 2]);
        check(2, &[(0, 2), (1, 4)], &[2]);
        check(3, &[], &[3]);
        check(0, &[], &[]);
        check(3, &[(9, 1), (0, u32::MAX)], &[1, 2]);
    }
}
