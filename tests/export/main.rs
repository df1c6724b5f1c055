//! Scripts of other tools, read back as those tools read them: a parser of YAML, a shell with a made-up
//! `adb` that writes down what it is asked, and a reader of Kotlin's literals.

#![cfg(unix)]

mod shell;

use std::fs;
use std::path::Path;

use reduce_suite::export::{self, Exported};
use reduce_suite::import::{Limits, Loaded, load};
use saphyr::{LoadableYamlNode as _, Yaml};
use serde_json::{Value, json};

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 20,
    max_name_bytes: 1 << 16,
};

/// Texts that would do harm where they are not quoted.
const TEXTS: &[&str] = &[
    "shoes",
    "'; reboot; $(reboot) `x` \"",
    "a b  c",
    "100%sure %s",
    "\u{1F600} ö \u{2028}",
    "${evil()} $HOME \\${x}",
    "line\nend\ttab",
    "- a: [b, {c: #d}]",
    "*.*(x)+?|^$",
    "\\",
    "\"\"\" */ // }",
    "!!python/object",
];

fn act(verb: &str, rest: &Value) -> Value {
    let mut act = json!({"do": verb});
    let fields = rest.as_object().expect("fields");
    for (name, value) in fields {
        act[name] = value.clone();
    }
    act
}

/// A suite of one trace with these actions.
fn suite(folder: &Path, actions: &[Value]) -> Loaded {
    let step = |action: &Value| json!({"action": action, "screen": "a.b/.Main"});
    let steps: Vec<_> = actions.iter().map(step).collect();
    let trace = json!({"id": "t */ \n1", "launch": {"screen": "a.b/.Main"}, "steps": steps});
    let path = folder.join("suite.jsonl");
    fs::write(&path, format!("{trace}\n")).expect("it is written");
    load(&[path], &LIMITS).expect("it is read")
}

fn exported(format: &str, actions: &[Value]) -> Exported {
    let folder = tempfile::tempdir().expect("a folder");
    let loaded = suite(folder.path(), actions);
    let exporter = export::all().iter().find(|one| one.name == format);
    let exporter = exporter.expect("a format");
    let (idx, _) = loaded.suite.traces().next().expect("a trace");
    (exporter.write)(&loaded.suite, &loaded.names, idx)
}

/// Some of everything.
fn everything() -> Vec<Value> {
    let ok = json!({"on": {"id": "ok", "class": "Button"}});
    vec![
        act("tap", &ok),
        act("hold", &ok),
        act("double", &ok),
        act("tap", &json!({"on": {"at": [10, 20]}})),
        act("type", &json!({"on": {"id": "name"}, "text": "x"})),
        act("clear", &ok),
        act("select", &json!({"on": {"id": "kind"}, "text": "two"})),
        act("key", &json!({"to": "Enter"})),
        act("scroll", &json!({"to": "down"})),
        act("scroll", &json!({"to": "up", "on": {"id": "list"}})),
        act("swipe", &json!({"to": "left"})),
        act("back", &json!({})),
        act("home", &json!({})),
        act("rotate", &json!({"to": "1"})),
        act("open", &json!({"to": "app://x?y=1&z"})),
        act(
            "intent",
            &json!({"to": "intent:#Intent;component=a.b/.Other;end"}),
        ),
        json!("Tap(1.0, 2.0, 0)"),
        json!("Drag(1.0, 2.0, 3.0, 4.0, 9)"),
        json!("DispatchPress(4)"),
        json!("DispatchString(hello)"),
    ]
}

#[test]
fn every_exporter_writes_each_step_or_names_it() {
    let mut actions = everything();
    actions.push(json!("dance"));
    actions.push(act("dismiss", &json!({})));
    for exporter in export::all() {
        let written = exported(exporter.name, &actions);
        assert!(!written.text.is_empty());
        let unwritten: Vec<_> = written.unwritten.iter().map(|(step, _)| *step).collect();
        match exporter.name {
            "native" | "text" => assert_eq!(unwritten, [0; 0]),
            // It knows places alone.
            "monkey" => assert!(unwritten.contains(&0) && unwritten.contains(&20)),
            "maestro" | "adb-shell" | "uiautomator2" => {
                assert_eq!(unwritten, [20, 21], "{}", exporter.name);
            }
            // The rest is for pages, which have no gestures by place.
            name => assert!(unwritten.contains(&16) && unwritten.contains(&20), "{name}"),
        }
    }
}

