//! Shell scripts, run by a shell with a made-up `adb` that writes down what it is asked.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::{Value, json};

use super::{TEXTS, act, everything, exported};

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
