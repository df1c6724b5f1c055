//! The bars of the page; each figure is also there as text.

use std::io::{self, Write as _};

use super::certainty;
use super::page::Page;
use crate::report::certainty::elapsed;
use crate::report::facts::{self, KindRow, bound_sentence, remarks};
use crate::report::number::{factor, grouped, percent};
use crate::report::text::html;
use crate::report::{Report, human_seconds};

/// How many bars a chart may have.
const MOST: usize = 40;

/// A bar of `part` in `whole`.
fn bar(class: &str, part: f64, whole: f64) -> String {
    let share = if whole > 0.0 {
        part / whole * 100.0
    } else {
        0.0
    };
    // A part that is there must be seen.
    let least = if part > 0.0 { 0.6 } else { 0.0 };
    let width = share.clamp(least, 100.0);
    format!(
        "<svg class=\"bar {class}\" viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\" \
         aria-hidden=\"true\"><rect width=\"{width:.2}\" height=\"1\"/></svg>"
    )
}

/// Before and after: traces, steps, device time.
pub(super) fn sizes(report: &Report, page: &mut Page) -> io::Result<()> {
    let (old, new) = (&report.input, &report.output);
    writeln!(
        page,
        "<section class=\"cards\" aria-label=\"Before and after\">"
    )?;
    let count = |count: usize| (count as f64, grouped(count));
    card(
        page,
        ("Traces", "fewer"),
        &count(old.traces),
        &count(new.traces),
    )?;
    card(
        page,
        ("Steps", "fewer"),
        &count(old.steps),
        &count(new.steps),
    )?;
    let time = |seconds: f64| (seconds, human_seconds(seconds));
    let label = ("Device time of one replay", "faster");
    card(page, label, &time(old.seconds), &time(new.seconds))?;
    writeln!(page, "</section>")?;
    certainty::reliability(report, page)
}

/// Shows two values, each with its text, under a label and the word for less of it.
fn card(
    page: &mut Page,
    (label, less): (&str, &str),
    before: &(f64, String),
    after: &(f64, String),
) -> io::Result<()> {
    let whole = before.0.max(after.0);
    let pill = factor(before.0, after.0, less).map_or_else(String::new, |factor| {
        let factor = html(&factor.replace("x ", "× "));
        format!(" <span class=\"pill\">{factor}</span>")
    });
    writeln!(
        page,
        "<div class=\"card\"><h2>{label}</h2>\n<p class=\"big\">{}</p>\n\
         <p class=\"was\">from {}{pill}</p>\n{}\n{}</div>",
        html(&after.1),
        html(&before.1),
        bar("old", before.0, whole),
        bar("new", after.0, whole)
    )
}

/// What was recorded and is still covered, by kind.
pub(super) fn coverage(report: &Report, page: &mut Page) -> io::Result<()> {
    writeln!(
        page,
        "<section id=\"coverage\">\n<h2>Coverage</h2>\n<dl class=\"bars\">"
    )?;
    for row in facts::coverage(report).iter().take(MOST) {
        let class = if row.lost > 0 { "bad" } else { "good" };
        let bar = bar(class, row.kept as f64, row.recorded as f64);
        let (kind, text) = (html(row.kind), html(&kind_text(row)));
        writeln!(
            page,
            "<div><dt>{kind}</dt><dd>{bar}<span>{text}</span></dd></div>"
        )?;
    }
    writeln!(page, "</dl>\n</section>")
}

fn kind_text(row: &KindRow) -> String {
    let kept = format!("{} of {} kept", grouped(row.kept), grouped(row.recorded));
    let texts: Vec<String> = [kept].into_iter().chain(remarks(row)).collect();
    texts.join(", ")
}

/// How the suite shrank from phase to phase.
pub(super) fn phases(report: &Report, page: &mut Page) -> io::Result<()> {
    let input = ("recorded", report.input.traces, report.input.steps);
    let after = report.phases.iter();
    let after = after.map(|phase| (phase.name.as_str(), phase.traces, phase.steps));
    let rows: Vec<_> = [input].into_iter().chain(after).take(MOST).collect();
    let most_traces = rows.iter().map(|row| row.1).max().unwrap_or(0) as f64;
    let most_steps = rows.iter().map(|row| row.2).max().unwrap_or(0) as f64;
    writeln!(
        page,
        "<section id=\"phases\">\n<h2>Size after each phase</h2>\n<dl class=\"bars two\">"
    )?;
    for (name, traces, steps) in rows {
        writeln!(
            page,
            "<div><dt>{}</dt><dd>{}<span>{} traces</span></dd><dd>{}<span>{} steps</span></dd></div>",
            html(name),
            bar("new", traces as f64, most_traces),
            grouped(traces),
            bar("soft", steps as f64, most_steps),
            grouped(steps)
        )?;
    }
    writeln!(page, "</dl>\n</section>")
}

/// What one replay takes, and what it takes at least.
pub(super) fn bound(report: &Report, page: &mut Page) -> io::Result<()> {
    let Some(sentence) = bound_sentence(report) else {
        return Ok(());
    };
    writeln!(
        page,
        "<section id=\"bound\">\n<h2>Device time and the bound</h2>\n<p>{} No suite that covers \
         the same by recorded transitions takes less.</p>\n<dl class=\"bars\">",
        html(&sentence)
    )?;
    let (now, least) = (report.output.seconds, report.bound.seconds);
    let rows = [
        ("reduced suite", "new", now),
        ("proven minimum", "soft", least),
    ];
    for (name, class, seconds) in rows {
        writeln!(
            page,
            "<div><dt>{name}</dt><dd>{}<span>{}</span></dd></div>",
            bar(class, seconds, now.max(least)),
            human_seconds(seconds)
        )?;
    }
    writeln!(page, "</dl>")?;
    certainty::expensive(report, page)?;
    writeln!(page, "</section>")
}

/// Where the device time of reducing went.
pub(super) fn device_time(report: &Report, page: &mut Page) -> io::Result<()> {
    let device = &report.device;
    writeln!(
        page,
        "<section id=\"device\">\n<h2>Device time spent on reducing</h2>\n<p>{} in all: {} launches, {} steps; \
         {} of {} candidates rejected, {} retries after device trouble.{}</p>\n<dl class=\"bars\">",
        human_seconds(device.seconds),
        grouped(device.launches),
        grouped(device.steps),
        grouped(device.rejected),
        grouped(device.candidates),
        grouped(device.retries),
        elapsed(report).map_or_else(String::new, |text| format!(" {}", html(&text)))
    )?;
    let mut uses = facts::phase_uses(report);
    uses.retain(|(_, used)| used.launches > 0);
    let most = uses
        .iter()
        .map(|(_, used)| used.seconds)
        .fold(0.0, f64::max);
    for (name, used) in uses.into_iter().take(MOST) {
        writeln!(
            page,
            "<div><dt>{}</dt><dd>{}<span>{} ({})</span></dd></div>",
            html(name),
            bar("new", used.seconds, most),
            human_seconds(used.seconds),
            html(&percent(used.seconds, device.seconds))
        )?;
    }
    writeln!(page, "</dl>\n</section>")
}
