//! What must hold of every exploration: the same bytes on any number of devices and after any
//! stop, nothing denied is ever done, limits are kept, and what is written is what was seen.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;

use reduce_suite::config::{Layers, resolve};
use reduce_suite::model::{Observer, RunEvent};
use reduce_suite::replay::Cancel;
use reduce_suite::session::{Conditions, explore, replay};
use serde_json::Value;
use xtask::generate::random_app::{self, AppShape};

use super::case::{Apps, Case, Verdict, check, ensure};
use super::lab::{JOURNAL, Lab};

const FILES: [&str; 3] = ["suite.jsonl", "explore.json", "explore.html"];

struct Silent;

impl Observer for Silent {
    fn on(&mut self, _: &RunEvent) {}
}

/// The settings of a run in a lab, over the defaults.
fn layers(lab: &Lab, out: &str, options: &str, settings: &[(&str, toml::Value)]) -> Layers {
    let app = lab.out("app.json");
    let device = format!("sim:{}?{options}", app.display());
    let mut overrides = vec![
        ("device".to_owned(), toml::Value::Array(vec![device.into()])),
        ("out".to_owned(), lab.out(out).display().to_string().into()),
    ];
    let settings = settings.iter().cloned();
    overrides.extend(settings.map(|(key, value)| (key.to_owned(), value)));
    Layers {
        file: None,
        overrides,
    }
}

/// Explores into a folder; the files it leaves.
fn explored(
    lab: &Lab,
    out: &str,
    options: &str,
    settings: &[(&str, toml::Value)],
) -> Result<Vec<String>, String> {
    let layers = layers(lab, out, options, settings);
    let resolved = resolve(&layers, &lab.out("")).map_err(|error| error.to_string())?;
    let conditions = Conditions {
        config: &resolved.config,
        fresh: false,
        cancel: Cancel::default(),
        observer: &mut Silent,
    };
    explore(conditions, &[]).map_err(|error| format!("{out}: {error}"))?;
    let read = |name: &&str| fs::read_to_string(lab.out(out).join(name)).expect("it is there");
    Ok(FILES.iter().map(read).collect())
}

/// Settings drawn for a case.
fn drawn(case: &Case) -> Vec<(&'static str, toml::Value)> {
    let mut random = case.random();
    let number = |n: usize| toml::Value::Integer(i64::try_from(n).expect("a small number"));
    vec![
        (
            "explore.strategy",
            (*random.pick(&["swifthand", "random"])).into(),
        ),
        (
            "explore.budget",
            format!("{}steps", 50 + random.below(250)).into(),
        ),
        ("explore.max_steps", number(3 + random.below(40))),
        ("explore.lanes", number(1 + random.below(9))),
        ("seed", number(random.below(1000))),
    ]
}

fn traces(suite: &str) -> Vec<Value> {
    let lines = suite.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a trace"))
        .collect()
}

fn actions(suite: &str) -> Vec<String> {
    let traces = traces(suite);
    let steps = traces
        .iter()
        .flat_map(|trace| trace["steps"].as_array().expect("steps"));
    steps
        .map(|step| step["action"].as_str().expect("a text").to_owned())
        .collect()
}

fn same(one: &[String], other: &[String]) -> Verdict {
    for ((name, one), other) in FILES.iter().zip(one).zip(other) {
        ensure(one == other, || format!("{name} differs"))?;
    }
    Ok(())
}

#[test]
fn one_two_and_eight_devices_explore_to_the_same_bytes() {
    for apps in [Apps::Certain, Apps::Flaky] {
        check(700..712, apps, |case| {
            let lab = Lab::new(case);
            let settings = drawn(case);
            let one = explored(&lab, "one", "count=1", &settings)?;
            same(&one, &explored(&lab, "two", "count=2", &settings)?)?;
            same(&one, &explored(&lab, "eight", "count=8", &settings)?)
        });
    }
}

#[test]
fn a_stopped_exploration_goes_on_as_if_it_had_not_been_stopped() {
    for apps in [Apps::Certain, Apps::Flaky] {
        check(720..732, apps, |case| {
            let lab = Lab::new(case);
            let settings = drawn(case);
            let whole = explored(&lab, "whole", "count=1", &settings)?;
            let written = fs::read(lab.out("whole").join(JOURNAL)).expect("a journal");
            let length = case.random().below(written.len() + 1);
            for (out, options) in [("resumed", "count=1"), ("eight", "count=8")] {
                let journal = lab.out(out).join(JOURNAL);
                fs::create_dir_all(journal.parent().expect("a folder")).expect("it is made");
                fs::write(&journal, &written[..length]).expect("it is written");
                same(&whole, &explored(&lab, out, options, &settings)?)?;
            }
            // A finished one needs no device at all.
            same(&whole, &explored(&lab, "whole", "dead=1", &settings)?)
        });
    }
}

