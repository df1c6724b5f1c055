//! Wrong traces in the reduced suite.

use serde_json::json;

use super::super::super::random_app::{self, AppShape};
use super::super::super::record;
use super::super::*;
use super::fixture::{app, fixture, lines, original, steps, trace};
use super::{STRICT, spoil, violations};

#[test]
fn a_right_reduction_has_no_violation() {
    let case = fixture();
    let found = check(
        &case["app"],
        &lines(&case["original"]),
        &lines(&case["reduced"]),
        &case["report"],
    );
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(
        violations(
            &case,
            (Replay::Runs { runs: 5, seed: 1 }, Observed::Refused)
        ),
        Vec::<String>::new()
    );
}

#[test]
fn the_runs_that_hold_are_counted_trace_by_trace() {
    let app = json!({"launch": "c0", "states": {"c0": {"screen": "Home", "edges": [
        {"action": "safe", "to": "c0"},
        {"action": "risky", "to": "c0", "weight": 0.7},
        {"action": "risky", "to": "c1", "weight": 0.3}]}, "c1": {"screen": "Lost"}}});
    let line = |id: &str, action: &str| {
        json!({"id": id, "launch": {"screen": "Home"}, "steps": [{"action": action, "screen": "Home"}]})
            .to_string()
    };
    let (safe, risky) = (line("r1", "safe"), line("r2", "risky"));
    let held = runs_that_hold(&app, &format!("{safe}\n{risky}\n"), 1000, 7).unwrap();
    assert_eq!(held[0], ("r1".to_owned(), 1000));
    assert_eq!(held[1].0, "r2");
    assert!((650..750).contains(&held[1].1), "{held:?}");
    // A run cannot hold where the recording shows what the app never does.
    let gone = line("r3", "gone");
    assert_eq!(runs_that_hold(&app, &gone, 10, 7).unwrap()[0].1, 0);
    assert!(runs_that_hold(&app, "{", 10, 7).is_err());
}

#[test]
fn every_way_to_name_the_launch_is_accepted() {
    for step in [json!(null), json!(-1), json!("launch")] {
        let mut case = fixture();
        case["report"]["witness"]["b0"]["step"] = step;
        assert_eq!(violations(&case, STRICT), Vec::<String>::new());
    }
}

#[test]
fn an_id_that_occurs_twice_is_found() {
    spoil("/reduced/1/id", json!("r1"), "r1: this id occurs twice");
}

#[test]
fn fragments_that_do_not_rebuild_their_trace_are_found() {
    let mut case = fixture();
    case["reduced"][0].as_object_mut().unwrap().remove("from");
    assert!(
        violations(&case, STRICT).contains(&"r1: it does not say what it was made from".to_owned())
    );
    spoil(
        "/reduced/0/from",
        json!([]),
        "r1: its fragments have 0 steps, it has 4",
    );
    spoil(
        "/reduced/0/from/0/last",
        json!(2),
        "r1: its fragments have 3 steps, it has 4",
    );
    spoil("/reduced/0/from/0/last", json!(4), "r1: t2 has no step 4");
    spoil(
        "/reduced/0/from/0/first",
        json!(4),
        "r1: a fragment ends at 3 before it starts at 4",
    );
    spoil(
        "/reduced/0/from/0/trace",
        json!("t9"),
        "r1: there is no original trace t9",
    );
    spoil(
        "/reduced/1/from/1/trace",
        json!("t1"),
        "r2: step 3 is not step 1 of t1",
    );
    spoil(
        "/original/1/steps/2/action",
        json!("tap:b"),
        "r1: step 2 is not step 2 of t2",
    );
    spoil(
        "/original/1/steps/3/screen",
        json!("Other"),
        "r1: step 3 is not step 3 of t2",
    );
    spoil(
        "/reduced/1/from/0/first",
        json!("x"),
        "first of a fragment is \"x\"",
    );
}

