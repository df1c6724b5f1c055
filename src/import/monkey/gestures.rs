//! Low-level input put together to gestures, run by run.
//!
//! A touch goes from a finger that comes down to the last one that goes up. Monkey's own taps move
//! by at most 25 pixels each way, so what moves farther, or in several steps, is a swipe; two
//! fingers are a pinch; a finger that stays for half a second holds. A turn of the trackball is at
//! most ten moves without a pause, since that is what Monkey sends for one.

use super::fault::Crash;
use super::line::{self, Line, Motion};
use crate::model::gesture::{Gesture, Key, Point, component};

/// A run as far as it is known.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// The line that it begins on.
    pub(super) line: usize,
    /// How the app was started.
    pub(super) launch: Option<Gesture>,
    pub(super) launch_screen: String,
    pub(super) steps: Vec<DraftStep>,
}

/// A gesture and what came of it.
#[derive(Debug)]
pub(super) struct DraftStep {
    pub(super) gesture: Gesture,
    pub(super) ids: Vec<u32>,
    pub(super) screen: String,
    pub(super) injected: bool,
    pub(super) rejected: Vec<String>,
    pub(super) fault: Option<String>,
    pub(super) millis: Option<u32>,
}

/// A line that could not be used.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unused {
    pub(super) line: usize,
    pub(super) reason: String,
}

/// The name of the screen before any activity is known.
const UNKNOWN: &str = "unknown";
const TAP_PIXELS: f32 = 25.0;
const HOLD_MILLIS: u32 = 500;
const TRACKBALL_MOVES: usize = 10;
/// More refusals than these say nothing new about one step.
const MOST_REJECTED: usize = 5;

/// The runs in a text, and what of it could not be used.
pub(super) fn gather(text: &str) -> (Vec<Draft>, Vec<Unused>) {
    let mut gathering = Gathering::default();
    for (number, line) in text.lines().enumerate() {
        gathering.take(number + 1, line);
    }
    gathering.end_run();
    (gathering.drafts, gathering.unused)
}

/// The gesture of fingers that came down, moved so often and went up; `stays` where moves of some
/// pixels are no swipe.
pub(in crate::import) fn touched(
    mut fingers: impl Iterator<Item = (Point, Point)>,
    stays: bool,
    moves: u32,
    millis: u32,
) -> Option<Gesture> {
    let (from, to) = fingers.next()?;
    let near = |a: f32, b: f32| (a - b).abs() <= TAP_PIXELS;
    let stays = stays && near(from.x, to.x) && near(from.y, to.y);
    let steps = moves.max(1);
    Some(match fingers.next() {
        Some(other) => Gesture::Pinch {
            fingers: [(from, to), other],
            steps,
        },
        None if stays && millis >= HOLD_MILLIS => Gesture::Hold { at: from, millis },
        None if stays => Gesture::Tap { at: from, millis },
        None => Gesture::Swipe { from, to, steps },
    })
}

/// A touch that is not over.
#[derive(Debug)]
struct Touch {
    line: usize,
    first: Vec<Point>,
    last: Vec<Point>,
    ids: Vec<u32>,
    moves: u32,
    millis: u32,
    injected: bool,
}

#[derive(Default)]
struct Gathering {
    drafts: Vec<Draft>,
    unused: Vec<Unused>,
    draft: Draft,
    touch: Option<Touch>,
    key: Option<(Key, u32)>,
    crash: Option<Crash>,
    /// How many moves of the trackball the last step is made of, if it can take more.
    turns: usize,
    pauses: bool,
    is_over: bool,
    number: u32,
    line: usize,
}

