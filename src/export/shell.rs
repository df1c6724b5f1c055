//! Writes a trace as a script for a POSIX shell that drives a phone by `adb`.
//!
//! Widgets are looked up on the present dump, so the script survives other screens and languages as
//! far as ids go; places are the last resort. Every word goes through two shells, this one and the
//! phone's, and is quoted for both. Text that `input text` cannot type goes to the keyboard app that
//! takes it by broadcast.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::deed::{self, Deed};
use super::{Exported, Exporter};
use crate::model::act::{Act, Side, Target, Verb};
use crate::model::{Names, Suite, TraceIdx};

pub(super) const EXPORTER: Exporter = Exporter {
    name: "adb-shell",
    extension: "sh",
    write,
};

/// What stands in front of the steps.
const HEAD: &str = include_str!("shell/head.sh");

fn write(suite: &Suite, names: &Names, idx: TraceIdx) -> Exported {
    let id = &suite.trace(idx).id;
    let mut head = format!("#!/bin/sh\n# Trace {}\n{HEAD}\n", deed::remark(id));
    if let Some((package, activity)) = deed::app(suite, names, idx) {
        let _ = writeln!(head, "phone {}", local(&remote(&["pm", "clear", &package])));
        start(&mut head, &package, activity.as_deref());
    } else {
        head.push_str("start_app\n");
    }
    let mut exported = deed::write_steps(suite, names, idx, head, step);
    exported.text.push_str("echo done\n");
    exported
}

fn start(out: &mut String, package: &str, activity: Option<&str>) {
    let command = match activity {
        Some(activity) => {
            let component = format!("{package}/{activity}");
            remote(&["am", "start", "-W", "-n", &component])
        }
        None => remote(&["monkey", "-p", package, "1"]),
    };
    let _ = writeln!(out, "phone {}", local(&command));
}

fn step(out: &mut String, deed: &Deed) -> Option<()> {
    match deed {
        Deed::Act(act) => self::act(out, act),
        Deed::Drag { from, to, millis } => {
            let [a, b] = from;
            let [c, d] = to;
            let _ = writeln!(out, "phone 'input swipe {a} {b} {c} {d} {millis}'");
            Some(())
        }
        Deed::Start { package, activity } => {
            start(out, package, activity.as_deref());
            Some(())
        }
    }
}

fn act(out: &mut String, act: &Act) -> Option<()> {
    let target = act.target.as_ref();
    let mut line = |line: String| {
        let _ = writeln!(out, "{line}");
    };
    match &act.verb {
        Verb::Tap => line(format!("find {}\ntap", wanted(target?)?)),
        Verb::Hold => line(format!("find {}\nhold", wanted(target?)?)),
        Verb::Double => line(format!("find {}\ntap\ntap", wanted(target?)?)),
        Verb::Type(text) => {
            if let Some(target) = target {
                line(format!("find {}\ntap\nerase", wanted(target)?));
            }
            for command in typed(text) {
                line(format!("phone {}", local(&command)));
            }
        }
        Verb::Clear => line(format!("find {}\ntap\nerase", wanted(target?)?)),
        Verb::Select(text) => {
            let entry = Target {
                text: text.clone(),
                ..Target::default()
            };
            line(format!("find {}\ntap", wanted(target?)?));
            line(format!("find {}\ntap", wanted(&entry)?));
        }
        Verb::Key(name) => {
            let code = deed::key_code(name)?;
            line(format!("phone 'input keyevent {code}'"));
        }
        Verb::Scroll(side) => line(format!("{}\nscroll {}", place(target)?, side.name())),
        Verb::Swipe(side) => line(format!("{}\nscroll {}", place(target)?, opposite(*side))),
        Verb::Back => line("phone 'input keyevent 4'".to_owned()),
        Verb::Menu => line("phone 'input keyevent 82'".to_owned()),
        Verb::Home => line("phone 'input keyevent 3'".to_owned()),
        Verb::Rotate(quarters) => {
            line("phone 'settings put system accelerometer_rotation 0'".to_owned());
            line(format!(
                "phone 'settings put system user_rotation {quarters}'"
            ));
        }
        Verb::Intent(uri) => line(format!(
            "phone {}",
            local(&remote(&["am", "start", "-W", uri]))
        )),
        Verb::Open(url) => {
            let words = [
                "am",
                "start",
                "-W",
                "-a",
                "android.intent.action.VIEW",
                "-d",
                url,
            ];
            line(format!("phone {}", local(&remote(&words))));
        }
        Verb::Hover | Verb::Accept(_) | Verb::Dismiss => return None,
    }
    Some(())
}

fn opposite(side: Side) -> &'static str {
    match side {
        Side::Up => "down",
        Side::Down => "up",
        Side::Left => "right",
        Side::Right => "left",
    }
}

fn place(target: Option<&Target>) -> Option<String> {
    match target {
        Some(target) => Some(format!("find {}", wanted(target)?)),
        None => Some("find_screen".to_owned()),
    }
}

/// The arguments of `find`: id, text, description, class, and a place of last resort.
fn wanted(target: &Target) -> Option<String> {
    let Target {
        at,
        class,
        description,
        id,
        text,
        ..
    } = target;
    let has_name = !(id.is_empty() && text.is_empty() && description.is_empty());
    if !has_name && at.is_none() {
        return None;
    }
    let at = at.map_or_else(String::new, |[x, y]| format!("{x} {y}"));
    let class = if has_name { class } else { "" };
    let words = [id, text, description, class].map(|word| local(&escaped(word)));
    Some(format!("{} {}", words.join(" "), local(&at)))
}

/// As it stands between the quotes of an attribute in a dump.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            c => out.push(c),
        }
    }
    out
}

/// The commands that type a text.
fn typed(text: &str) -> Vec<String> {
    let is_plain = |c: char| c == ' ' || c.is_ascii_graphic();
    if !text.chars().all(is_plain) {
        let bytes = STANDARD.encode(text);
        let words = [
            "am",
            "broadcast",
            "-a",
            "ADB_INPUT_B64",
            "--es",
            "msg",
            &bytes,
        ];
        return vec![remote(&words)];
    }
    // `%s` is a blank, so a real one is typed in two pieces.
    let mut commands = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find("%s").map_or(rest.len(), |at| at + 1);
        let piece = rest[..end].replace(' ', "%s");
        commands.push(remote(&["input", "text", &piece]));
        rest = &rest[end..];
    }
    commands
}

/// A command for the shell of the phone.
fn remote(words: &[&str]) -> String {
    let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=%+,@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        local(word)
    }
}

/// One word for this shell, whatever is in it. NUL cannot be in any word, so it is left out.
fn local(word: &str) -> String {
    format!("'{}'", word.replace('\0', "").replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::{local, typed};

    #[test]
    fn words_are_quoted_for_two_shells() {
        assert_eq!(local("a'b"), r"'a'\''b'");
        assert_eq!(typed("'; reboot"), [r"input text ''\'';%sreboot'"]);
        assert_eq!(typed("100%sure"), ["input text 100%", "input text sure"]);
        assert_eq!(typed("ö"), ["am broadcast -a ADB_INPUT_B64 --es msg w7Y="]);
        assert_eq!(typed(""), [""; 0]);
    }
}
