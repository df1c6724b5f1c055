//! What every abstraction looks through: masks over texts that change by themselves, and whether
//! the length of lists counts.

use std::borrow::Cow;

use regex::Regex;
use serde::Serialize;

use crate::model::window::{State, Widget, Window};

/// What stands for a masked text.
const MASKED: &str = "…";

/// How abstractions look at windows.
#[derive(Debug, Clone, Default)]
pub struct Lens {
    masks: Vec<Mask>,
    lists: Lists,
    /// What `custom` looks at.
    pub attributes: Vec<Attribute>,
}

/// Whether the length of lists counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lists {
    /// Every entry counts.
    #[default]
    Count,
    /// Entries of one structure count once, whatever is written on them.
    Collapse,
}

impl Lists {
    /// The choices by their names in settings.
    pub const CHOICES: [(&'static str, Self); 2] =
        [("count", Self::Count), ("collapse", Self::Collapse)];
}

/// Texts to look away from.
#[derive(Debug, Clone)]
enum Mask {
    /// Those of widgets with this id.
    Id(String),
    /// Those of widgets of this class.
    Class(String),
    /// Whatever in a text fits the pattern.
    Text(Regex),
}

/// An attribute of widgets that `custom` can look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are the fields of a widget")]
pub enum Attribute {
    Class,
    Id,
    Text,
    Description,
    State,
    Takes,
    Path,
    Keyboard,
}

impl Attribute {
    /// All attributes by their names in settings.
    pub const CHOICES: [(&'static str, Self); 8] = [
        ("class", Self::Class),
        ("id", Self::Id),
        ("text", Self::Text),
        ("description", Self::Description),
        ("state", Self::State),
        ("takes", Self::Takes),
        ("path", Self::Path),
        ("keyboard", Self::Keyboard),
    ];

    /// Its name in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        let found = Self::CHOICES.iter().find(|(_, one)| *one == self);
        found.map_or("", |(name, _)| name)
    }

    /// What a widget has of it; the keyboard is not a widget's.
    pub(super) fn of<'a>(self, seen: &'a Seen) -> Cow<'a, str> {
        match self {
            Self::Class => Cow::Borrowed(&seen.widget.class),
            Self::Id => Cow::Borrowed(&seen.widget.id),
            Self::Text => seen.text(),
            Self::Description => seen.description(),
            Self::State => Cow::Owned(seen.state()),
            Self::Takes => Cow::Owned(seen.takes()),
            Self::Path => Cow::Borrowed(&seen.path),
            Self::Keyboard => Cow::Borrowed(""),
        }
    }
}

impl Lens {
    /// A lens with masks as settings write them: `id:clock`, `class:Chronometer` or
    /// `text:[0-9]+:[0-9]+`; the reason where one makes no sense.
    pub fn new(masks: &[String], lists: Lists, attributes: Vec<Attribute>) -> Result<Self, String> {
        let masks = masks.iter().map(|text| Mask::parse(text));
        Ok(Self {
            masks: masks.collect::<Result<_, _>>()?,
            lists,
            attributes,
        })
    }

    /// The widgets that count, with their paths.
    pub(super) fn look<'a>(&'a self, window: &'a Window) -> impl Iterator<Item = Seen<'a>> {
        let (hidden, listed) = match self.lists {
            Lists::Count => (vec![false; window.widgets.len()], Vec::new()),
            Lists::Collapse => collapse(window),
        };
        let paths = if hidden.contains(&true) {
            paths_without(window, &hidden)
        } else {
            window.paths()
        };
        let widgets = window.widgets.iter().zip(paths).enumerate();
        widgets
            .filter(move |(index, _)| !hidden[*index])
            .map(move |(index, (widget, path))| Seen {
                lens: self,
                widget,
                path,
                is_listed: listed.get(index).copied().unwrap_or(false),
            })
    }

    fn mask<'a>(&self, widget: &Widget, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for mask in &self.masks {
            let whole = match mask {
                Mask::Id(id) => *id == widget.id,
                Mask::Class(class) => *class == widget.class,
                Mask::Text(pattern) => {
                    if let Cow::Owned(masked) = pattern.replace_all(&text, MASKED) {
                        text = Cow::Owned(masked);
                    }
                    false
                }
            };
            if whole {
                return Cow::Borrowed(MASKED);
            }
        }
        text
    }
}

