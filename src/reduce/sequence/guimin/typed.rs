//! What actions type: `DispatchString(text)`, `typeFIELD(text)`, `type:FIELD=text`, and objects with a
//! `text` or a `value`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::model::action::object_text;

/// Text that an action types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed<'a> {
    /// What it is typed into; empty if that is unknown.
    pub field: Cow<'a, str>,
    /// The text.
    pub text: Cow<'a, str>,
}

/// The words that begin actions which type something.
const VERBS: [&str; 5] = ["type", "text", "input", "change", "enter"];

/// The members of an object that hold what is typed.
const TEXTS: [&str; 2] = ["text", "value"];

/// The text that an action types.
#[must_use]
pub fn typed(action: &str) -> Option<Typed<'_>> {
    if action.starts_with('{') {
        let object = serde_json::from_str(action).ok()?;
        return typed_by_object(&object);
    }
    let (field, text) = parts(action)?;
    Some(Typed {
        field: field.into(),
        text: text.into(),
    })
}

/// An action that types another text into the same field.
#[must_use]
pub fn retyped(action: &str, text: &str) -> Option<String> {
    if action.starts_with('{') {
        typed(action)?;
        // Members that stay are not read, so that long numbers keep their digits.
        let mut members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(action).ok()?;
        let is_text = |name: &&&str| {
            let member = members.get(**name);
            member.is_some_and(|member| member.get().starts_with('"'))
        };
        let name = TEXTS.iter().find(is_text)?;
        members.insert((*name).to_owned(), to_raw_value(text).ok()?);
        return object_text(&serde_json::to_string(&members).ok()?).ok();
    }
    let (_, old) = parts(action)?;
    let at = old.as_ptr() as usize - action.as_ptr() as usize;
    let mut new = action.to_owned();
    new.replace_range(at..at + old.len(), text);
    Some(new)
}

/// The field and the text of an action that is a plain text.
fn parts(action: &str) -> Option<(&str, &str)> {
    if let Some(text) = action
        .strip_prefix("DispatchString(")
        .and_then(|text| text.strip_suffix(')'))
    {
        return Some(("", text));
    }
    let mut rests = VERBS.iter().filter_map(|verb| action.strip_prefix(verb));
    rests.find_map(|rest| {
        let told = rest.strip_prefix(':').and_then(|rest| rest.split_once('='));
        told.or_else(|| rest.strip_suffix(')')?.split_once('('))
    })
}

/// An object types where a member of it is text beside what it is typed into, as in
/// `{"do":"type","on":{"id":"mail"},"text":"…"}`. What names the target of a tap is not typed.
fn typed_by_object(object: &Value) -> Option<Typed<'static>> {
    let members = object.as_object()?;
    let verb = ["do", "action", "type", "kind", "event"]
        .iter()
        .find_map(|name| members.get(*name)?.as_str())?;
    let verb = verb.to_lowercase();
    if !["type", "text", "input", "change", "enter", "fill", "key"]
        .iter()
        .any(|word| verb.contains(word))
    {
        return None;
    }
    let text = TEXTS.iter().find_map(|name| members.get(*name)?.as_str())?;
    let others = members
        .iter()
        .filter(|(name, _)| !TEXTS.contains(&name.as_str()));
    let mut field = Vec::new();
    for (_, value) in others {
        words(value, &mut field);
    }
    Some(Typed {
        field: field.join(" ").into(),
        text: text.to_owned().into(),
    })
}

/// All texts of a value.
fn words(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| words(item, into)),
        Value::Object(members) => members.values().for_each(|item| words(item, into)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{retyped, typed};

    #[track_caller]
    fn check(action: &str, expect: Option<(&str, &str)>) {
        let typed = typed(action);
        let found = typed.as_ref().map(|typed| (&*typed.field, &*typed.text));
        assert_eq!(found, expect, "{action}");
    }

    #[test]
    fn what_is_typed_is_found_in_every_spelling() {
        check("DispatchString(a (b))", Some(("", "a (b)")));
        check("typeIDY_checkout(xx)", Some(("IDY_checkout", "xx")));
        check("type:mail=a=b", Some(("mail", "a=b")));
        check(
            r#"{"do":"type","on":{"id":"mail"},"text":"jo\"x"}"#,
            Some(("type mail", "jo\"x")),
        );
        check(
            r#"{"action":"fill","value":"5","where":"pin"}"#,
            Some(("fill pin", "5")),
        );
    }

    #[test]
    fn what_names_a_widget_is_not_typed() {
        check(r#"{"do":"tap","on":{"text":"Save"}}"#, None);
        check(r#"{"do":"tap","text":"Save"}"#, None);
        check(r#"{"do":"type","on":{"text":"Name"}}"#, None);
        check("tap:name", None);
        check("{broken", None);
    }

    #[test]
    fn another_text_is_typed_into_the_same_field() {
        assert_eq!(
            retyped("type:email=a@b.c", "x").as_deref(),
            Some("type:email=x")
        );
        assert_eq!(retyped("typeF(a)", "").as_deref(), Some("typeF()"));
        assert_eq!(retyped("tap:x", "y"), None);
        let object = r#"{"do":"type","n":12345678901234567890123,"on":{"id":"mail"},"text":"jo"}"#;
        assert_eq!(
            retyped(object, "\"").as_deref(),
            Some(r#"{"do":"type","n":12345678901234567890123,"on":{"id":"mail"},"text":"\""}"#)
        );
    }
}
