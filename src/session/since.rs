//! An earlier reduction that a new one follows: its traces as guides, and what changed since.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{JobError, limits};
use crate::config::Config;
use crate::export::ReducedTrace;
use crate::import::{Loaded, load};
use crate::model::{Names, Strategy, sha256};
use crate::reduce::{Guide, Replayer};
use crate::replay::Engine;
use crate::report::{Changed, Followed, Report, RunEntry, RunMode, Since};

/// An earlier reduction.
pub(super) struct Earlier {
    pub(super) folder: PathBuf,
    report: Report,
    suite: Loaded,
}

/// What a trace does and shows.
type Way<'a> = Vec<(&'a str, &'a str)>;

impl Earlier {
    pub(super) fn read(folder: &Path, config: &Config) -> Result<Self, JobError> {
        if config.strategy != Strategy::Best {
            return Err(JobError::Unfit(
                "--since goes with --strategy best alone".to_owned(),
            ));
        }
        let path = folder.join("report.json");
        let unfit = |error: &dyn std::fmt::Display| {
            JobError::Unfit(format!(
                "{}: {error}; name the folder that an earlier `reduce --out` wrote",
                path.display()
            ))
        };
        let text = fs::read(&path).map_err(|error| unfit(&error))?;
        let report = serde_json::from_slice(&text).map_err(|error| unfit(&error))?;
        let suite = load(&[folder.join("suite.jsonl")], &limits(config))?;
        Ok(Self {
            folder: folder.to_owned(),
            report,
            suite,
        })
    }

    /// What tells it from others.
    pub(super) fn sha256(&self) -> &str {
        &self.suite.sha256
    }

    /// Whether it ran on the app with this digest.
    pub(super) fn ran_on(&self, app: &str) -> bool {
        self.report.subject.sha256 == app
    }

    /// Whether what it left to chance was drawn from this seed.
    pub(super) fn has_seed(&self, seed: u64) -> bool {
        self.report.seed == seed
    }

    fn ways(&self) -> impl Iterator<Item = (&str, Way<'_>)> {
        let Loaded { suite, names, .. } = &self.suite;
        suite.traces().map(move |(idx, trace)| {
            let steps = suite.steps(idx).iter();
            let way = steps.map(|step| {
                (
                    names.action_text(step.action),
                    names.screen_name(step.screen),
                )
            });
            (trace.id, way.collect())
        })
    }

    /// Its traces as guides, in the names of the suite at hand; with its runs, if they are known to
    /// the journal.
    pub(super) fn guides(&self, names: &mut Names, runs_are_known: bool) -> Vec<Guide> {
        let ways = self.ways();
        ways.map(|(id, way)| {
            let certified = self.report.certificate.traces.iter();
            let certified = certified.filter(|trace| runs_are_known && trace.trace == id);
            let runs: Vec<&RunEntry> = certified.flat_map(|trace| &trace.runs).collect();
            let replays = runs.iter().filter(|run| run.mode == RunMode::Replay);
            let live = runs.iter().find(|run| run.mode == RunMode::Live);
            Guide {
                key: key(&way),
                steps: way
                    .iter()
                    .map(|(action, screen)| (names.action(action), names.screen(screen)))
                    .collect(),
                runs: replays.map(|run| run.attempt).collect(),
                session: live.map(|run| (run.script.clone(), run.attempt)),
            }
        })
        .collect()
    }

    /// How many of the runs of a new reduction it had made already.
    fn reused(&self, report: &Report) -> u64 {
        fn runs(report: &Report) -> BTreeSet<(&str, u32, bool)> {
            let traces = report.certificate.traces.iter();
            let runs = traces.flat_map(|trace| &trace.runs);
            runs.map(|run| (&*run.script, run.attempt, run.mode == RunMode::Live))
                .collect()
        }
        if !self.ran_on(&report.subject.sha256) || !self.has_seed(report.seed) {
            return 0;
        }
        let (before, now) = (runs(&self.report), runs(report));
        now.intersection(&before).count() as u64
    }

    /// What became of it.
    pub(super) fn since(
        &self,
        report: &Report,
        guides: &[Guide],
        traces: &[ReducedTrace],
        engine: &Engine,
    ) -> Since {
        let names = engine.names();
        let sessions = Guide::sessions(guides);
        let now = traces.iter().map(|trace| {
            let steps = trace.script.steps.iter();
            let way = steps.map(|step| {
                (
                    names.action_text(step.action),
                    names.screen_name(step.screen),
                )
            });
            (trace.id.as_str(), way.collect())
        });
        let now: Vec<(&str, Way)> = now.collect();
        let traces = self.ways().zip(guides.iter().zip(&sessions));
        let traces = traces.map(|((id, way), (guide, session))| Followed {
            trace: id.to_owned(),
            now: now
                .iter()
                .find(|(_, now)| way.starts_with(now))
                .map(|(id, _)| (*id).to_owned()),
            // A session that is known went the whole way.
            changed: match guide.session {
                None => changed(&way, session, engine),
                Some(_) => None,
            },
        });
        let covered =
            |report: &Report| -> BTreeSet<String> { report.witness.keys().cloned().collect() };
        let (before, after) = (covered(&self.report), covered(report));
        Since {
            suite_sha256: self.suite.sha256.clone(),
            app_sha256: self.report.subject.sha256.clone(),
            same_app: self.ran_on(&report.subject.sha256),
            traces: traces.collect(),
            gained: after.difference(&before).cloned().collect(),
            gone: before.difference(&after).cloned().collect(),
            reused: self.reused(report),
        }
    }
}

/// Where the session that followed a trace left it.
fn changed(way: &Way, (key, session): &(String, u32), engine: &Engine) -> Option<Changed> {
    let shown = engine.session(key, *session)?;
    let steps = shown.iter().zip(way).zip(0..);
    let differs = steps.map(|((shown, expected), step)| (shown, expected, step));
    let mut differs = differs.filter(|(shown, (_, screen), _)| shown.1.as_deref() != Some(*screen));
    let ((_, seen), (_, expected), step) = differs.next()?;
    Some(Changed {
        step: Some(step),
        expected: (*expected).to_owned(),
        seen: seen
            .clone()
            .unwrap_or_else(|| "the action is not there".to_owned()),
    })
}

fn key(way: &Way) -> String {
    let text = serde_json::to_string(way).expect("pairs of texts are JSON");
    sha256(text.as_bytes())
}
