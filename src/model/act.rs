//! Acts: what is done to the widgets of an app, spelt as a JSON object.
//!
//! The spelling has sorted keys and no white space, so it is the canonical form of an action in a
//! suite: `{"do":"tap","on":{"id":"save"}}`. Gestures by coordinates alone are
//! [`gesture`](super::gesture)s.

mod target;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use target::{How, Resolved, Target};

/// One thing that is done to an app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    /// What is done.
    pub verb: Verb,
    /// The widget it is done to; none for what concerns the whole screen.
    pub target: Option<Target>,
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verb {
    /// Touches or clicks for a moment.
    Tap,
    /// Touches until a long touch is recognised.
    Hold,
    /// Touches or clicks twice.
    Double,
    /// Replaces what stands in a field by a text.
    Type(String),
    /// Empties a field.
    Clear,
    /// Chooses an entry of a list by its words.
    Select(String),
    /// Presses a key by its name, such as `Enter`.
    Key(String),
    /// Scrolls so that more of that side is seen.
    Scroll(Side),
    /// Moves a finger over the screen towards that side.
    Swipe(Side),
    /// Moves the mouse onto something.
    Hover,
    /// Goes back.
    Back,
    /// Opens the menu of the device.
    Menu,
    /// Leaves for the launcher.
    Home,
    /// Turns the device to so many quarters.
    Rotate(u8),
    /// Sends an intent, given by its URI.
    Intent(String),
    /// Opens a page.
    Open(String),
    /// Agrees to a dialog, with a text where it asks for one.
    Accept(Option<String>),
    /// Closes a dialog without agreeing.
    Dismiss,
}

/// A side of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "sides need no explanation")]
pub enum Side {
    Up,
    Down,
    Left,
    Right,
}

impl Side {
    /// All sides by their names.
    pub const ALL: [(&'static str, Self); 4] = [
        ("up", Self::Up),
        ("down", Self::Down),
        ("left", Self::Left),
        ("right", Self::Right),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The side that most of a movement goes to.
    #[must_use]
    pub fn of(right: f64, down: f64) -> Self {
        match (right.abs() > down.abs(), right > 0.0, down >= 0.0) {
            (true, true, _) => Self::Right,
            (true, false, _) => Self::Left,
            (false, _, true) => Self::Down,
            (false, _, false) => Self::Up,
        }
    }

    fn parse(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found
            .map(|(_, side)| *side)
            .ok_or_else(|| format!("`to` must be up, down, left or right, not `{name}`"))
    }
}

/// An act as JSON, its keys in order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    r#do: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    on: Option<Target>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<String>,
}

impl Act {
    /// Something that concerns the whole screen.
    #[must_use]
    pub fn plain(verb: Verb) -> Self {
        Self { verb, target: None }
    }

    /// Something done to a widget.
    #[must_use]
    pub fn on(verb: Verb, target: Target) -> Self {
        Self {
            verb,
            target: Some(target),
        }
    }

