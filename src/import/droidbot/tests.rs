//! Small output folders, with what goes wrong in real ones.

use std::fs;
use std::path::Path;

use crate::abstraction::{Lens, find};
use crate::import::{Limits, Loaded, Look, load_looking, named};

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 20,
    max_name_bytes: 1 << 12,
};

fn event(kind: &str, start: &str, stop: &str) -> String {
    format!(r#"{{"tag":"t","event":{{{kind}}},"start_state":"{start}","stop_state":"{stop}"}}"#)
}

const KILL: &str = r#""event_type":"kill_app","stop_intent":"am force-stop a.b""#;
const START: &str = r#""event_type":"intent","intent":"am start a.b/a.b.Main""#;
const STOP: &str = r#""event_type":"intent","intent":"am force-stop a.b""#;
const BACK: &str = r#""event_type":"key","name":"BACK""#;
const SAVE: &str = r#""event_type":"touch","x":null,"y":null,"view":{"class":"android.widget.Button",
    "resource_id":"a.b:id/ok","text":"Save","bounds":[[0,0],[10,20]],"clickable":true}"#;
const ROW: &str =
    r#""event_type":"long_touch","view":{"class":"Row","text":null,"bounds":[[0,0],[10,20]]}"#;

fn write(folder: &Path, events: &[String]) {
    fs::create_dir_all(folder.join("events")).unwrap();
    fs::create_dir_all(folder.join("states")).unwrap();
    for (i, event) in events.iter().enumerate() {
        fs::write(folder.join(format!("events/event_{i:03}.json")), event).unwrap();
    }
    let state = r#"{"state_str":"s1","foreground_activity":"a.b/.Main","views":[
        {"temp_id":0,"parent":-1,"class":"Frame"},{"temp_id":1,"parent":0,"class":"a.Button","clickable":true}]}"#;
    fs::write(folder.join("states/state_000.json"), state).unwrap();
    let graph =
        "var utg = \n{\"nodes\":[{\"id\":\"s2\",\"state_str\":\"s2\",\"activity\":\".Second\"}]}";
    fs::write(folder.join("utg.js"), graph).unwrap();
}

fn load(events: &[String], look: Option<Look>) -> Loaded {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    write(&run, events);
    load_looking(&[folder.path().to_owned()], &LIMITS, None, look).unwrap()
}

/// Every trace as its launch screen and `action > screen`.
fn told(loaded: &Loaded) -> Vec<String> {
    let Loaded { suite, names, .. } = loaded;
    let traces = suite.traces().map(|(idx, trace)| {
        let steps = suite.steps(idx).iter().map(|step| {
            let screen = names.screen_name(step.screen);
            format!(" {} > {screen}", names.action_text(step.action))
        });
        let steps: String = steps.collect();
        format!(
            "{}: {}{steps}",
            trace.id,
            names.screen_name(trace.launch_screen)
        )
    });
    traces.collect()
}

#[test]
fn a_run_begins_with_the_start_and_every_event_after_it_is_a_step() {
    let loaded = load(
        &[
            event(KILL, "x", "x"),
            event(START, "x", "s1"),
            event(SAVE, "s1", "s2"),
            event(ROW, "s2", "s2"),
            event(STOP, "s2", "x"),
        ],
        None,
    );
    let expect = r#"run: Main#s1 {"do":"tap","on":{"class":"Button","id":"ok","text":"Save"}} > Second#s2 {"do":"hold","on":{"at":[5,10],"class":"Row"}} > Second#s2 am force-stop a.b > #x"#;
    assert_eq!(told(&loaded), [expect]);
    assert_eq!(loaded.notes, []);
    assert_eq!(loaded.digests.len(), 7);
}

#[test]
fn what_goes_wrong_in_real_folders_is_told_and_loses_nothing_else() {
    let loaded = load(
        &[
            event(START, "x", "s1"),
            event(BACK, "s1", "s3"),
            String::new(),
            event(BACK, "s2", "s2"),
            event(KILL, "s2", "x"),
            event(START, "x", "s1"),
            event(r#""event_type":"dance""#, "s1", "s1"),
            event(BACK, "s1", "s1"),
        ],
        None,
    );
    let expect = [
        r#"run: Main#s1 {"do":"back"} > Second#s2 {"do":"back"} > Second#s2"#,
        r#"run-2: Main#s1 {"do":"back"} > Main#s1"#,
    ];
    assert_eq!(told(&loaded), expect);
    let notes: Vec<_> = loaded.notes.iter().map(|note| &*note.reason).collect();
    let dance = "no kind of event is called `dance`";
    assert_eq!(notes, ["the file of the event is empty", dance]);
    let (idx, _) = loaded.suite.traces().next().unwrap();
    let at = |step| crate::model::StepRef { trace: idx, step };
    let fields = |step| format!("{:?}", loaded.suite.step_fields(at(step)));
    assert!(fields(0).contains("passed") && fields(0).contains("#s3"));
    assert!(fields(1).contains("gap") && !fields(1).contains("passed"));
}

#[test]
fn screens_are_those_of_an_abstraction_where_there_are_views() {
    let look = Look {
        abstraction: find("structure").unwrap(),
        lens: Lens::default(),
    };
    let events = [event(START, "x", "s1"), event(BACK, "s1", "s2")];
    let recorded = told(&load(&events, None)).remove(0);
    let seen = told(&load(&events, Some(look))).remove(0);
    assert!(recorded.starts_with("run: Main#s1") && seen.starts_with("run: Main#"));
    assert!(
        !seen.starts_with("run: Main#s1") && seen.ends_with("Second#s2"),
        "{seen}"
    );
}

#[test]
fn a_file_of_a_folder_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[event(BACK, "a", "b")]);
    let file = folder.path().join("events/event_000.json");
    let error = load_looking(&[file], &LIMITS, named("droidbot"), None).unwrap_err();
    assert!(error.to_string().contains("give the folder"), "{error}");
}

#[test]
fn views_that_are_around_each_other_are_no_state() {
    let state = |parents: [i64; 2]| {
        let [a, b] = parents;
        format!(
            r#"{{"state_str":"s","views":[{{"temp_id":0,"parent":{a}}},{{"temp_id":1,"parent":{b}}}]}}"#
        )
    };
    assert!(super::window(&state([-1, 0])).is_ok());
    assert!(
        super::window(&state([1, 0]))
            .unwrap_err()
            .contains("around each other")
    );
    assert!(super::window(&state([99, 1])).is_ok());
    let bad = super::window(r#"{"state_str":"s","views":[{"temp_id":5}]}"#);
    assert!(bad.unwrap_err().contains("not numbered"));
}
