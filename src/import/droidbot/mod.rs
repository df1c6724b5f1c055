//! Output folders of `DroidBot`: `events/`, `states/` and `utg.js`.
//!
//! A run is a trace: it begins where the app is killed or first started, and every event after that
//! is a step, restarts in the middle included, since they keep what the app has stored. Files are
//! taken in the order of their names, which is that of time. Several runs in one folder give several
//! traces. Screens are the tool's own states, spelt with their activity, or those of an abstraction
//! where `states/` has the views.
//!
//! The screen of a step is what the next event was done to. Where the tool saw something else right
//! after the event, that is kept as `passed`. An event whose file cannot be read leaves a mark,
//! `gap`, on the next step.

mod event;
mod state;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use event::{Done, Event};

use super::collect::Collector;
use super::folder::{Folder, FolderFormat, Part};
use super::lines::LineFault;
use super::wire::{WireLaunch, WireStep, WireTrace};
use super::{ImportError, Importer, PLAIN};
use crate::model::Fields;
pub(super) use state::window;

pub(super) const IMPORTER: Importer = Importer {
    name: "droidbot",
    folder: Some(FolderFormat { files, read }),
    read: |_, collector| {
        let fault = LineFault {
            offset: 0,
            reason: "a recording of DroidBot is a folder".to_owned(),
            advice: "give the folder that has events/ in it",
        };
        collector.report(1, b"", &fault);
        Ok(())
    },
    ..PLAIN
};

/// The files of an output folder, if it is one.
fn files(folder: &Path) -> Option<Vec<PathBuf>> {
    let events = named(&folder.join("events"), "event_");
    if events.is_empty() {
        return None;
    }
    let mut files = events;
    files.extend(named(&folder.join("states"), "state_"));
    files.extend(Some(folder.join("utg.js")).filter(|path| path.is_file()));
    Some(files)
}

fn named(folder: &Path, start: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let fits = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_json = path.extension().is_some_and(|end| end == "json");
        is_json && name.starts_with(start) && path.is_file()
    };
    let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(fits).collect();
    files.sort();
    files
}

/// Where an event was read, and what it says; nothing of one that cannot be read.
struct Read {
    file: u32,
    name: String,
    event: Option<Event>,
}

fn read(folder: &mut Folder, collector: &mut Collector) -> Result<(), ImportError> {
    let mut events = Vec::new();
    let mut screens = BTreeMap::new();
    let mut root = PathBuf::new();
    while let Some(part) = folder.next(collector)? {
        let above = part.path.parent().unwrap_or(Path::new(""));
        match above.file_name().and_then(|name| name.to_str()) {
            Some("events") => {
                above.parent().unwrap_or(above).clone_into(&mut root);
                events.push(read_event(&part, collector));
            }
            Some("states") => read_state(&part, collector, &mut screens),
            _ => read_graph(&part, collector, &mut screens),
        }
    }
    let recording = Recording { screens, events };
    recording.add(&root, collector);
    Ok(())
}

fn read_event(part: &Part, collector: &mut Collector) -> Read {
    let event = event::parse(&part.bytes);
    if let Err(reason) = &event {
        collector.note(1, reason);
    }
    let name = part.path.file_stem().unwrap_or_default();
    Read {
        file: part.file,
        name: name.to_string_lossy().into_owned(),
        event: event.ok(),
    }
}

fn read_state(part: &Part, collector: &mut Collector, screens: &mut BTreeMap<String, String>) {
    match state::parse(&part.bytes) {
        Ok(state) => {
            let screen = match collector.look() {
                Some(look) => look.screen(&state.window),
                None => spelt(&state.window.activity, &state.id),
            };
            screens.insert(state.id, screen);
        }
        Err(reason) => collector.note(1, &reason),
    }
}

/// The graph names the activities of states that have no file of their own.
fn read_graph(part: &Part, collector: &mut Collector, screens: &mut BTreeMap<String, String>) {
    match state::graph(&part.bytes) {
        Ok(nodes) => {
            for (id, activity) in nodes {
                let screen = spelt(&activity, &id);
                screens.entry(id).or_insert(screen);
            }
        }
        Err(reason) => collector.note(1, &reason),
    }
}

