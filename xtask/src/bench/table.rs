//! The figures as one table of text.

use super::row::Row;
use super::summary::{COLUMNS, Group, Target};

/// How many violations of one app are spelt out.
const MOST_VIOLATIONS: usize = 3;

/// A `best` behind another column is the same figure of the strategy that is judged.
const HEAD: [&str; 27] = [
    "generator",
    "recorder",
    "traces",
    "flaky",
    "seed",
    "suite s",
    "best",
    "ratio",
    "bound",
    "gap",
    "floor",
    "reducing s",
    "best",
    "ratio",
    "traces",
    "best",
    "steps",
    "best",
    "elements",
    "best",
    "observed",
    "own s",
    "<99%",
    "marked",
    "wrong",
    "x8",
    "same",
];

/// The rows, then what is wrong with them.
pub(super) fn rows(rows: &[Row]) -> String {
    let mut lines = vec![HEAD.map(str::to_owned).to_vec()];
    lines.extend(rows.iter().map(cells));
    let mut text = aligned(&lines, 2);
    for row in rows {
        for note in notes(row) {
            let label = row.label.to_string();
            text.extend(["! ", &label, ": ", &note, "\n"]);
        }
    }
    text
}

fn cells(row: &Row) -> Vec<String> {
    let label = &row.label;
    let base = row.base.as_ref().ok();
    let best = row.best.as_ref().and_then(|attempt| attempt.as_ref().ok());
    let judged = row.judged().as_ref().ok();
    let derived = row.derived();
    let whole = |figure: Option<f64>| number(figure, 0);
    let count = |figure: Option<usize>| figure.map_or_else(nothing, |it| it.to_string());
    vec![
        label.generator.clone(),
        label.recorder.clone(),
        label.traces.to_string(),
        label.flaky.to_string(),
        label.seed.to_string(),
        whole(derived.base_seconds),
        whole(derived.best_seconds),
        number(derived.suite_ratio, 2),
        whole(derived.bound),
        number(derived.gap, 2),
        whole(derived.floor),
        whole(derived.base_reducing),
        whole(derived.best_reducing),
        number(derived.reducing_ratio, 2),
        whole(base.map(|it| it.traces)),
        whole(best.map(|it| it.traces)),
        whole(base.map(|it| it.steps)),
        whole(best.map(|it| it.steps)),
        whole(base.map(|it| it.elements)),
        whole(best.map(|it| it.elements)),
        count(judged.map(|it| it.observed)),
        number(derived.own_seconds, 1),
        count(judged.map(|it| it.reliability.unmarked)),
        judged.map_or_else(nothing, |it| {
            format!("{}/{}", it.reliability.marked, it.reliability.marks)
        }),
        count(judged.map(|it| it.violations.len())),
        number(derived.speed_up, 1),
        match &row.same_on_eight {
            None => nothing(),
            Some(Ok(true)) => "yes".to_owned(),
            Some(Ok(false)) => "NO".to_owned(),
            Some(Err(_)) => "error".to_owned(),
        },
    ]
}

/// Errors and violations in words.
fn notes(row: &Row) -> Vec<String> {
    let mut notes: Vec<String> = row.errors().into_iter().map(str::to_owned).collect();
    let attempts = [("base", Some(&row.base)), ("best", row.best.as_ref())];
    for (name, attempt) in attempts {
        if let Some(Ok(figures)) = attempt {
            let found = &figures.violations;
            let first = found.iter().take(MOST_VIOLATIONS);
            notes.extend(first.map(|it| format!("{name}: {it}")));
            if found.len() > MOST_VIOLATIONS {
                notes.push(format!("{name}: {} more", found.len() - MOST_VIOLATIONS));
            }
        }
    }
    notes
}

/// Median and worst of each column, one group a line.
pub(super) fn groups(groups: &[Group]) -> String {
    let mut head = vec!["median / worst".to_owned(), "apps".to_owned()];
    head.extend(COLUMNS.iter().map(|column| column.name.to_owned()));
    let mut lines = vec![head];
    for group in groups {
        let mut line = vec![group.name.clone(), group.apps.to_string()];
        line.extend(group.spreads.iter().map(|spread| {
            spread.map_or_else(nothing, |it| {
                // Seconds of devices are hundreds, ratios are ones.
                let places = if it.worst >= 100.0 { 0 } else { 2 };
                format!("{:.places$} / {:.places$}", it.median, it.worst)
            })
        }));
        lines.push(line);
    }
    aligned(&lines, 1)
}

/// One target a line.
pub(super) fn targets(targets: &[Target]) -> String {
    let line = |target: &Target| {
        let verdict = if target.met { "met" } else { "missed" };
        vec![
            target.name.clone(),
            verdict.to_owned(),
            target.found.clone(),
        ]
    };
    aligned(&targets.iter().map(line).collect::<Vec<_>>(), 2)
}

/// How one app went, in a few words.
pub(super) fn progress(row: &Row) -> String {
    let derived = row.derived();
    let errors = row.errors();
    let end = if errors.is_empty() {
        format!(
            "suite {}, gap {}, reducing {}, wrong {}",
            number(derived.suite_ratio, 2),
            number(derived.gap, 2),
            number(derived.reducing_ratio, 2),
            number(derived.violations, 0)
        )
    } else {
        errors.join("; ")
    };
    format!("{}: {end}", row.label)
}

fn nothing() -> String {
    "-".to_owned()
}

fn number(figure: Option<f64>, places: usize) -> String {
    figure.map_or_else(nothing, |it| format!("{it:.places$}"))
}

/// Cells in columns, the first `left` of them aligned to the left.
fn aligned(lines: &[Vec<String>], left: usize) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths).enumerate();
        let cells = cells.map(|(at, (cell, &width))| {
            if at < left {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::{figures, row};
    use super::*;

    #[test]
    fn columns_line_up_and_missing_figures_are_dashes() {
        let lines = [["a", "12"], ["bcd", "3"]].map(|line| line.map(str::to_owned).to_vec());
        assert_eq!(aligned(&lines, 1), "a    12\nbcd   3\n");
        assert_eq!(number(None, 2), "-");
        assert_eq!(number(Some(0.456), 2), "0.46");
    }

    #[test]
    fn every_row_has_a_cell_for_every_head_and_says_what_broke() {
        let (base, best) = (figures(300.0, 1000.0, 600.0), figures(150.0, 100.0, 0.0));
        let mut row = row("random", 0.0, base, best);
        assert_eq!(cells(&row).len(), HEAD.len());
        assert!(!rows(std::slice::from_ref(&row)).contains('!'));
        row.best = Some(Err("it broke".to_owned()));
        assert_eq!(cells(&row).len(), HEAD.len());
        assert!(rows(&[row]).ends_with("! random curious 800 0 1: it broke\n"));
    }
}