impl Mask {
    fn parse(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some(("id", id)) => Ok(Self::Id(id.to_owned())),
            Some(("class", class)) => Ok(Self::Class(class.to_owned())),
            Some(("text", pattern)) => Regex::new(pattern).map(Self::Text).map_err(|error| {
                let error = error.to_string();
                let reason = error.lines().last().unwrap_or_default();
                format!("patterns that can be read; `{pattern}` is none: {reason}")
            }),
            _ => Err(format!(
                "masks like `id:NAME`, `class:NAME` or `text:PATTERN`; `{text}` is none"
            )),
        }
    }
}

/// A widget that counts.
pub(super) struct Seen<'a> {
    lens: &'a Lens,
    pub(super) widget: &'a Widget,
    pub(super) path: String,
    /// Whether it belongs to an entry of a list whose entries count once.
    is_listed: bool,
}

impl Seen<'_> {
    /// What is written on it.
    pub(super) fn text(&self) -> Cow<'_, str> {
        self.shown(&self.widget.text)
    }

    /// What it is called.
    pub(super) fn description(&self) -> Cow<'_, str> {
        self.shown(&self.widget.description)
    }

    /// What people know it by.
    pub(super) fn label(&self) -> Cow<'_, str> {
        self.shown(self.widget.label())
    }

    fn shown<'a>(&'a self, text: &'a str) -> Cow<'a, str> {
        if self.is_listed || text.is_empty() {
            return Cow::Borrowed("");
        }
        self.lens.mask(self.widget, text)
    }

    /// What it takes, in letters.
    pub(super) fn takes(&self) -> String {
        let takes = self.widget.takes;
        let letters = [
            (takes.taps, 't'),
            (takes.holds, 'h'),
            (takes.swipes, 's'),
            (takes.ticks, 'c'),
            (takes.types, 'e'),
        ];
        let letters = letters.iter().filter(|(has, _)| *has);
        letters.map(|(_, letter)| *letter).collect()
    }

    /// How it is, in words; empty for a plain one and for entries of lists.
    pub(super) fn state(&self) -> String {
        let State {
            checked,
            selected,
            disabled,
            ..
        } = self.widget.state;
        let words = [
            (checked, " checked"),
            (selected, " selected"),
            (disabled, " disabled"),
        ];
        let words = words.iter().filter(|(is, _)| *is && !self.is_listed);
        words.map(|(_, word)| *word).collect()
    }
}

/// Which widgets are hidden because an entry before them has the same structure, and which
/// belong to entries of lists.
fn collapse(window: &Window) -> (Vec<bool>, Vec<bool>) {
    use std::hash::{Hash, Hasher};
    let widgets = &window.widgets;
    let mut shapes = vec![rustc_hash::FxHasher::default(); widgets.len()];
    // Children stand behind their parents, so their shapes are complete first.
    for (index, widget) in widgets.iter().enumerate().rev() {
        widget.class.hash(&mut shapes[index]);
        let shape = shapes[index].finish();
        if let Some(parent) = widget.parent {
            shape.hash(&mut shapes[parent as usize]);
        }
    }
    let mut seen = rustc_hash::FxHashSet::default();
    let mut hidden = vec![false; widgets.len()];
    let mut listed = vec![false; widgets.len()];
    for (index, widget) in widgets.iter().enumerate() {
        let Some(parent) = widget.parent.map(|parent| parent as usize) else {
            continue;
        };
        let is_entry = is_list(&widgets[parent]);
        let is_again = is_entry && !seen.insert((parent, shapes[index].finish()));
        hidden[index] = hidden[parent] || is_again;
        listed[index] = listed[parent] || is_entry;
    }
    (hidden, listed)
}

/// Lists by their class, and whatever scrolls: newer toolkits have no class for them.
fn is_list(widget: &Widget) -> bool {
    const LISTS: [&str; 6] = ["List", "Recycler", "Grid", "list", "grid", "table"];
    widget.takes.swipes || LISTS.iter().any(|word| widget.class.contains(word))
}

/// Paths as if the hidden widgets were not there.
fn paths_without(window: &Window, hidden: &[bool]) -> Vec<String> {
    let mut place = vec![0u32; window.widgets.len()];
    let mut shown = Window::default();
    for (index, widget) in window.widgets.iter().enumerate() {
        place[index] = shown.widgets.len() as u32;
        if !hidden[index] {
            shown.widgets.push(Widget {
                parent: widget.parent.map(|parent| place[parent as usize]),
                ..Widget::default()
            });
        }
    }
    let paths = shown.paths();
    let at = |(index, hidden): (usize, &bool)| match hidden {
        true => String::new(),
        false => paths[place[index] as usize].clone(),
    };
    hidden.iter().enumerate().map(at).collect()
}
