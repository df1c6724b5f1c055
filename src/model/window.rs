//! Windows: the widgets that a screen shows, as a dump, a view tree or an accessibility tree tells.
//!
//! Pages fill the same fields: the class is the role, the id the test id or the element's id, the
//! description the accessible name, the activity the path of the page.

use super::gesture::Point;

/// A rectangle on the screen: left, top, right and bottom, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// The left edge, which belongs to it.
    pub left: i32,
    /// The top edge, which belongs to it.
    pub top: i32,
    /// The right edge, which does not.
    pub right: i32,
    /// The bottom edge, which does not.
    pub bottom: i32,
}

impl Bounds {
    fn contains(self, at: Point) -> bool {
        let inside = |c: f32, low: i32, high: i32| {
            f64::from(c) >= f64::from(low) && f64::from(c) < f64::from(high)
        };
        inside(at.x, self.left, self.right) && inside(at.y, self.top, self.bottom)
    }
}

/// Something on a screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Widget {
    /// Its class without the packages in front: `Button`.
    pub class: String,
    /// Its id without the package in front; empty if it has none.
    pub id: String,
    /// The text on it, or what was typed into it.
    pub text: String,
    /// What it is called for those who cannot see it.
    pub description: String,
    /// Where it is.
    pub bounds: Bounds,
    /// What it takes.
    pub takes: Takes,
    /// How it is at the moment.
    pub state: State,
    /// The widget around it.
    pub parent: Option<u32>,
}

impl Widget {
    /// The words a person knows it by: its text, else its description.
    #[must_use]
    pub fn label(&self) -> &str {
        if self.text.is_empty() {
            &self.description
        } else {
            &self.text
        }
    }
}

/// How a widget is at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each of them is an attribute of its own in a dump"
)]
pub struct State {
    /// It is ticked.
    pub checked: bool,
    /// It is chosen among its siblings.
    pub selected: bool,
    /// It gets what is typed.
    pub focused: bool,
    /// It takes nothing at the moment.
    pub disabled: bool,
    /// It hides what is typed.
    pub password: bool,
}

/// What a widget takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each of them is an attribute of its own in a dump"
)]
pub struct Takes {
    /// Taps.
    pub taps: bool,
    /// Long taps.
    pub holds: bool,
    /// Swipes.
    pub swipes: bool,
    /// Ticks.
    pub ticks: bool,
    /// Text.
    pub types: bool,
}

impl Takes {
    /// Whether it takes anything at all.
    #[must_use]
    pub fn anything(self) -> bool {
        self.taps || self.holds || self.swipes || self.ticks || self.types
    }
}

/// A screen: where in the app it is, and all its widgets, those around others first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Window {
    /// The app it belongs to; empty where a dump does not tell.
    pub package: String,
    /// The activity without the package in front; empty where a dump does not tell.
    pub activity: String,
    /// Whether a keyboard covers part of it.
    pub keyboard: bool,
    /// The widgets, in pre-order.
    pub widgets: Vec<Widget>,
}

/// Paths end at this depth, so that no screen can make them use much memory.
const DEEPEST: usize = 100;

