//! What a result rests on: the runs and live sessions that reducers saw, and which of them went
//! through a script.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};

use super::Engine;
use crate::model::{Job, Script, sha256};
use crate::replay::journal::Journal;
use crate::replay::record::{End, WalkRecord};

/// The runs, with their scripts, and sessions that were used, in the order of their first use.
#[derive(Default)]
pub(super) struct Ground {
    runs: IndexMap<(String, u32), Arc<Script>, FxBuildHasher>,
    sessions: IndexMap<(String, u32), (), FxBuildHasher>,
}

impl Ground {
    pub(super) fn run(&mut self, key: &str, job: &Job) {
        let run = (key.to_owned(), job.attempt);
        self.runs
            .entry(run)
            .or_insert_with(|| Arc::clone(&job.script));
    }

    pub(super) fn session(&mut self, key: &str, number: u32) {
        self.sessions.insert((key.to_owned(), number), ());
    }
}

/// A run or live session that went the whole way of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// What was followed, as the journal names it.
    pub key: String,
    /// Its number.
    pub attempt: u32,
    /// Whether it was a live session.
    pub live: bool,
    /// What launch and steps covered, sorted, as far as the script goes.
    pub covers: Vec<Vec<String>>,
}

/// Which records of a journal a result rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestsOn {
    /// Ranges of runs by their place among the runs of the file, both ends included.
    pub runs: Vec<(usize, usize)>,
    /// The same for live sessions.
    pub sessions: Vec<(usize, usize)>,
    /// How many runs there are.
    #[serde(skip)]
    pub n_runs: u64,
    /// How many live sessions there are.
    #[serde(skip)]
    pub n_sessions: u64,
    /// Digest of the sorted digests of the records, one a line.
    pub sha256: String,
}

impl Engine<'_> {
    /// What the result rests on.
    #[must_use]
    pub fn rests_on(&self) -> RestsOn {
        let journal = &self.journal;
        let mut covers = CoverDigests::default();
        let mut digests = Vec::new();
        let mut places = (Vec::new(), Vec::new());
        for (key, attempt) in self.ground.runs.keys() {
            if let Some(record) = journal.find(key, *attempt) {
                let listed = record.covers.iter().map(|&c| covers.of(journal, c));
                let listed: Vec<String> = listed.collect();
                digests.push(run_digest(key, *attempt, &record.end, &listed));
                places.0.extend(journal.place_of_run(key, *attempt));
            }
        }
        for (key, number) in self.ground.sessions.keys() {
            if let Some(record) = journal.find_walk(key, *number) {
                digests.push(session_digest(record, |c| covers.of(journal, c)));
                places.1.extend(journal.place_of_walk(key, *number));
            }
        }
        digests.sort_unstable();
        RestsOn {
            n_runs: places.0.len() as u64,
            n_sessions: places.1.len() as u64,
            runs: ranges(places.0),
            sessions: ranges(places.1),
            sha256: sha256(digests.concat().as_bytes()),
        }
    }

    /// The runs and live sessions that went the whole way of a script, one a number.
    #[must_use]
    pub fn passes(&self, script: &Script) -> Vec<Pass> {
        let mut passes: IndexMap<(bool, u32), Pass> = IndexMap::new();
        for ((key, attempt), followed) in &self.ground.runs {
            if passes.contains_key(&(false, *attempt)) || !self.begins_with(followed, script) {
                continue;
            }
            let Some(record) = self.journal.find(key, *attempt) else {
                continue;
            };
            if let Some(covers) = record.covers.get(..=script.steps.len()) {
                passes.insert(
                    (false, *attempt),
                    Pass {
                        key: key.clone(),
                        attempt: *attempt,
                        live: false,
                        covers: self.spelt(covers),
                    },
                );
            }
        }
        for (key, number) in self.ground.sessions.keys() {
            let record = self.journal.find_walk(key, *number);
            if let Some(covers) = record.and_then(|record| self.went_along(record, script)) {
                passes.insert(
                    (true, *number),
                    Pass {
                        key: key.clone(),
                        attempt: *number,
                        live: true,
                        covers: self.spelt(&covers),
                    },
                );
            }
        }
        passes.into_values().collect()
    }

    /// What a live session did and what came of it, step by step.
    #[must_use]
    pub fn session(&self, key: &str, number: u32) -> Option<Vec<(String, Option<String>)>> {
        let record = self.journal.find_walk(key, number)?;
        let steps = record.steps.iter().map(|(action, shown)| {
            let screen = shown.as_ref().map(|(screen, _)| screen.clone());
            (action.clone(), screen)
        });
        Some(steps.collect())
    }

    fn begins_with(&self, followed: &Script, script: &Script) -> bool {
        let same_start = followed.screen_at(self.suite, 0) == script.screen_at(self.suite, 0);
        let begin = followed.steps.get(..script.steps.len());
        same_start
            && begin.is_some_and(|begin| {
                let mut pairs = begin.iter().zip(&script.steps);
                pairs.all(|(one, other)| (one.action, one.screen) == (other.action, other.screen))
            })
    }

    /// What a session covered on the way of a script, if it went that way.
    fn went_along(&self, record: &WalkRecord, script: &Script) -> Option<Vec<u32>> {
        let names = &self.names;
        let (launch, cover) = &record.launch;
        if *launch != names.screen_name(script.screen_at(self.suite, 0)) {
            return None;
        }
        let mut covers = vec![*cover];
        // An action that was not there changed nothing, so the way goes on behind it.
        let done = record.steps.iter();
        let mut done = done.filter_map(|(action, shown)| Some((action, shown.as_ref()?)));
        for step in &script.steps {
            let (action, (screen, cover)) = done.next()?;
            let same = *action == names.action_text(step.action)
                && *screen == names.screen_name(step.screen);
            if !same {
                return None;
            }
            covers.push(*cover);
        }
        Some(covers)
    }

    /// Covers in the spelling of reports, sorted.
    fn spelt(&self, covers: &[u32]) -> Vec<Vec<String>> {
        let sorted = |&cover: &u32| {
            let known = self.covers.get(cover as usize).and_then(Option::as_ref);
            let elements = known.map_or(&[][..], |cover| cover.elements());
            let elements = elements.iter().map(|&e| self.names.element_name(e));
            let mut elements: Vec<String> = elements.map(str::to_owned).collect();
            elements.sort_unstable();
            elements
        };
        covers.iter().map(sorted).collect()
    }
}

