//! A trace as its line spells it, before its strings become ids.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::model::action::{self, Text};
use crate::model::{ElementId, Fields, Names, NewStep, NewTrace};

/// A trace; without an id it gets one by its number.
pub(super) struct WireTrace<'a> {
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) launch: WireLaunch<'a>,
    pub(super) steps: Vec<WireStep<'a>>,
    pub(super) fields: Fields,
}

pub(super) struct WireLaunch<'a> {
    pub(super) screen: Cow<'a, str>,
    pub(super) covers: Vec<Label<'a>>,
    pub(super) fields: Fields,
}

pub(super) struct WireStep<'a> {
    /// In its canonical form.
    pub(super) action: Cow<'a, str>,
    pub(super) covers: Vec<Label<'a>>,
    pub(super) screen: Cow<'a, str>,
    pub(super) fault: Option<Cow<'a, str>>,
    pub(super) millis: Option<u32>,
    pub(super) fields: Fields,
}

/// An element as `covers` spells it.
pub(super) enum Label<'a> {
    Text(Cow<'a, str>),
    Unsigned(u64),
    Signed(i64),
}

/// A fragment that a reduced trace is made of; which trace it is from does not matter here.
#[derive(serde::Deserialize)]
struct WireFragment {
    first: u32,
    last: u32,
}

/// The steps at which the fragments behind the first begin; none where `from` does not fit.
fn joins(fields: &Fields, n_steps: usize) -> Vec<u32> {
    let from = fields.iter().find(|(name, _)| **name == *"from");
    let fragments: Option<Vec<WireFragment>> =
        from.and_then(|(_, raw)| serde_json::from_str(raw).ok());
    let mut joins = Vec::new();
    let mut end = 0_u32;
    for fragment in fragments.into_iter().flatten() {
        joins.push(end);
        let steps = fragment.last.checked_sub(fragment.first);
        let steps = steps.and_then(|steps| steps.checked_add(1));
        match steps.and_then(|steps| end.checked_add(steps)) {
            Some(next) => end = next,
            None => return Vec::new(),
        }
    }
    if end as usize != n_steps {
        return Vec::new();
    }
    joins.into_iter().skip(1).collect()
}

impl WireTrace<'_> {
    /// Turns all strings into ids, in the order in which the line has them.
    pub(super) fn intern(
        self,
        id: Box<str>,
        names: &mut Names,
    ) -> (NewTrace, impl Iterator<Item = NewStep>) {
        let trace = NewTrace {
            id,
            launch_screen: names.screen(&self.launch.screen),
            launch_covers: intern_all(&self.launch.covers, names),
            launch_fields: self.launch.fields,
            joins: joins(&self.fields, self.steps.len()),
            fields: self.fields,
        };
        let steps = self.steps.into_iter().map(|step| step.intern(names));
        (trace, steps)
    }

    /// All names in it, integers left out.
    pub(super) fn names(&self) -> impl Iterator<Item = &Cow<'_, str>> {
        let launch = texts(&self.launch.covers).chain([&self.launch.screen]);
        let steps = self.steps.iter().flat_map(|step| {
            let covers = texts(&step.covers).chain(&step.fault);
            [&step.action, &step.screen].into_iter().chain(covers)
        });
        self.id.iter().chain(launch).chain(steps)
    }
}

impl WireStep<'_> {
    fn intern(self, names: &mut Names) -> NewStep {
        NewStep {
            action: names.action(&self.action),
            covers: intern_all(&self.covers, names),
            screen: names.screen(&self.screen),
            fault: self.fault.map(|fault| names.fault(&fault)),
            millis: self.millis,
            fields: self.fields,
        }
    }
}

fn intern_all(labels: &[Label<'_>], names: &mut Names) -> Vec<ElementId> {
    let ids = labels.iter().map(|label| match label {
        Label::Text(text) => names.element(text),
        Label::Unsigned(number) => names.numbered_element(*number),
        Label::Signed(number) => names.integer_element(&number.to_string()),
    });
    ids.collect()
}

fn texts<'s, 'a>(labels: &'s [Label<'a>]) -> impl Iterator<Item = &'s Cow<'a, str>> {
    labels.iter().filter_map(|label| match label {
        Label::Text(text) => Some(text),
        Label::Unsigned(_) | Label::Signed(_) => None,
    })
}

/// An id, for which a whole number is good as well.
struct Id<'a>(Cow<'a, str>);

/// An action in canonical form.
struct Action<'a>(Cow<'a, str>);

/// Implements `Deserialize` by a visitor of methods.
macro_rules! visit {
    ($type:ident, $ask:ident, $expecting:literal, { $($method:item)* }) => {
        impl<'de: 'a, 'a> Deserialize<'de> for $type<'a> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Visit;
                impl<'de> Visitor<'de> for Visit {
                    type Value = $type<'de>;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }
                    $($method)*
                }
                deserializer.$ask(Visit)
            }
        }
    };
}

