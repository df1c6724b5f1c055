//! Screens of a model app as views: one widget for each action that some state behind the screen
//! has, at a place of its own.
//!
//! States that show one screen look the same to the last pixel, whatever is hidden behind them;
//! a tap on what is not enabled is ignored, and the app says so in its log.

use std::collections::BTreeSet;

use reduce_suite::model::gesture::Key;

/// The size of the screen.
pub(super) const WIDTH: i32 = 480;
/// The size of the screen.
pub(super) const HEIGHT: i32 = 800;
const STATUS_BAR: i32 = 24;
const TITLE: i32 = 80;
const PAGER: i32 = 130;
const FIELD: i32 = 180;
const LIST: i32 = 700;
/// So many widgets stand below each other before another column is begun.
const ROWS: usize = 10;

/// What a view does when it is touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Does {
    /// An action of the app.
    Acts(String),
    /// Gets the keyboard.
    Focuses,
    /// Closes a dialog: the app may go on, or is stopped.
    Closes { stops_app: bool },
}

/// Something on the screen, without what is around it.
#[derive(Debug, Clone, Default)]
pub(super) struct View {
    pub(super) class: &'static str,
    pub(super) id: String,
    pub(super) text: String,
    /// What it is called for those who cannot see it.
    pub(super) description: String,
    pub(super) bounds: [i32; 4],
    pub(super) on_tap: Option<Does>,
    pub(super) on_hold: Option<Does>,
    pub(super) scrolls: bool,
    pub(super) focused: bool,
    /// How many views are around it, up to the root.
    pub(super) depth: usize,
}

/// Which way a finger moves over what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stroke {
    Scroll(Way),
    Swipe(Way),
}

/// A direction: of the content for scrolling, of the finger for swiping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    Down,
    Up,
    Left,
    Right,
}

/// A screen with all that can be done on it.
#[derive(Debug, Clone, Default)]
pub(super) struct Screen {
    pub(super) views: Vec<View>,
    pub(super) keys: Vec<(Key, String)>,
    pub(super) strokes: Vec<(Stroke, String)>,
    /// Texts that can be typed.
    pub(super) texts: Vec<(String, String)>,
    pub(super) rotate: Option<String>,
}

impl Screen {
    /// The screen of an app with these actions.
    pub(super) fn of(package: &str, name: &str, actions: &BTreeSet<&str>) -> Self {
        let mut screen = Self::default();
        let mut buttons = Vec::new();
        for &action in actions {
            if !screen.takes_naturally(action) {
                buttons.push(action);
            }
        }
        screen.frame(package, name);
        let mut views: Vec<View> = Vec::new();
        for view in buttons.iter().map(|action| button(package, action)) {
            // What can be tapped and held is one button.
            let same = views.iter_mut().find(|known| {
                let both = known.on_tap.is_some() && view.on_tap.is_some();
                known.text == view.text && known.description == view.description && !both
            });
            match same {
                Some(known) => {
                    known.on_tap = known.on_tap.take().or(view.on_tap);
                    known.on_hold = known.on_hold.take().or(view.on_hold);
                }
                None => views.push(view),
            }
        }
        let columns = views.len().div_ceil(ROWS).max(1);
        let rows = views.len().div_ceil(columns).max(1);
        for (index, view) in views.iter_mut().enumerate() {
            view.bounds = cell(index, columns, rows);
        }
        screen.views.extend(views);
        screen
    }

    /// Whether an action is a key, a stroke, a text or a turn; one that looks like another one
    /// on the same screen gets a button instead.
    fn takes_naturally(&mut self, action: &str) -> bool {
        let (verb, rest) = action.split_once(':').unwrap_or((action, ""));
        let stroke = match verb {
            "scroll" => way(rest, Way::Down).map(Stroke::Scroll),
            "swipe" => way(rest, Way::Left).map(Stroke::Swipe),
            _ => None,
        };
        if let Some(stroke) = stroke {
            let is_free = self.strokes.iter().all(|(known, _)| *known != stroke);
            if is_free {
                self.strokes.push((stroke, action.to_owned()));
            }
            return is_free;
        }
        let key = match (verb, rest) {
            ("back", "") => Some(Key::BACK),
            ("menu", "") => Some(Key::MENU),
            ("key", name) => Key::parse(name),
            _ => None,
        };
        if let Some(key) = key {
            let is_free = self.keys.iter().all(|(known, _)| *known != key);
            if is_free {
                self.keys.push((key, action.to_owned()));
            }
            return is_free;
        }
        match verb {
            "type" if !rest.is_empty() => self.texts.push((rest.to_owned(), action.to_owned())),
            "rotate" if rest.is_empty() => self.rotate = Some(action.to_owned()),
            _ => return false,
        }
        true
    }

