//! Touches of people as `getevent` prints them: raw input, put together to gestures.
//!
//! Fingers are told apart by slots, by tracking ids, or by the order of their reports, whatever the
//! device does; older devices have one finger and a button. Codes are names (`-l`) or numbers. There
//! is no state in such a recording, so every screen has a name of its own.

mod line;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use line::{Code, Line};

use super::collect::Collector;
use super::lines::LineFault;
use super::monkey::gestures::touched;
use super::source::Source;
use super::wire::{WireLaunch, WireStep, WireTrace};
use super::{ImportError, Importer, Likeness, PLAIN, monkey};
use crate::model::Fields;
use crate::model::gesture::{Gesture, Key, Point};

pub(super) const IMPORTER: Importer = Importer {
    name: "getevent",
    extensions: &["getevent"],
    shared: &["txt", "log"],
    looks,
    read,
    ..PLAIN
};

const MOST_BYTES: u64 = 1 << 28;
/// A finger that moves no farther than this taps.
const TAP_PIXELS: f32 = 25.0;
/// More fingers than these are noise of the panel.
const MOST_FINGERS: usize = 16;

fn looks(_: &Path, text: &str) -> Likeness {
    let lines = text.lines().filter(|line| Line::parse(line).is_some());
    if lines.take(3).count() == 3 {
        Likeness::Alike
    } else {
        Likeness::Foreign
    }
}

fn read(source: &mut Source, collector: &mut Collector) -> Result<(), ImportError> {
    let text = source.text(MOST_BYTES)?;
    let id = monkey::trace_id(source.path(), collector.has_many_files());
    let mut panel = Panel::default();
    for (number, line) in text.lines().enumerate() {
        if let Err(reason) = panel.take(line) {
            collector.note(number + 1, &reason);
        }
    }
    if panel.end() {
        let reason = "the recording ends in a touch, which is taken as it is";
        collector.note(text.lines().count(), reason);
    }
    if panel.gestures.is_empty() {
        let fault = LineFault {
            offset: 0,
            reason: "no touch and no key in the file".to_owned(),
            advice: "give what `adb shell getevent -lt` printed",
        };
        let first = text.lines().next().unwrap_or_default();
        collector.report(1, first.as_bytes(), &fault);
        return Ok(());
    }
    let step = |(i, (gesture, millis)): (usize, (Gesture, Option<u32>))| WireStep {
        action: Cow::Owned(gesture.to_string()),
        covers: Vec::new(),
        screen: Cow::Owned(format!("{id}@{}", i + 1)),
        fault: None,
        millis,
        fields: Fields::new(),
    };
    let trace = WireTrace {
        launch: WireLaunch {
            screen: Cow::Owned(format!("{id}@0")),
            covers: Vec::new(),
            fields: Fields::new(),
        },
        steps: panel.gestures.into_iter().enumerate().map(step).collect(),
        id: Some(Cow::Owned(id.clone())),
        fields: Fields::new(),
    };
    collector.push_checked(1, trace);
    Ok(())
}

/// A finger that is down.
#[derive(Debug, Clone, Copy)]
struct Finger {
    first: Point,
    last: Point,
    strays: bool,
}

/// The panel while it is touched.
#[derive(Default)]
struct Panel {
    gestures: Vec<(Gesture, Option<u32>)>,
    /// Every finger of the present touch by slot or tracking id, those that left included.
    fingers: BTreeMap<u32, Finger>,
    down: Vec<u32>,
    slot: u32,
    /// What the present report said so far.
    x: Option<u32>,
    y: Option<u32>,
    last: BTreeMap<u32, (u32, u32)>,
    contacts: Option<Vec<u32>>,
    id: Option<u32>,
    moves: u32,
    began: Option<u64>,
    ended: Option<u64>,
    now: Option<u64>,
}

