//! The journal of a reduction as an audit reads it: what each run and each live session showed.

use std::borrow::Cow;
use std::io::{BufRead, Read as _};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::model::{canonical, hex, sha256};

/// Which records of a journal a result rests on, as ranges of their places in the file.
#[derive(Debug, Clone, Deserialize)]
pub struct RestsOn {
    pub(super) runs: Vec<(usize, usize)>,
    pub(super) sessions: Vec<(usize, usize)>,
    /// The digest of these records, as the certificate has it.
    pub(super) sha256: String,
    /// How long the journal was when the result was written, and its digest then.
    pub(super) bytes: u64,
    pub(super) bytes_sha256: String,
}

/// A journal as it lies on disk.
#[derive(Debug, Default)]
pub struct JournalFile {
    pub(super) head: Option<Head>,
    covers: Vec<Vec<String>>,
    pub(super) runs: Vec<RunLine>,
    pub(super) sessions: Vec<WalkLine>,
    pub(super) rests_on: Option<RestsOn>,
    /// The digest of as many bytes as there were when the result was written.
    pub(super) bytes_sha256: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Head {
    pub(super) suite: String,
    pub(super) app: String,
    pub(super) seed: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Record {
    Cover { number: u32, elements: Vec<String> },
    Run(RunLine),
    Walk(WalkLine),
}

#[derive(Debug, Deserialize)]
pub(super) struct RunLine {
    pub(super) script: String,
    pub(super) attempt: u32,
    pub(super) covers: Vec<u32>,
    end: Value,
    launches: u64,
    steps: u64,
    micros: u64,
    retries: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct WalkLine {
    pub(super) plan: String,
    pub(super) session: u32,
    pub(super) launch: (String, u32),
    pub(super) steps: Vec<(String, Option<(String, u32)>)>,
    launches: u64,
    micros: u64,
    retries: u64,
}

/// What runs and live sessions took on devices.
#[derive(Debug, Default)]
pub(super) struct Spent {
    pub(super) launches: u64,
    pub(super) steps: u64,
    pub(super) micros: u64,
    pub(super) retries: u64,
}

impl Spent {
    fn add(&mut self, launches: u64, steps: u64, micros: u64, retries: u64) {
        self.launches = self.launches.saturating_add(launches);
        self.steps = self.steps.saturating_add(steps);
        self.micros = self.micros.saturating_add(micros);
        self.retries = self.retries.saturating_add(retries);
    }
}

impl JournalFile {
    /// Reads a journal.
    ///
    /// # Errors
    /// If a whole line of it is no record or too long; the number of the line comes with the
    /// reason.
    pub fn read(
        mut lines: impl BufRead,
        rests_on: Option<RestsOn>,
        max_line_bytes: usize,
    ) -> Result<Self, (usize, String)> {
        let mut journal = Self {
            rests_on,
            ..Self::default()
        };
        let mut hasher = Sha256::new();
        let mut whole = 0;
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let mut some = lines.by_ref().take(max_line_bytes as u64 + 1);
            let read = some.read_until(b'\n', &mut line);
            read.map_err(|error| (number, error.to_string()))?;
            if line.len() > max_line_bytes {
                let what = format!("a line of more than {max_line_bytes} bytes");
                return Err((number, what));
            }
            if line.last() != Some(&b'\n') {
                break;
            }
            journal
                .take(number, &line)
                .map_err(|error| (number, error.to_string()))?;
            hasher.update(&line);
            whole += line.len() as u64;
            if journal.rests_on.as_ref().is_some_and(|r| r.bytes == whole) {
                journal.bytes_sha256 = Some(hex(&hasher.clone().finalize()));
            }
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
    pub(super) fn elements(&self, number: u32) -> Vec<Cow<'_, str>> {
        let raw = self.cover(number).into_iter();
        let mut elements: Vec<_> = raw.map(|raw| canonical(raw).1).collect();
        elements.sort_unstable();
        elements.dedup();
        elements
    }

    /// The digest of the records that a result rests on, and how many they are.
    pub(super) fn digest(&self, rests_on: &RestsOn) -> (u64, u64, String) {
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

    /// The live sessions that a result rests on.
    pub(super) fn used_sessions(&self, rests_on: &RestsOn) -> impl Iterator<Item = &WalkLine> {
        within(&self.sessions, &rests_on.sessions)
    }

    /// What the records that a result rests on took on devices.
    pub(super) fn spent(&self, rests_on: &RestsOn) -> Spent {
        let mut spent = Spent::default();
        for run in within(&self.runs, &rests_on.runs) {
            spent.add(run.launches, run.steps, run.micros, run.retries);
        }
        for walk in self.used_sessions(rests_on) {
            let steps = walk.steps.len() as u64;
            spent.add(walk.launches, steps, walk.micros, walk.retries);
        }
        spent
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("lists of texts and numbers are JSON")
}

fn within<'a, T>(
    records: &'a [T],
    ranges: &[(usize, usize)],
) -> impl Iterator<Item = &'a T> + use<'a, T> {
    let parts = ranges.iter().map(|&(first, last)| {
        let end = last.saturating_add(1).min(records.len());
        records.get(first..end).unwrap_or(&[])
    });
    let parts: Vec<&[T]> = parts.collect();
    parts.into_iter().flatten()
}
