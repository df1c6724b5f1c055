//! One line of a Monkey log or script, understood on its own.

use crate::model::gesture::{Gesture, Key, Point, component_parts};

/// What a finger or the trackball does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Motion {
    Down,
    Move,
    Up,
    SecondDown,
    SecondUp,
    Cancel,
}

/// A line.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'a> {
    /// A run begins.
    Run,
    /// A run is over; what follows is tidying up.
    Over,
    Touch(Motion, Vec<Point>),
    Trackball(Motion, Point),
    Key {
        down: bool,
        key: Key,
    },
    /// A whole gesture.
    Gesture(Gesture),
    /// Nothing happens for so long.
    Sleep(u32),
    NotInjected,
    /// An activity was started.
    Allowed(String),
    /// Something was not started.
    Rejected(&'a str),
    /// The app died, or does not answer; the rest of the line.
    Crash(&'a str),
    Silent(&'a str),
    /// A comment, which may belong to the crash before it.
    Comment(&'a str),
    /// Known and of no use here.
    Other,
    /// An event that cannot be used, and why.
    Unusable(&'static str),
    /// Something else altogether.
    Foreign,
}

/// Beginnings of lines that are known and say nothing about events.
const OTHER: &[&str] = &[
    ":AllowPackage:",
    ":DisallowPackage:",
    ":IncludeCategory:",
    ":ExcludeCategory:",
    ":Dropped:",
    "##",
    "**",
    "bash arg:",
    "args: [",
    "arg: \"",
    "arg=\"",
    "data=\"",
    "Got IOException performing flip",
    "# ",
    "type=",
    "count=",
    "speed=",
    "start data >>",
    "WriteLog",
    "PowerLog",
    "ProfileWait",
    "DeviceWakeUp",
];

/// Understands a line.
pub(super) fn parse(line: &str) -> Line<'_> {
    let line = without_number(line.trim());
    if line.is_empty() || line == "#" {
        return Line::Other;
    }
    let text = line.strip_prefix(':').unwrap_or(line);
    if text.starts_with("Monkey: seed=") {
        return Line::Run;
    }
    if text.starts_with("Events injected:") {
        return Line::Over;
    }
    if let Some(comment) = text.strip_prefix("//") {
        return comment_line(comment.trim());
    }
    if let Some(rest) = text.strip_prefix("Sending ") {
        return sending(rest).unwrap_or(Line::Unusable("an event that cannot be read"));
    }
    if let Some(rest) = text.strip_prefix("Switch:") {
        return switch(rest).unwrap_or(Line::Unusable("a switch to something without a name"));
    }
    for start in ["Sleeping for ", "Wait Event for "] {
        if let Some(millis) = text.strip_prefix(start).and_then(first_number) {
            return Line::Sleep(millis);
        }
    }
    if OTHER.iter().any(|start| line.starts_with(start)) {
        return Line::Other;
    }
    command(line)
}

/// The number in front of a line, as some logs have: `#12: …`.
pub(super) fn number(line: &str) -> Option<u32> {
    numbered(line.trim()).and_then(|(number, _)| number.parse().ok())
}

/// Without the number in front of it.
fn without_number(line: &str) -> &str {
    numbered(line).map_or(line, |(_, text)| text)
}

fn numbered(line: &str) -> Option<(&str, &str)> {
    let (number, text) = line.strip_prefix('#')?.split_once(':')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| (number, text.trim_start()))
}

fn comment_line(comment: &str) -> Line<'_> {
    if let Some(rest) = comment.strip_prefix("Allowing start of ") {
        return activity(rest).map_or(Line::Other, Line::Allowed);
    }
    if let Some(rest) = comment.strip_prefix("Rejecting start of ") {
        return Line::Rejected(rest);
    }
    if let Some(rest) = comment.strip_prefix("CRASH:") {
        return Line::Crash(rest.trim());
    }
    if let Some(rest) = comment.strip_prefix("NOT RESPONDING:") {
        return Line::Silent(rest.trim());
    }
    if comment.starts_with("Injection Failed") {
        return Line::NotInjected;
    }
    Line::Comment(comment)
}

/// The activity of an intent as a log prints it.
fn activity(intent: &str) -> Option<String> {
    let (_, rest) = intent.split_once("cmp=")?;
    let end = rest.find([' ', '}']).unwrap_or(rest.len());
    let (package, activity) = component_parts(&rest[..end])?;
    Some(crate::model::gesture::component(&package, &activity))
}

fn switch(rest: &str) -> Option<Line<'_>> {
    let at = rest.to_ascii_lowercase().find("component")?;
    let name = rest[at + "component".len()..]
        .trim_start()
        .strip_prefix('=')?;
    let name = name.trim_start();
    let end = name.find([';', ' ']).unwrap_or(name.len());
    let (package, activity) = component_parts(&name[..end])?;
    Some(Line::Gesture(Gesture::Launch { package, activity }))
}

