//! Traces of `SwiftHand2` and `DetReduce`, `trace.json`: all runs in one list of steps.
//!
//! A step is the state after its action. A trace goes from a `Start` or `Restart` to the step before
//! the next one; what the start covered is the launch's. An action is an index into the events that
//! the step before offers. Branch ids from 10,000,000 up are exceptions, so they become faults. A
//! state that offers nothing but `close` and has no activity is outside of the app. Closing the app
//! is a step where it covered something, and else only the end of the trace.
//!
//! Screens are the tool's own: the activity and the kinds and classes of what can be done, in order.
//! Where an abstraction is asked for, they are made of `ui`, and of the tool's own where a step has
//! none. A file that is cut off gives what is in front of the cut.

mod event;
mod step;
mod ui;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use step::{Kind, Step};

use super::collect::Collector;
use super::lines::LineFault;
use super::source::Source;
use super::wire::{Label, WireLaunch, WireStep, WireTrace};
use super::{ImportError, Importer, Likeness, PLAIN};
use crate::model::{Fields, sha256};
pub(super) use ui::windows;

pub(super) const IMPORTER: Importer = Importer {
    name: "swifthand",
    extensions: &["swifthand.json"],
    shared: &["json"],
    looks,
    read,
    ..PLAIN
};

const MOST_BYTES: u64 = 1 << 30;
/// Branch ids from here on are exceptions.
const FIRST_EXCEPTION: i64 = 10_000_000;
/// The screen of a state outside of the app.
const OUTSIDE: &str = "outside";

fn looks(_: &Path, text: &str) -> Likeness {
    if looks_like(text) {
        Likeness::Alike
    } else {
        Likeness::Foreign
    }
}

/// Whether a text begins as such a trace does.
pub(super) fn looks_like(text: &str) -> bool {
    let has = |word: &str| text.contains(word);
    let is_list = text.trim_start().starts_with('[') || has("\"trace\"");
    is_list
        && has("\"action\"")
        && (has("\"abstractState\"") || has("\"branchCoverage\"") || has("\"ui\""))
}

fn read(source: &mut Source, collector: &mut Collector) -> Result<(), ImportError> {
    let mut raw = Vec::new();
    let read = source.by_ref().take(MOST_BYTES).read_to_end(&mut raw);
    read.map_err(|error| source.unreadable(error))?;
    let text = String::from_utf8_lossy(&raw);
    let stem = super::monkey::trace_id(source.path(), collector.has_many_files());
    let mut runs = Runs {
        stem,
        collector,
        offers: BTreeMap::new(),
        events: Vec::new(),
        run: None,
        number: 0,
        early: 0,
        unknown_texts: 0,
    };
    let (n_steps, trouble) = step::each(&text, |number, step| runs.take(number, step));
    let Runs { early, .. } = runs;
    runs.end();
    let unknown_texts = runs.unknown_texts;
    if early > 0 {
        let reason = format!("{early} steps before the first start belong to no trace");
        collector.note(1, &reason);
    }
    if unknown_texts > 0 {
        let reason = format!(
            "what {unknown_texts} steps typed is not in the file; they type the number that it has instead"
        );
        collector.note(1, &reason);
    }
    match trouble {
        Some(reason) if n_steps > 0 => {
            let reason = format!("{reason}; the {n_steps} steps in front of that are used");
            collector.note(1, &reason);
        }
        None if n_steps > 0 => {}
        trouble => {
            let fault = LineFault {
                offset: 0,
                reason: trouble.unwrap_or_else(|| "no steps".to_owned()),
                advice: "give the trace.json that SwiftHand2 or DetReduce wrote, whole",
            };
            let first = text.lines().next().unwrap_or_default();
            let first: String = first.chars().take(200).collect();
            collector.report(1, first.as_bytes(), &fault);
        }
    }
    Ok(())
}

/// The traces of a file while it is read.
struct Runs<'a> {
    stem: String,
    collector: &'a mut Collector,
    /// What each abstract state offers, as its first sight says.
    offers: BTreeMap<i64, Vec<String>>,
    /// What the present state offers.
    events: Vec<String>,
    run: Option<(usize, WireTrace<'static>)>,
    number: usize,
    early: usize,
    unknown_texts: usize,
}

