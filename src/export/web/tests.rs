//! Tests of pages in all formats, from one trace.

use super::super::{Exported, Exporter};
use super::{DEVTOOLS, PLAYWRIGHT, SELENIUM};
use crate::model::{Names, NewStep, NewTrace, Suite};

const ACTIONS: &[&str] = &[
    r#"{"do":"type","on":{"id":"new"},"text":"it's \"</script>\n${x}"}"#,
    r#"{"do":"key","on":{"id":"new"},"to":"Enter"}"#,
    r#"{"do":"tap","on":{"class":"button","description":"Say \"hi\""}}"#,
    r#"{"do":"accept","text":"y"}"#,
    r#"{"do":"tap","on":{"description":"More"}}"#,
    r#"{"do":"select","on":{"css":"a >>> b"},"text":"two"}"#,
    r#"{"do":"key","to":"Control+a"}"#,
    r#"{"do":"tap","on":{"class":"StaticText","path":"0.1"}}"#,
    "Tap(1, 2)",
];

fn exported(exporter: &Exporter) -> Exported {
    let (mut names, mut suite) = (Names::default(), Suite::default());
    let trace = NewTrace {
        id: "a \"b\"\nc".into(),
        launch_screen: names.screen("s"),
        launch_covers: Vec::new(),
        launch_fields: vec![(
            "action".into(),
            r#"{"do":"open","to":"http://h:1/x?y"}"#.into(),
        )],
        fields: vec![("viewport".into(), r#"{"height":600,"width":800}"#.into())],
        joins: Vec::new(),
    };
    let steps: Vec<_> = ACTIONS
        .iter()
        .map(|action| NewStep {
            action: names.action(action),
            screen: names.screen("s"),
            covers: Vec::new(),
            fault: None,
            millis: None,
            fields: Vec::new(),
        })
        .collect();
    let idx = suite.push(trace, steps);
    (exporter.write)(&suite, &names, idx)
}

#[test]
fn a_test_of_playwright_quotes_every_text() {
    let exported = exported(&PLAYWRIGHT);
    insta::assert_snapshot!(exported.text);
    let places: Vec<_> = exported.unwritten.iter().map(|(place, _)| *place).collect();
    assert_eq!(places, [7, 8]);
}

#[test]
fn a_recording_of_devtools_has_all_names_of_a_widget() {
    let exported = exported(&DEVTOOLS);
    insta::assert_snapshot!(exported.text);
    let places: Vec<_> = exported.unwritten.iter().map(|(place, _)| *place).collect();
    assert_eq!(places, [3, 5, 7, 8]);
}

#[test]
fn a_project_of_selenium_has_one_locator_a_command() {
    let exported = exported(&SELENIUM);
    insta::assert_snapshot!(exported.text);
    let places: Vec<_> = exported.unwritten.iter().map(|(place, _)| *place).collect();
    assert_eq!(places, [0, 5, 6, 7, 8]);
}