    fn frame(&mut self, package: &str, name: &str) {
        let mut add = |class, id: &str, text: &str, bounds, depth| {
            self.views.push(View {
                class,
                id: if id.is_empty() {
                    String::new()
                } else {
                    format!("{package}:id/{id}")
                },
                text: text.to_owned(),
                bounds,
                depth,
                ..View::default()
            });
        };
        let whole = [0, 0, WIDTH, HEIGHT];
        add("android.widget.FrameLayout", "", "", whole, 0);
        add(
            "android.widget.LinearLayout",
            &format!("screen_{}", slug(name)),
            "",
            whole,
            1,
        );
        add(
            "android.widget.TextView",
            "title",
            name,
            [0, STATUS_BAR, WIDTH, TITLE],
            2,
        );
        let has = |wanted: fn(&Stroke) -> bool| self.strokes.iter().any(|(it, _)| wanted(it));
        let (swipes, scrolls) = (
            has(|it| matches!(it, Stroke::Swipe(_))),
            has(|it| matches!(it, Stroke::Scroll(_))),
        );
        let mut container = |class, id: &str, top, bottom| {
            self.views.push(View {
                class,
                id: format!("{package}:id/{id}"),
                bounds: [0, top, WIDTH, bottom],
                scrolls: true,
                depth: 2,
                ..View::default()
            });
        };
        if swipes {
            container("androidx.viewpager.widget.ViewPager", "pager", TITLE, PAGER);
        }
        if scrolls {
            container("android.widget.ListView", "list", LIST, HEIGHT);
        }
        if !self.texts.is_empty() {
            self.views.push(View {
                class: "android.widget.EditText",
                id: format!("{package}:id/input"),
                bounds: [0, PAGER, WIDTH, FIELD],
                on_tap: Some(Does::Focuses),
                depth: 2,
                ..View::default()
            });
        }
    }

    /// The topmost view at a place that does something when it is touched.
    pub(super) fn hit(
        &self,
        x: i32,
        y: i32,
        does: impl Fn(&View) -> Option<&Does>,
    ) -> Option<&Does> {
        let there = self.views.iter().rev().filter(|view| {
            let [left, top, right, bottom] = view.bounds;
            (left..right).contains(&x) && (top..bottom).contains(&y)
        });
        there.into_iter().find_map(does)
    }

    /// What a finger's way over the screen means to the app.
    pub(super) fn stroke(&self, from: (i32, i32), to: (i32, i32)) -> Option<&str> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let pages = (TITLE..PAGER).contains(&from.1);
        let finger = if dx.abs() > dy.abs() {
            if dx < 0 { Way::Left } else { Way::Right }
        } else if dy < 0 {
            Way::Up
        } else {
            Way::Down
        };
        // Content moves against the finger that scrolls it.
        let content = match finger {
            Way::Up => Way::Down,
            Way::Down => Way::Up,
            Way::Left => Way::Right,
            Way::Right => Way::Left,
        };
        let stroke = if pages {
            Stroke::Swipe(finger)
        } else if from.1 >= LIST {
            Stroke::Scroll(content)
        } else {
            return None;
        };
        let known = self.strokes.iter().find(|(known, _)| *known == stroke);
        known.map(|(_, action)| action.as_str())
    }
}

/// The direction of a name; without one the usual direction is meant.
fn way(text: &str, usual: Way) -> Option<Way> {
    match text {
        "" => Some(usual),
        "down" => Some(Way::Down),
        "up" => Some(Way::Up),
        "left" => Some(Way::Left),
        "right" => Some(Way::Right),
        _ => None,
    }
}

/// The place of a button among others.
fn cell(index: usize, columns: usize, rows: usize) -> [i32; 4] {
    let share = |part: usize, of: usize, length: i32| {
        i32::try_from(part * length.unsigned_abs() as usize / of).unwrap_or(length)
    };
    let (column, row) = (index % columns, index / columns);
    let area = LIST - FIELD;
    [
        share(column, columns, WIDTH),
        FIELD + share(row, rows, area),
        share(column + 1, columns, WIDTH),
        FIELD + share(row + 1, rows, area),
    ]
}

fn button(package: &str, action: &str) -> View {
    let does = Some(Does::Acts(action.to_owned()));
    let (verb, rest) = action.split_once(':').unwrap_or(("", ""));
    let named = |name: &str| View {
        class: "android.widget.Button",
        id: format!("{package}:id/{}", slug(name)),
        text: name.to_owned(),
        depth: 2,
        ..View::default()
    };
    match verb {
        "tap" if !rest.is_empty() => View {
            on_tap: does,
            ..named(rest)
        },
        "hold" if !rest.is_empty() => View {
            on_hold: does,
            ..named(rest)
        },
        // A button with a picture, which is called like the whole action.
        _ => View {
            class: "android.widget.ImageButton",
            text: String::new(),
            description: action.to_owned(),
            on_tap: does,
            ..named(action)
        },
    }
}

/// A name as resource ids are spelt.
pub(super) fn slug(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '_'
        }
    };
    name.chars().map(plain).collect()
}
