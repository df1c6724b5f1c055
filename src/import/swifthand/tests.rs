//! Small traces, with what makes real ones hard to read.

use std::fs;

use crate::abstraction::{Lens, find};
use crate::import::{ImportError, Limits, Loaded, Look, load_looking};

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 20,
    max_name_bytes: 1 << 12,
};

fn load(text: &str, look: Option<Look>) -> Result<Loaded, ImportError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.json");
    fs::write(&path, text).unwrap();
    load_looking(&[path], &LIMITS, None, look)
}

fn step(action: &str, activity: &str, events: &str, rest: &str) -> String {
    format!(
        r#"{{"id":0,"action":{action},"activity":"{activity}","isKeyboardShown":false,"ui":{{}},
            "abstractState":{{"id":7,"enabledEvents":[{events}]}}{rest}}}"#
    )
}

const HOME: &str = r#""close","back","menu","dclick:a.Button:0.1""#;

fn whole() -> String {
    let steps = [
        step(
            "\"Start\"",
            "Main",
            HOME,
            r#","branchCoverage":[1,2],"methodCoverage":[5]"#,
        ),
        step(
            r#""Event","actionIndex":3"#,
            "Other",
            r#""close","back","menu","edit:a.EditText:0.2:1""#,
            r#","branchCoverage":[3,10000000,12345678]"#,
        ),
        step(r#""Event","actionIndex":3"#, "null", "\"close\"", ""),
        step("\"Close\"", "null", "\"close\"", r#","branchCoverage":[4]"#),
        step("\"Start\"", "Main", HOME, ""),
        step(r#""Event","actionIndex":9"#, "Main", HOME, ""),
        step("\"Close\"", "null", "\"close\"", ""),
    ];
    format!("{{\"trace\":[{}]}}", steps.join(","))
}

fn told(loaded: &Loaded) -> Vec<String> {
    let Loaded { suite, names, .. } = loaded;
    let covers = |covers| {
        let elements = suite.recorded(covers).iter();
        let names: Vec<_> = elements.map(|&e| names.element_name(e)).collect();
        names.join(",")
    };
    let activity = |screen| {
        names
            .screen_name(screen)
            .split('#')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let mut told = Vec::new();
    for (idx, trace) in suite.traces() {
        told.push(format!(
            "{} {} {}",
            trace.id,
            activity(trace.launch_screen),
            covers(trace.launch_covers)
        ));
        for step in suite.steps(idx) {
            let fault = step.fault.map(|fault| names.element_name(fault));
            told.push(format!(
                "{} {} {} {}",
                names.action_text(step.action),
                covers(step.covers),
                fault.unwrap_or("-"),
                activity(step.screen)
            ));
        }
    }
    told
}

#[test]
fn traces_go_from_start_to_start_and_nothing_that_was_covered_is_lost() {
    let loaded = load(&whole(), None).unwrap();
    let expect = [
        "trace Main 1,2,method:5",
        r#"{"do":"tap","on":{"class":"Button","path":"0.1"}} 3,fault:exception-12345678 fault:exception-10000000 Other"#,
        r#"{"do":"type","on":{"class":"EditText","path":"0.2"},"text":"1"}  - outside"#,
        "close 4 - outside",
        "trace-2 Main ",
        "unknown event 9  - Main",
    ];
    assert_eq!(told(&loaded), expect);
    let notes: Vec<_> = loaded.notes.iter().map(|note| &*note.reason).collect();
    assert!(notes[0].contains("event 9 of 4"), "{notes:?}");
    assert!(notes[1].contains("what 1 steps typed"), "{notes:?}");
}

#[test]
fn a_list_will_do_and_steps_before_the_first_start_are_told() {
    let steps = [
        step("\"Close\"", "null", "\"close\"", r#","branchCoverage":[4]"#),
        step("\"Restart\"", "Main", HOME, ""),
        r#"{"action":5}"#.to_owned(),
        r#"{"action":"Fly"}"#.to_owned(),
        step(r#""Event","actionIndex":1"#, "Main", HOME, ""),
    ];
    let loaded = load(&format!("[{}]", steps.join(",")), None).unwrap();
    assert_eq!(told(&loaded), ["trace Main ", r#"{"do":"back"}  - Main"#]);
    assert_eq!(loaded.notes.len(), 3, "{:?}", loaded.notes);
}

#[test]
fn a_file_that_is_cut_off_gives_what_is_in_front_of_the_cut() {
    let whole = whole();
    let cut = &whole[..whole.len() - 40];
    let loaded = load(cut, None).unwrap();
    assert_eq!(told(&loaded).len(), 6);
    let last = &loaded.notes.last().unwrap().reason;
    assert!(
        last.contains("the 6 steps in front of that are used"),
        "{last}"
    );
}

#[test]
fn screens_are_made_of_the_view_tree_where_that_is_asked_for() {
    let ui = r#""ui":{"class":"a.Frame","bound":"0:0-9:9","enabled":true,"children":[{"class":"a.Button","bound":"0:0-9:9","text":"TEXT","actionable":true,"enabled":true}]}"#;
    let text = |words: &str| whole().replace("\"ui\":{}", &ui.replace("TEXT", words));
    let look = |name: &str| {
        Some(Look {
            abstraction: find(name).unwrap(),
            lens: Lens::default(),
        })
    };
    let first = |text: &str, look| {
        let loaded = load(text, look).unwrap();
        let (_, trace) = loaded.suite.traces().next().unwrap();
        loaded.names.screen_name(trace.launch_screen).to_owned()
    };
    assert_eq!(first(&text("a"), None), first(&text("b"), None));
    let structure = |words: &str| first(&text(words), look("structure"));
    assert_eq!(structure("a"), structure("b"));
    let actionable = |words: &str| first(&text(words), look("actionable"));
    assert_ne!(actionable("a"), actionable("b"));
}

#[test]
fn what_is_no_trace_is_refused() {
    for text in [
        "",
        "{}",
        "7",
        "{\"trace\":7}",
        "{\"action\":\"\",\"trace\":[],\"branchCoverage\":1}",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.json");
        fs::write(&path, text).unwrap();
        let error = load_looking(&[path], &LIMITS, crate::import::named("swifthand"), None);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("trace.json"), "{text}: {error}");
    }
}
