//! The steps of a file, one after the other, and where it stops making sense.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use serde_json::value::RawValue;

/// A step as far as it is used.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) kind: Kind,
    /// Which event of the state before.
    pub(super) index: Option<i64>,
    /// Empty where there is none.
    pub(super) activity: String,
    pub(super) keyboard: bool,
    pub(super) ui: Option<&'a RawValue>,
    /// The tool's number of the state.
    pub(super) state: Option<i64>,
    /// What the state offers.
    pub(super) events: Vec<String>,
    pub(super) branches: Vec<Number>,
    pub(super) methods: Vec<Number>,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Start,
    Event,
    Close,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire<'a> {
    action: String,
    #[serde(default)]
    action_index: Option<i64>,
    #[serde(default)]
    activity: Option<String>,
    #[serde(default)]
    is_keyboard_shown: Option<bool>,
    #[serde(default, borrow)]
    ui: Option<&'a RawValue>,
    #[serde(default)]
    abstract_state: Option<WireState>,
    #[serde(default)]
    branch_coverage: Option<Vec<Number>>,
    #[serde(default)]
    method_coverage: Option<Vec<Number>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct WireState {
    #[serde(default)]
    id: Option<i64>,
    #[serde(default)]
    activity: Option<String>,
    #[serde(default)]
    enabled_events: Option<Vec<String>>,
}

fn parse(raw: &RawValue) -> Result<Step<'_>, String> {
    let wire: Wire = serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
    let kind = match &*wire.action {
        "Start" | "Restart" => Kind::Start,
        "Event" => Kind::Event,
        "Close" => Kind::Close,
        other => return Err(format!("no action is called `{other}`")),
    };
    let state = wire.abstract_state.unwrap_or_default();
    let activity = wire.activity.or(state.activity).unwrap_or_default();
    Ok(Step {
        kind,
        index: wire.action_index,
        activity: if activity == "null" {
            String::new()
        } else {
            activity
        },
        keyboard: wire.is_keyboard_shown.unwrap_or_default(),
        ui: wire.ui,
        state: state.id,
        events: state.enabled_events.unwrap_or_default(),
        branches: wire.branch_coverage.unwrap_or_default(),
        methods: wire.method_coverage.unwrap_or_default(),
    })
}

/// Hands out every step with its number from 0, and says how many there were and what, if anything,
/// is wrong behind the last of them.
pub(super) fn each<'a>(
    text: &'a str,
    mut take: impl FnMut(usize, Result<Step<'a>, String>),
) -> (usize, Option<String>) {
    let mut count = 0;
    let mut next = |raw: &'a RawValue| {
        take(count, parse(raw));
        count += 1;
    };
    let mut json = serde_json::Deserializer::from_str(text);
    let read = File(&mut next).deserialize(&mut json);
    (
        count,
        read.err()
            .map(|error| format!("it is cut off or damaged: {error}")),
    )
}

/// The whole file: an object with the list in it, or the list.
struct File<'f, F>(&'f mut F);

impl<'de, F: FnMut(&'de RawValue)> DeserializeSeed<'de> for File<'_, F> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, F: FnMut(&'de RawValue)> Visitor<'de> for File<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object with `trace`, or a list of steps")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(step) = list.next_element::<&RawValue>()? {
            (self.0)(step);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<std::borrow::Cow<'_, str>>()? {
            if key == "trace" {
                map.next_value_seed(File(&mut *self.0))?;
            } else {
                map.next_value::<serde::de::IgnoredAny>()?;
            }
        }
        Ok(())
    }
}
