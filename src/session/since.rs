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
use crate::report::{Changed, Followed, Report, Since};

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
            (&*trace.id, way.collect())
        })
    }

    /// Its traces as guides, in the names of the suite at hand.
    pub(super) fn guides(&self, names: &mut Names) -> Vec<Guide> {
        let ways = self.ways();
        ways.map(|(_, way)| Guide {
            key: key(&way),
            steps: way
                .iter()
                .map(|(action, screen)| (names.action(action), names.screen(screen)))
                .collect(),
        })
        .collect()
    }

    /// What became of it.
    pub(super) fn since(&self, report: &Report, traces: &[ReducedTrace], engine: &Engine) -> Since {
        let names = engine.names();
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
        let traces = self.ways().zip(0..).map(|((id, way), session)| Followed {
            trace: id.to_owned(),
            now: now
                .iter()
                .find(|(_, now)| way.starts_with(now))
                .map(|(id, _)| (*id).to_owned()),
            changed: changed(&way, session, engine),
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
        }
    }
}

/// Where the session that followed a trace left it.
fn changed(way: &Way, session: u32, engine: &Engine) -> Option<Changed> {
    let guide = Guide {
        key: key(way),
        steps: Vec::new(),
    };
    let shown = engine.session(&guide.plan_key(), session)?;
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
