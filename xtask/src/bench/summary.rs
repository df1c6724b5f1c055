//! Medians and worst figures over groups of apps, and which targets they meet.

use std::collections::BTreeSet;

use serde::Serialize;

use super::row::{Derived, Row};

/// Targets on own time hold for suites of about 13,000 recorded steps, not for much larger ones.
const STEPS_OF_OWN_TIME: f64 = 14_500.0;

/// A figure that has a median: its name, how to read it, and whether more of it is better.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) of: fn(&Derived) -> Option<f64>,
    pub(super) more_is_better: bool,
}

/// The figures that every group is summed up in.
pub(super) const COLUMNS: [Column; 14] = [
    column("suite s", |it| it.base_seconds),
    column("best", |it| it.best_seconds),
    column("ratio", |it| it.suite_ratio),
    column("bound", |it| it.bound),
    column("gap", |it| it.gap),
    column("floor / suite", |it| it.floor_ratio),
    column("reducing s", |it| it.base_reducing),
    column("best", |it| it.best_reducing),
    column("ratio", |it| it.reducing_ratio),
    Column {
        more_is_better: true,
        ..column("elements", |it| it.elements_ratio)
    },
    column("own s", |it| it.own_seconds),
    Column {
        more_is_better: true,
        ..column("speed-up", |it| it.speed_up)
    },
    column("<99%", |it| it.unmarked),
    column("wrong", |it| it.violations),
];

const fn column(name: &'static str, of: fn(&Derived) -> Option<f64>) -> Column {
    Column {
        name,
        of,
        more_is_better: false,
    }
}

/// Median and worst of one figure; none where no app has it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Spread {
    pub(super) median: f64,
    pub(super) worst: f64,
}

/// The apps of one kind in figures, one for each of [`COLUMNS`].
#[derive(Debug, Serialize)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) apps: usize,
    pub(super) spreads: Vec<Option<Spread>>,
}

/// One target and how it came out.
#[derive(Debug, Serialize)]
pub(super) struct Target {
    pub(super) name: String,
    pub(super) met: bool,
    pub(super) found: String,
}

/// Median and worst of some figures.
pub(super) fn spread(mut figures: Vec<f64>, more_is_better: bool) -> Option<Spread> {
    figures.sort_by(f64::total_cmp);
    let (first, last) = (*figures.first()?, *figures.last()?);
    let middle = figures.len() / 2;
    let median = if figures.len().is_multiple_of(2) {
        f64::midpoint(figures[middle - 1], figures[middle])
    } else {
        figures[middle]
    };
    let worst = if more_is_better { first } else { last };
    Some(Spread { median, worst })
}

/// All apps, deterministic and flaky ones, and those of each generator, recorder and size.
pub(super) fn groups(rows: &[Row]) -> Vec<Group> {
    let mut groups = vec![
        group("all", rows, |_| true),
        group("deterministic", rows, |row| row.label.flaky == 0.0),
        group("flaky", rows, |row| row.label.flaky > 0.0),
    ];
    let generators: BTreeSet<&str> = rows.iter().map(|row| &*row.label.generator).collect();
    let recorders: BTreeSet<&str> = rows.iter().map(|row| &*row.label.recorder).collect();
    for name in generators {
        groups.push(group(name, rows, |row| row.label.generator == name));
    }
    for name in recorders {
        let title = format!("by {name}");
        groups.push(group(&title, rows, |row| row.label.recorder == name));
    }
    let sizes: BTreeSet<usize> = rows.iter().map(|row| row.label.traces).collect();
    for size in sizes {
        let title = format!("of {size}");
        groups.push(group(&title, rows, |row| row.label.traces == size));
    }
    groups.retain(|group| group.apps > 0);
    groups
}

fn group(name: &str, rows: &[Row], holds: impl Fn(&Row) -> bool) -> Group {
    let derived: Vec<Derived> = rows
        .iter()
        .filter(|row| holds(row))
        .map(Row::derived)
        .collect();
    let of = |column: &Column| {
        spread(
            derived.iter().filter_map(column.of).collect(),
            column.more_is_better,
        )
    };
    Group {
        name: name.to_owned(),
        apps: derived.len(),
        spreads: COLUMNS.iter().map(of).collect(),
    }
}

/// Every target; a figure that no app has is a target missed.
pub(super) fn targets(rows: &[Row]) -> Vec<Target> {
    let derived: Vec<Derived> = rows.iter().map(Row::derived).collect();
    let median = |of: fn(&Derived) -> Option<f64>| {
        spread(derived.iter().filter_map(of).collect(), false).map(|it| it.median)
    };
    let most = |name: &str, most: f64, found: Option<f64>| target(name, found, |it| it <= most);
    let sum = |of: fn(&Derived) -> Option<f64>| Some(derived.iter().filter_map(of).sum());
    vec![
        most(
            "median suite ratio <= 0.55",
            0.55,
            median(|it| it.suite_ratio),
        ),
        most(
            "aim: median suite ratio <= 0.45",
            0.45,
            median(|it| it.suite_ratio),
        ),
        most("median gap <= 0.40", 0.40, median(|it| it.gap)),
        most(
            "median reducing ratio <= 0.25",
            0.25,
            median(|it| it.reducing_ratio),
        ),
        target(
            "own time < 10 s up to 13,000 steps",
            worst_own_time(rows),
            |it| it < 10.0,
        ),
        target("median speed-up >= 6.5", median(|it| it.speed_up), |it| {
            it >= 6.5
        }),
        most(
            "unmarked traces below 99 %: none",
            0.0,
            sum(|it| it.unmarked),
        ),
        most("violations: none", 0.0, sum(|it| it.violations)),
        most("apps with a ratio above 1: none", 0.0, worse(&derived)),
        most("apps without figures: none", 0.0, Some(failed(rows))),
        most(
            "apps whose answer differs on eight devices: none",
            0.0,
            different(rows),
        ),
    ]
}

