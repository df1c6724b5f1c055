//! What each replay of a reduced suite covered, from the journal of its fresh runs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use reduce_suite::model::sha256;
use serde_json::Value;

use super::figures::lines;

/// Replays of a whole suite: the first run of every trace is the first of them, and so on.
#[derive(Debug)]
pub(super) struct Replays {
    /// How many there were.
    pub(super) count: usize,
    /// Runs of single traces, and how many of them went another way.
    pub(super) runs: usize,
    pub(super) diverged: usize,
    /// In how many replays each element was covered.
    covered: BTreeMap<String, usize>,
}

impl Replays {
    /// Reads the journal of some runs of each trace of a suite.
    pub(super) fn read(journal: &Path, suite: &Path, count: usize) -> Result<Self, String> {
        let text = fs::read_to_string(journal)
            .map_err(|error| format!("{}: {error}", journal.display()))?;
        let screens = screens(suite)?;
        let mut covers: Vec<Vec<String>> = Vec::new();
        let mut shown: Vec<BTreeSet<String>> = vec![BTreeSet::new(); count];
        let (mut runs, mut diverged) = (0, 0);
        for line in text.lines() {
            let Ok(record) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            if let Some(cover) = record["cover"]["elements"].as_array() {
                let words = cover.iter().filter_map(Value::as_str);
                covers.push(words.map(str::to_owned).collect());
            }
            let run = &record["run"];
            let script = run["script"].as_str().unwrap_or_default();
            let attempt = run["attempt"].as_u64().unwrap_or(u64::MAX) as usize;
            let (Some(screens), Some(shown)) = (screens.get(script), shown.get_mut(attempt)) else {
                continue;
            };
            runs += 1;
            diverged += usize::from(run["end"] != "complete");
            // A run that goes another way covers what it has covered until there.
            let numbers = run["covers"].as_array().into_iter().flatten();
            for (number, screen) in numbers.zip(screens) {
                let cover = number.as_u64().and_then(|at| covers.get(at as usize));
                shown.extend(cover.into_iter().flatten().cloned());
                shown.insert(format!("screen:{screen}"));
            }
        }
        let mut covered = BTreeMap::new();
        for element in shown.into_iter().flatten() {
            *covered.entry(element).or_default() += 1;
        }
        Ok(Self {
            count,
            runs,
            diverged,
            covered,
        })
    }

    /// In how many replays an element was covered.
    pub(super) fn seen(&self, element: &str) -> usize {
        self.covered.get(element).copied().unwrap_or(0)
    }
}

/// The screens of each trace, launch first, by the name that the journal knows the trace by.
fn screens(suite: &Path) -> Result<HashMap<String, Vec<String>>, String> {
    let mut all = HashMap::new();
    for trace in lines(suite)? {
        let text = |value: &Value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        };
        let mut screens = vec![text(&trace["launch"]["screen"])];
        let mut bytes = Vec::new();
        let mut add = |text: &str| {
            bytes.extend((text.len() as u64).to_le_bytes());
            bytes.extend(text.as_bytes());
        };
        add(&screens[0]);
        for step in trace["steps"].as_array().into_iter().flatten() {
            let screen = text(&step["screen"]);
            add(&text(&step["action"]));
            add(&screen);
            screens.push(screen);
        }
        all.insert(sha256(&bytes)[..32].to_owned(), screens);
    }
    Ok(all)
}
