//! `explore.html`: the growth of coverage as a picture, and what is worth a look. It needs no
//! script and no network.

use std::io::{self, Write};

use super::super::html::source_hash;
use super::super::human_seconds;
use super::super::number::{and_more, grouped};
use super::super::text::html;
use super::{ExploreReport, GrowthPoint};

const STYLE: &str = include_str!("page.css");
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
/// The most points of a line, so that the page stays small however long the run was.
const MOST_POINTS: usize = 600;
/// The most rows of a table.
const MOST_ROWS: usize = 200;

/// Writes the page.
pub fn write_page(report: &ExploreReport, out: &mut dyn Write) -> io::Result<()> {
    let style = source_hash(STYLE);
    let title = html(&format!(
        "{} steps explored",
        grouped(report.suite.steps as u64)
    ));
    writeln!(
        out,
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src {style}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} – reduce-suite</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{title}</h1>"#
    )?;
    figures(report, out)?;
    picture(&report.growth, out)?;
    faults(report, out)?;
    denied(report, out)?;
    followed(report, out)?;
    writeln!(out, "</main>\n</body>\n</html>")
}

fn figures(report: &ExploreReport, out: &mut dyn Write) -> io::Result<()> {
    let elements = report.growth.last().map_or(0, |last| last.elements);
    let rows = [
        ("Strategy", report.strategy.clone()),
        ("Seed", report.seed.to_string()),
        ("Traces", grouped(report.suite.traces as u64)),
        ("Steps", grouped(report.suite.steps as u64)),
        ("Elements covered", grouped(elements as u64)),
        ("Screens", grouped(report.screens as u64)),
        (
            "Actions done where they are offered",
            format!(
                "{} of {}",
                grouped(report.actions.done as u64),
                grouped(report.actions.offered as u64)
            ),
        ),
        ("Device time", human_seconds(report.device.seconds)),
        ("Ended", report.ended.clone()),
    ];
    writeln!(out, "<section>\n<table>")?;
    for (name, value) in rows {
        writeln!(out, "<tr><th>{name}</th><td>{}</td></tr>", html(&value))?;
    }
    writeln!(out, "</table>\n</section>")
}

/// Elements and screens over steps.
fn picture(growth: &[GrowthPoint], out: &mut dyn Write) -> io::Result<()> {
    let Some(last) = growth.last() else {
        return Ok(());
    };
    let label = format!(
        "Coverage grew to {} elements and {} screens in {} steps",
        grouped(last.elements as u64),
        grouped(last.screens as u64),
        grouped(last.steps)
    );
    let elements = line(growth, last.steps, last.elements, |point| point.elements);
    let screens = line(growth, last.steps, last.screens, |point| point.screens);
    let (wide, high) = (WIDTH, HEIGHT);
    writeln!(
        out,
        r#"<section>
<h2>Coverage over steps</h2>
<svg viewBox="-8 -8 {} {}" role="img" aria-label="{label}">
<path class="axis" d="M0 0V{high}H{wide}"/>
<polyline class="elements" points="{elements}"/>
<polyline class="screens" points="{screens}"/>
<text x="4" y="12">{} elements</text>
<text x="4" y="28" class="screens">{} screens</text>
<text x="{wide}" y="{}" text-anchor="end">{} steps</text>
</svg>
</section>"#,
        wide + 16.0,
        high + 36.0,
        grouped(last.elements as u64),
        grouped(last.screens as u64),
        high + 20.0,
        grouped(last.steps),
    )
}

fn line(
    growth: &[GrowthPoint],
    steps: u64,
    top: usize,
    height: impl Fn(&GrowthPoint) -> usize,
) -> String {
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let each = growth.len().div_ceil(MOST_POINTS).max(1);
    let last = growth.len() - 1;
    let kept = growth.iter().enumerate();
    let kept = kept.filter(|(at, _)| at % each == 0 || *at == last);
    let points = kept.map(|(_, point)| {
        let x = share(point.steps as f64, steps as f64) * WIDTH;
        let y = HEIGHT - share(height(point) as f64, top as f64) * HEIGHT;
        format!("{x:.1},{y:.1}")
    });
    points.collect::<Vec<_>>().join(" ")
}

fn faults(report: &ExploreReport, out: &mut dyn Write) -> io::Result<()> {
    let rows = report.faults.iter().map(|fault| {
        let step = fault
            .step
            .map_or("launch".to_owned(), |step| step.to_string());
        vec![fault.fault.clone(), fault.trace.clone(), step]
    });
    table("Faults", &["Fault", "Trace", "Step"], rows, out)
}

fn denied(report: &ExploreReport, out: &mut dyn Write) -> io::Result<()> {
    let rows = report.denied.iter();
    let rows = rows.map(|denied| vec![denied.screen.clone(), denied.action.clone()]);
    table("Left alone", &["Screen", "Action"], rows, out)
}

fn followed(report: &ExploreReport, out: &mut dyn Write) -> io::Result<()> {
    let rows = report.followed.iter().map(|followed| {
        let steps = format!("{} of {}", followed.done, followed.of);
        let stuck = followed.stuck_at.clone().unwrap_or_default();
        vec![followed.trace.clone(), steps, stuck]
    });
    let heads = ["Recording", "Steps", "Could not be done"];
    table("Recordings", &heads, rows, out)
}

fn table(
    title: &str,
    heads: &[&str],
    rows: impl ExactSizeIterator<Item = Vec<String>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let n_rows = rows.len();
    if n_rows == 0 {
        return Ok(());
    }
    writeln!(out, "<section>\n<h2>{title}</h2>\n<table>\n<tr>")?;
    for head in heads {
        writeln!(out, "<th>{head}</th>")?;
    }
    writeln!(out, "</tr>")?;
    for row in rows.take(MOST_ROWS) {
        let cells = row.iter().map(|cell| format!("<td>{}</td>", html(cell)));
        writeln!(out, "<tr>{}</tr>", cells.collect::<String>())?;
    }
    writeln!(out, "</table>")?;
    if n_rows > MOST_ROWS {
        writeln!(out, "<p>{}</p>", and_more(n_rows - MOST_ROWS))?;
    }
    writeln!(out, "</section>")
}