impl Window {
    /// Where each widget stands in the tree: dotted positions among siblings, from `0`.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        let mut places: Vec<(String, usize, usize)> = Vec::with_capacity(self.widgets.len());
        let mut roots = 0;
        for widget in &self.widgets {
            let around = widget
                .parent
                .and_then(|parent| places.get_mut(parent as usize));
            let place = match around {
                None => {
                    roots += 1;
                    ((roots - 1).to_string(), 0, 0)
                }
                Some((path, depth, _)) if *depth >= DEEPEST => (path.clone(), *depth, 0),
                Some((path, depth, children)) => {
                    *children += 1;
                    (format!("{path}.{}", *children - 1), *depth + 1, 0)
                }
            };
            places.push(place);
        }
        places.into_iter().map(|(path, ..)| path).collect()
    }

    /// The widget that a touch at this place is for: the last and so topmost one there that takes
    /// anything or can be typed into, and the place of it in the list.
    #[must_use]
    pub fn hit(&self, at: Point) -> Option<(usize, &Widget)> {
        let widgets = self.widgets.iter().enumerate().rev();
        let mut there = widgets.filter(|(_, widget)| widget.bounds.contains(at));
        there.find(|(_, widget)| widget.takes.anything())
    }

    /// Everything that is written on a widget and within it, and what these are called.
    #[must_use]
    pub fn words(&self, index: usize) -> String {
        let mut inside = vec![false; self.widgets.len()];
        let mut words = Vec::new();
        for (at, widget) in self.widgets.iter().enumerate().skip(index) {
            let parent = widget.parent.map(|parent| parent as usize);
            inside[at] = at == index || parent.is_some_and(|parent| inside[parent]);
            if inside[at] {
                words.extend([&*widget.id, &*widget.text, &*widget.description]);
            }
        }
        words.retain(|word| !word.is_empty());
        words.join("\n")
    }

    /// How much of the structure two windows share: 1 for the same widgets, 0 for none.
    #[must_use]
    pub fn likeness(&self, other: &Self) -> f64 {
        let (mut mine, mut theirs) = (self.structure(), other.structure());
        mine.sort_unstable();
        theirs.sort_unstable();
        let all = mine.len() + theirs.len();
        if all == 0 {
            return 1.0;
        }
        2.0 * in_both(&mine, &theirs) as f64 / all as f64
    }

    fn structure(&self) -> Vec<(&str, &str)> {
        let names = self
            .widgets
            .iter()
            .map(|widget| (&*widget.class, &*widget.id));
        names.collect()
    }
}

/// How many entries two sorted lists have in common.
fn in_both<T: Ord>(mine: &[T], theirs: &[T]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(a), Some(b)) = (mine.get(i), theirs.get(j)) {
        common += usize::from(a == b);
        i += usize::from(a <= b);
        j += usize::from(a >= b);
    }
    common
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Takes, Widget, Window};
    use crate::model::gesture::Point;

    fn widget(class: &str, edges: [i32; 4], taps: bool) -> Widget {
        let [left, top, right, bottom] = edges;
        Widget {
            class: class.into(),
            bounds: Bounds {
                left,
                top,
                right,
                bottom,
            },
            takes: Takes {
                taps,
                types: class == "EditText",
                ..Takes::default()
            },
            ..Widget::default()
        }
    }

    fn window() -> Window {
        let widgets = vec![
            widget("Frame", [0, 0, 100, 100], false),
            widget("Row", [0, 0, 100, 50], true),
            widget("Label", [10, 10, 50, 40], false),
            widget("Button", [60, 10, 90, 40], true),
            widget("EditText", [0, 60, 50, 80], false),
        ];
        Window {
            widgets,
            ..Window::default()
        }
    }

    #[track_caller]
    fn check(x: f32, y: f32, expect: Option<&str>) {
        let window = window();
        let hit = window.hit(Point { x, y });
        assert_eq!(hit.map(|(_, widget)| &*widget.class), expect);
    }

    #[test]
    fn a_touch_is_for_the_topmost_widget_that_takes_it() {
        check(20.0, 20.0, Some("Row"));
        check(70.0, 20.0, Some("Button"));
        check(20.0, 70.0, Some("EditText"));
        check(50.0, 70.0, None);
        check(500.0, 70.0, None);
    }

    #[test]
    fn a_path_tells_the_positions_among_siblings() {
        let mut window = window();
        for (child, parent) in [(1, 0), (2, 1), (3, 1), (4, 0)] {
            window.widgets[child].parent = Some(parent);
        }
        assert_eq!(window.paths(), ["0", "0.0", "0.0.0", "0.0.1", "0.1"]);
    }

    #[test]
    fn a_path_through_a_very_deep_tree_stays_short() {
        let nested = |parent| Widget {
            parent,
            ..Widget::default()
        };
        let widgets = (0..50_000u32).map(|i| nested(i.checked_sub(1))).collect();
        let window = Window {
            widgets,
            ..Window::default()
        };
        assert!(window.paths().iter().all(|path| path.len() < 300));
    }

    #[test]
    fn likeness_counts_the_widgets_in_common() {
        let (whole, mut half) = (window(), window());
        half.widgets.truncate(2);
        assert!((whole.likeness(&whole) - 1.0).abs() < 1e-9);
        assert!((whole.likeness(&half) - 4.0 / 7.0).abs() < 1e-9);
        assert!(whole.likeness(&Window::default()) < 1e-9);
    }
}