impl Panel {
    fn take(&mut self, text: &str) -> Result<(), String> {
        let is_device = |text: &str| text.starts_with("add device") || text.starts_with("name:");
        let Some(line) = Line::parse(text) else {
            let text = text.trim();
            let is_said = text.is_empty() || is_device(text) || text.starts_with("could not");
            return if is_said {
                Ok(())
            } else {
                Err("no line of getevent".to_owned())
            };
        };
        self.now = line.micros.or(self.now);
        match line.code {
            Code::X => self.x = Some(line.value),
            Code::Y => self.y = Some(line.value),
            Code::Slot => {
                self.settle(self.slot);
                self.slot = line.value;
            }
            Code::TrackingId if line.value == u32::MAX => {
                self.settle(self.slot);
                self.down.retain(|&finger| finger != self.slot);
            }
            Code::TrackingId => self.id = Some(line.value),
            Code::MtReport => self.end_contact(),
            Code::Touch if line.value == 0 => {
                self.settle(self.slot);
                self.down.clear();
            }
            Code::Report => self.end_report(),
            Code::Key(name) if line.value == 1 => self.key(&name)?,
            Code::Touch | Code::Key(_) | Code::Other => {}
        }
        Ok(())
    }

    /// One finger of a report without slots.
    fn end_contact(&mut self) {
        let mut contacts = self.contacts.take().unwrap_or_default();
        if self.x.is_some() || self.y.is_some() {
            let finger = self.id.take().unwrap_or(contacts.len() as u32);
            self.settle(finger);
            contacts.push(finger);
        }
        self.contacts = Some(contacts);
    }

    /// The finger is where the report says.
    fn settle(&mut self, finger: u32) {
        let (x, y) = (self.x.take(), self.y.take());
        if x.is_none() && y.is_none() || self.fingers.len() >= MOST_FINGERS {
            return;
        }
        let (last_x, last_y) = self.last.get(&finger).copied().unwrap_or_default();
        let place = (x.unwrap_or(last_x), y.unwrap_or(last_y));
        let Some(at) = Point::new(place.0 as f32, place.1 as f32) else {
            return;
        };
        self.last.insert(finger, place);
        if !self.down.contains(&finger) {
            self.down.push(finger);
        }
        if self.fingers.is_empty() {
            self.began = self.now;
        }
        let known = self.fingers.entry(finger).or_insert(Finger {
            first: at,
            last: at,
            strays: false,
        });
        let is_far = |a: f32, b: f32| (a - b).abs() > TAP_PIXELS;
        known.strays |= is_far(known.first.x, at.x) || is_far(known.first.y, at.y);
        known.last = at;
    }

    fn end_report(&mut self) {
        match self.contacts.take() {
            Some(contacts) => self.down = contacts,
            None => self.settle(self.slot),
        }
        self.id = None;
        if self.down.is_empty() {
            self.end();
        } else {
            self.moves += 1;
        }
    }

    /// Ends the present touch; whether there was one.
    fn end(&mut self) -> bool {
        let fingers = std::mem::take(&mut self.fingers);
        let (began, moves) = (self.began.take(), std::mem::take(&mut self.moves));
        self.down.clear();
        let millis = began.zip(self.now).map(|(began, now)| {
            let millis = now.saturating_sub(began) / 1000;
            u32::try_from(millis).unwrap_or(u32::MAX)
        });
        let stays = fingers.values().all(|finger| !finger.strays);
        let ways = fingers.values().map(|finger| (finger.first, finger.last));
        let gesture = touched(ways, stays, moves.saturating_sub(1), millis.unwrap_or(0));
        let is_touch = gesture.is_some();
        if let Some(gesture) = gesture {
            self.push(gesture);
        }
        is_touch
    }

    fn push(&mut self, gesture: Gesture) {
        let pause = self
            .ended
            .zip(self.now)
            .map(|(ended, now)| now.saturating_sub(ended));
        let pause = pause.and_then(|micros| u32::try_from(micros / 1000).ok());
        if let (Some((_, millis)), Some(pause)) = (self.gestures.last_mut(), pause) {
            *millis = Some(pause);
        }
        self.ended = self.now;
        self.gestures.push((gesture, None));
    }