visit!(Id, deserialize_any, "a string", {
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Id<'de>, E> {
        Ok(Id(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Id<'de>, E> {
        Ok(Id(Cow::Owned(text.to_owned())))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Id<'de>, E> {
        Ok(Id(Cow::Owned(number.to_string())))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Id<'de>, E> {
        Ok(Id(Cow::Owned(number.to_string())))
    }
});

visit!(Label, deserialize_any, "a string or a whole number", {
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Label<'de>, E> {
        Ok(Label::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Label<'de>, E> {
        Ok(Label::Text(Cow::Owned(text.to_owned())))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Label<'de>, E> {
        Ok(Label::Unsigned(number))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Label<'de>, E> {
        Ok(Label::Signed(number))
    }
});

visit!(Action, deserialize_any, "a string or an object", {
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Action<'de>, E> {
        Ok(Action(action::plain(Cow::Borrowed(text))))
    }
    fn visit_str<E>(self, text: &str) -> Result<Action<'de>, E> {
        Ok(Action(action::plain(Cow::Owned(text.to_owned()))))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Action<'de>, A::Error> {
        let text = action::object(map)?;
        Ok(Action(Cow::Owned(text)))
    }
});

visit!(WireTrace, deserialize_map, "a trace object", {
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WireTrace<'de>, A::Error> {
        let (mut id, mut launch, mut steps) = (None, None, None);
        let mut fields = Fields::new();
        while let Some(Text(key)) = map.next_key()? {
            match &*key {
                "id" => once(&mut id, "id", &mut map)?,
                "launch" => once(&mut launch, "launch", &mut map)?,
                "steps" => once(&mut steps, "steps", &mut map)?,
                _ => unknown(&mut fields, key, &mut map)?,
            }
        }
        let Id(id) = id.ok_or_else(|| de::Error::missing_field("id"))?;
        Ok(WireTrace {
            id: Some(id),
            launch: launch.ok_or_else(|| de::Error::missing_field("launch"))?,
            steps: steps.ok_or_else(|| de::Error::missing_field("steps"))?,
            fields: without_repeats(fields)?,
        })
    }
});

visit!(WireLaunch, deserialize_map, "a launch object", {
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WireLaunch<'de>, A::Error> {
        let (mut screen, mut covers) = (None, None);
        let mut fields = Fields::new();
        while let Some(Text(key)) = map.next_key()? {
            match &*key {
                "screen" => once(&mut screen, "screen", &mut map)?,
                "covers" => once(&mut covers, "covers", &mut map)?,
                _ => unknown(&mut fields, key, &mut map)?,
            }
        }
        let Text(screen) = screen.ok_or_else(|| de::Error::missing_field("screen"))?;
        Ok(WireLaunch {
            screen,
            covers: covers.unwrap_or_default(),
            fields: without_repeats(fields)?,
        })
    }
});

visit!(WireStep, deserialize_map, "a step object", {
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WireStep<'de>, A::Error> {
        let (mut action, mut covers, mut screen) = (None, None, None);
        let (mut fault, mut millis) = (None, None);
        let mut fields = Fields::new();
        while let Some(Text(key)) = map.next_key()? {
            match &*key {
                "action" => once(&mut action, "action", &mut map)?,
                "covers" => once(&mut covers, "covers", &mut map)?,
                "screen" => once(&mut screen, "screen", &mut map)?,
                "fault" => once::<_, Option<Text>>(&mut fault, "fault", &mut map)?,
                "millis" => once::<_, Option<u32>>(&mut millis, "millis", &mut map)?,
                _ => unknown(&mut fields, key, &mut map)?,
            }
        }
        let Action(action) = action.ok_or_else(|| de::Error::missing_field("action"))?;
        let Text(screen) = screen.ok_or_else(|| de::Error::missing_field("screen"))?;
        Ok(WireStep {
            action,
            covers: covers.unwrap_or_default(),
            screen,
            fault: fault.flatten().map(|Text(fault)| fault),
            millis: millis.flatten(),
            fields: without_repeats(fields)?,
        })
    }
});

/// Reads the value of a field that may stand there once.
fn once<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    slot: &mut Option<T>,
    name: &'static str,
    map: &mut A,
) -> Result<(), A::Error> {
    if slot.is_some() {
        return Err(de::Error::duplicate_field(name));
    }
    *slot = Some(map.next_value()?);
    Ok(())
}

fn unknown<'de, A: MapAccess<'de>>(
    fields: &mut Fields,
    name: Cow<'de, str>,
    map: &mut A,
) -> Result<(), A::Error> {
    let value: &RawValue = map.next_value()?;
    fields.push((name.into(), value.get().into()));
    Ok(())
}

fn without_repeats<E: de::Error>(fields: Fields) -> Result<Fields, E> {
    let mut names: Vec<_> = fields.iter().map(|(name, _)| name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(E::custom(format_args!("duplicate field `{}`", pair[0]))),
        None => Ok(fields),
    }
}