impl Runs<'_> {
    fn take(&mut self, number: usize, step: Result<Step, String>) {
        let step = match step {
            Ok(step) => step,
            Err(reason) => {
                let reason = format!("step {number}: {reason}");
                self.collector.note(1, &reason);
                return;
            }
        };
        let events = self.events_of(&step);
        let before = std::mem::replace(&mut self.events, events);
        let screen = self.screen(&step);
        match step.kind {
            Kind::Start => {
                self.end();
                self.start(number, &step, screen);
            }
            Kind::Close if step.branches.is_empty() && step.methods.is_empty() => {}
            Kind::Close => self.step(&step, "close".to_owned(), screen),
            Kind::Event => {
                let action = self.action(number, &step, &before);
                self.step(&step, action, screen);
            }
        }
    }

    fn events_of(&mut self, step: &Step) -> Vec<String> {
        let known = step
            .state
            .map(|state| self.offers.entry(state).or_default());
        match known {
            Some(known) if step.events.is_empty() => known.clone(),
            Some(known) if known.is_empty() => {
                known.clone_from(&step.events);
                step.events.clone()
            }
            _ => step.events.clone(),
        }
    }

    fn action(&mut self, number: usize, step: &Step, before: &[String]) -> String {
        let index = step.index.and_then(|index| usize::try_from(index).ok());
        if let Some(event) = index.and_then(|index| before.get(index)) {
            let (action, is_guess) = event::action(event);
            self.unknown_texts += usize::from(is_guess);
            return action;
        }
        let told = step
            .index
            .map_or("no event".to_owned(), |i| format!("event {i}"));
        let reason = format!(
            "step {number}: its action is {told} of {}, so nobody knows what it does",
            before.len()
        );
        self.collector.note(1, &reason);
        format!("unknown {told}")
    }

    fn screen(&self, step: &Step) -> String {
        if step.activity.is_empty() && matches!(&*self.events, [only] if only == "close") {
            return OUTSIDE.to_owned();
        }
        let window = || {
            let window = ui::window_of(step).ok()?;
            (!window.widgets.is_empty()).then_some(window)
        };
        if let Some(look) = self.collector.look()
            && let Some(window) = window()
        {
            return look.screen(&window);
        }
        let kinds = self.events.iter().map(|event| event::kind_and_class(event));
        let text = format!(
            "{}\n{}",
            step.activity,
            kinds.collect::<Vec<_>>().join("\n")
        );
        let activity = step.activity.rsplit(['/', '.']).next().unwrap_or_default();
        format!("{activity}#{}", &sha256(text.as_bytes())[..12])
    }

    fn start(&mut self, number: usize, step: &Step, screen: String) {
        self.number += 1;
        let id = if self.number == 1 {
            self.stem.clone()
        } else {
            format!("{}-{}", self.stem, self.number)
        };
        let (mut covers, fault) = covered(step);
        covers.extend(fault.map(|fault| Label::Text(format!("fault:{fault}").into())));
        let launch = WireLaunch {
            screen: Cow::Owned(screen),
            covers,
            fields: Fields::new(),
        };
        let trace = WireTrace {
            id: Some(Cow::Owned(id)),
            launch,
            steps: Vec::new(),
            fields: Fields::new(),
        };
        self.run = Some((number, trace));
    }

    fn step(&mut self, step: &Step, action: String, screen: String) {
        let Some((_, trace)) = &mut self.run else {
            self.early += 1;
            return;
        };
        let (covers, fault) = covered(step);
        trace.steps.push(WireStep {
            action: Cow::Owned(action),
            covers,
            screen: Cow::Owned(screen),
            fault: fault.map(Cow::Owned),
            millis: None,
            fields: Fields::new(),
        });
    }

    fn end(&mut self) {
        if let Some((_, trace)) = self.run.take() {
            self.collector.push_checked(1, trace);
        }
    }
}

/// What a step covered, and the first exception it raised; further ones are among the rest.
fn covered(step: &Step) -> (Vec<Label<'static>>, Option<String>) {
    let (mut covers, mut fault) = (Vec::new(), None);
    for branch in &step.branches {
        let exception = || format!("exception-{branch}");
        match (branch.as_i64(), &fault) {
            (Some(id), _) if id < FIRST_EXCEPTION => covers.push(Label::Signed(id)),
            (_, None) => fault = Some(exception()),
            (_, Some(_)) => covers.push(Label::Text(format!("fault:{}", exception()).into())),
        }
    }
    let methods = step.methods.iter();
    covers.extend(methods.map(|method| Label::Text(format!("method:{method}").into())));
    (covers, fault)
}

#[cfg(test)]
mod tests;
