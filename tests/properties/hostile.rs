//! Suites that invite a search to explode: it ends soon, and the result holds.

use serde_json::{Value, json};
use xtask::generate::random_app::{self, AppShape};
use xtask::generate::record;
use xtask::generate::splitmix::SplitMix;

use super::case::{Apps, Case, none};
use super::lab::Lab;
use super::promise::is_perfect;

/// An action, what it covers and the screen it leads to.
type Arrow = (&'static str, String, String);

/// A lab whose app has exactly the transitions of the given walks.
fn walked(walks: &[Vec<Arrow>]) -> Lab {
    let mut states = serde_json::Map::new();
    let home = "Home".to_owned();
    let targets = walks.iter().flatten().map(|(_, _, to)| to);
    for name in targets.chain([&home]) {
        states.insert(name.clone(), json!({"screen": name, "edges": []}));
    }
    let mut traces = Vec::new();
    for (number, walk) in walks.iter().enumerate() {
        let mut at = home.clone();
        let mut steps = Vec::new();
        for (action, element, to) in walk {
            let edge = json!({"action": action, "to": to, "covers": [element]});
            let edges = states[&at]["edges"]
                .as_array_mut()
                .expect("edges are a list");
            if !edges.iter().any(|known| known["action"] == *action) {
                edges.push(edge);
            }
            steps.push(json!({"action": action, "covers": [element], "screen": to}));
            at.clone_from(to);
        }
        let launch = json!({"screen": "Home", "covers": ["start"]});
        traces.push(json!({"id": format!("t{number}"), "launch": launch, "steps": steps}));
    }
    let app = json!({"launch": "Home", "covers": ["start"], "states": states});
    Lab::with(app, traces.iter().map(Value::to_string))
}

#[track_caller]
fn holds(lab: &Lab, settings: &[&str]) -> (usize, usize) {
    let reduced = lab.reduce(settings).expect("a reduction");
    is_perfect(lab, &reduced).expect("it holds");
    let output = &reduced.report["output"];
    let figure = |field: &str| output[field].as_u64().expect("a count") as usize;
    (figure("traces"), figure("steps"))
}

#[test]
fn two_screens_visited_two_thousand_times_become_one_visit() {
    let mut walk = Vec::new();
    for _ in 0..2000 {
        walk.push(("go", "forth".to_owned(), "Other".to_owned()));
        walk.push(("back", "back".to_owned(), "Home".to_owned()));
    }
    assert_eq!(holds(&walked(&[walk]), &[]), (1, 2));
}

/// A loop around two loops around two loops and so on; each depth has its own screen.
fn nested(depth: usize, walk: &mut Vec<Arrow>) {
    let screen = |depth: usize| match depth {
        12 => "Home".to_owned(),
        _ => format!("Depth{depth}"),
    };
    if depth == 0 {
        return;
    }
    for _ in 0..2 {
        walk.push(("in", format!("in{depth}"), screen(depth - 1)));
        nested(depth - 1, walk);
        walk.push(("out", format!("out{depth}"), screen(depth)));
    }
}

#[test]
fn loops_nested_twelve_deep_become_one_way_in_and_out() {
    let mut walk = Vec::new();
    nested(12, &mut walk);
    assert_eq!(walk.len(), 4 * ((1 << 12) - 1));
    assert_eq!(holds(&walked(&[walk]), &[]), (1, 24));
}

#[test]
fn a_step_set_that_no_search_can_cover_at_best_is_still_covered() {
    let mut random = SplitMix::new(3);
    let mut element = || format!("b{}", random.below(150));
    let steps: Vec<_> = (0..400)
        .map(|n| json!({"action": format!("a{n}"), "covers": [element(), element()], "screen": "Home"}))
        .collect();
    let edge =
        |step: &Value| json!({"action": step["action"], "to": "Home", "covers": step["covers"]});
    let edges: Vec<_> = steps.iter().map(edge).collect();
    let app = json!({"launch": "Home", "states": {"Home": {"screen": "Home", "edges": edges}}});
    let trace = json!({"id": "t1", "launch": {"screen": "Home", "covers": []}, "steps": steps});
    let lab = Lab::with(app, [trace.to_string()]);
    let reduced = lab.reduce(&["replay.runs=1"]).expect("a reduction");
    is_perfect(&lab, &reduced).expect("it holds");
    let hit = &reduced.list("limits")[0];
    assert_eq!(
        (&hit["phase"], &hit["limit"]),
        (&json!("loops"), &json!("work"))
    );
}

#[test]
fn two_hundred_identical_traces_become_one() {
    let step = |n: usize| ("next", format!("b{n}"), format!("Screen{n}"));
    let walk: Vec<Arrow> = (0..30).map(step).collect();
    assert_eq!(holds(&walked(&vec![walk; 200]), &[]), (1, 30));
}

#[test]
fn a_trace_of_twenty_thousand_steps_is_reduced() {
    let shape = AppShape {
        screens: 12,
        branches: 60,
        hidden: 0.1,
        flaky: 0.0,
        faults: 2,
        crashes: 0,
    };
    let app = random_app::app(&shape, 5);
    // Lengths are drawn, so the longest of some is taken.
    let lines = record::suite(&app, 5, 20, 20_000);
    let longest = lines.into_iter().max_by_key(String::len).expect("a trace");
    let lab = Lab::with(app, [longest]);
    assert!(lab.suite.matches("\"action\"").count() >= 20_000);
    let (traces, steps) = holds(&lab, &["replay.runs=2"]);
    assert!(
        traces <= 3 && steps < 2000,
        "{traces} traces, {steps} steps"
    );
}

#[test]
fn a_suite_of_the_usual_size_loses_nothing() {
    let case = Case {
        apps: Apps::Certain,
        seed: 1,
        shape: AppShape {
            screens: 90,
            branches: 2000,
            hidden: 0.06,
            flaky: 0.0,
            faults: 3,
            crashes: 2,
        },
        traces: 800,
        mean: 16,
    };
    let lab = Lab::new(&case);
    let reduced = lab
        .reduce_on("reduced", "count=2", &[])
        .expect("a reduction");
    none(&lab.violations(&reduced)).expect("it holds");
}
