//! Scripts of other tools, read back as those tools read them: a parser of YAML, a shell with a made-up
//! `adb` that writes down what it is asked, and a reader of Kotlin's literals.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

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

/// An `adb` that writes down its arguments and shows one window.
const ADB: &str = r#"#!/bin/sh
for word in "$@"; do printf '%s\0' "$word"; done >>"$LOG"
printf '\n' >>"$LOG"
case "$*" in
*'cat /sdcard/window_dump.xml'*) cat "$WINDOW" ;;
*'wm size'*) echo 'Physical size: 1080x1920' ;;
esac
"#;

const WINDOW: &str = "<?xml version='1.0'?><hierarchy rotation=\"0\"><node text=\"\" resource-id=\"\" class=\"android.widget.FrameLayout\" content-desc=\"\" bounds=\"[0,0][1080,1920]\">\
    <node text=\"OK &amp; &quot;go&quot; $(x) 'y'\" resource-id=\"a.b:id/ok\" class=\"android.widget.Button\" content-desc=\"\" bounds=\"[100,200][300,400]\" />\
    <node text=\"\" resource-id=\"a.b:id/name\" class=\"android.widget.EditText\" content-desc=\"n\" bounds=\"[0,500][1000,600]\" />\
    <node text=\"\" resource-id=\"a.b:id/list\" class=\"android.widget.ListView\" content-desc=\"\" bounds=\"[0,600][1000,1000]\" />\
    <node text=\"two\" resource-id=\"a.b:id/kind\" class=\"android.widget.Spinner\" content-desc=\"\" bounds=\"[0,1000][100,1100]\" /></node></hierarchy>";

/// Runs a script and tells every command that reached the phone's shell.
fn run(script: &str) -> (bool, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("adb"), ADB).expect("it is written");
    fs::set_permissions(path("adb"), fs::Permissions::from_mode(0o755)).expect("it may run");
    // Whatever a text names as a command would leave a mark.
    for name in ["reboot", "x", "evil"] {
        fs::write(path(name), "#!/bin/sh\ntouch \"$LOG.ran\"\n").expect("it is written");
        fs::set_permissions(path(name), fs::Permissions::from_mode(0o755)).expect("it may run");
    }
    fs::write(path("script.sh"), script).expect("it is written");
    fs::write(path("window.xml"), WINDOW).expect("it is written");
    let ran = Command::new("sh")
        .arg(path("script.sh"))
        .env("PATH", format!("{}:/usr/bin:/bin", folder.path().display()))
        .env("LOG", path("log"))
        .env("WINDOW", path("window.xml"))
        .env("PAUSE", "0")
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    assert!(!path("log.ran").exists(), "a text ran:\n{script}");
    let log = fs::read_to_string(path("log")).expect("text");
    let commands = log
        .split("\0\n")
        .filter(|line| !line.is_empty())
        .map(|line| {
            let words: Vec<_> = line.split('\0').collect();
            assert_eq!((words.len(), words[0]), (2, "shell"), "{line}");
            words[1].to_owned()
        });
    (ran.status.success(), commands.collect())
}

/// The words of a command as the phone's shell reads them, which must not run anything.
fn words(command: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let script = format!("set -- {command}\nfor word in \"$@\"; do printf '%s\\0' \"$word\"; done");
    let ran = Command::new("sh")
        .arg("-c")
        .arg(script)
        .current_dir(folder.path())
        .output();
    let ran = ran.expect("a shell");
    assert!(
        ran.stderr.is_empty(),
        "{command}: {}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let text = String::from_utf8(ran.stdout).expect("text");
    let mut words: Vec<_> = text.split('\0').map(str::to_owned).collect();
    words.pop();
    words
}

#[test]
fn texts_in_shell_scripts_reach_the_phone_as_texts_and_nothing_runs_on_the_way() {
    for text in TEXTS {
        let written = exported("adb-shell", &[act("type", &json!({"text": text}))]);
        let (is_done, commands) = run(&written.text);
        assert!(is_done, "{}", written.text);
        assert_eq!(
            commands[..2],
            ["pm clear a.b", "am start -W -n a.b/a.b.Main"]
        );
        let mut typed = String::new();
        for command in &commands[2..] {
            let words = words(command);
            match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["input", "text", word] => {
                    // This is what `input` makes of it.
                    typed.push_str(&word.replace("%s", " "));
                }
                [
                    "am",
                    "broadcast",
                    "-a",
                    "ADB_INPUT_B64",
                    "--es",
                    "msg",
                    bytes,
                ] => {
                    use base64::Engine as _;
                    let bytes = base64::engine::general_purpose::STANDARD.decode(bytes);
                    typed = String::from_utf8(bytes.expect("base64")).expect("text");
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(typed, *text);
    }
}

#[test]
fn shell_scripts_find_widgets_on_the_present_window() {
    let tap = |on: Value| act("tap", &json!({"on": on}));
    let written = exported(
        "adb-shell",
        &[
            tap(json!({"id": "ok", "class": "Button"})),
            tap(json!({"text": "OK & \"go\" $(x) 'y'"})),
            tap(json!({"description": "n", "class": "EditText"})),
            tap(json!({"id": "gone", "at": [7, 8]})),
            act("scroll", &json!({"to": "down", "on": {"id": "list"}})),
            act("scroll", &json!({"to": "up"})),
        ],
    );
    let (is_done, commands) = run(&written.text);
    let inputs: Vec<_> = commands.iter().filter(|c| c.starts_with("input")).collect();
    let expect = [
        "input tap 200 300",
        "input tap 200 300",
        "input tap 500 550",
        "input tap 7 8",
        "input swipe 500 900 500 700 300",
        "input swipe 540 480 540 1440 300",
    ];
    assert_eq!(inputs, expect, "{commands:?}");
    assert!(is_done);
    let gone = exported("adb-shell", &[tap(json!({"id": "gone"}))]);
    let (is_done, _) = run(&gone.text);
    assert!(!is_done, "a widget that is not there ends the script");
}

#[test]
fn every_step_that_is_written_runs_in_a_shell() {
    let written = exported("adb-shell", &everything());
    let (is_done, commands) = run(&written.text);
    assert!(is_done && commands.len() > 30, "{commands:?}");
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
