//! Writes a trace as a flow of Maestro, in YAML.
//!
//! Maestro takes the texts of selectors for patterns and evaluates `${…}` in every text, so both are
//! escaped. It finds widgets by id and by text or description; one that has neither is touched by its
//! place.

use std::fmt::Write as _;

use super::deed::{self, Deed};
use super::{Exported, Exporter};
use crate::model::act::{Act, Side, Target, Verb};
use crate::model::{Names, Suite, TraceIdx};

pub(super) const EXPORTER: Exporter = Exporter {
    name: "maestro",
    extension: "yaml",
    write,
};

/// More characters than any field holds.
const ERASED: u32 = 200;

fn write(suite: &Suite, names: &Names, idx: TraceIdx) -> Exported {
    let app = deed::app(suite, names, idx);
    let id = &suite.trace(idx).id;
    let app_id = app.map_or_else(|| "${APP_ID}".to_owned(), |(package, _)| package);
    let head = format!(
        "# Trace {}.{}\nappId: {}\n---\n- launchApp:\n    clearState: true\n",
        deed::remark(id),
        if app_id.starts_with('$') {
            " Say which app it is for: maestro test -e APP_ID=PACKAGE FILE"
        } else {
            ""
        },
        quoted(&app_id)
    );
    deed::write_steps(suite, names, idx, head, step)
}

fn step(out: &mut String, deed: &Deed) -> Option<()> {
    match deed {
        Deed::Act(act) => self::act(out, act),
        Deed::Drag { from, to, millis } => {
            let point = |[x, y]: &[i32; 2]| quoted(&format!("{x},{y}"));
            let (from, to) = (point(from), point(to));
            let _ = writeln!(
                out,
                "- swipe:\n    start: {from}\n    end: {to}\n    duration: {millis}"
            );
            Some(())
        }
        Deed::Start { package, .. } => {
            let package = quoted(&literal(package));
            let _ = writeln!(
                out,
                "- launchApp:\n    appId: {package}\n    stopApp: false"
            );
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
        Verb::Tap => line(format!("- tapOn:{}", selector(target?, 4)?)),
        Verb::Hold => line(format!("- longPressOn:{}", selector(target?, 4)?)),
        Verb::Double => line(format!("- doubleTapOn:{}", selector(target?, 4)?)),
        Verb::Type(text) => {
            if let Some(target) = target {
                line(format!("- tapOn:{}", selector(target, 4)?));
                line(format!("- eraseText: {ERASED}"));
            }
            line(format!("- inputText: {}", quoted(&literal(text))));
        }
        Verb::Clear => {
            line(format!("- tapOn:{}", selector(target?, 4)?));
            line(format!("- eraseText: {ERASED}"));
        }
        Verb::Select(text) => {
            line(format!("- tapOn:{}", selector(target?, 4)?));
            line(format!("- tapOn:\n    text: {}", quoted(&pattern(text))));
        }
        Verb::Key(name) => line(format!("- pressKey: {}", key(name)?)),
        // To see more of one side, the finger goes to the other.
        Verb::Scroll(side) => line(swipe(target, opposite(*side))?),
        Verb::Swipe(side) => line(swipe(target, *side)?),
        Verb::Back => line("- back".to_owned()),
        Verb::Home => line("- pressKey: Home".to_owned()),
        Verb::Rotate(quarters) => {
            let names = [
                "PORTRAIT",
                "LANDSCAPE_LEFT",
                "UPSIDE_DOWN",
                "LANDSCAPE_RIGHT",
            ];
            line(format!(
                "- setOrientation: {}",
                names.get(usize::from(*quarters))?
            ));
        }
        Verb::Open(url) => line(format!("- openLink: {}", quoted(&literal(url)))),
        Verb::Hover | Verb::Menu | Verb::Intent(_) | Verb::Accept(_) | Verb::Dismiss => {
            return None;
        }
    }
    Some(())
}

fn opposite(side: Side) -> Side {
    match side {
        Side::Up => Side::Down,
        Side::Down => Side::Up,
        Side::Left => Side::Right,
        Side::Right => Side::Left,
    }
}

fn swipe(target: Option<&Target>, side: Side) -> Option<String> {
    let direction = side.name().to_uppercase();
    let from = match target {
        Some(target) if has_name(target) => format!("\n    from:{}", selector(target, 8)?),
        _ => String::new(),
    };
    Some(format!("- swipe:{from}\n    direction: {direction}"))
}

fn has_name(target: &Target) -> bool {
    !(target.id.is_empty() && target.text.is_empty() && target.description.is_empty())
}

/// The widget as Maestro finds it, each line indented so far.
fn selector(target: &Target, indent: usize) -> Option<String> {
    let mut out = String::new();
    let mut field = |name: &str, value: &str| {
        let _ = write!(out, "\n{:indent$}{name}: {}", "", quoted(value));
    };
    if !target.id.is_empty() {
        // Ids come with the package in front on the device.
        field("id", &format!("(.*:id/)?{}", pattern(&target.id)));
    }
    let text = if target.text.is_empty() {
        &target.description
    } else {
        &target.text
    };
    if !text.is_empty() {
        field("text", &pattern(text));
    }
    if !has_name(target) {
        let [x, y] = target.at?;
        field("point", &format!("{x},{y}"));
    }
    Some(out)
}

fn key(name: &str) -> Option<&'static str> {
    Some(match deed::key_code(name)? {
        3 => "Home",
        4 => "Back",
        24 => "Volume Up",
        25 => "Volume Down",
        26 => "Power",
        61 => "Tab",
        66 => "Enter",
        67 => "Backspace",
        _ => return None,
    })
}