#[test]
fn nothing_denied_is_ever_done() {
    let n_left_alone = Cell::new(0);
    check(740..760, Apps::Flaky, |case| {
        let lab = Lab::new(case);
        let states = lab.app["states"].as_object().expect("states");
        let edges = states
            .values()
            .filter_map(|state| state["edges"].as_array());
        let known: BTreeSet<&str> = edges
            .flatten()
            .filter_map(|edge| edge["action"].as_str())
            .collect();
        let known: Vec<&str> = known.into_iter().collect();
        let mut random = case.random();
        let denied: Vec<&str> = (0..4).map(|_| *random.pick(&known)).collect();
        let mut settings = drawn(case);
        settings.push(("explore.also_deny", denied.clone().into()));
        let files = explored(&lab, "out", "count=2", &settings)?;
        for action in actions(&files[0]) {
            ensure(!denied.contains(&&*action), || format!("{action} was done"))?;
        }
        // Not even tried in vain.
        let journal = fs::read_to_string(lab.out("out").join(JOURNAL)).expect("a journal");
        for line in journal.lines().filter(|line| line.starts_with("{\"walk\"")) {
            let line: Value = serde_json::from_str(line).expect("a line of a journal");
            for step in line["walk"]["steps"].as_array().expect("steps") {
                let action = step[0].as_str().expect("an action");
                ensure(!denied.contains(&action), || format!("{action} was tried"))?;
            }
        }
        let report: Value = serde_json::from_str(&files[1]).expect("a report");
        let denied = report["denied"].as_array().expect("a list").len();
        n_left_alone.set(n_left_alone.get() + denied);
        Ok(())
    });
    assert!(n_left_alone.get() > 20, "{n_left_alone:?}");
}

#[test]
fn limits_are_kept_and_figures_are_those_of_the_suite() {
    check(770..790, Apps::Certain, |case| {
        let lab = Lab::new(case);
        let settings = drawn(case);
        let files = explored(&lab, "out", "count=2", &settings)?;
        let report: Value = serde_json::from_str(&files[1]).expect("a report");
        let most: u64 = settings[1]
            .1
            .as_str()
            .and_then(|text| text.strip_suffix("steps"))
            .and_then(|number| number.parse().ok())
            .expect("a number");
        ensure(report["device"]["steps"] == most, || {
            format!("{}", report["device"])
        })?;
        let longest = settings[2].1.as_integer().expect("a number");
        let traces = traces(&files[0]);
        let lengths = traces
            .iter()
            .map(|trace| trace["steps"].as_array().expect("steps").len());
        ensure(
            lengths
                .clone()
                .all(|length| i64::try_from(length).is_ok_and(|length| length <= longest)),
            || "too long".to_owned(),
        )?;
        ensure(report["suite"]["steps"] == lengths.sum::<usize>(), || {
            "other steps".to_owned()
        })?;
        let growth = report["growth"].as_array().expect("a list");
        let last = growth.last().expect("a session");
        let kinds = report["suite"]["coverage"].as_object().expect("kinds");
        let covered: u64 = kinds.values().filter_map(Value::as_u64).sum();
        ensure(last["elements"] == covered, || {
            format!("{last} is not {covered}")
        })
    });
}

#[test]
fn what_was_explored_on_a_certain_app_replays() {
    check(800..812, Apps::Certain, |case| {
        let lab = Lab::new(case);
        explored(&lab, "out", "count=2", &drawn(case))?;
        let suite = lab.out("out").join("suite.jsonl").display().to_string();
        let mut settings = vec![("suite", toml::Value::Array(vec![suite.into()]))];
        settings.push(("replay.runs", 2.into()));
        let resolved = resolve(&layers(&lab, "replayed", "", &settings), &lab.out(""))
            .map_err(|error| error.to_string())?;
        let report = replay(Conditions {
            config: &resolved.config,
            fresh: false,
            cancel: Cancel::default(),
            observer: &mut Silent,
        })
        .map_err(|error| error.to_string())?;
        ensure(report.diverged == 0, || {
            format!("{} went another way", report.diverged)
        })
    });
}

/// What a strategy finds in all of some large apps together.
fn found(strategy: &str) -> u64 {
    let shape = AppShape {
        screens: 60,
        branches: 500,
        hidden: 0.06,
        flaky: 0.0,
        faults: 2,
        crashes: 2,
    };
    let mut total = 0;
    for seed in 820..828 {
        let lab = Lab::with(random_app::app(&shape, seed), []);
        let settings = [
            ("explore.strategy", strategy.into()),
            ("explore.budget", "400steps".into()),
        ];
        let files = explored(&lab, "out", "count=2", &settings).expect("it explores");
        let report: Value = serde_json::from_str(&files[1]).expect("a report");
        let growth = report["growth"].as_array().expect("a list");
        total += growth
            .last()
            .and_then(|last| last["elements"].as_u64())
            .unwrap_or(0);
    }
    total
}

#[test]
fn swifthand_finds_more_than_random_with_the_same_steps() {
    let (swifthand, random) = (found("swifthand"), found("random"));
    assert!(
        swifthand * 100 > random * 110,
        "{swifthand} against {random}"
    );
}
