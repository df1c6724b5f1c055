//! Crash timelines of Ape, `sataTimeline.vis.js`: the last steps before a crash.
//!
//! The file is JavaScript, one item a line. The traces are ends of runs, so what stands before them
//! is not known: the launch screen is `unknown` unless the first item starts the app. `index.md`
//! beside it has the stack of the crash, which is the fault of the last step. Screens are known by
//! their screenshots alone, which have names of their own.

use std::borrow::Cow;
use std::io::Read as _;
use std::path::Path;

use super::collect::Collector;
use super::lines::LineFault;
use super::monkey::fault::Crash;
use super::source::Source;
use super::wire::{WireLaunch, WireStep, WireTrace};
use super::{ImportError, Importer, Likeness, PLAIN, bytes};
use crate::model::Fields;
use crate::model::act::{Act, Side, Target, Verb};

pub(super) const IMPORTER: Importer = Importer {
    name: "ape",
    extensions: &["vis.js"],
    shared: &["js"],
    looks,
    read,
    ..PLAIN
};

const MOST_BYTES: u64 = 1 << 27;

fn looks(_: &Path, text: &str) -> Likeness {
    let mut lines = text.lines();
    if lines.any(|line| line.starts_with("{start: new Date(")) {
        Likeness::Alike
    } else {
        Likeness::Foreign
    }
}

fn read(source: &mut Source, collector: &mut Collector) -> Result<(), ImportError> {
    let text = source.text(MOST_BYTES)?;
    let folder = source.path().parent().and_then(Path::file_name);
    let id = folder.map_or_else(
        || "timeline".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    );
    let package = id.split('-').next().unwrap_or(&id).to_owned();
    let (mut steps, mut launch): (Vec<WireStep>, Option<String>) = (Vec::new(), None);
    let mut is_first = true;
    for (number, line) in text.lines().enumerate() {
        let Some(item) = line.trim().strip_prefix("{start:") else {
            continue;
        };
        let shot = quoted(item, "screenURL:").unwrap_or_default();
        let screen = format!("{id}/{shot}");
        match act(item, &package) {
            Ok(act) if is_first && matches!(act.verb, Verb::Intent(_)) => launch = Some(screen),
            Ok(act) => steps.push(step(&act, screen)),
            Err(reason) => collector.note(number + 1, &reason),
        }
        is_first = false;
    }
    if steps.is_empty() {
        let fault = LineFault {
            offset: 0,
            reason: "no step of a timeline in the file".to_owned(),
            advice: "give a sataTimeline.vis.js of Ape",
        };
        let first = text.lines().next().unwrap_or_default();
        collector.report(1, first.as_bytes(), &fault);
        return Ok(());
    }
    if let Some(step) = steps.last_mut() {
        step.fault = crash(source.path()).map(Cow::Owned);
    }
    let trace = WireTrace {
        id: Some(Cow::Borrowed(&id)),
        launch: WireLaunch {
            screen: Cow::Owned(launch.unwrap_or_else(|| "unknown".to_owned())),
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

/// The text between quotes behind a name.
fn quoted<'a>(item: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = item.split_once(name)?;
    let (_, rest) = rest.split_once('"')?;
    Some(rest.split_once('"')?.0)
}

fn act(item: &str, package: &str) -> Result<Act, String> {
    let name = quoted(item, "content:").ok_or("an item without `content`")?;
    let on = |verb: Verb| {
        let at = middle(item).ok_or_else(|| format!("{name} says nothing of its place"))?;
        let target = Target {
            at: Some(at),
            ..Target::default()
        };
        Ok(Act::on(verb, target))
    };
    match name {
        "CLICK" => on(Verb::Tap),
        "LONG_CLICK" => on(Verb::Hold),
        "BACK" => Ok(Act::plain(Verb::Back)),
        "MENU" => Ok(Act::plain(Verb::Menu)),
        "START" | "ACTIVATE" | "RESTART" | "CLEAN_RESTART" => {
            let intent = format!("intent:#Intent;package={package};end");
            Ok(Act::plain(Verb::Intent(intent)))
        }
        // They are named by where the finger comes from and where it goes.
        "SCROLL_TOP_DOWN" => on(Verb::Swipe(Side::Down)),
        "SCROLL_BOTTOM_UP" => on(Verb::Swipe(Side::Up)),
        "SCROLL_LEFT_RIGHT" => on(Verb::Swipe(Side::Right)),
        "SCROLL_RIGHT_LEFT" => on(Verb::Swipe(Side::Left)),
        other => Err(format!("nobody knows what {other} does")),
    }
}

/// The middle of `rect: [left,top,right,bottom]`.
fn middle(item: &str) -> Option<[i32; 2]> {
    let (_, rest) = item.split_once("rect:")?;
    let inside = rest.trim_start().strip_prefix('[')?.split_once(']')?.0;
    let numbers: Vec<i32> = inside
        .split(',')
        .map_while(|number| number.trim().parse().ok())
        .collect();
    match *numbers {
        [left, top, right, bottom] => {
            Some([i32::midpoint(left, right), i32::midpoint(top, bottom)])
        }
        _ => None,
    }
}

/// The signature of the crash that `index.md` tells of.
fn crash(timeline: &Path) -> Option<String> {
    let file = std::fs::File::open(timeline.with_file_name("index.md")).ok()?;
    let mut raw = Vec::new();
    file.take(1 << 20).read_to_end(&mut raw).ok()?;
    let text = bytes::text(&raw);
    let mut stack = text
        .lines()
        .filter(|line| line.starts_with("//"))
        .peekable();
    stack.peek()?;
    let mut crash = Crash::default();
    for line in stack {
        crash.line(line);
    }
    Some(crash.signature())
}
