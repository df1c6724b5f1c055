//! The nine rules for events without effect (Section 4.2), each with what it needs to see.

mod combined;
mod pairs;
mod single;

use super::events::{Event, Recording, Sight};
use crate::model::gesture::Key;

/// What a rule has to see of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing but the events and their screens.
    Screens,
    /// Part of it works by screens alone, the rest needs dumps.
    DumpsInPart,
    /// Whether anything happened inside the app.
    Inside,
}

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name in settings and reports.
    pub name: &'static str,
    /// What it removes, in one line.
    pub about: &'static str,
    /// What it has to see.
    pub needs: Needs,
    /// The events that have no effect, as places in a list of events.
    find: fn(&[&Event], &Scene) -> Vec<usize>,
}

/// What rules know beside the events.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// What is on the screen after the start.
    main: super::events::View,
    /// Keys that do not concern the app.
    optional: &'a [Key],
}

/// All rules, in the order in which they are applied.
#[must_use]
pub fn all() -> &'static [Rule] {
    &[
        single::NO_OPS,
        single::HOME,
        single::BACK_ON_MAIN,
        single::OPTIONAL,
        pairs::CONTRARY,
        pairs::NESTED,
        combined::LAST_EFFECTIVE,
        combined::TEXT_SLIDE,
        combined::HIDDEN_MENU,
    ]
}

/// The keys that concern no app unless it says otherwise.
pub const OPTIONAL_KEYS: &[Key] = &[
    Key::CALL,
    Key::ENDCALL,
    Key::VOLUME_UP,
    Key::VOLUME_DOWN,
    Key::VOLUME_MUTE,
];

/// Which rules are on, and what users told them.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The rules that are off, by name.
    pub off: Vec<String>,
    /// The keys that do not concern the app.
    pub optional: Vec<Key>,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            off: Vec::new(),
            optional: OPTIONAL_KEYS.to_vec(),
        }
    }
}

/// What the rules say about a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// For each event the rule that says it has no effect.
    pub why: Vec<Option<&'static str>>,
    /// Rules that are on and could not see enough, with what is missing.
    pub blind: Vec<(&'static str, &'static str)>,
}

impl Finding {
    /// The events that have an effect as far as rules can tell.
    #[must_use]
    pub fn kept(&self) -> Vec<usize> {
        let kept = self.why.iter().enumerate().filter(|(_, why)| why.is_none());
        kept.map(|(event, _)| event).collect()
    }
}

/// Applies the rules that are on, over and over until none finds anything more. The last event is
/// never removed: it is the one that matters.
#[must_use]
pub fn apply(recording: &Recording, choice: &Choice) -> Finding {
    let is_on = |rule: &&Rule| !choice.off.iter().any(|name| name == rule.name);
    let mut finding = Finding {
        why: vec![None; recording.events.len()],
        blind: all()
            .iter()
            .filter(is_on)
            .filter_map(|rule| blind(rule, recording.sight))
            .collect(),
    };
    let scene = Scene {
        main: recording.launch,
        optional: &choice.optional,
    };
    loop {
        let before = finding.kept().len();
        for rule in all().iter().filter(is_on) {
            let mut left = finding.kept();
            left.pop();
            let events: Vec<&Event> = left.iter().map(|&event| &recording.events[event]).collect();
            for found in (rule.find)(&events, &scene) {
                finding.why[left[found]] = Some(rule.name);
            }
        }
        // Each round but the last removes an event, so that there are few of them.
        if finding.kept().len() == before {
            return finding;
        }
    }
}

fn blind(rule: &Rule, sight: Sight) -> Option<(&'static str, &'static str)> {
    let lacks = match rule.needs {
        Needs::Screens => None,
        Needs::DumpsInPart if sight.dumps => None,
        Needs::DumpsInPart => Some("there are no dumps, so widgets are unknown"),
        Needs::Inside if sight.inside => None,
        Needs::Inside => {
            Some("there are neither dumps nor coverage, so nobody knows what happened inside")
        }
    };
    lacks.map(|lacks| (rule.name, lacks))
}

#[cfg(test)]
mod tests;
