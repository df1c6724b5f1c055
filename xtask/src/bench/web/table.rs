//! The table of all apps: Markdown for people, JSON for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::figures::{Figures, Size};

const HEAD: &str = "\
| app | traces | steps | elements | unstable | in every replay | in any replay | left | one replay, before and after | rejected | flaky runs | spent | `paper` | audit |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|---|
";
/// How many elements that are missing are named below the table; the JSON names all.
const NAMED: usize = 20;

/// An app and what came of it.
pub(super) type Row = (String, Result<Figures, String>);

/// All rows for a page of Markdown, and what is missing behind them.
pub(super) fn table(rows: &[Row]) -> String {
    let mut text = HEAD.to_owned();
    for (name, row) in rows {
        let _ = match row {
            Ok(figures) => writeln!(text, "| {name} | {} |", cells(figures).join(" | ")),
            Err(error) => writeln!(text, "| {name} | {error} |"),
        };
    }
    for (name, row) in rows {
        let missing = row.as_ref().map_or(&[][..], |figures| &figures.missing);
        for (element, seen) in missing.iter().take(NAMED) {
            let _ = writeln!(text, "\n{name}: in {seen} replays: `{element}`");
        }
        if missing.len() > NAMED {
            let more = missing.len() - NAMED;
            let _ = writeln!(text, "\n{name}: and {more} more, which --json names");
        }
    }
    text
}

fn cells(figures: &Figures) -> Vec<String> {
    let Figures { explored, best, .. } = figures;
    let time = |seconds: f64| format!("{seconds:.0} s");
    let share = |part: usize| 100.0 * part as f64 / figures.stable.max(1) as f64;
    let paper = figures.paper.map(|paper| {
        let Size { traces, steps, .. } = paper;
        format!("{traces} / {steps} steps, {} spent", time(paper.spent))
    });
    vec![
        explored.traces.to_string(),
        explored.steps.to_string(),
        explored.elements.to_string(),
        figures.unstable.to_string(),
        format!(
            "{} of {} ({:.2} %)",
            figures.always,
            figures.stable,
            share(figures.always)
        ),
        format!("{} ({:.2} %)", figures.ever, share(figures.ever)),
        format!("{} / {} steps", best.traces, best.steps),
        format!("{}, {}", time(explored.seconds), time(best.seconds)),
        format!("{} of {}", figures.rejected, figures.candidates),
        format!("{} of {}", figures.diverged, figures.runs),
        time(best.spent),
        paper.unwrap_or_default(),
        if figures.audited { "holds" } else { "fails" }.to_owned(),
    ]
}

/// One row for programs.
pub(super) fn as_json((name, row): &Row) -> Value {
    let size = |size: &Size| {
        json!({"traces": size.traces, "steps": size.steps, "elements": size.elements,
            "seconds": size.seconds, "spent": size.spent})
    };
    let figures = match row {
        Err(error) => return json!({"app": name, "error": error}),
        Ok(figures) => figures,
    };
    let missing: Vec<Value> = figures
        .missing
        .iter()
        .map(|(element, seen)| json!({"element": element, "replays": seen}))
        .collect();
    json!({"app": name, "explored": size(&figures.explored), "best": size(&figures.best),
        "paper": figures.paper.as_ref().map(size), "stable": figures.stable,
        "unstable": figures.unstable, "in_every_replay": figures.always,
        "in_any_replay": figures.ever, "share": figures.share(), "missing": missing,
        "candidates": figures.candidates, "rejected": figures.rejected, "runs": figures.runs,
        "diverged": figures.diverged, "audited": figures.audited})
}