impl Gathering {
    fn take(&mut self, line: usize, text: &str) {
        self.line = line;
        if let Some(number) = line::number(text) {
            self.number = number.saturating_sub(1);
        }
        let parsed = line::parse(text);
        if !matches!(parsed, Line::Comment(_)) {
            self.settle_crash();
        }
        match parsed {
            Line::Run => self.end_run(),
            Line::Over => self.is_over = true,
            Line::Gesture(_) | Line::Touch(..) | Line::Trackball(..) | Line::Key { .. }
                if self.is_over => {}
            Line::Gesture(gesture) => self.whole(gesture),
            Line::Touch(motion, points) => self.touch(motion, &points),
            Line::Trackball(motion, by) => self.trackball(motion, by),
            Line::Key { down, key } => self.key(down, key),
            Line::Sleep(millis) => self.sleep(millis),
            Line::NotInjected => self.not_injected(),
            Line::Allowed(activity) => self.shows(activity),
            Line::Rejected(what) => self.rejected(what),
            Line::Crash(rest) => self.crash = Some(Crash::after_mark(rest)),
            Line::Silent(process) => {
                let name = process.split(' ').next().unwrap_or("");
                self.crash = Some(Crash::of(&format!("ANR.{name}")));
            }
            Line::Comment(text) => {
                if let Some(crash) = &mut self.crash {
                    crash.line(text);
                }
            }
            Line::Other => {}
            Line::Unusable(why) => self.unused(line, why),
            Line::Foreign => self.unused(line, "no part of a Monkey log or script"),
        }
    }

    fn unused(&mut self, line: usize, reason: &str) {
        let reason = reason.to_owned();
        self.unused.push(Unused { line, reason });
    }

    /// The number of a low-level event.
    fn next(&mut self) -> u32 {
        self.number += 1;
        self.number
    }

    fn push(&mut self, gesture: Gesture, ids: Vec<u32>, injected: bool) {
        self.turns = 0;
        if self.draft.line == 0 {
            self.draft.line = self.line;
        }
        let steps = &mut self.draft.steps;
        let before = steps.last().map(|step| step.screen.clone());
        let screen = match &gesture {
            Gesture::Launch { package, activity } => component(package, activity),
            _ => before.unwrap_or_else(|| self.draft.launch_screen.clone()),
        };
        steps.push(DraftStep {
            gesture,
            ids,
            screen: if screen.is_empty() {
                UNKNOWN.to_owned()
            } else {
                screen
            },
            injected,
            rejected: Vec::new(),
            fault: None,
            millis: None,
        });
    }

    fn whole(&mut self, gesture: Gesture) {
        self.drop_touch();
        self.end_key();
        let id = self.next();
        let is_first = self.draft.launch.is_none() && self.draft.steps.is_empty();
        match &gesture {
            Gesture::Launch { package, activity } if is_first => {
                self.draft.line = self.line;
                self.draft.launch_screen = component(package, activity);
                self.draft.launch = Some(gesture);
            }
            _ => self.push(gesture, vec![id], true),
        }
    }

    fn touch(&mut self, motion: Motion, points: &[Point]) {
        self.end_key();
        let id = self.next();
        if motion == Motion::Down {
            self.drop_touch();
            self.touch = Some(Touch {
                line: self.line,
                first: points.to_vec(),
                last: points.to_vec(),
                ids: vec![id],
                moves: 0,
                millis: 0,
                injected: true,
            });
            return;
        }
        let Some(touch) = &mut self.touch else {
            self.unused(self.line, "the end of a touch that never began");
            return;
        };
        touch.ids.push(id);
        touch.moves += u32::from(motion == Motion::Move);
        // Fingers keep their places in the list; those that are not named stay where they were.
        for (i, &point) in points.iter().enumerate() {
            if let Some(last) = touch.last.get_mut(i) {
                *last = point;
            } else {
                touch.first.push(point);
                touch.last.push(point);
            }
        }
        if matches!(motion, Motion::Up | Motion::Cancel) {
            self.end_touch();
        }
    }

    fn end_touch(&mut self) {
        let Some(touch) = self.touch.take() else {
            return;
        };
        let fingers = touch.first.iter().copied().zip(touch.last);
        let stays = touch.moves == 0;
        let gesture = touched(fingers, stays, touch.moves, touch.millis);
        if let Some(gesture) = gesture {
            self.push(gesture, touch.ids, touch.injected);
        }
    }

