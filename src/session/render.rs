//! Reports rendered again from `report.json`, after an update of the tool for instance.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use super::JobError;
use super::output::Aside;
use crate::report::{self, Report, Shown, Strip};

/// Writes everything but `report.json` anew from it.
pub fn render_again(folder: &Path) -> Result<Report, JobError> {
    let report = read_report(folder)?;
    let strips = strips(folder)?;
    let shown = Shown {
        report: &report,
        strips: &strips,
    };
    let mut aside = Aside::new(folder);
    let others = report::all().iter().filter(|r| r.file != "report.json");
    for renderer in others {
        aside.write(renderer.file, |out| (renderer.render)(&shown, out))?;
    }
    aside.commit()?;
    Ok(report)
}

/// Appends the report in Markdown to a file that others may have written to as well, as the
/// summary of a CI step is.
pub fn append_summary(folder: &Path, file: &Path) -> Result<(), JobError> {
    let error = |path: &Path, source| JobError::Output {
        path: path.to_owned(),
        source,
    };
    let path = folder.join("report.md");
    let text = fs::read(&path).map_err(|source| error(&path, source))?;
    let opened = fs::OpenOptions::new().create(true).append(true).open(file);
    let mut out = opened.map_err(|source| error(file, source))?;
    out.write_all(&text).map_err(|source| error(file, source))
}

/// The report in the folder of a finished reduction.
pub(super) fn read_report(folder: &Path) -> Result<Report, JobError> {
    let path = folder.join("report.json");
    let text = fs::read(&path).map_err(|error| {
        JobError::Unfit(format!(
            "{}: {error}; name the folder that `reduce --out` wrote",
            path.display()
        ))
    })?;
    let report: Report = serde_json::from_slice(&text).map_err(|error| {
        JobError::Unfit(format!("{}: this is not a report: {error}", path.display()))
    })?;
    if report.version > report::VERSION {
        return Err(JobError::Unfit(format!(
            "{}: version {} is newer than this tool knows; update it",
            path.display(),
            report.version
        )));
    }
    Ok(report)
}

/// The reduced traces beside a report; without them a report shows less.
pub(super) fn strips(folder: &Path) -> Result<Vec<Strip>, JobError> {
    let path = folder.join("suite.jsonl");
    let Ok(text) = fs::read(&path) else {
        return Ok(Vec::new());
    };
    report::strips(&text).map_err(|(line, error)| {
        JobError::Unfit(format!(
            "{}:{line}: this is not a reduced trace: {error}; restore the file that `reduce` wrote",
            path.display()
        ))
    })
}
