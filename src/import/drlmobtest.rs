//! Test cases of DRL-MOBTEST: one event a line, with class, id, text and bounds of its widget.
//!
//! The first line names the activity that the test begins in. Lines that say where the app went
//! (`Go to next activity`) name the screen of the step before them; other screens are known by their
//! screenshots alone, which have names of their own. Errors and crashes are faults of the step before.

use std::borrow::Cow;
use std::path::Path;

use super::collect::Collector;
use super::lines::LineFault;
use super::source::Source;
use super::wire::{WireLaunch, WireStep, WireTrace};
use super::{ImportError, Importer, Likeness, PLAIN, monkey};
use crate::model::Fields;
use crate::model::act::{Act, Side, Target, Verb};

pub(super) const IMPORTER: Importer = Importer {
    name: "drlmobtest",
    extensions: &["drlmobtest"],
    shared: &["txt"],
    looks,
    read,
    ..PLAIN
};

const MOST_BYTES: u64 = 1 << 27;
const HEAD: &str = "Test Case";

fn looks(_: &Path, text: &str) -> Likeness {
    if text.trim_start().starts_with(HEAD) {
        Likeness::Alike
    } else {
        Likeness::Foreign
    }
}

fn read(source: &mut Source, collector: &mut Collector) -> Result<(), ImportError> {
    let text = source.text(MOST_BYTES)?;
    let id = monkey::trace_id(source.path(), collector.has_many_files());
    let mut lines = text.lines().enumerate();
    let head = lines.find(|(_, line)| !line.trim().is_empty());
    let Some(head) = head.and_then(|(_, line)| line.trim().strip_prefix(HEAD)) else {
        let fault = LineFault {
            offset: 0,
            reason: "no test case in the file".to_owned(),
            advice: "its first line must begin with `Test Case`",
        };
        let first = text.lines().next().unwrap_or_default();
        collector.report(1, first.as_bytes(), &fault);
        return Ok(());
    };
    let head = head.split("Screen:").next().unwrap_or_default();
    let mut launch = head.trim().trim_start_matches("ID:").trim().to_owned();
    let mut steps: Vec<WireStep> = Vec::new();
    for (number, line) in lines {
        match Line::parse(line) {
            Ok(Line::Nothing) => {}
            Ok(Line::Went(activity)) => match steps.last_mut() {
                Some(step) => step.screen = Cow::Owned(activity),
                // Some files have a line with the name of the test in front of this one.
                None if line.trim().starts_with(HEAD) => launch = activity,
                None => collector.note(number + 1, "it went elsewhere before anything was done"),
            },
            Ok(Line::Fault(fault)) => match steps.last_mut() {
                Some(step) => step.fault = Some(Cow::Owned(fault)),
                None => collector.note(number + 1, "it failed before anything was done"),
            },
            Ok(Line::Act(act, shot)) => {
                let shot = shot.unwrap_or_else(|| format!("{id}@{}", steps.len() + 1));
                steps.push(step(&act, shot));
            }
            Err(reason) => collector.note(number + 1, &reason),
        }
    }
    if launch.is_empty() {
        "unknown".clone_into(&mut launch);
    }
    let trace = WireTrace {
        id: Some(Cow::Borrowed(&id)),
        launch: WireLaunch {
            screen: Cow::Owned(launch),
            covers: Vec::new(),
            fields: Fields::new(),
        },
        steps,
        fields: Fields::new(),
    };
    collector.push_checked(1, trace);
    Ok(())
}

fn step(act: &Act, screen: String) -> WireStep<'static> {
    WireStep {
        action: Cow::Owned(act.to_string()),
        covers: Vec::new(),
        screen: Cow::Owned(screen),
        fault: None,
        millis: None,
        fields: Fields::new(),
    }
}

enum Line {
    Nothing,
    /// What was done, and the screenshot after it.
    Act(Box<Act>, Option<String>),
    Went(String),
    Fault(String),
}

impl Line {
    fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let mut parts = line.split("Screen:");
        let said = parts.next().unwrap_or_default().trim();
        let shot = parts.last().map(|shot| shot.trim().to_owned());
        let shot = shot.filter(|shot| !shot.is_empty());
        if said.is_empty() {
            return Ok(Self::Nothing);
        }
        if let Some(rest) = said.strip_prefix(HEAD) {
            return Ok(Self::Went(rest.trim().to_owned()));
        }
        if let Some(rest) = said.strip_prefix("Go to") {
            let activity = rest.rsplit(": ").next().unwrap_or(rest).trim();
            return Ok(Self::Went(activity.to_owned()));
        }
        if let Some(rest) = said.strip_prefix("Got ") {
            let fault = rest.split(',').next().unwrap_or(rest).trim();
            return Ok(Self::Fault(fault.to_owned()));
        }
        if let Some(act) = plain(said) {
            return Ok(Self::Act(Box::new(act), shot));
        }
        let kinds = [
            ("clicked", Verb::Tap),
            ("long click", Verb::Hold),
            ("scroll down", Verb::Scroll(Side::Down)),
            ("scroll up", Verb::Scroll(Side::Up)),
            ("scroll left", Verb::Scroll(Side::Left)),
            ("scroll right", Verb::Scroll(Side::Right)),
        ];
        for (words, verb) in kinds {
            if let Some(rest) = said.strip_prefix(words) {
                let target = target(without_corner(rest)).ok_or("it does not say on what")?;
                return Ok(Self::Act(Box::new(Act::on(verb, target)), shot));
            }
        }
        let typed = said.strip_prefix("typed in").or(said.strip_prefix("typed"));
        let Some(rest) = typed else {
            return Err(format!("nobody knows what this line does: {said}"));
        };
        let (widget, text) = rest.split_once(" value:").unwrap_or((rest, ""));
        let target = target(widget).ok_or("it does not say on what")?;
        // What stands in a field is not what the field is called.
        let target = Target {
            text: String::new(),
            ..target
        };
        let text = text.strip_prefix(' ').unwrap_or(text);
        let act = Act::on(Verb::Type(text.to_owned()), target);
        Ok(Self::Act(Box::new(act), shot))
    }
}

