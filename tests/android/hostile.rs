//! Text that would be commands, were it not quoted: it reaches the device as text, and nothing runs.

use reduce_suite::model::Seed;
use reduce_suite::replay::{Reaction, Start};
use serde_json::json;
use xtask::virtual_android::Options;

use super::lab::{Lab, show};

const TEXTS: [&str; 7] = [
    "'; reboot; $(reboot) `x` \"",
    "'; reboot; $(reboot) `x` \" 🙂 \u{202e}",
    "$(input keyevent 26)",
    "\"; rm -rf /sdcard; \"",
    "%s %S 100%sure \\n \\",
    "a && reboot || reboot & reboot | reboot > /sdcard/x < y",
    "-- --help",
];

#[test]
fn hostile_text_reaches_the_device_as_text_and_nothing_else_runs() {
    let Some(lab) = Lab::open() else { return };
    let edges: Vec<_> = TEXTS
        .iter()
        .map(|text| json!({"action": format!("type:{text}"), "to": "c1", "covers": ["typed"]}))
        .collect();
    let app = json!({"launch": "c0", "states": {
        "c0": {"screen": "Home", "edges": edges}, "c1": {"screen": "Done", "edges": []}}});
    let (device, mut driver) = lab.driver(&app, &Options::default());
    let start = Start {
        seed: Seed(1),
        trouble: Seed(1),
    };
    for text in TEXTS {
        let shown = show(driver.as_mut(), &[format!("type:{text}")], start);
        let arrived =
            matches!(&shown.reactions[..], [Reaction::Sight(sight)] if sight.screen == "Done");
        assert!(arrived, "{text}: {shown:?}");
        assert!(device.typed().concat().ends_with(text), "{text}");
    }
    let known = [
        "input",
        "am",
        "rm",
        "uiautomator",
        "cat",
        "dumpsys",
        "grep",
        "pidof",
        "logcat",
        "echo",
        "settings",
        "pm",
        "getprop",
        "setprop",
        "date",
        "log",
        "wm",
        "ime",
        "cmd",
        "tail",
        "sha256sum",
        "true",
    ];
    let commands = device.commands();
    assert!(commands.len() > 100);
    for words in &commands {
        assert!(known.contains(&words[0].as_str()), "{words:?} ran");
        let is_ours = words[0] != "rm"
            || words
                .last()
                .is_some_and(|path| path.starts_with("/data/local/tmp/reduce-suite"));
        assert!(is_ours, "{words:?} ran");
        assert!(
            words[0] != "input"
                || words.get(1).is_none_or(|word| word != "keyevent")
                || words.get(2).is_none_or(|key| key != "26"),
            "{words:?} ran"
        );
    }
}

#[test]
fn the_shell_of_the_virtual_device_runs_what_is_not_quoted() {
    let Some(lab) = Lab::open() else { return };
    let app = json!({"launch": "c0", "states": {"c0": {"screen": "Home", "edges": []}}});
    let (device, _) = lab.device(&app, &Options::default());
    let serial = format!("127.0.0.1:{}", device.port());
    lab.shell(
        &serial,
        "echo $(log harm); `log harm`; echo \"$(log harm)\"; echo '$(log no)'",
    );
    let harm = |words: &Vec<String>| words == &["log", "harm"];
    assert_eq!(
        device.commands().iter().filter(|words| harm(words)).count(),
        3
    );
    assert!(
        !device
            .commands()
            .contains(&vec!["log".to_owned(), "no".to_owned()])
    );
}
