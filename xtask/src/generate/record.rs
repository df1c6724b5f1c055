//! Suites recorded by automated explorers that walk a simulated app.
//!
//! Explorers know screens, not concrete states. The suites are as redundant as real ones: whole traces, loops and
//! prefixes repeat.

mod explorer;

use serde::Serialize;
use serde_json::Value;

use super::app_model::{App, Edge, State};
use super::splitmix::SplitMix;
pub use explorer::Recorder;
use explorer::{Explorer, actions};

#[derive(Serialize)]
struct Trace<'a> {
    id: String,
    launch: Launch<'a>,
    steps: Vec<Step<'a>>,
}

#[derive(Serialize)]
struct Launch<'a> {
    screen: &'a str,
    covers: &'a [Value],
}

#[derive(Serialize)]
struct Step<'a> {
    action: &'a Value,
    covers: &'a [Value],
    screen: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    millis: Option<&'a Value>,
}

/// Records `traces` traces of about `mean_steps` steps on `app` by a curious walk, one JSON line each.
///
/// # Panics
/// If `app` is not an app model, or an edge or the launch names a state that it does not have.
#[must_use]
pub fn suite(app: &Value, seed: u64, traces: usize, mean_steps: usize) -> Vec<String> {
    suite_by(Recorder::Curious, app, seed, traces, mean_steps)
}

/// The same by a recorder of choice.
///
/// # Panics
/// If `app` is not an app model, or an edge or the launch names a state that it does not have.
#[must_use]
pub fn suite_by(
    recorder: Recorder,
    app: &Value,
    seed: u64,
    traces: usize,
    mean_steps: usize,
) -> Vec<String> {
    let app = App::from_value(app).expect("the app follows the format of simulated apps");
    let mut random = SplitMix::new(seed);
    let mut explorer = Explorer::new(recorder);
    (1..=traces)
        .map(|number| {
            let length = 1 + random.below((2 * mean_steps).saturating_sub(1));
            explorer.restart(length, &mut random);
            let trace = walk(&app, number, length, &mut explorer, &mut random);
            serde_json::to_string(&trace).expect("a trace has string keys only")
        })
        .collect()
}

fn walk<'a>(
    app: &'a App,
    number: usize,
    length: usize,
    explorer: &mut Explorer<'a>,
    random: &mut SplitMix,
) -> Trace<'a> {
    let mut state = &app.states[&app.launch];
    let launch = Launch {
        screen: &state.screen,
        covers: &app.covers,
    };
    let mut steps = Vec::with_capacity(length);
    while steps.len() < length {
        let Some(action) = explorer.choose(&state.screen, actions(state), random) else {
            break;
        };
        let edge = outcome(state, action, random);
        state = &app.states[&edge.to];
        steps.push(Step {
            action,
            covers: &edge.covers,
            screen: &state.screen,
            fault: edge.fault.as_deref(),
            millis: edge.millis.as_ref(),
        });
        if edge.crash {
            break;
        }
    }
    Trace {
        id: format!("t{number}"),
        launch,
        steps,
    }
}

fn outcome<'a>(state: &'a State, action: &Value, random: &mut SplitMix) -> &'a Edge {
    let alternatives: Vec<&Edge> = state
        .edges
        .iter()
        .filter(|edge| edge.action == *action)
        .collect();
    let weight = |edge: &Edge| edge.weight.unwrap_or(1.0);
    let mut left = random.unit() * alternatives.iter().map(|edge| weight(edge)).sum::<f64>();
    for edge in &alternatives {
        left -= weight(edge);
        if left < 0.0 {
            return edge;
        }
    }
    alternatives
        .last()
        .expect("the action was taken from one of the edges")
}

#[cfg(test)]
mod tests {
    use super::super::file_browser;
    use super::*;
    use serde_json::json;
    use std::collections::BTreeSet;

