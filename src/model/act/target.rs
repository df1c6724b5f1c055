//! Targets: widgets named so that they are found again on another day's screen.

use serde::{Deserialize, Serialize};

use super::super::gesture::Point;
use super::super::window::{Widget, Window};

/// Longer texts do not name a widget.
const LONGEST_NAME: usize = 80;

/// A widget by what is known of it. What is empty is not known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Target {
    /// A place on the screen, in pixels: the last resort.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[i32; 2]>,
    /// Its class or role.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// A CSS selector that finds it, where a recorder wrote one; ` >>> ` goes into a shadow root.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub css: String,
    /// Its description or accessible name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its id.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Its dotted positions among siblings, from the root.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// The text on it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// An `XPath` that finds it, where a recorder wrote one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub xpath: String,
}

/// A widget that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved {
    /// Its place in the list of widgets.
    pub index: usize,
    /// By what it was found.
    pub how: How,
}

/// By what a widget was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Everything that is known of it fits this widget alone.
    Everything,
    /// Several fit; the recorded path tells which.
    Path,
    /// Its id or its description fits one widget, although something else has changed.
    Name,
    /// It is what stands at the recorded place.
    Place,
}

impl How {
    /// In a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Everything => "everything",
            Self::Path => "path",
            Self::Name => "name",
            Self::Place => "place",
        }
    }
}

impl Target {
    /// Whether nothing is known of it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Names a widget by the least that no other widget of the window has: its id, its
    /// description, its text with its class, these together, or all of that and its path.
    #[must_use]
    pub fn of(window: &Window, index: usize) -> Self {
        let widget = &window.widgets[index];
        // What is typed into a field is not what the field is called.
        let text = if widget.takes.types {
            ""
        } else {
            name(&widget.text)
        };
        let (id, description) = (name(&widget.id), name(&widget.description));
        let target = |id: &str, description: &str, text: &str, class: &str| Self {
            id: id.to_owned(),
            description: description.to_owned(),
            text: text.to_owned(),
            class: class.to_owned(),
            ..Self::default()
        };
        let class = &*widget.class;
        let fewest = [
            (!id.is_empty()).then(|| target(id, "", "", "")),
            (!description.is_empty()).then(|| target("", description, "", "")),
            (!text.is_empty()).then(|| target("", "", text, class)),
            Some(target(id, description, text, class)),
        ];
        let mut fewest = fewest.into_iter().flatten();
        let unique = fewest.find(|target| {
            let mut fit = window.widgets.iter().filter(|other| target.fits(other));
            fit.next().is_some() && fit.next().is_none()
        });
        unique.unwrap_or_else(|| Self {
            path: window.paths().swap_remove(index),
            ..target(id, description, text, class)
        })
    }

    /// Finds the widget on another window of the same app.
    #[must_use]
    pub fn resolve(&self, window: &Window) -> Option<Resolved> {
        let found = |index, how| Some(Resolved { index, how });
        if self.is_named() || !self.path.is_empty() {
            let fitting = positions(window, |widget| self.fits(widget));
            if let [index] = fitting[..]
                && (self.is_named() || self.path.is_empty())
            {
                return found(index, How::Everything);
            }
            if !self.path.is_empty() {
                let paths = window.paths();
                let at = fitting.iter().find(|&&index| paths[index] == self.path);
                if let Some(&index) = at {
                    return found(index, How::Path);
                }
            }
            if let Some(index) = self.by_name(window) {
                return found(index, How::Name);
            }
        }
        let [x, y] = self.at?;
        let at = Point::new(x as f32, y as f32)?;
        let (index, _) = window.hit(at)?;
        found(index, How::Place)
    }

    /// Whether anything but a path or a place names it.
    fn is_named(&self) -> bool {
        !(self.id.is_empty() && self.description.is_empty() && self.text.is_empty())
    }

    fn fits(&self, widget: &Widget) -> bool {
        let known = [
            (&self.id, &widget.id),
            (&self.description, &widget.description),
            (&self.text, &widget.text),
            (&self.class, &widget.class),
        ];
        known
            .iter()
            .all(|(known, seen)| known.is_empty() || known == seen)
    }