fn target(name: &str, found: Option<f64>, met: impl Fn(f64) -> bool) -> Target {
    let shown = |it: f64| format!("{it:.3}").trim_end_matches(".000").to_owned();
    Target {
        name: name.to_owned(),
        met: found.is_some_and(met),
        found: found.map_or_else(|| "nothing to tell it by".to_owned(), shown),
    }
}

fn worst_own_time(rows: &[Row]) -> Option<f64> {
    let figures = rows.iter().filter_map(|row| row.judged().as_ref().ok());
    let small = figures.filter(|figures| figures.input_steps <= STEPS_OF_OWN_TIME);
    small
        .map(|figures| figures.own_seconds)
        .max_by(f64::total_cmp)
}

fn worse(derived: &[Derived]) -> Option<f64> {
    let above = |ratio: Option<f64>| ratio.is_some_and(|ratio| ratio > 1.0);
    let worse = |it: &&Derived| above(it.suite_ratio) || above(it.reducing_ratio);
    let compared = derived.iter().any(|it| it.suite_ratio.is_some());
    compared.then(|| derived.iter().filter(worse).count() as f64)
}

fn failed(rows: &[Row]) -> f64 {
    rows.iter().filter(|row| !row.errors().is_empty()).count() as f64
}

fn different(rows: &[Row]) -> Option<f64> {
    let asked = rows.iter().any(|row| row.same_on_eight.is_some());
    let differs = |row: &&Row| matches!(row.same_on_eight, Some(Ok(false)));
    asked.then(|| rows.iter().filter(differs).count() as f64)
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::{figures, row};
    use super::*;

    fn rows() -> Vec<Row> {
        let base = || figures(400.0, 1000.0, 600.0);
        vec![
            row("random", 0.0, base(), figures(120.0, 100.0, 0.0)),
            row("grid", 0.02, base(), figures(160.0, 80.0, 0.0)),
            row("grid", 0.0, base(), figures(420.0, 60.0, 0.0)),
        ]
    }

    fn named<'a>(targets: &'a [Target], part: &str) -> &'a Target {
        targets.iter().find(|it| it.name.contains(part)).unwrap()
    }

    #[test]
    fn medians_are_the_middle_and_the_worst_depends_on_the_column() {
        let spread = |figures: &[f64], more| spread(figures.to_vec(), more).unwrap();
        assert_eq!(
            spread(&[3.0, 1.0, 2.0], false),
            Spread {
                median: 2.0,
                worst: 3.0
            }
        );
        assert_eq!(
            spread(&[4.0, 1.0, 2.0, 3.0], true),
            Spread {
                median: 2.5,
                worst: 1.0
            }
        );
        assert_eq!(super::spread(Vec::new(), false), None);
    }

    #[test]
    fn groups_hold_their_own_apps_only() {
        let groups = groups(&rows());
        let names: Vec<(&str, usize)> = groups.iter().map(|it| (&*it.name, it.apps)).collect();
        assert_eq!(
            names,
            [
                ("all", 3),
                ("deterministic", 2),
                ("flaky", 1),
                ("grid", 2),
                ("random", 1),
                ("by curious", 3),
                ("of 800", 3)
            ]
        );
        let median = |group: usize| groups[group].spreads[2].unwrap().median;
        assert!((median(0) - 0.4).abs() < 1e-9);
        assert!((median(2) - 0.4).abs() < 1e-9);
        assert!((median(4) - 0.3).abs() < 1e-9);
    }

    #[test]
    fn targets_are_met_or_missed_by_medians_and_by_single_apps() {
        let found = targets(&rows());
        assert!(named(&found, "suite ratio <= 0.55").met);
        assert!(named(&found, "reducing ratio").met);
        assert!(!named(&found, "gap").met);
        assert!(!named(&found, "ratio above 1").met);
        assert!(named(&found, "own time").met);
        assert!(named(&found, "speed-up").met);
        // Nobody looked at eight devices.
        assert!(!named(&found, "eight").met);
    }

    #[test]
    fn what_broke_is_a_target_missed() {
        let mut rows = rows();
        rows[0].best = Some(Err("it broke".to_owned()));
        rows[1].same_on_eight = Some(Ok(true));
        let found = targets(&rows);
        assert!(!named(&found, "without figures").met);
        assert!(named(&found, "eight").met);
    }
}
