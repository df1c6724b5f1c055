//! Whether the journal beside the files has the runs that the report names.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::BufRead;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::reduced::Reduced;
use super::{Case, Check, Findings};
use crate::model::{canonical, sha256};
use crate::report::{RunEntry, RunMode};

pub(super) const CHECK: Check = Check {
    name: "journal",
    about: "the journal has the runs that the report names, as they are named",
    run,
};

/// Which records of a journal a result rests on, as ranges of their places in the file.
#[derive(Debug, Clone, Deserialize)]
pub struct RestsOn {
    runs: Vec<(usize, usize)>,
    sessions: Vec<(usize, usize)>,
}

/// A journal as it lies on disk.
#[derive(Debug, Default)]
pub struct JournalFile {
    head: Option<Head>,
    covers: Vec<Vec<String>>,
    runs: Vec<RunLine>,
    sessions: Vec<WalkLine>,
    rests_on: Option<RestsOn>,
}

#[derive(Debug, Deserialize)]
struct Head {
    suite: String,
    app: String,
    seed: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Record {
    Cover { number: u32, elements: Vec<String> },
    Run(RunLine),
    Walk(WalkLine),
}

#[derive(Debug, Deserialize)]
struct RunLine {
    script: String,
    attempt: u32,
    covers: Vec<u32>,
    end: Value,
}

#[derive(Debug, Deserialize)]
struct WalkLine {
    plan: String,
    session: u32,
    launch: (String, u32),
    steps: Vec<(String, Option<(String, u32)>)>,
}

impl JournalFile {
    /// Reads a journal.
    ///
    /// # Errors
    /// If a whole line of it is no record; the number of the line comes with the reason.
    pub fn read(
        mut lines: impl BufRead,
        rests_on: Option<RestsOn>,
    ) -> Result<Self, (usize, String)> {
        let mut journal = Self {
            rests_on,
            ..Self::default()
        };
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = lines.read_until(b'\n', &mut line);
            read.map_err(|error| (number, error.to_string()))?;
            if line.last() != Some(&b'\n') {
                break;
            }
            journal
                .take(number, &line)
                .map_err(|error| (number, error.to_string()))?;
        }
        Ok(journal)
    }

    fn take(&mut self, number: usize, line: &[u8]) -> serde_json::Result<()> {
        if number == 1 {
            self.head = Some(serde_json::from_slice(line)?);
            return Ok(());
        }
        match serde_json::from_slice(line)? {
            Record::Cover { number, elements } => {
                if number as usize != self.covers.len() {
                    let what = "covers are out of order";
                    return Err(serde::de::Error::custom(what));
                }
                self.covers.push(elements);
            }
            Record::Run(run) => self.runs.push(run),
            Record::Walk(walk) => self.sessions.push(walk),
        }
        Ok(())
    }

    /// What a device said was covered, sorted.
    fn cover(&self, number: u32) -> Vec<&str> {
        let cover = self.covers.get(number as usize);
        let mut cover: Vec<&str> = cover.into_iter().flatten().map(String::as_str).collect();
        cover.sort_unstable();
        cover
    }

    /// The same in the spelling of reports.
    fn elements(&self, number: u32) -> Vec<Cow<'_, str>> {
        let raw = self.cover(number).into_iter();
        let mut elements: Vec<_> = raw.map(|raw| canonical(raw).1).collect();
        elements.sort_unstable();
        elements.dedup();
        elements
    }

    /// The digest of the records that a result rests on, and how many they are.
    fn digest(&self, rests_on: &RestsOn) -> (u64, u64, String) {
        let covers: Vec<String> = (0..self.covers.len() as u32)
            .map(|number| sha256(json(&self.cover(number)).as_bytes()))
            .collect();
        let of = |number: u32| covers.get(number as usize).map_or("", String::as_str);
        let runs = within(&self.runs, &rests_on.runs);
        let mut digests: Vec<String> = runs
            .map(|run| {
                let covers: Vec<_> = run.covers.iter().map(|&number| of(number)).collect();
                json(&("run", &run.script, run.attempt, &run.end, covers))
            })
            .collect();
        let n_runs = digests.len() as u64;
        digests.extend(within(&self.sessions, &rests_on.sessions).map(|walk| {
            let launch = (&walk.launch.0, of(walk.launch.1));
            let steps = walk.steps.iter().map(|(action, shown)| {
                let shown = shown.as_ref();
                (action, shown.map(|(screen, number)| (screen, of(*number))))
            });
            let steps: Vec<_> = steps.collect();
            json(&("session", &walk.plan, walk.session, launch, steps))
        }));
        let n_sessions = digests.len() as u64 - n_runs;
        let digests = digests.iter().map(|text| sha256(text.as_bytes()) + "\n");
        let mut digests: Vec<String> = digests.collect();
        digests.sort_unstable();
        (n_runs, n_sessions, sha256(digests.concat().as_bytes()))
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("lists of texts and numbers are JSON")
}