/// A pattern that fits this text alone.
fn pattern(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A text that stays itself when `${…}` is evaluated: a backslash in front of each.
fn literal(text: &str) -> String {
    let mut out = String::new();
    for (at, c) in text.char_indices() {
        let rest = text[at..].strip_prefix("${");
        let is_script = rest.is_some_and(|rest| {
            let end = rest.find(['}', '$']);
            end.is_some_and(|end| rest[end..].starts_with('}'))
        });
        if is_script {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A text between double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_printable(c) => out.push(c),
            c => {
                let _ = write!(out, "\\U{:08x}", c as u32);
            }
        }
    }
    out + "\""
}

fn is_printable(c: char) -> bool {
    let hidden = ['\u{2028}', '\u{2029}', '\u{FEFF}', '\u{FFFE}', '\u{FFFF}'];
    !c.is_control() && !hidden.contains(&c)
}

#[cfg(test)]
mod tests {
    use super::{literal, pattern, quoted};

    /// What Maestro makes of a text: scripts run, escaped ones lose their backslash.
    fn evaluated(text: &str) -> String {
        let escaped = regex::Regex::new(r"(\\?)\$\{([^$]*)\}").unwrap();
        let said = |found: &regex::Captures| match &found[1] {
            "" => "RAN".to_owned(),
            _ => found[0][1..].to_owned(),
        };
        escaped.replace_all(text, said).into_owned()
    }

    #[test]
    fn scripts_in_texts_do_not_run() {
        for text in [
            "${x}",
            "a ${1+1} b ${y}",
            "$${x}",
            r"\${x}",
            "${a",
            "$5",
            "${a$}",
            "${{}}",
        ] {
            assert_eq!(evaluated(&literal(text)), text);
        }
        assert_eq!(evaluated("${x}"), "RAN");
    }

    #[test]
    fn patterns_fit_their_text_alone() {
        for text in ["a.b", "(x)*", "$5 [now]", "ä{1}", "a-b", "\\d"] {
            let fits = regex::Regex::new(&format!("^(?:{})$", pattern(text))).unwrap();
            assert!(fits.is_match(text), "{text}");
            assert!(!fits.is_match("ab") && !fits.is_match("7"));
        }
    }

    #[test]
    fn quotes_hold_whatever_is_in_them() {
        assert_eq!(
            quoted("a\"\\\n\u{7}\u{1F600}"),
            "\"a\\\"\\\\\\n\\U00000007\u{1F600}\""
        );
    }
}
