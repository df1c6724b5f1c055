//! Examples 2.1 to 2.4 of the `DetReduce` paper (004), through the library.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use reduce_suite::import::text::parse_suite;
use reduce_suite::model::{
    AfterDivergence, Costs, Kind, Names, Observer, RunEvent, Script, Seed, Stabilize, Strategy,
    Suite,
};
use reduce_suite::reduce::{Outcome, Replayer, Settings, reduce};
use reduce_suite::replay::{Budget, Cancel, Engine, Journal, Parts, Retry};
use reduce_suite::{config, drivers, session};

struct Nobody;

impl Observer for Nobody {
    fn on(&mut self, _: &RunEvent) {}
}

fn settings() -> Settings {
    Settings {
        strategy: Strategy::Paper,
        runs: 10,
        after_divergence: AfterDivergence::Stop,
        stabilize: Stabilize::Full,
        preserve: Kind::ALL.to_vec(),
        loop_work: 100_000,
        loop_candidates: 1000,
        fragments: 3,
        splice_work: 1_000_000,
        settle_rounds: 8,
        max_steps: 100,
        allow_observed: true,
        lanes: 8,
        trace_flake: 0.01,
        suite_flake: None,
        confidence: 0.95,
        max_runs: 30,
        min_witness: 1,
        keep_faults: true,
        exact: false,
        guides: Vec::new(),
        costs: Costs {
            restart_micros: 15_000_000,
            action_micros: 2_000_000,
        },
    }
}

/// What the default settings say about devices.
fn setup() -> drivers::Setup {
    let settings = config::resolve(&config::Layers::default(), Path::new("/"));
    session::setup(&settings.expect("the defaults hold").config)
}

/// Reduces a suite on an app that is given as JSON.
fn reduced(app: &str, suite: &str) -> (Outcome, Suite, Names) {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    file.write_all(app.as_bytes()).expect("it can be written");
    let url = format!("sim:{}", file.path().display());
    let fleet = drivers::open(&[url], &setup()).expect("the app is well-formed");
    let (suite, names) = parse_suite(suite).expect("the suite is well-formed");
    let mut nobody = Nobody;
    let mut engine = Engine::new(Parts {
        suite: &suite,
        names,
        seed: Seed(1),
        devices: fleet.devices,
        journal: Journal::in_memory(),
        budget: Budget::new(None, None),
        retry: Retry {
            per_job: 3,
            per_device: 3,
            hang: Duration::from_secs(60),
        },
        cancel: Cancel::default(),
        observer: &mut nobody,
    });
    let outcome = reduce(&suite, &settings(), &mut engine).expect("nothing stops it");
    let names = engine.names().clone();
    drop(engine);
    (outcome, suite, names)
}

/// A script as `s0 a s1 b s2`.
fn text(script: &Script, suite: &Suite, names: &Names) -> String {
    let mut words = vec![names.screen_name(script.screen_at(suite, 0))];
    for step in &script.steps {
        words.push(names.action_text(step.action));
        words.push(names.screen_name(step.screen));
    }
    words.join(" ")
}

#[track_caller]
fn check(app: &str, suite: &str, expect: &[&str]) {
    let (outcome, suite, names) = reduced(app, suite);
    let shipped: Vec<_> = outcome
        .shipped
        .iter()
        .map(|shipped| text(&shipped.proven.script, &suite, &names))
        .collect();
    assert_eq!(shipped, expect);
    assert!(outcome.lost.is_empty() && outcome.unstable.is_empty());
}

/// The file browser of Figure 1: a menu over the root folder, and three nested folders of
/// which the first three look alike.
fn file_browser(open: &str, close: &str) -> String {
    format!(
        r#"{{"launch":"root","states":{{
        "root":{{"screen":"s0","edges":[{{"action":"Menu","to":"menu","covers":[{open}]}},
                                      {{"action":"foo","to":"foo","covers":["f1"]}}]}},
        "foo":{{"screen":"s0","edges":[{{"action":"foo","to":"foofoo","covers":["f1"]}}]}},
        "foofoo":{{"screen":"s0","edges":[{{"action":"foo","to":"pictures","covers":["f2"]}}]}},
        "menu":{{"screen":"s1","edges":[{{"action":"Menu","to":"root","covers":[{close}]}},
                                      {{"action":"Option","to":"options","covers":["o"]}}]}},
        "options":{{"screen":"s2"}},"pictures":{{"screen":"s3"}}}}}}"#
    )
}

#[test]
fn example_2_1_the_loop_through_the_menu_goes() {
    check(
        &file_browser("", ""),
        "s0 -Menu-> s1 -Menu-> s0 -Menu-> s1 -Option{o}-> s2",
        &["s0 Menu s1 Option s2"],
    );
}

#[test]
fn example_2_2_the_loop_stays_because_closing_the_menu_covers_something() {
    check(
        &file_browser("\"p\"", "\"c\""),
        "s0 -Menu{p}-> s1 -Menu{c}-> s0 -Menu{p}-> s1 -Option{o}-> s2",
        &["s0 Menu s1 Menu s0 Menu s1 Option s2"],
    );
}

#[test]
fn example_2_3_the_loop_stays_because_the_shorter_trace_does_not_replay() {
    check(
        &file_browser("", ""),
        "s0 -foo{f1}-> s0 -foo{f1}-> s0 -foo{f2}-> s3",
        &["s0 foo s0 foo s0 foo s3"],
    );
}

#[test]
fn example_2_4_three_traces_are_spliced_into_one_of_seven_steps() {
    let app = r#"{"launch":"0","states":{
        "0":{"screen":"s0","edges":[{"action":"a","to":"1","covers":["c1"]}]},
        "1":{"screen":"s1","edges":[{"action":"b","to":"2","covers":["c2"]},
                                     {"action":"d","to":"4","covers":["c4"]}]},
        "2":{"screen":"s2","edges":[{"action":"c","to":"3","covers":["c3"]}]},
        "3":{"screen":"s3","edges":[{"action":"d","to":"4","covers":["c4"]},
                                     {"action":"f","to":"5","covers":["c6"]}]},
        "4":{"screen":"s4","edges":[{"action":"e","to":"2","covers":["c5"]}]},
        "5":{"screen":"s5"}}}"#;
    let suite = "s0 -a{c1}-> s1 -b{c2}-> s2 -c{c3}-> s3 -d{c4}-> s4\n\
                 s0 -a{c1}-> s1 -d{c4}-> s4 -e{c5}-> s2 -c{c3}-> s3 -d{c4}-> s4\n\
                 s0 -a{c1}-> s1 -b{c2}-> s2 -c{c3}-> s3 -f{c6}-> s5";
    check(app, suite, &["s0 a s1 b s2 c s3 d s4 e s2 c s3 f s5"]);
}
