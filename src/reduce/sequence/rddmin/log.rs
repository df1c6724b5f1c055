//! Logs as rules see them: events with arguments, and the states between them.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::model::{Names, ScreenId, Suite, TraceIdx};

/// The name of an event or the text of its arguments, as a number.
pub type Word = u32;

/// An event: `add(3)` has the name `add` and the arguments `3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    /// Its name.
    pub name: Word,
    /// Its arguments.
    pub arguments: Word,
}

/// A log: the events, and the state before the first and after each of them; none where it is
/// unknown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Log {
    /// The events.
    pub events: Vec<Event>,
    /// One state more than there are events.
    pub states: Vec<Option<ScreenId>>,
}

/// The names and arguments of events as numbers.
#[derive(Debug, Clone, Default)]
pub struct Words(IndexSet<Box<str>, FxBuildHasher>);

impl Words {
    /// The event of an action.
    pub fn event(&mut self, action: &str) -> Event {
        let (name, arguments) = match action
            .strip_suffix(')')
            .and_then(|text| text.split_once('('))
        {
            Some((name, arguments)) if !name.is_empty() => (name, arguments),
            _ => (action, ""),
        };
        Event {
            name: self.word(name),
            arguments: self.word(arguments),
        }
    }

    fn word(&mut self, text: &str) -> Word {
        self.0.insert_full(text.into()).0 as Word
    }

    /// The text of a word.
    #[must_use]
    pub fn text(&self, word: Word) -> &str {
        self.0.get_index(word as usize).map_or("", |text| text)
    }
}

/// The logs of some traces. A screen that only launches show says nothing about states, since it
/// may stand for what nobody recorded; it counts as unknown.
#[must_use]
pub fn logs(suite: &Suite, names: &Names, traces: &[TraceIdx], words: &mut Words) -> Vec<Log> {
    let steps = traces.iter().flat_map(|&idx| suite.steps(idx));
    let shown: FxHashSet<ScreenId> = steps.map(|step| step.screen).collect();
    let log = |&idx: &TraceIdx| {
        let launch = suite.trace(idx).launch_screen;
        let mut log = Log {
            events: Vec::new(),
            states: vec![shown.contains(&launch).then_some(launch)],
        };
        for step in suite.steps(idx) {
            log.events.push(words.event(names.action_text(step.action)));
            log.states.push(Some(step.screen));
        }
        log
    };
    traces.iter().map(log).collect()
}
