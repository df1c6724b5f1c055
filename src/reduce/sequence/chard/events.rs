//! Events as the rules see them: what was done, to what, and what came of it (Definition 3.3).

use crate::model::gesture::{Gesture, Key};
use crate::model::window::{Widget, Window};
use crate::model::{Cover, Names, ScreenId, StepRef, Suite, TraceIdx};

/// Windows with less in common than this are different ones.
const SAME_WINDOW: f64 = 0.6;

/// What an event was done to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Object {
    /// Nothing is known: there is no dump of the screen.
    Unknown,
    /// A dump shows that there is nothing.
    Nothing,
    /// A key.
    Key(Key),
    /// A widget.
    Widget(Box<Widget>),
}

/// What is on the screen: numbers of windows that are told apart within one trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct View {
    /// The screen of the recording.
    pub screen: ScreenId,
    /// The window on it, counted from 0 where there are dumps to tell them apart.
    pub window: u32,
}

/// An event of a trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The action as the suite spells it.
    pub action: String,
    /// The gesture that it is, if it is one.
    pub gesture: Option<Gesture>,
    /// What it was done to.
    pub object: Object,
    /// What was on the screen before.
    pub before: View,
    /// And after it.
    pub after: View,
    /// Whether the app did anything inside, as far as is known: code that ran, or content that
    /// changed.
    pub inside: Option<bool>,
    /// The code that ran, where coverage was recorded.
    pub ran: Cover,
    /// Whether the input reached the app.
    pub injected: bool,
    /// Whether it led to something that was refused, outside of the app for instance.
    pub rejected: bool,
    /// The fault it raised.
    pub fault: Option<String>,
    /// The numbers of the low-level events it is made of.
    pub ids: Vec<u32>,
}

impl Event {
    /// Whether the window changed.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.before != self.after
    }

    /// The key that was pressed.
    #[must_use]
    pub fn key(&self) -> Option<Key> {
        match self.gesture {
            Some(Gesture::Press(key)) => Some(key),
            _ => None,
        }
    }

    /// The widget it was done to.
    #[must_use]
    pub fn widget(&self) -> Option<&Widget> {
        match &self.object {
            Object::Widget(widget) => Some(widget),
            _ => None,
        }
    }

    /// Whether it is a tap on this class of widgets.
    #[must_use]
    pub fn taps(&self, class: &str) -> bool {
        let is_tap = matches!(self.gesture, Some(Gesture::Tap { .. }));
        is_tap
            && self
                .widget()
                .is_some_and(|widget| widget.class.ends_with(class))
    }
}

/// What a recording lets the rules see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sight {
    /// Dumps tell which widgets were there.
    pub dumps: bool,
    /// Coverage or dumps tell whether anything happened inside.
    pub inside: bool,
    /// The screens of the recording are not all the same.
    pub screens: bool,
}

/// The events of a trace with what the recording lets one see.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// The events.
    pub events: Vec<Event>,
    /// What is on the screen after the start.
    pub launch: View,
    /// What can be seen.
    pub sight: Sight,
}

/// Binds the steps of a trace to what the dumps show: `dumps` holds that of the launch and then
/// that after each step, as far as there are any.
#[must_use]
pub fn events(
    suite: &Suite,
    names: &Names,
    trace: TraceIdx,
    dumps: &[Option<Window>],
) -> Recording {
    let steps = suite.steps(trace);
    let has_coverage = steps
        .iter()
        .any(|step| !suite.cover(step.covers).elements().is_empty());
    let dump = |i: usize| dumps.get(i).and_then(Option::as_ref);
    let mut views = Views::default();
    let launch = views.view(suite.trace(trace).launch_screen, dump(0));
    let mut before = launch;
    let mut events = Vec::with_capacity(steps.len());
    for (i, step) in steps.iter().enumerate() {
        let at = StepRef {
            trace,
            step: i as u32,
        };
        let after = views.view(step.screen, dump(i + 1));
        let action = names.action_text(step.action).to_owned();
        let gesture = Gesture::parse(&action);
        let ran = suite.cover(step.covers).clone();
        let changed = dump(i).zip(dump(i + 1)).map(|(old, new)| old != new);
        let inside = if has_coverage {
            Some(!ran.elements().is_empty())
        } else {
            changed
        };
        events.push(Event {
            object: object(gesture.as_ref(), dump(i)),
            action,
            gesture,
            before,
            after,
            inside,
            ran,
            injected: field(suite, at, "injected") != Some("false"),
            rejected: field(suite, at, "rejected").is_some(),
            fault: step.fault.map(|fault| {
                let name = names.element_name(fault);
                name.strip_prefix("fault:").unwrap_or(name).to_owned()
            }),
            ids: ids(field(suite, at, "ids"), i),
        });
        before = after;
    }
    let sight = Sight {
        dumps: dumps.iter().flatten().next().is_some(),
        inside: events.iter().any(|event| event.inside.is_some()),
        screens: events.iter().any(Event::moves),
    };
    Recording {
        events,
        launch,
        sight,
    }
}

fn field<'s>(suite: &'s Suite, at: StepRef, name: &str) -> Option<&'s str> {
    let fields = suite.step_fields(at).iter();
    fields
        .filter(|(key, _)| **key == *name)
        .map(|(_, json)| &**json)
        .next()
}

/// The numbers in a list such as `[8,9]`; the step's own where there are none.
fn ids(json: Option<&str>, step: usize) -> Vec<u32> {
    let inside = json.and_then(|json| json.strip_prefix('[')?.strip_suffix(']'));
    let numbers = inside.map(|list| list.split(',').filter_map(|id| id.trim().parse().ok()));
    let numbers: Vec<u32> = numbers.into_iter().flatten().collect();
    if numbers.is_empty() {
        vec![step as u32 + 2]
    } else {
        numbers
    }
}

fn object(gesture: Option<&Gesture>, window: Option<&Window>) -> Object {
    let Some(gesture) = gesture else {
        return Object::Unknown;
    };
    if let Gesture::Press(key) = gesture {
        return Object::Key(*key);
    }
    match (gesture.at(), window) {
        (Some(at), Some(window)) => match window.hit(at) {
            Some((_, widget)) => Object::Widget(Box::new(widget.clone())),
            None => Object::Nothing,
        },
        _ => Object::Unknown,
    }
}

/// The windows seen so far, each with its screen.
#[derive(Default)]
struct Views<'w>(Vec<(ScreenId, &'w Window)>);

impl<'w> Views<'w> {
    fn view(&mut self, screen: ScreenId, window: Option<&'w Window>) -> View {
        let Some(window) = window else {
            return View { screen, window: 0 };
        };
        let of_screen = self.0.iter().filter(|(other, _)| *other == screen);
        let known = of_screen
            .clone()
            .position(|(_, known)| known.likeness(window) >= SAME_WINDOW);
        let n_known = of_screen.count();
        if known.is_none() {
            self.0.push((screen, window));
        }
        let number = known.unwrap_or(n_known);
        View {
            screen,
            window: number as u32,
        }
    }
}
