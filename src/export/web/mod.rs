//! Tests of web pages in the formats of their own tools: what was done, by names that the tool's
//! runner finds again. What a format cannot say is named as unwritten.

mod devtools;
mod playwright;
mod selenium;

pub(super) use devtools::EXPORTER as DEVTOOLS;
pub(super) use playwright::EXPORTER as PLAYWRIGHT;
pub(super) use selenium::EXPORTER as SELENIUM;

use crate::model::act::{Act, Target, Verb};
use crate::model::{Names, Suite, TraceIdx};

/// Where a page is taken to be whose trace says its path alone.
const HOST: &str = "http://localhost:8080";

/// A trace as a test of a page.
struct Test {
    title: String,
    /// The page it begins on: a whole URL, or a path.
    url: String,
    viewport: Option<(u64, u64)>,
    steps: Vec<Step>,
}

/// A step of it.
struct Step {
    /// What the suite says.
    action: String,
    /// The same as an act; none if it is something else, a gesture by coordinates for instance.
    act: Option<Act>,
}

impl Test {
    fn new(suite: &Suite, names: &Names, idx: TraceIdx) -> Self {
        let trace = suite.trace(idx);
        let steps = suite.steps(idx).iter().map(|step| {
            let action = names.action_text(step.action).to_owned();
            let act = Act::parse(&action).ok();
            Step { action, act }
        });
        Self {
            title: trace.id.to_string(),
            url: opened(trace.launch_fields).unwrap_or_else(|| "/".to_owned()),
            viewport: viewport(trace.fields),
            steps: steps.collect(),
        }
    }

    /// The page it begins on as a whole URL.
    fn whole_url(&self) -> String {
        whole(&self.url)
    }

    /// The step in front of another.
    fn before(&self, place: usize) -> Option<&Act> {
        self.steps.get(place.checked_sub(1)?)?.act.as_ref()
    }

    /// The step behind another.
    fn after(&self, place: usize) -> Option<&Act> {
        self.steps.get(place + 1)?.act.as_ref()
    }
}

fn whole(url: &str) -> String {
    if url.contains("://") {
        url.to_owned()
    } else {
        format!("{HOST}/{}", url.trim_start_matches('/'))
    }
}

/// The page that a recorded launch opens.
fn opened(fields: &[(Box<str>, Box<str>)]) -> Option<String> {
    let (_, json) = fields.iter().find(|(name, _)| **name == *"action")?;
    match Act::parse(json).ok()?.verb {
        Verb::Open(url) => Some(url),
        _ => None,
    }
}

fn viewport(fields: &[(Box<str>, Box<str>)]) -> Option<(u64, u64)> {
    let (_, json) = fields.iter().find(|(name, _)| **name == *"viewport")?;
    let size: serde_json::Value = serde_json::from_str(json).ok()?;
    size["width"].as_u64().zip(size["height"].as_u64())
}

/// The role of a target, if it is one that pages know and not a name of the browser's own.
fn role(target: &Target) -> Option<&str> {
    let is_role = |role: &&str| !role.is_empty() && role.bytes().all(|b| b.is_ascii_lowercase());
    Some(&*target.class).filter(is_role)
}

#[cfg(test)]
mod tests;
