//! Windows: the widgets that a screen showed, as a dump of it tells.

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
    /// The text on it, or its description.
    pub text: String,
    /// Where it is.
    pub bounds: Bounds,
    /// What it takes.
    pub takes: Takes,
    /// Whether it is ticked or chosen.
    pub checked: bool,
    /// The widget around it.
    pub parent: Option<u32>,
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
}

impl Takes {
    /// Whether it takes anything at all.
    #[must_use]
    pub fn anything(self) -> bool {
        self.taps || self.holds || self.swipes || self.ticks
    }
}

/// All widgets of a screen, those around others first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Window {
    /// The widgets.
    pub widgets: Vec<Widget>,
}

impl Window {
    /// The widget that a touch at this place is for: the last and so topmost one there that takes
    /// anything or can be typed into, and the place of it in the list.
    #[must_use]
    pub fn hit(&self, at: Point) -> Option<(usize, &Widget)> {
        let widgets = self.widgets.iter().enumerate().rev();
        let mut there = widgets.filter(|(_, widget)| widget.bounds.contains(at));
        there.find(|(_, widget)| widget.takes.anything() || widget.class.ends_with("EditText"))
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
        Window { widgets }
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
    fn likeness_counts_the_widgets_in_common() {
        let (whole, mut half) = (window(), window());
        half.widgets.truncate(2);
        assert!((whole.likeness(&whole) - 1.0).abs() < 1e-9);
        assert!((whole.likeness(&half) - 4.0 / 7.0).abs() < 1e-9);
        assert!(whole.likeness(&Window::default()) < 1e-9);
    }
}
