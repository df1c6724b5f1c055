//! Writes a trace as a test class in Kotlin that drives a phone by `UIAutomator2`.

use std::fmt::Write as _;

use super::deed::{self, Deed};
use super::{Exported, Exporter};
use crate::model::act::{Act, Side, Target, Verb};
use crate::model::{Names, Suite, TraceIdx};

pub(super) const EXPORTER: Exporter = Exporter {
    name: "uiautomator2",
    extension: "kt",
    write,
};

/// What stands in front of the test.
const HEAD: &str = include_str!("kotlin/head.kt");
/// What stands behind it.
const TAIL: &str = include_str!("kotlin/tail.kt");

fn write(suite: &Suite, names: &Names, idx: TraceIdx) -> Exported {
    let id = &suite.trace(idx).id;
    let start = match deed::app(suite, names, idx) {
        Some((package, _)) => format!("        start({})\n", literal(&package)),
        None => {
            "        start(InstrumentationRegistry.getArguments().getString(\"app\")!!)\n".into()
        }
    };
    let head = format!(
        "// Trace {}\n{HEAD}\nclass {} {{\n    @Test\n    fun replays() {{\n{start}",
        deed::remark(id),
        class_name(idx.index(), id)
    );
    let mut exported = deed::write_steps(suite, names, idx, head, step);
    let _ = write!(exported.text, "    }}\n{TAIL}}}\n");
    exported
}

/// A name that no two traces share, whatever their ids hold.
fn class_name(number: usize, id: &str) -> String {
    let plain = id.chars().filter(char::is_ascii_alphanumeric).take(40);
    format!("Trace{:04}_{}", number + 1, plain.collect::<String>())
}

fn step(out: &mut String, deed: &Deed) -> Option<()> {
    let line = match deed {
        Deed::Act(act) => self::act(act)?,
        Deed::Drag { from, to, millis } => {
            let [a, b] = from;
            let [c, d] = to;
            // A step of a swipe takes five milliseconds.
            format!("device.swipe({a}, {b}, {c}, {d}, {})", millis / 5)
        }
        Deed::Start { package, .. } => format!("open({})", literal(package)),
    };
    for line in line.lines() {
        let _ = writeln!(out, "        {line}");
    }
    Some(())
}

fn act(act: &Act) -> Option<String> {
    let target = act.target.as_ref();
    let on = || widget(target?);
    Some(match &act.verb {
        Verb::Tap => match place(target?) {
            Some((x, y)) => format!("device.click({x}, {y})"),
            None => format!("{}.click()", on()?),
        },
        Verb::Hold => match place(target?) {
            Some((x, y)) => format!("device.swipe({x}, {y}, {x}, {y}, 200)"),
            None => format!("{}.longClick()", on()?),
        },
        Verb::Double => match place(target?) {
            Some((x, y)) => format!("device.click({x}, {y})\ndevice.click({x}, {y})"),
            None => format!("{0}.click()\n{0}.click()", on()?),
        },
        Verb::Type(text) => match target {
            Some(target) if place(target).is_none() => {
                format!("{}.text = {}", on()?, literal(text))
            }
            Some(target) => {
                let (x, y) = place(target)?;
                format!("device.click({x}, {y})\nfocused().text = {}", literal(text))
            }
            None => format!("focused().text = {}", literal(text)),
        },
        Verb::Clear if place(target?).is_none() => format!("{}.clear()", on()?),
        Verb::Select(text) => {
            let entry = Target {
                text: text.clone(),
                ..Target::default()
            };
            format!("{}.click()\n{}.click()", on()?, widget(&entry)?)
        }
        Verb::Key(name) => format!("device.pressKeyCode({})", deed::key_code(name)?),
        Verb::Scroll(side) => {
            let side = direction(*side);
            match target {
                Some(target) if place(target).is_none() => {
                    format!("{}.scroll({side}, 0.8f)", on()?)
                }
                _ => format!("scroll({side})"),
            }
        }
        Verb::Swipe(side) => match target {
            Some(target) if place(target).is_none() => {
                format!("{}.swipe({}, 0.8f)", on()?, direction(*side))
            }
            _ => format!("scroll(Direction.reverse({}))", direction(*side)),
        },
        Verb::Back => "device.pressBack()".to_owned(),
        Verb::Menu => "device.pressMenu()".to_owned(),
        Verb::Home => "device.pressHome()".to_owned(),
        Verb::Rotate(0) => "device.setOrientationNatural()".to_owned(),
        Verb::Rotate(1) => "device.setOrientationLeft()".to_owned(),
        Verb::Rotate(3) => "device.setOrientationRight()".to_owned(),
        Verb::Intent(uri) => format!("send(Intent.parseUri({}, 0))", literal(uri)),
        Verb::Open(url) => format!(
            "send(Intent(Intent.ACTION_VIEW, Uri.parse({})))",
            literal(url)
        ),
        Verb::Clear | Verb::Rotate(_) | Verb::Hover | Verb::Accept(_) | Verb::Dismiss => {
            return None;
        }
    })
}

fn direction(side: Side) -> String {
    format!("Direction.{}", side.name().to_uppercase())
}

/// The place of a widget that nothing else names.
fn place(target: &Target) -> Option<(i32, i32)> {
    let Target {
        id,
        text,
        description,
        at,
        ..
    } = target;
    let has_name = !(id.is_empty() && text.is_empty() && description.is_empty());
    at.filter(|_| !has_name).map(|[x, y]| (x, y))
}

fn widget(target: &Target) -> Option<String> {
    let mut parts = Vec::new();
    if !target.id.is_empty() {
        parts.push(format!("res(named({}))", literal(&target.id)));
    }
    if !target.text.is_empty() {
        parts.push(format!("text({})", literal(&target.text)));
    }
    if !target.description.is_empty() {
        parts.push(format!("desc({})", literal(&target.description)));
    }
    if parts.is_empty() {
        return None;
    }
    if !target.class.is_empty() {
        parts.push(format!("clazz(classed({}))", literal(&target.class)));
    }
    Some(format!("find(By.{})", parts.join(".")))
}

/// A string literal of Kotlin, whatever is in it.
fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' | '$' => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~' => out.push(c),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04X}");
                }
            }
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::literal;

    /// What a compiler reads in a string literal: nothing of it may be a template.
    fn read(literal: &str) -> String {
        let inside = literal
            .strip_prefix('"')
            .unwrap()
            .strip_suffix('"')
            .unwrap();
        let mut units = Vec::new();
        let mut chars = inside.chars();
        while let Some(c) = chars.next() {
            assert!(
                c.is_ascii() && !c.is_control() && c != '"' && c != '$',
                "{literal}"
            );
            let c = match c {
                '\\' => chars.next().unwrap(),
                c => {
                    units.push(c as u16);
                    continue;
                }
            };
            if c == 'u' {
                let digits: String = chars.by_ref().take(4).collect();
                units.push(u16::from_str_radix(&digits, 16).unwrap());
            } else {
                assert!("\"\\$".contains(c), "{literal}");
                units.push(c as u16);
            }
        }
        String::from_utf16(&units).unwrap()
    }

    #[test]
    fn literals_are_read_back_whatever_is_in_them() {
        for text in [
            "",
            "Save",
            "\"; } fun evil() { \"",
            "${System.exit(1)} $x",
            "a\\u0041\n\t\0",
            "ö \u{1F600} \u{2028}",
            "'; reboot; $(reboot) `x` \"",
        ] {
            assert_eq!(read(&literal(text)), text);
        }
    }
}