/// Digests of covers, each made once.
#[derive(Default)]
struct CoverDigests(FxHashMap<u32, String>);

impl CoverDigests {
    fn of(&mut self, journal: &Journal, cover: u32) -> String {
        let digest = self.0.entry(cover).or_insert_with(|| {
            let mut elements = journal.cover(cover).to_vec();
            elements.sort_unstable();
            sha256(json(&elements).as_bytes())
        });
        digest.clone()
    }
}

/// The digest of a run, ended by a newline: of its script, number, end and covers as JSON.
fn run_digest(key: &str, attempt: u32, end: &End, covers: &[String]) -> String {
    let text = json(&("run", key, attempt, end, covers));
    format!("{}\n", sha256(text.as_bytes()))
}

/// The digest of a live session, ended by a newline: of its plan, number, launch and steps.
fn session_digest(record: &WalkRecord, mut cover: impl FnMut(u32) -> String) -> String {
    let (screen, number) = &record.launch;
    let launch = (screen, cover(*number));
    let steps = record.steps.iter().map(|(action, shown)| {
        let shown = shown.as_ref();
        (
            action,
            shown.map(|(screen, number)| (screen, cover(*number))),
        )
    });
    let steps: Vec<_> = steps.collect();
    let text = json(&("session", &record.plan, record.session, launch, steps));
    format!("{}\n", sha256(text.as_bytes()))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("lists of texts and numbers are JSON")
}

/// Places as ranges, both ends included.
fn ranges(mut places: Vec<usize>) -> Vec<(usize, usize)> {
    places.sort_unstable();
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for place in places {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == place => *last = place,
            _ => ranges.push((place, place)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn neighbouring_places_are_one_range() {
        assert_eq!(ranges(vec![3, 0, 1, 7, 2]), [(0, 3), (7, 7)]);
        assert_eq!(ranges(vec![]), []);
    }
}
