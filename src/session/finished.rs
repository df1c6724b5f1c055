//! The mark of a finished job: the same command again answers at once.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::JobError;
use super::output::JOURNAL;
use crate::model::sha256;
use crate::replay::Identity;
use crate::report::Report;

const FILE: &str = "finished.json";

/// What a finished job was about.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Finished {
    identity: Identity,
    tool: String,
    settings: Value,
    suite_sha256: String,
    report_sha256: String,
}

impl Finished {
    /// What the files in a folder are, if they are the result of these settings.
    fn of(folder: &Path, identity: &Identity, settings: &Value) -> Option<Self> {
        Some(Self {
            identity: identity.clone(),
            tool: tool(),
            settings: settings.clone(),
            suite_sha256: sha256(&fs::read(folder.join("suite.jsonl")).ok()?),
            report_sha256: sha256(&fs::read(folder.join("report.json")).ok()?),
        })
    }

    /// The report of a job that was finished before and whose files are untouched.
    pub(super) fn report(folder: &Path, identity: &Identity, settings: &Value) -> Option<Report> {
        let mark = fs::read(folder.join(JOURNAL).join(FILE)).ok()?;
        let mark: Self = serde_json::from_slice(&mark).ok()?;
        if mark != Self::of(folder, identity, settings)? {
            return None;
        }
        serde_json::from_slice(&fs::read(folder.join("report.json")).ok()?).ok()
    }

    /// Marks a job as finished. A mark that cannot be written costs the next run some time and
    /// nothing else, so it is no error.
    pub(super) fn mark(folder: &Path, identity: &Identity, settings: &Value) {
        let mark = Self::of(folder, identity, settings).and_then(|m| serde_json::to_vec(&m).ok());
        if let Some(mark) = mark {
            let _ = fs::write(folder.join(JOURNAL).join(FILE), mark);
        }
    }

    /// Changes the files of a finished job in a way that leaves it finished, so that the same
    /// `reduce` again answers with what is there now.
    pub(super) fn stays(
        folder: &Path,
        change: impl FnOnce() -> Result<(), JobError>,
    ) -> Result<(), JobError> {
        let read = || fs::read(folder.join(JOURNAL).join(FILE)).ok();
        let mark: Option<Self> = read().and_then(|mark| serde_json::from_slice(&mark).ok());
        let was_finished = mark.filter(|mark| {
            let now = Self::of(folder, &mark.identity, &mark.settings);
            now.is_some_and(|now| now == *mark)
        });
        change()?;
        if let Some(mark) = was_finished {
            Self::mark(folder, &mark.identity, &mark.settings);
        }
        Ok(())
    }
}

/// Name and version of the tool, as reports give them.
pub(super) fn tool() -> String {
    concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned()
}
