//! A finished reduction read back: its report, its suite, and the original where it is at hand.

use std::fs;
use std::path::{Path, PathBuf};

use super::output::Aside;
use super::render::{read_report, strips};
use super::{JobError, limits};
use crate::config::Config;
use crate::import::{Loaded, load};
use crate::model::sha256;
use crate::report::{Report, Strip};

/// What a reduction left in its folder.
pub(super) struct Reduction {
    pub(super) report: Report,
    /// The reduced suite.
    pub(super) suite: Loaded,
    /// The same with where its steps come from.
    pub(super) strips: Vec<Strip>,
    /// Its bytes.
    pub(super) text: Vec<u8>,
}

impl Reduction {
    /// Reads a folder; its suite must be the one that its report speaks of.
    pub(super) fn read(folder: &Path, config: &Config) -> Result<Self, JobError> {
        let report = read_report(folder)?;
        let path = folder.join("suite.jsonl");
        finish_change(folder, &report)?;
        let suite = load(std::slice::from_ref(&path), &limits(config))?;
        if suite.sha256 != report.output.sha256 {
            return Err(JobError::Unfit(format!(
                "{}: this is not the suite that report.json beside it speaks of (its digest is {}, \
                 not {}); run the same `reduce` again, which makes both anew from its journal",
                path.display(),
                suite.sha256,
                report.output.sha256,
            )));
        }
        let strips = strips(folder)?;
        let text = fs::read(&path).map_err(|source| JobError::Output { path, source })?;
        Ok(Self {
            report,
            suite,
            strips,
            text,
        })
    }

    /// The original suite: the one that is named, else the one that the settings name.
    pub(super) fn original(
        &self,
        named: &[PathBuf],
        config: &Config,
    ) -> Result<Original, JobError> {
        if !named.is_empty() {
            let loaded = load(named, &limits(config))?;
            return match self.stranger(&loaded) {
                None => Ok(Original::AtHand(Box::new(loaded))),
                Some(why) => Err(JobError::Unfit(format!(
                    "{}: {why}; name the suite that was reduced",
                    listed(named)
                ))),
            };
        }
        if config.suite.is_empty() {
            let why = "no original suite is named; --original SUITE tells more".to_owned();
            return Ok(Original::Missing(why));
        }
        let place = listed(&config.suite);
        Ok(match load(&config.suite, &limits(config)) {
            Err(error) => Original::Missing(format!("{error}; --original SUITE tells more")),
            Ok(loaded) => match self.stranger(&loaded) {
                None => Original::AtHand(Box::new(loaded)),
                Some(why) => {
                    Original::Missing(format!("{place}: {why}; --original SUITE tells more"))
                }
            },
        })
    }

    /// Why a suite is not the one that was reduced.
    fn stranger(&self, loaded: &Loaded) -> Option<String> {
        let expected = &self.report.input.sha256;
        (loaded.sha256 != *expected).then(|| {
            format!(
                "this is not the suite that was reduced (its digest is {}, not {expected})",
                loaded.sha256
            )
        })
    }
}

/// Puts the suite of a report in place, where a change was stopped after the report alone was.
fn finish_change(folder: &Path, report: &Report) -> Result<(), JobError> {
    let path = folder.join("suite.jsonl");
    let digest = |path: &Path| fs::read(path).map(|text| sha256(&text)).ok();
    let expected = Some(report.output.sha256.as_str());
    let aside = Aside::new(folder).aside("suite.jsonl");
    if digest(&path).as_deref() == expected || digest(&aside).as_deref() != expected {
        return Ok(());
    }
    fs::rename(aside, &path).map_err(|source| JobError::Output { path, source })
}

fn listed(paths: &[PathBuf]) -> String {
    let paths: Vec<_> = paths.iter().map(|p| p.display().to_string()).collect();
    paths.join(", ")
}

/// The suite that went into a reduction.
pub(super) enum Original {
    /// It is the very one, by its digest.
    AtHand(Box<Loaded>),
    /// It is not there, for a reason.
    Missing(String),
}