    /// The act that an action of a suite spells; the reason if it spells none.
    pub fn parse(action: &str) -> Result<Self, String> {
        let wire: Wire = serde_json::from_str(action).map_err(|error| error.to_string())?;
        let Wire {
            r#do: name,
            on,
            mut text,
            mut to,
        } = wire;
        let verb = Verb::of(&name, &mut text, &mut to)?;
        for (field, left) in [("text", text), ("to", to)] {
            if left.is_some() {
                return Err(format!("`{name}` takes no `{field}`"));
            }
        }
        if verb.needs_target() && on.as_ref().is_none_or(Target::is_empty) {
            return Err(format!("`{name}` needs `on`, the widget it is done to"));
        }
        Ok(Self { verb, target: on })
    }
}

impl Verb {
    /// Its name in the spelling of acts.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Tap => "tap",
            Self::Hold => "hold",
            Self::Double => "double",
            Self::Type(_) => "type",
            Self::Clear => "clear",
            Self::Select(_) => "select",
            Self::Key(_) => "key",
            Self::Scroll(_) => "scroll",
            Self::Swipe(_) => "swipe",
            Self::Hover => "hover",
            Self::Back => "back",
            Self::Menu => "menu",
            Self::Home => "home",
            Self::Rotate(_) => "rotate",
            Self::Intent(_) => "intent",
            Self::Open(_) => "open",
            Self::Accept(_) => "accept",
            Self::Dismiss => "dismiss",
        }
    }

    fn needs_target(&self) -> bool {
        matches!(
            self,
            Self::Tap | Self::Hold | Self::Double | Self::Clear | Self::Select(_) | Self::Hover
        )
    }

    fn of(name: &str, text: &mut Option<String>, to: &mut Option<String>) -> Result<Self, String> {
        let mut text = || text.take().ok_or(format!("`{name}` needs `text`"));
        let mut to = || to.take().ok_or(format!("`{name}` needs `to`"));
        Ok(match name {
            "tap" => Self::Tap,
            "hold" => Self::Hold,
            "double" => Self::Double,
            "type" => Self::Type(text()?),
            "clear" => Self::Clear,
            "select" => Self::Select(text()?),
            "key" => Self::Key(to()?),
            "scroll" => Self::Scroll(Side::parse(&to()?)?),
            "swipe" => Self::Swipe(Side::parse(&to()?)?),
            "hover" => Self::Hover,
            "back" => Self::Back,
            "menu" => Self::Menu,
            "home" => Self::Home,
            "rotate" => {
                let quarters = to()?;
                let known = quarters.parse().ok().filter(|quarters| *quarters < 4);
                Self::Rotate(known.ok_or(format!("`to` must be 0 to 3, not `{quarters}`"))?)
            }
            "intent" => Self::Intent(to()?),
            "open" => Self::Open(to()?),
            "accept" => Self::Accept(text().ok()),
            "dismiss" => Self::Dismiss,
            name => return Err(format!("no act is called `{name}`")),
        })
    }

    fn text(&self) -> Option<String> {
        match self {
            Self::Type(text) | Self::Select(text) => Some(text.clone()),
            Self::Accept(text) => text.clone(),
            _ => None,
        }
    }

    fn to(&self) -> Option<String> {
        match self {
            Self::Key(to) | Self::Intent(to) | Self::Open(to) => Some(to.clone()),
            Self::Scroll(side) | Self::Swipe(side) => Some(side.name().to_owned()),
            Self::Rotate(quarters) => Some(quarters.to_string()),
            _ => None,
        }
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wire = Wire {
            r#do: self.verb.name().to_owned(),
            on: self.target.clone(),
            text: self.verb.text(),
            to: self.verb.to(),
        };
        f.write_str(&serde_json::to_string(&wire).expect("texts and numbers are valid JSON"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::action::object_text;
    use super::Act;

    #[test]
    fn every_act_is_read_back_from_its_canonical_spelling() {
        for text in [
            r#"{"do":"tap","on":{"at":[10,-20],"class":"Button","description":"d","id":"ok","path":"0.1","text":"O\"K"}}"#,
            r#"{"do":"tap","on":{"class":"link","css":"a","description":"d","xpath":"//a"}}"#,
            r#"{"do":"hold","on":{"id":"ok"}}"#,
            r#"{"do":"double","on":{"id":"ok"}}"#,
            r#"{"do":"type","on":{"id":"name"},"text":"'; reboot"}"#,
            r#"{"do":"clear","on":{"id":"name"}}"#,
            r#"{"do":"select","on":{"id":"name"},"text":"two"}"#,
            r#"{"do":"key","to":"Enter"}"#,
            r#"{"do":"scroll","on":{"id":"list"},"to":"down"}"#,
            r#"{"do":"swipe","to":"left"}"#,
            r#"{"do":"hover","on":{"id":"list"}}"#,
            r#"{"do":"back"}"#,
            r#"{"do":"menu"}"#,
            r#"{"do":"home"}"#,
            r#"{"do":"rotate","to":"3"}"#,
            r#"{"do":"intent","to":"intent:#Intent;end"}"#,
            r#"{"do":"open","to":"/other"}"#,
            r#"{"do":"accept"}"#,
            r#"{"do":"accept","text":"x"}"#,
            r#"{"do":"dismiss"}"#,
        ] {
            let act = Act::parse(text).unwrap_or_else(|reason| panic!("{text}: {reason}"));
            assert_eq!(act.to_string(), text);
            assert_eq!(object_text(text).unwrap(), text, "its keys are sorted");
        }
    }

    #[track_caller]
    fn refused(text: &str, expect: &str) {
        let reason = Act::parse(text).unwrap_err();
        assert!(reason.contains(expect), "{reason}");
    }

    #[test]
    fn what_is_no_act_is_refused_with_a_reason() {
        refused("tap:menu", "expected");
        refused(r#"{"do":"fly"}"#, "no act is called `fly`");
        refused(r#"{"do":"tap"}"#, "needs `on`");
        refused(r#"{"do":"tap","on":{}}"#, "needs `on`");
        refused(r#"{"do":"type"}"#, "needs `text`");
        refused(r#"{"do":"back","text":"x"}"#, "takes no `text`");
        refused(r#"{"do":"scroll","to":"north"}"#, "up, down, left or right");
        refused(r#"{"do":"rotate","to":"7"}"#, "0 to 3");
        refused(r#"{"do":"back","x":1}"#, "unknown field `x`");
    }
}