fn sending(rest: &str) -> Option<Line<'_>> {
    if let Some(rest) = rest.strip_prefix("Flip keyboardOpen=") {
        let open = rest.trim().parse().ok()?;
        return Some(Line::Gesture(Gesture::Flip { open }));
    }
    if let Some(rest) = rest.strip_prefix("rotation degree=") {
        let (quarters, persist) = rest.split_once(", persist=")?;
        let quarters = quarters
            .trim()
            .parse()
            .ok()
            .filter(|quarters| *quarters < 4)?;
        let persist = persist.trim().parse().ok()?;
        return Some(Line::Gesture(Gesture::Rotate { quarters, persist }));
    }
    let (device, rest) = rest.split_once(" (ACTION_")?;
    let (name, rest) = rest.split_once("):")?;
    match device {
        "Key" => key(name, rest),
        "Touch" => Some(Line::Touch(motion(name)?, points(rest)?)),
        "Trackball" => Some(Line::Trackball(motion(name)?, *points(rest)?.first()?)),
        _ => None,
    }
}

fn key<'a>(name: &str, rest: &'a str) -> Option<Line<'a>> {
    let code = rest.split("//").next()?.trim();
    let key = Key::parse(code)?;
    let down = match name {
        "DOWN" => true,
        "UP" => false,
        _ => return None,
    };
    Some(Line::Key { down, key })
}

fn motion(name: &str) -> Option<Motion> {
    Some(match name.split(' ').next()? {
        "DOWN" => Motion::Down,
        "MOVE" => Motion::Move,
        "UP" => Motion::Up,
        "POINTER_DOWN" => Motion::SecondDown,
        "POINTER_UP" => Motion::SecondUp,
        "CANCEL" | "OUTSIDE" => Motion::Cancel,
        _ => return None,
    })
}

/// `0:(1.0,2.0) 1:(3.0, 4.0)`, at most as many as there are fingers.
fn points(text: &str) -> Option<Vec<Point>> {
    let mut points = Vec::new();
    for part in text.split(":(").skip(1).take(10) {
        let (inside, _) = part.split_once(')')?;
        let (x, y) = inside.split_once(',')?;
        points.push(Point::new(x.trim().parse().ok()?, y.trim().parse().ok()?)?);
    }
    (!points.is_empty()).then_some(points)
}

fn first_number(text: &str) -> Option<u32> {
    text.split(' ').next()?.parse().ok()
}

/// A command of a script, with the numbers of its events behind it or without.
fn command(line: &str) -> Line<'_> {
    let line = match line.rsplit_once(')') {
        Some((call, rest)) if rest.trim_start().starts_with('#') => &line[..=call.len()],
        _ => line,
    };
    if let Some(gesture) = Gesture::parse(line) {
        return Line::Gesture(gesture);
    }
    let Some((name, rest)) = line.split_once('(') else {
        return Line::Foreign;
    };
    let words: Vec<&str> = rest
        .trim_end_matches(')')
        .split(',')
        .map(str::trim)
        .collect();
    let raw = match (name, &*words) {
        ("UserWait", [millis]) => millis.parse().ok().map(Line::Sleep),
        ("DispatchPointer", [_, _, action, x, y, ..]) => pointer(action, x, y),
        ("DispatchKey", [_, _, action, key, ..]) => Key::parse(key).map(|key| Line::Key {
            down: *action == "0",
            key,
        }),
        (
            "LaunchInstrumentation" | "RunCmd" | "StartCaptureFramerate" | "EndCaptureFramerate",
            _,
        ) => {
            return Line::Unusable("a command that is no input to the app");
        }
        (
            "Tap" | "Drag" | "PinchZoom" | "PressAndHold" | "DispatchPress" | "RotateScreen"
            | "LaunchActivity" | "DispatchFlip" | "DispatchTrackball" | "LongPress",
            _,
        ) => {
            return Line::Unusable("a command whose arguments cannot be read");
        }
        _ => return Line::Foreign,
    };
    raw.unwrap_or(Line::Unusable("a command whose arguments cannot be read"))
}

fn pointer<'a>(action: &str, x: &str, y: &str) -> Option<Line<'a>> {
    let motion = match action {
        "0" => Motion::Down,
        "1" => Motion::Up,
        "2" => Motion::Move,
        "3" => Motion::Cancel,
        _ => return None,
    };
    let at = Point::new(x.parse().ok()?, y.parse().ok()?)?;
    Some(Line::Touch(motion, vec![at]))
}