/// A state as a screen: its activity and the beginning of its digest.
fn spelt(activity: &str, id: &str) -> String {
    let digits: String = id.chars().take(12).collect();
    let activity = activity.rsplit(['/', '.']).next().unwrap_or_default();
    format!("{activity}#{digits}")
}

struct Recording {
    screens: BTreeMap<String, String>,
    events: Vec<Read>,
}

impl Recording {
    fn screen(&self, id: &str) -> String {
        let known = self.screens.get(id).cloned();
        known.unwrap_or_else(|| spelt("", id))
    }

    fn add(&self, root: &Path, collector: &mut Collector) {
        let stem = root.file_name().unwrap_or_default().to_string_lossy();
        let stem = if collector.has_many_files() && collector.has_trace(&stem) {
            root.to_string_lossy()
        } else {
            stem
        };
        let mut number = 0;
        let mut at = 0;
        while at < self.events.len() {
            let end = self.end_of_run(at);
            let run = &self.events[at..end];
            at = end;
            if run.iter().all(|read| read.event.is_none()) {
                continue;
            }
            number += 1;
            let id = if number == 1 {
                stem.to_string()
            } else {
                format!("{stem}-{number}")
            };
            collector.turn_to(run[0].file);
            self.add_run(run, id, collector);
        }
    }

    /// Where the run that begins here ends: before the app is killed for another one.
    fn end_of_run(&self, start: usize) -> usize {
        let rest = self.events.iter().enumerate().skip(start + 1);
        let mut kills = rest.filter(|(_, read)| {
            let event = read.event.as_ref();
            event.is_some_and(|event| event.done == Done::Kill)
        });
        kills.next().map_or(self.events.len(), |(at, _)| at)
    }

    fn add_run(&self, run: &[Read], id: String, collector: &mut Collector) {
        let launch = launch_len(run);
        let names = |reads: &[Read]| {
            let names = reads
                .iter()
                .map(|read| serde_json::Value::from(&*read.name));
            serde_json::Value::from(names.collect::<Vec<_>>()).to_string()
        };
        let mut steps = Vec::new();
        let mut gap = false;
        for (i, read) in run.iter().enumerate().skip(launch) {
            let Some(event) = &read.event else {
                gap = true;
                continue;
            };
            let next = run[i + 1..].iter().find_map(|read| read.event.as_ref());
            let mut fields = Fields::new();
            fields.push(("event".into(), json(&read.name)));
            let stop = self.screen(&event.stop);
            let screen = next.map_or_else(|| stop.clone(), |next| self.screen(&next.start));
            if screen != stop {
                fields.push(("passed".into(), json(&stop)));
            }
            if std::mem::take(&mut gap) {
                fields.push(("gap".into(), "true".into()));
            }
            steps.push(WireStep {
                action: Cow::Owned(event.done.action()),
                covers: Vec::new(),
                screen: Cow::Owned(screen),
                fault: None,
                millis: None,
                fields,
            });
        }
        let (before, after) = run.split_at(launch);
        let first = after.iter().find_map(|read| read.event.as_ref());
        let shown = match (first, before.iter().rev().find_map(|r| r.event.as_ref())) {
            (Some(first), _) => &first.start,
            (None, Some(last)) => &last.stop,
            (None, None) => return,
        };
        let mut launch_fields = Fields::new();
        if !before.is_empty() {
            launch_fields.push(("events".into(), names(before).into()));
        }
        let trace = WireTrace {
            id: Some(Cow::Owned(id)),
            launch: WireLaunch {
                screen: Cow::Owned(self.screen(shown)),
                covers: Vec::new(),
                fields: launch_fields,
            },
            steps,
            fields: Fields::new(),
        };
        collector.push_checked(1, trace);
    }
}

/// How many events start the app: a kill or the way to the launcher, and the start itself.
fn launch_len(run: &[Read]) -> usize {
    let done = |i: usize| run.get(i).and_then(|read| read.event.as_ref());
    let leaves = |event: &Event| event.done == Done::Kill || event.done.is_home();
    let before = usize::from(done(0).is_some_and(leaves));
    match done(before) {
        Some(event) if event.done.is_start() => before + 1,
        _ => before,
    }
}

fn json(text: &str) -> Box<str> {
    serde_json::Value::from(text).to_string().into()
}

#[cfg(test)]
mod tests;