    fn key(&mut self, name: &str) -> Result<(), String> {
        let name = match name {
            "BACKSPACE" => "DEL",
            "HOMEPAGE" => "HOME",
            "VOLUMEUP" => "VOLUME_UP",
            "VOLUMEDOWN" => "VOLUME_DOWN",
            "SEND" => "CALL",
            "END" => "ENDCALL",
            name => name,
        };
        let key = match *name.as_bytes() {
            [letter @ b'A'..=b'Z'] => Some(Key(29 + u16::from(letter - b'A'))),
            [digit @ b'0'..=b'9'] => Some(Key(7 + u16::from(digit - b'0'))),
            _ => Key::parse(&format!("KEYCODE_{name}")),
        };
        let key = key.ok_or_else(|| format!("no key of Android is called {name}"))?;
        self.push(Gesture::Press(key));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Panel;

    #[track_caller]
    fn check(lines: &[&str], expect: &[&str]) {
        let mut panel = Panel::default();
        for line in lines {
            panel
                .take(line)
                .unwrap_or_else(|reason| panic!("{line}: {reason}"));
        }
        panel.end();
        let gestures = panel
            .gestures
            .iter()
            .map(|(gesture, _)| gesture.to_string());
        assert_eq!(gestures.collect::<Vec<_>>(), expect);
    }

    #[test]
    fn reports_without_slots_are_taps_and_pinches() {
        check(
            &[
                "[ 1.000000] EV_ABS ABS_MT_POSITION_X 00000010",
                "[ 1.000000] EV_ABS ABS_MT_POSITION_Y 00000020",
                "[ 1.000000] EV_SYN SYN_MT_REPORT 00000000",
                "[ 1.000000] EV_SYN SYN_REPORT 00000000",
                "[ 1.200000] EV_SYN SYN_MT_REPORT 00000000",
                "[ 1.200000] EV_SYN SYN_REPORT 00000000",
            ],
            &["Tap(16.0, 32.0, 200)"],
        );
        let finger = |id, x| {
            format!(
                "EV_ABS ABS_MT_TRACKING_ID {id}\nEV_ABS ABS_MT_POSITION_X {x}\nEV_ABS ABS_MT_POSITION_Y 05\nEV_SYN SYN_MT_REPORT 0"
            )
        };
        let text = [
            finger("0", "0"),
            finger("1", "ff"),
            "EV_SYN SYN_REPORT 0".into(),
            finger("0", "10"),
            finger("1", "a0"),
            "EV_SYN SYN_REPORT 0\nEV_SYN SYN_MT_REPORT 0\nEV_SYN SYN_REPORT 0".into(),
        ]
        .join("\n");
        check(
            &text.lines().collect::<Vec<_>>(),
            &["PinchZoom(0.0, 5.0, 16.0, 5.0, 255.0, 5.0, 160.0, 5.0, 1)"],
        );
    }

    #[test]
    fn slots_tell_fingers_apart_and_numbers_are_codes_too() {
        check(
            &[
                "/dev/input/event2: 0003 0039 00000007",
                "/dev/input/event2: 0003 0035 00000010",
                "/dev/input/event2: 0003 0036 00000010",
                "/dev/input/event2: 0000 0000 00000000",
                "/dev/input/event2: 0003 0035 00000100",
                "/dev/input/event2: 0000 0000 00000000",
                "/dev/input/event2: 0003 0039 ffffffff",
                "/dev/input/event2: 0000 0000 00000000",
                "/dev/input/event2: 0001 009e 00000001",
            ],
            &["Drag(16.0, 16.0, 256.0, 16.0, 1)", "DispatchPress(4)"],
        );
    }

    #[test]
    fn one_finger_and_a_button_will_do() {
        check(
            &[
                "[ 335.519172] EV_ABS ABS_X 00000163",
                "[ 335.519508] EV_ABS ABS_Y 00000397",
                "[ 335.519804] EV_KEY BTN_TOUCH DOWN",
                "[ 335.519891] EV_SYN SYN_REPORT 00000000",
                "[ 336.238695] EV_KEY BTN_TOUCH UP",
                "[ 336.238915] EV_SYN SYN_REPORT 00000000",
            ],
            &["PressAndHold(355.0, 919.0, 719)"],
        );
    }
}
