//! Dialogs inferred from a recording (Algorithm 1): what was done in which widget of which container,
//! and what that opened.

use rustc_hash::FxHashSet;

use super::super::chard::events::{Event, Object, Recording, View};

/// A container: the main window, or what an event opened.
pub type Container = usize;
/// A widget dialog: events in a row on one widget.
pub type Widget = usize;

/// What can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A widget dialog.
    Widget(Widget),
    /// An event.
    Event(usize),
}

/// The dialogs of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dialogs {
    containers: Vec<Vec<Widget>>,
    widgets: Vec<Vec<usize>>,
    opens: Vec<Option<Container>>,
}

impl Dialogs {
    /// The main window.
    pub const MAIN: Container = 0;

    /// How many events there are.
    #[must_use]
    pub fn n_events(&self) -> usize {
        self.opens.len()
    }

    /// The widget dialogs of a container.
    pub fn widgets(&self, container: Container) -> impl Iterator<Item = Widget> + '_ {
        self.containers[container].iter().copied()
    }

    /// The events of a widget dialog.
    #[must_use]
    pub fn events(&self, widget: Widget) -> &[usize] {
        &self.widgets[widget]
    }

    /// The container that an event opened.
    #[must_use]
    pub fn opens(&self, event: usize) -> Option<Container> {
        self.opens[event]
    }

    /// All events of a part, with those of everything that it opens.
    #[must_use]
    pub fn inside(&self, part: Part) -> Vec<usize> {
        let mut open = match part {
            Part::Widget(widget) => self.widgets[widget].clone(),
            Part::Event(event) => vec![event],
        };
        let mut inside = Vec::new();
        let mut seen = FxHashSet::default();
        while let Some(event) = open.pop() {
            if !seen.insert(event) {
                continue;
            }
            inside.push(event);
            let below = self.opens[event]
                .into_iter()
                .flat_map(|container| self.widgets(container));
            open.extend(below.flat_map(|widget| self.events(widget).iter().copied()));
        }
        inside
    }
}

/// Puts recorded events into dialogs one by one.
#[derive(Debug, Default)]
pub struct Recorder {
    dialogs: Dialogs,
    /// The containers that are open, the topmost last.
    open: Vec<Container>,
    /// What the last event of each container was done to.
    last: Vec<Option<String>>,
}

/// What an event did to containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    Stays,
    /// It opened another one.
    Opens,
    /// It closed so many of them.
    Closes(usize),
}

impl Recorder {
    /// The main window is open.
    #[must_use]
    pub fn new() -> Self {
        let mut recorder = Self::default();
        recorder.add_container();
        recorder
    }

    fn add_container(&mut self) {
        self.open.push(self.dialogs.containers.len());
        self.dialogs.containers.push(Vec::new());
        self.last.push(None);
    }

    /// Records an event on a widget of the topmost container.
    pub fn record(&mut self, widget: &str, change: Change) {
        let event = self.dialogs.opens.len();
        let container = self.open.last().copied().unwrap_or(Dialogs::MAIN);
        let dialogs = &mut self.dialogs;
        if self.last[container].as_deref() != Some(widget)
            || dialogs.containers[container].is_empty()
        {
            dialogs.containers[container].push(dialogs.widgets.len());
            dialogs.widgets.push(Vec::new());
            self.last[container] = Some(widget.to_owned());
        }
        let dialog = dialogs.containers[container]
            .last()
            .copied()
            .unwrap_or_default();
        dialogs.widgets[dialog].push(event);
        dialogs.opens.push(None);
        match change {
            Change::Stays => {}
            Change::Opens => {
                dialogs.opens[event] = Some(dialogs.containers.len());
                self.add_container();
            }
            Change::Closes(n) => {
                let left = self.open.len().saturating_sub(n).max(1);
                self.open.truncate(left);
            }
        }
    }

    /// The dialogs so far.
    #[must_use]
    pub fn finish(self) -> Dialogs {
        self.dialogs
    }
}

/// The dialogs of a recording: a window that is shown and was not open is opened, one that was open
/// already closes those above it.
#[must_use]
pub fn dialogs(recording: &Recording) -> Dialogs {
    let mut recorder = Recorder::new();
    let mut open: Vec<View> = vec![recording.launch];
    for event in &recording.events {
        let change = match open.iter().rposition(|view| *view == event.after) {
            Some(at) if at + 1 == open.len() => Change::Stays,
            Some(at) => Change::Closes(open.len() - at - 1),
            None => Change::Opens,
        };
        match change {
            Change::Stays => {}
            Change::Opens => open.push(event.after),
            Change::Closes(n) => open.truncate(open.len() - n),
        }
        recorder.record(&widget_of(event), change);
    }
    recorder.finish()
}

/// What an event was done to, as far as the recording tells.
fn widget_of(event: &Event) -> String {
    match &event.object {
        Object::Widget(widget) => format!("{} {} {:?}", widget.class, widget.id, widget.bounds),
        Object::Key(key) => format!("key {key}"),
        _ => match super::typed::typed(&event.action) {
            Some(typed) if !typed.field.is_empty() => typed.field.into_owned(),
            _ => event
                .action
                .split_once(':')
                .map_or(&*event.action, |(_, object)| object)
                .to_owned(),
        },
    }
}