    fn recorded(seed: u64) -> Vec<Value> {
        let lines = suite(&file_browser::app(), seed, 300, 12);
        lines
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn covered(trace: &Value) -> BTreeSet<String> {
        let steps = trace["steps"].as_array().unwrap();
        steps
            .iter()
            .flat_map(|step| step["covers"].as_array().unwrap())
            .map(Value::to_string)
            .collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
        let app = file_browser::app();
        assert_eq!(suite(&app, 7, 40, 12), suite(&app, 7, 40, 12));
        assert_ne!(suite(&app, 7, 40, 12), suite(&app, 8, 40, 12));
    }

    #[test]
    fn every_recorder_walks_its_own_way_and_always_the_same() {
        let app = file_browser::app();
        let by = |recorder| suite_by(recorder, &app, 7, 60, 12);
        for (at, (_, recorder)) in Recorder::CHOICES.into_iter().enumerate() {
            assert_eq!(by(recorder), by(recorder));
            for (_, other) in &Recorder::CHOICES[..at] {
                assert_ne!(by(recorder), by(*other));
            }
        }
    }

    #[test]
    fn a_monkey_with_restarts_repeats_long_prefixes_more_than_a_random_walk() {
        let different = |recorder| {
            let lines = suite_by(recorder, &file_browser::app(), 7, 300, 16);
            let prefix = |line: &String| -> Option<String> {
                let trace: Value = serde_json::from_str(line).unwrap();
                Some(json!(trace["steps"].as_array()?.get(..6)?).to_string())
            };
            let long: Vec<String> = lines.iter().filter_map(prefix).collect();
            (long.iter().collect::<BTreeSet<_>>().len(), long.len())
        };
        let (monkey, of) = different(Recorder::Restarts);
        assert!(monkey * 2 < of, "{monkey} of {of}");
        let (random, of) = different(Recorder::Random);
        assert!(random * 2 > of, "{random} of {of}");
    }

    #[test]
    fn traces_are_numbered_and_as_long_as_asked_on_average() {
        let traces = recorded(7);
        assert!(
            traces
                .iter()
                .enumerate()
                .all(|(at, trace)| trace["id"] == format!("t{}", at + 1))
        );
        let steps: usize = traces
            .iter()
            .map(|trace| trace["steps"].as_array().unwrap().len())
            .sum();
        assert!((9 * 300..=13 * 300).contains(&steps), "{steps}");
    }

    #[test]
    fn redundant_traces_loops_and_common_prefixes_occur() {
        let traces = recorded(7);
        let mut seen = BTreeSet::new();
        let redundant = traces.iter().filter(|trace| {
            let new = covered(trace);
            let none = new.is_subset(&seen);
            seen.extend(new);
            none
        });
        assert!(redundant.count() > 100);
        let loops = traces.iter().filter(|trace| {
            let steps = trace["steps"].as_array().unwrap();
            let mut shown: BTreeSet<&str> = steps
                .iter()
                .map(|step| step["screen"].as_str().unwrap())
                .collect();
            shown.insert(trace["launch"]["screen"].as_str().unwrap());
            shown.len() <= steps.len()
        });
        assert!(loops.count() > 100);
        let prefixes: BTreeSet<String> = traces
            .iter()
            .filter_map(|trace| Some(json!(trace["steps"].as_array()?.get(..2)?).to_string()))
            .collect();
        assert!(prefixes.len() < 100);
    }

    #[test]
    fn a_crash_ends_its_trace_and_carries_its_fault() {
        let mut crashes = 0;
        for trace in recorded(7) {
            let steps = trace["steps"].as_array().unwrap();
            let at = steps.iter().position(|step| step["screen"] == "Crashed");
            assert!(at.is_none_or(
                |at| at + 1 == steps.len() && steps[at]["fault"] == file_browser::CRASH
            ));
            crashes += usize::from(at.is_some());
        }
        assert!(crashes > 0);
    }

    #[test]
    fn optional_fields_are_written_only_where_the_edge_has_them() {
        let app = json!({"launch":"c0","covers":[3],"states":{"c0":{"screen":"Home","edges":[
            {"action":{"tap":[1,2]},"to":"c1","covers":[4,"method:m"],"millis":40}]},
            "c1":{"screen":"End","edges":[{"action":"back","to":"c0","covers":[]}]}}});
        let lines = suite(&app, 1, 20, 3);
        assert!(lines.iter().any(|line| line.starts_with(concat!(
            r#"{"id":"t1","launch":{"screen":"Home","covers":[3]},"steps":["#,
            r#"{"action":{"tap":[1,2]},"covers":[4,"method:m"],"screen":"End","millis":40}"#
        ))));
        assert!(
            lines
                .iter()
                .any(|line| line.contains(r#"{"action":"back","covers":[],"screen":"Home"}"#))
        );
    }

    #[test]
    fn alternatives_are_drawn_by_their_weight() {
        let app = json!({"launch":"c0","states":{"c0":{"screen":"Home","edges":[
            {"action":"a","to":"c0","covers":["often"],"weight":0.85},
            {"action":"a","to":"c0","covers":["rarely"],"weight":0.15}]}}});
        let text = suite(&app, 5, 200, 10).join("\n");
        let (often, rarely) = (
            text.matches("often").count(),
            text.matches("rarely").count(),
        );
        assert!(rarely * 4 < often && often < rarely * 8, "{often} {rarely}");
    }
}