    /// A touch that something else cuts off.
    fn drop_touch(&mut self) {
        if let Some(touch) = self.touch.take() {
            self.unused(touch.line, "a touch without an end");
        }
    }

    fn key(&mut self, down: bool, key: Key) {
        self.drop_touch();
        let id = self.next();
        match self.key.take() {
            Some((pressed, first)) if !down && pressed == key => {
                self.push(Gesture::Press(key), vec![first, id], true);
            }
            other => {
                self.key = other;
                self.end_key();
                if down {
                    self.key = Some((key, id));
                } else {
                    self.push(Gesture::Press(key), vec![id], true);
                }
            }
        }
    }

    /// A key whose release was not printed was pressed all the same.
    fn end_key(&mut self) {
        if let Some((key, id)) = self.key.take() {
            self.push(Gesture::Press(key), vec![id], true);
        }
    }

    fn trackball(&mut self, motion: Motion, by: Point) {
        self.drop_touch();
        self.end_key();
        let id = self.next();
        match motion {
            Motion::Move if self.turns > 0 && self.turns < TRACKBALL_MOVES && self.pauses => {
                self.turns += 1;
                if let Some(DraftStep {
                    gesture: Gesture::Trackball { by: sum },
                    ids,
                    ..
                }) = self.draft.steps.last_mut()
                {
                    (sum.x, sum.y) = (sum.x + by.x, sum.y + by.y);
                    ids.push(id);
                }
            }
            Motion::Move => {
                self.push(Gesture::Trackball { by }, vec![id], true);
                self.turns = 1;
            }
            Motion::Up => self.push(Gesture::Press(Key(23)), vec![id], true),
            _ => {}
        }
    }

    fn sleep(&mut self, millis: u32) {
        self.pauses = true;
        self.turns = 0;
        self.end_key();
        if let Some(touch) = &mut self.touch {
            touch.millis = touch.millis.saturating_add(millis);
        } else if let Some(step) = self.draft.steps.last_mut() {
            step.millis = Some(step.millis.unwrap_or(0).saturating_add(millis));
        }
    }

    fn not_injected(&mut self) {
        if let Some(touch) = &mut self.touch {
            touch.injected = false;
        } else if let Some(step) = self.draft.steps.last_mut() {
            step.injected = false;
        }
    }

    fn shows(&mut self, activity: String) {
        match self.draft.steps.last_mut() {
            Some(step) => step.screen = activity,
            None => self.draft.launch_screen = activity,
        }
    }

    fn rejected(&mut self, what: &str) {
        let what = what.trim();
        if let Some(step) = self.draft.steps.last_mut()
            && step.rejected.len() < MOST_REJECTED
            && step.rejected.last().is_none_or(|last| last != what)
        {
            step.rejected.push(what.to_owned());
        }
    }

    /// The crash whose lines are all there now belongs to the last gesture.
    fn settle_crash(&mut self) {
        let Some(crash) = self.crash.take() else {
            return;
        };
        // A touch that the crash cuts off is what was done when it came.
        self.end_touch();
        self.end_key();
        if let Some(step) = self.draft.steps.last_mut() {
            step.fault = Some(crash.signature());
        }
    }

    fn end_run(&mut self) {
        self.settle_crash();
        if let Some(touch) = &self.touch {
            self.unused(
                touch.line,
                "the log ends in this touch, which is taken as a tap",
            );
            self.end_touch();
        }
        self.end_key();
        let mut draft = std::mem::take(&mut self.draft);
        (self.is_over, self.number, self.turns) = (false, 0, 0);
        if draft.launch.is_some() || !draft.steps.is_empty() {
            if draft.launch_screen.is_empty() {
                UNKNOWN.clone_into(&mut draft.launch_screen);
            }
            self.drafts.push(draft);
        }
    }
}