#[test]
fn fragments_that_do_not_join_are_found() {
    spoil(
        "/original/3/launch/screen",
        json!("Other"),
        "r2: the fragment from step 0 of t4 does not join",
    );
    spoil(
        "/original/0/launch/screen",
        json!("Other"),
        "r2: the fragment from step 0 of t1 does not join",
    );
    let late = json!([{"trace":"t2","first":1,"last":3}]);
    spoil(
        "/reduced/0/from",
        late,
        "r1: the fragment from step 1 of t2 does not join",
    );
}

#[test]
fn a_first_fragment_may_start_late_where_the_launch_screen_is_shown() {
    let mut case = fixture();
    case["reduced"][1]["from"] = json!([{"trace":"t1","first":0,"last":1},{"trace":"t1","first":2,"last":3},{"trace":"t4","first":2,"last":2}]);
    assert_eq!(violations(&case, STRICT), Vec::<String>::new());
    let [option, boom] = [2, 3].map(|at| steps().0[at].clone());
    case["reduced"][1] = trace("r2", &[&steps().0[0], &option, &boom]);
    case["reduced"][1]["from"] =
        json!([{"trace":"t1","first":2,"last":3},{"trace":"t4","first":2,"last":2}]);
    let found = violations(&case, STRICT);
    assert!(
        !found.iter().any(|violation| violation.contains("join")),
        "{found:?}"
    );
}

#[test]
fn observed_steps_are_refused_unless_accepted() {
    let mut case = fixture();
    case["reduced"][1]["from"][0] = json!({"observed":3,"first":0,"last":1});
    assert_eq!(
        violations(&case, STRICT),
        ["r2: some steps are in no original trace"]
    );
    assert_eq!(
        violations(&case, (Replay::Certain, Observed::Accepted)),
        Vec::<String>::new()
    );
}

#[test]
fn a_trace_that_can_diverge_is_found() {
    let where_r1 = |what: &str| format!("r1: step {what}");
    spoil(
        "/app/states/c4/edges/0/to",
        json!("c0"),
        &where_r1("2 may diverge: \"tap:a\" shows Home, not Item"),
    );
    spoil(
        "/app/states/c2/edges/0/action",
        json!("x"),
        &where_r1("1 may diverge: \"tap:a\" is not enabled"),
    );
    spoil(
        "/app/states/c0/screen",
        json!("Start"),
        "r1: launch shows Start, not Home",
    );
    let either = json!([{"action":"back","to":"c0","covers":["b3"]},{"action":"back","to":"c1","covers":["b3"]},
                        {"action":"tap:option","to":"c3","covers":["b4"]}]);
    spoil(
        "/app/states/c1/edges",
        either,
        "r2: step 1 may diverge: \"back\" shows Menu, not Home",
    );
    let crash = json!({"action":"tap:a","to":"c4","covers":["b5"],"crash":true});
    spoil(
        "/app/states/c2/edges/0",
        crash,
        &where_r1("2 may diverge: \"tap:a\" is not enabled"),
    );
}

#[test]
fn outcomes_that_look_alike_do_not_make_a_trace_diverge() {
    let mut case = fixture();
    case["app"]["states"]["c7"] = case["app"]["states"]["c1"].clone();
    let menu = |to: &str| json!({"action":"tap:menu","to":to,"covers":["b1"],"weight":0.5});
    let list = case["app"]["states"]["c0"]["edges"][1].clone();
    case["app"]["states"]["c0"]["edges"] = json!([menu("c1"), menu("c7"), list]);
    assert_eq!(violations(&case, STRICT), Vec::<String>::new());
}