#[test]
fn the_native_format_is_read_back_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let loaded = suite(folder.path(), &everything());
    let written = exported("native", &everything());
    let path = folder.path().join("again.jsonl");
    fs::write(&path, &written.text).expect("it is written");
    let again = load(&[path], &LIMITS).expect("it is read");
    assert_eq!(again.suite.n_steps(), loaded.suite.n_steps());
    assert_eq!(exported("native", &everything()).text, written.text);
    let bytes = fs::read(folder.path().join("suite.jsonl")).expect("it is there");
    let bare: Value = serde_json::from_slice(&bytes).expect("JSON");
    let value: Value = serde_json::from_str(&written.text).expect("JSON");
    assert_eq!(value["steps"][7]["action"], bare["steps"][7]["action"]);
}

/// What Maestro makes of a text before it uses it; it runs `${…}` unless a backslash stands before it.
fn evaluated(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let inside = &rest[at + 2..];
        let is_script = inside
            .find(['}', '$'])
            .is_some_and(|end| inside[end..].starts_with('}'));
        if is_script {
            let before = rest[..at].strip_suffix('\\');
            out.push_str(before.unwrap_or("A SCRIPT RAN: "));
        } else {
            out.push_str(&rest[..at]);
        }
        out.push_str("${");
        rest = inside;
    }
    out + rest
}

#[test]
fn texts_in_flows_of_maestro_are_read_back_and_no_script_in_them_runs() {
    for text in TEXTS {
        let actions = [
            act("type", &json!({"on": {"id": "name"}, "text": text})),
            act("tap", &json!({"on": {"text": text}})),
        ];
        let written = exported("maestro", &actions);
        let documents = Yaml::load_from_str(&written.text);
        let documents = documents.unwrap_or_else(|e| panic!("{e}:\n{}", written.text));
        let [head, commands] = &documents[..] else {
            panic!("{}", written.text);
        };
        assert_eq!(head["appId"].as_str(), Some("a.b"));
        let commands: Vec<_> = commands.as_vec().expect("a list").iter().collect();
        let typed = commands[3]["inputText"].as_str().expect("a text");
        assert_eq!(evaluated(typed), *text);
        let pattern = commands[4]["tapOn"]["text"].as_str().expect("a text");
        // A pattern of nothing but letters and escaped signs fits one text.
        let mut fits = String::new();
        let mut chars = pattern.chars();
        while let Some(c) = chars.next() {
            assert!(c == '\\' || !c.is_ascii_punctuation(), "{pattern}");
            fits.push(if c == '\\' {
                chars.next().expect("a sign")
            } else {
                c
            });
        }
        assert_eq!(fits, *text);
    }
}

#[test]
fn flows_of_maestro_use_the_commands_that_its_own_flows_use() {
    let written = exported("maestro", &everything());
    let documents = Yaml::load_from_str(&written.text).expect("YAML");
    let known = [
        "launchApp",
        "tapOn",
        "longPressOn",
        "doubleTapOn",
        "eraseText",
        "inputText",
        "pressKey",
        "swipe",
        "back",
        "setOrientation",
        "openLink",
    ];
    for command in documents[1].as_vec().expect("a list") {
        let name = command.as_str().or_else(|| {
            let (name, _) = command.as_mapping()?.iter().next()?;
            name.as_str()
        });
        assert!(known.contains(&name.expect("a name")), "{name:?}");
    }
}

/// The string literals of a Kotlin text, read as a compiler reads them.
fn literals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '"' {
            continue;
        }
        let mut units: Vec<u16> = Vec::new();
        loop {
            match chars.next().expect("a literal ends") {
                '"' => break,
                '\\' => match chars.next().expect("a sign") {
                    'u' => {
                        let digits: String = chars.by_ref().take(4).collect();
                        units.push(u16::from_str_radix(&digits, 16).expect("digits"));
                    }
                    c => units.push(c as u16),
                },
                c => units.extend(c.encode_utf16(&mut [0; 2]).iter()),
            }
        }
        found.push(String::from_utf16(&units).expect("text"));
    }
    found
}

#[test]
fn texts_in_kotlin_tests_are_read_back() {
    let bare = exported("uiautomator2", &[]);
    let n_bare = literals(&bare.text).len();
    for text in TEXTS {
        let actions = [
            act("type", &json!({"on": {"id": "name"}, "text": text})),
            act("tap", &json!({"on": {"text": text, "description": text}})),
        ];
        let written = exported("uiautomator2", &actions);
        let literals = literals(&written.text);
        assert_eq!(literals.len(), n_bare + 4, "{}", written.text);
        assert_eq!(
            literals
                .iter()
                .filter(|literal| **literal == **text)
                .count(),
            3
        );
        let braces = |text: &str| {
            let code: String = text.lines().filter(|line| !line.contains('"')).collect();
            (code.matches('{').count(), code.matches('}').count())
        };
        assert_eq!(braces(&written.text), braces(&bare.text));
    }
    let name = bare.text.lines().find(|line| line.starts_with("class "));
    assert_eq!(name, Some("class Trace0001_t1 {"));
}