    /// The only widget that has the id, or else the description.
    fn by_name(&self, window: &Window) -> Option<usize> {
        let only = |named: bool, fits: &dyn Fn(&Widget) -> bool| {
            let fitting = if named {
                positions(window, fits)
            } else {
                Vec::new()
            };
            match fitting[..] {
                [index] => Some(index),
                _ => None,
            }
        };
        only(!self.id.is_empty(), &|widget| widget.id == self.id).or_else(|| {
            let described = !self.description.is_empty();
            only(described, &|widget| widget.description == self.description)
        })
    }
}

fn name(text: &str) -> &str {
    let fits = text.chars().nth(LONGEST_NAME).is_none();
    if fits { text } else { "" }
}

fn positions(window: &Window, fits: impl Fn(&Widget) -> bool) -> Vec<usize> {
    let widgets = window.widgets.iter().enumerate();
    widgets
        .filter(|(_, widget)| fits(widget))
        .map(|(index, _)| index)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::window::{Bounds, Takes, Widget, Window};
    use super::{How, Target};

    /// Widgets as `class id text description`, all within the first; `-` is empty.
    fn window(widgets: &[&str]) -> Window {
        let widget = |(index, line): (usize, &&str)| {
            let mut words = line.split(' ').map(|word| word.replace('-', ""));
            let mut word = || words.next().unwrap_or_default();
            let top = i32::try_from(index).expect("few widgets") * 10;
            Widget {
                class: word(),
                id: word(),
                text: word(),
                description: word(),
                bounds: Bounds {
                    left: 0,
                    top,
                    right: 10,
                    bottom: top + 10,
                },
                takes: Takes {
                    taps: index > 0,
                    ..Takes::default()
                },
                parent: (index > 0).then_some(0),
                ..Widget::default()
            }
        };
        Window {
            widgets: widgets.iter().enumerate().map(widget).collect(),
            ..Window::default()
        }
    }

    const SCREEN: &[&str] = &[
        "Frame",
        "Button ok Save",
        "Button row Save",
        "Button row Open",
        "Image - - Share",
        "Text",
        "Text",
    ];

    #[track_caller]
    fn named(index: usize, expect: &str) {
        let target = Target::of(&window(SCREEN), index);
        assert_eq!(serde_json::to_string(&target).unwrap(), expect);
        let found = target.resolve(&window(SCREEN)).unwrap();
        assert_eq!(found.index, index);
    }

    #[test]
    fn a_widget_is_named_by_the_least_that_is_unique() {
        named(1, r#"{"id":"ok"}"#);
        named(2, r#"{"class":"Button","id":"row","text":"Save"}"#);
        named(3, r#"{"class":"Button","text":"Open"}"#);
        named(4, r#"{"description":"Share"}"#);
        named(6, r#"{"class":"Text","path":"0.5"}"#);
    }

    #[track_caller]
    fn found(target: &str, screen: &[&str], expect: Option<(usize, How)>) {
        let target: Target = serde_json::from_str(target).unwrap();
        let found = target.resolve(&window(screen));
        assert_eq!(found.map(|found| (found.index, found.how)), expect);
    }

    #[test]
    fn a_widget_is_found_again_by_what_still_fits() {
        let moved = &["Frame", "New", "Button ok Keep", "Image - - Share"];
        found(r#"{"id":"ok"}"#, moved, Some((2, How::Everything)));
        found(r#"{"id":"ok","text":"Save"}"#, moved, Some((2, How::Name)));
        found(
            r#"{"description":"Share","path":"0.0"}"#,
            moved,
            Some((3, How::Everything)),
        );
        found(r#"{"class":"Button","text":"Save"}"#, moved, None);
        found(r#"{"at":[5,25]}"#, moved, Some((2, How::Place)));
        found(r#"{"at":[5,25],"id":"gone"}"#, moved, Some((2, How::Place)));
        found(r#"{"class":"Text","path":"0.5"}"#, moved, None);
        found(
            r#"{"class":"Text","path":"0.5"}"#,
            SCREEN,
            Some((6, How::Path)),
        );
        found(r#"{"id":"row","path":"0.2"}"#, SCREEN, Some((3, How::Path)));
        found(r#"{"id":"row"}"#, SCREEN, None);
    }
}