fn within<'a, T>(records: &'a [T], ranges: &'a [(usize, usize)]) -> impl Iterator<Item = &'a T> {
    let parts = ranges.iter().map(|&(first, last)| {
        let end = last.saturating_add(1).min(records.len());
        records.get(first..end).unwrap_or(&[])
    });
    parts.flatten()
}

fn run(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let Some(journal) = case.journal else {
        findings.note(
            "there is no journal beside the report, so runs were checked by their digests alone",
        );
        return;
    };
    head(case, journal, findings);
    if let Some(rests_on) = &journal.rests_on {
        let said = &case.report.certificate.journal;
        let (runs, sessions, digest) = journal.digest(rests_on);
        findings.same("certificate.journal.runs", said.runs, runs);
        findings.same("certificate.journal.sessions", said.sessions, sessions);
        findings.same("certificate.journal.sha256", &said.sha256, &digest);
    } else {
        findings.note(
            "the journal does not say what the result rests on, so it was not checked as a whole",
        );
    }
    let runs = journal
        .runs
        .iter()
        .map(|run| ((&*run.script, run.attempt), run));
    let runs: HashMap<_, _> = runs.collect();
    let sessions = journal.sessions.iter();
    let sessions = sessions.map(|walk| ((&*walk.plan, walk.session), walk));
    let sessions: HashMap<_, _> = sessions.collect();
    for certified in &case.report.certificate.traces {
        let Some(trace) = reduced.trace(&certified.trace) else {
            continue;
        };
        for entry in &certified.runs {
            findings.looked_at += 1;
            let key = (entry.script.as_str(), entry.attempt);
            let covers: Option<Vec<u32>> = match entry.mode {
                RunMode::Replay => runs.get(&key).map(|run| run.covers.clone()),
                RunMode::Live => sessions.get(&key).map(|walk| {
                    let steps = walk.steps.iter();
                    let shown = steps.filter_map(|(_, shown)| shown.as_ref());
                    let shown = shown.map(|(_, cover)| *cover);
                    std::iter::once(walk.launch.1).chain(shown).collect()
                }),
            };
            let here = format!("run {} of {}", entry.attempt, trace.id);
            let Some(covers) = covers else {
                findings.wrong(here, "the journal has no such run");
                continue;
            };
            let same = (0..trace.lines.len()).all(|position| {
                let said = said_at(&trace.lines[position].2, entry, position);
                covers
                    .get(position)
                    .is_some_and(|&c| journal.elements(c) == said)
            });
            if !same {
                findings.wrong(here, "the journal says that it covered something else");
            }
        }
    }
}

fn head(case: &Case, journal: &JournalFile, findings: &mut Findings) {
    let report = case.report;
    let Some(head) = &journal.head else {
        findings.wrong("journal", "it is empty");
        return;
    };
    let app = format!("{}:{}", report.subject.device, report.subject.sha256);
    findings.same("journal, suite", head.suite.as_str(), case.original.sha256);
    findings.same("journal, app", &head.app, &app);
    findings.same("journal, seed", head.seed, report.seed);
}

/// What a run covered at a position, by the trace and its record, sorted.
fn said_at<'a>(covers: &[&'a str], entry: &'a RunEntry, position: usize) -> Vec<&'a str> {
    let step = position.checked_sub(1).map(|step| step as u32);
    let beyond = entry.beyond.iter().filter(|beyond| beyond.step == step);
    let beyond = beyond.flat_map(|beyond| &beyond.covers).map(String::as_str);
    let mut said: Vec<&str> = covers.iter().copied().chain(beyond).collect();
    said.sort_unstable();
    said.dedup();
    said
}