/// Some lines say which part of the widget is touched, such as `top left`.
fn without_corner(rest: &str) -> &str {
    let mut rest = rest.trim_start();
    for _ in 0..2 {
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if ["center", "top", "bottom", "left", "right"].contains(&word) {
            rest = behind.trim_start();
        }
    }
    rest
}

/// What needs no widget.
fn plain(said: &str) -> Option<Act> {
    let verb = match said.split_whitespace().collect::<Vec<_>>()[..] {
        ["Home", ..] => Verb::Home,
        ["Back", ..] => Verb::Back,
        ["Menu", ..] => Verb::Menu,
        ["Volume", what, ..] => Verb::Key(format!("VOLUME_{}", what.to_uppercase())),
        ["Rotate", "left", ..] => Verb::Rotate(1),
        ["Rotate", "right", ..] => Verb::Rotate(3),
        ["Rotate", ..] => Verb::Rotate(0),
        _ => return None,
    };
    Some(Act::plain(verb))
}

/// `CLASS ID TEXT bounds:[x,y][x,y]`, of which anything may be missing.
fn target(text: &str) -> Option<Target> {
    let (named, place) = text.split_once("bounds:").unwrap_or((text, ""));
    let mut target = Target::default();
    let mut words = Vec::new();
    for word in named.split_whitespace() {
        let is_class = target.class.is_empty() && words.is_empty() && is_class(word);
        if is_class {
            word.rsplit('.')
                .next()
                .unwrap_or(word)
                .clone_into(&mut target.class);
        } else if let Some((_, id)) = word.split_once(":id/")
            && target.id.is_empty()
        {
            id.clone_into(&mut target.id);
        } else {
            words.push(word);
        }
    }
    target.text = words.join(" ");
    if target.text.is_empty() {
        target.at = middle(place);
    }
    (!target.is_empty()).then_some(target)
}

fn is_class(word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "._$".contains(c);
    word.contains('.') && word.chars().all(is_part) && !word.ends_with('.')
}

/// The middle of `[left,top][right,bottom]`.
fn middle(bounds: &str) -> Option<[i32; 2]> {
    let inside = bounds.trim().strip_prefix('[')?;
    let inside = inside.split_once("][").and_then(|(start, rest)| {
        let (end, _) = rest.split_once(']')?;
        Some((start.split_once(',')?, end.split_once(',')?))
    });
    let ((left, top), (right, bottom)) = inside?;
    let number = |text: &str| text.trim().parse::<i32>().ok();
    Some([
        i32::midpoint(number(left)?, number(right)?),
        i32::midpoint(number(top)?, number(bottom)?),
    ])
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        let said = match Line::parse(line) {
            Ok(Line::Nothing) => "nothing".to_owned(),
            Ok(Line::Act(act, shot)) => format!("{act} {}", shot.unwrap_or_default()),
            Ok(Line::Went(activity)) => format!("went {activity}"),
            Ok(Line::Fault(fault)) => format!("fault {fault}"),
            Err(reason) => reason,
        };
        assert_eq!(said, expect);
    }

    #[test]
    fn lines_are_acts_screens_and_faults() {
        check(
            "clicked  android.widget.Button a.b:id/ok  Save it bounds:[0,10][20,30]  Screen: s/1.png",
            r#"{"do":"tap","on":{"class":"Button","id":"ok","text":"Save it"}} s/1.png"#,
        );
        check(
            "long click top left android.view.View\tbounds:[0,10][20,30]",
            r#"{"do":"hold","on":{"at":[10,20],"class":"View"}} "#,
        );
        check(
            "typed in android.widget.EditText a.b:id/name  bounds:[0,10][20,30] value: A+> x  Screen: s/2.png",
            r#"{"do":"type","on":{"at":[10,20],"class":"EditText","id":"name"},"text":"A+> x"} s/2.png"#,
        );
        check("Go to next activity: a.b/.Main", "went a.b/.Main");
        check("Got Crash, see log", "fault Crash");
        check("Back Pressed", r#"{"do":"back"} "#);
        check("", "nothing");
        check("clicked", "it does not say on what");
        check("danced", "nobody knows what this line does: danced");
    }
}
