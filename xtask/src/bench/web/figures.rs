//! The figures of one app, from the files that the tool left.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::replays::Replays;

/// What came of one app.
#[derive(Debug)]
pub(super) struct Figures {
    pub(super) explored: Size,
    pub(super) best: Size,
    pub(super) paper: Option<Size>,
    /// Elements that the original suite shows and that the reduction did not set aside as unstable.
    pub(super) stable: usize,
    /// How many of them each of ten replays of the reduced suite covered.
    pub(super) always: usize,
    /// How many of them at least one of these covered.
    pub(super) ever: usize,
    /// Those that not every replay covered, with how many did.
    pub(super) missing: Vec<(String, usize)>,
    /// Elements that the reduction set aside as unstable.
    pub(super) unstable: usize,
    /// Plans and candidates that were tried on devices, and those of them that did not hold.
    pub(super) candidates: u64,
    pub(super) rejected: u64,
    /// Runs of single traces in these replays, and how many of them went another way.
    pub(super) runs: usize,
    pub(super) diverged: usize,
    pub(super) audited: bool,
}

/// A suite in figures.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) traces: u64,
    pub(super) steps: u64,
    pub(super) elements: usize,
    /// Device time of one replay, in seconds.
    pub(super) seconds: f64,
    /// Device time that it took to get there.
    pub(super) spent: f64,
}

/// The share of the stable coverage that every replay must show.
const ENOUGH: f64 = 0.995;

impl Figures {
    pub(super) fn read(folder: &Path, audited: bool, paper: bool) -> Result<Self, String> {
        let explored = json_file(&folder.join("explored/explore.json"))?;
        let best = json_file(&folder.join("best/report.json"))?;
        let replayed = json_file(&folder.join("replayed/stabilize.json"))?;
        let before = elements(&folder.join("explored/suite.jsonl"))?;
        let unstable = best["unstable"].as_array().into_iter().flatten();
        let unstable: BTreeSet<String> = unstable
            .filter_map(|gone| Some(gone["element"].as_str()?.to_owned()))
            .collect();
        let stable: BTreeSet<&String> = before
            .iter()
            .filter(|one| !unstable.contains(*one))
            .collect();
        let runs = replayed["runs_per_trace"].as_u64().unwrap_or(1);
        let replays = Replays::read(
            &folder.join("replayed/journal/runs.jsonl"),
            &folder.join("best/suite.jsonl"),
            usize::try_from(runs).unwrap_or(1),
        )?;
        let seen = stable.iter().map(|one| ((*one).clone(), replays.seen(one)));
        let missing: Vec<(String, usize)> =
            seen.filter(|(_, seen)| *seen < replays.count).collect();
        let never = missing.iter().filter(|(_, seen)| *seen == 0).count();
        let device = &best["device"];
        // Device time of one run of the reduced suite, measured over its ten runs.
        let replay_seconds = replayed["device"]["seconds"].as_f64().unwrap_or(0.0) / runs as f64;
        let reduced = elements(&folder.join("best/suite.jsonl"))?;
        Ok(Self {
            explored: Size {
                seconds: explored["device"]["seconds"].as_f64().unwrap_or(0.0),
                ..size(&explored["suite"], before.len(), 0.0)
            },
            best: Size {
                seconds: replay_seconds,
                ..size(&best["output"], reduced.len(), spent(&best))
            },
            paper: if paper {
                let report = json_file(&folder.join("paper/report.json"))?;
                let reduced = elements(&folder.join("paper/suite.jsonl"))?;
                Some(size(&report["output"], reduced.len(), spent(&report)))
            } else {
                None
            },
            stable: stable.len(),
            always: stable.len() - missing.len(),
            ever: stable.len() - never,
            missing,
            unstable: unstable.len(),
            candidates: device["candidates"].as_u64().unwrap_or(0),
            rejected: device["rejected"].as_u64().unwrap_or(0),
            runs: replays.runs,
            diverged: replays.diverged,
            audited,
        })
    }

    /// The share of the stable coverage that every replay showed.
    pub(super) fn share(&self) -> f64 {
        self.always as f64 / self.stable.max(1) as f64
    }

    /// Whether coverage is still there and the audit says so too.
    pub(super) fn holds(&self) -> bool {
        self.audited && self.share() >= ENOUGH
    }
}

fn size(side: &Value, elements: usize, spent: f64) -> Size {
    Size {
        traces: side["traces"].as_u64().unwrap_or(0),
        steps: side["steps"].as_u64().unwrap_or(0),
        elements,
        seconds: side["seconds"].as_f64().unwrap_or(0.0),
        spent,
    }
}

fn spent(report: &Value) -> f64 {
    report["device"]["seconds"].as_f64().unwrap_or(0.0)
}

fn json_file(path: &Path) -> Result<Value, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_slice(&bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The traces of a suite.
pub(super) fn lines(suite: &Path) -> Result<Vec<Value>, String> {
    let text =
        fs::read_to_string(suite).map_err(|error| format!("{}: {error}", suite.display()))?;
    let traces = text.lines().map(serde_json::from_str);
    traces
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{}: {error}", suite.display()))
}

/// Everything that a suite covers: elements, screens and faults.
fn elements(suite: &Path) -> Result<BTreeSet<String>, String> {
    let mut all = BTreeSet::new();
    for trace in lines(suite)? {
        let steps = trace["steps"].as_array().into_iter().flatten();
        for shown in [&trace["launch"]].into_iter().chain(steps) {
            let covers = shown["covers"].as_array().into_iter().flatten();
            all.extend(
                covers.map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned)),
            );
            all.extend(
                shown["screen"]
                    .as_str()
                    .map(|screen| format!("screen:{screen}")),
            );
            all.extend(
                shown["fault"]
                    .as_str()
                    .map(|fault| format!("fault:{fault}")),
            );
        }
    }
    Ok(all)
}