#[test]
fn seeded_runs_find_a_flaky_step_that_is_not_certain() {
    let (app, original) = (app(), original());
    assert_eq!(replays(&app, &original[1], 50, 1), Ok(()));
    assert_eq!(replays(&app, &original[3], 50, 1), Ok(()));
    let found = replays(&app, &original[0], 200, 1).unwrap_err();
    assert!(
        found.starts_with("t1: step 4 diverged: \"tap:sync\" shows Home, not Options in run "),
        "{found}"
    );
    let lucky = (0..50)
        .filter(|seed| replays(&app, &original[0], 1, *seed).is_ok())
        .count();
    assert!((35..50).contains(&lucky), "{lucky}");
    let mut dead = original[3].clone();
    dead["steps"]
        .as_array_mut()
        .unwrap()
        .push(steps().0[0].clone());
    assert!(
        replays(&app, &dead, 1, 1)
            .unwrap_err()
            .contains("step 3 diverged: \"tap:menu\" is not enabled")
    );
    let mut other = original[1].clone();
    other["launch"]["screen"] = json!("Menu");
    assert_eq!(
        replays(&app, &other, 1, 1),
        Err("t2: launch shows Home, not Menu in run 1".to_owned())
    );
}

#[test]
fn coverage_that_the_model_does_not_give_is_found() {
    spoil(
        "/reduced/0/steps/1/covers",
        json!(["b5", "b6"]),
        "r1: step 1 does not cover what the model covers",
    );
    spoil(
        "/reduced/1/steps/4/covers",
        json!([]),
        "r2: step 4 does not cover what the model covers",
    );
    spoil(
        "/reduced/1/launch/covers",
        json!([]),
        "r2: launch does not cover what the model covers",
    );
    spoil(
        "/reduced/0/steps/3/fault",
        json!("E9"),
        "r1: step 3 does not have the model's fault",
    );
}

#[test]
fn lost_elements_that_were_certain_are_found() {
    let mut case = fixture();
    case["reduced"].as_array_mut().unwrap().remove(0);
    let lost: Vec<String> = violations(&case, STRICT)
        .into_iter()
        .filter(|violation| violation.contains("was lost"))
        .collect();
    let names = [
        "12",
        "b10",
        "b2",
        "b5",
        "b7",
        "branch:screen:x",
        "fault:E1",
        "method:List.open",
    ];
    let screens = ["screen:Item", "screen:List"];
    let expected = names
        .iter()
        .chain(&screens)
        .map(|name| format!("{name} is covered for certain and was lost"));
    assert_eq!(lost, expected.collect::<Vec<_>>());
}

#[test]
fn unreadable_inputs_are_named_with_their_line() {
    let case = fixture();
    let found = check(&case["app"], "{\"id\":1}", "", &case["report"]);
    assert_eq!(found, ["original suite: line 1: id is 1"]);
    spoil(
        "/app/states/c0/edges/0/to",
        json!("c9"),
        "app model: there is no state c9",
    );
    spoil(
        "/reduced/1/steps/0/covers",
        json!([1.5]),
        "reduced suite: line 2: 1.5 is no element",
    );
}

#[test]
fn nothing_can_be_done_after_a_crash_even_where_the_model_has_edges() {
    let mut app = app();
    app["states"]["c2"]["edges"][0]["crash"] = json!(true);
    let found = replays(&app, &original()[1], 1, 1).unwrap_err();
    assert!(
        found.contains("step 2 diverged: \"tap:a\" is not enabled"),
        "{found}"
    );
}

#[test]
fn an_outcome_without_weight_never_happens() {
    let mut case = fixture();
    let never = json!({"action":"tap:list","to":"c0","covers":[],"weight":0.0});
    case["app"]["states"]["c0"]["edges"]
        .as_array_mut()
        .unwrap()
        .push(never);
    assert_eq!(violations(&case, STRICT), Vec::<String>::new());
}

#[test]
fn traces_recorded_on_an_app_without_flaky_actions_replay() {
    let shape = AppShape {
        screens: 12,
        branches: 60,
        hidden: 0.08,
        flaky: 0.0,
        faults: 1,
        crashes: 1,
    };
    for seed in 0..5 {
        let app = random_app::app(&shape, seed);
        for line in record::suite(&app, seed, 20, 12) {
            assert_eq!(
                replays(&app, &serde_json::from_str(&line).unwrap(), 2, seed),
                Ok(())
            );
        }
    }
}
