//! Reviewing what `minimize` left: the error report in parts, its page, and writing it once somebody
//! agreed.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::JobError;
use super::output::write_file;
use crate::model::sha256;
use crate::report::{self, ErrorReport, MinimizeReport, Reviewed, VERSION, review_page};

/// The name of the error report in the folder it is about.
const REPORT: &str = "error-report.txt";
/// The name of the page in there.
const PAGE: &str = "review.html";
/// The file that says what was found.
const FOUND: &str = "minimize.json";
/// The file with the traces that are left.
const TRACES: &str = "trace.jsonl";

/// How many failures are named where one is looked for.
const LISTED: usize = 10;

/// An error report that nobody has agreed to yet.
#[derive(Debug, Clone)]
pub struct Review {
    /// What it will hold.
    pub report: ErrorReport,
    /// Where it will be.
    pub file: PathBuf,
}

/// What came of a review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReviewReport {
    /// Version of the format.
    pub version: u32,
    /// How many parts the error report has.
    pub parts: usize,
    /// Digest of the error report.
    pub sha256: String,
    /// Where the error report was written, if somebody agreed.
    pub written: Option<PathBuf>,
    /// Where the page was written, if it was asked for.
    pub page: Option<PathBuf>,
}

impl Review {
    /// What a folder of `minimize` would have in an error report, of one failure or of all; `file`
    /// says where it is to be instead of the folder.
    pub fn new(folder: &Path, trace: Option<&str>, file: Option<&Path>) -> Result<Self, JobError> {
        let found = found(folder)?;
        let traces = traces(folder)?;
        let mut reviewed = Vec::new();
        for failure in &found.failures {
            if trace.is_none_or(|trace| trace == failure.trace) {
                let (screens, actions) = shown(&traces, &failure.trace, folder)?;
                reviewed.push(Reviewed {
                    failure,
                    tool: &found.tool,
                    screens,
                    actions,
                });
            }
        }
        if let (Some(trace), true) = (trace, reviewed.is_empty()) {
            let known = found.failures.iter().map(|one| one.trace.as_str());
            let known: Vec<_> = known.take(LISTED).collect();
            return Err(JobError::Unfit(format!(
                "{}: there is no failure `{trace}`; it has {}",
                folder.join(FOUND).display(),
                known.join(", ")
            )));
        }
        Ok(Self {
            report: ErrorReport::new(&reviewed),
            file: file.map_or_else(|| folder.join(REPORT), Path::to_owned),
        })
    }

    /// Writes the error report, as somebody agreed to it.
    pub fn write(&self) -> Result<ReviewReport, JobError> {
        let text = self.report.text();
        write_file(&self.file, |out| out.write_all(text.as_bytes()))?;
        Ok(ReviewReport {
            written: Some(self.file.clone()),
            ..self.unwritten()
        })
    }

    /// Writes the page, to a file or into the folder of the review.
    pub fn write_page(&self, folder: &Path, file: Option<&Path>) -> Result<ReviewReport, JobError> {
        let page = file.map_or_else(|| folder.join(PAGE), Path::to_owned);
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        write_file(&page, |out| review_page(&self.report, &name, out))?;
        Ok(ReviewReport {
            page: Some(page),
            ..self.unwritten()
        })
    }

    /// What came of it if nobody agreed.
    #[must_use]
    pub fn unwritten(&self) -> ReviewReport {
        ReviewReport {
            version: VERSION,
            parts: self.report.parts.len(),
            sha256: sha256(self.report.text().as_bytes()),
            written: None,
            page: None,
        }
    }
}

fn found(folder: &Path) -> Result<MinimizeReport, JobError> {
    let path = folder.join(FOUND);
    let unfit = |reason: String| JobError::Unfit(format!("{}: {reason}", path.display()));
    let text = fs::read(&path).map_err(|error| {
        unfit(format!(
            "{error}; name the folder that `minimize --out` wrote"
        ))
    })?;
    let found: MinimizeReport = serde_json::from_slice(&text)
        .map_err(|error| unfit(format!("this is not what `minimize` writes: {error}")))?;
    if found.version > report::VERSION {
        let version = found.version;
        return Err(unfit(format!(
            "version {version} is newer than this tool knows; update it"
        )));
    }
    Ok(found)
}

/// The lines of `trace.jsonl`.
fn traces(folder: &Path) -> Result<Vec<Value>, JobError> {
    let path = folder.join(TRACES);
    let unfit = |reason: String| JobError::Unfit(format!("{}: {reason}", path.display()));
    let text = fs::read_to_string(&path)
        .map_err(|error| unfit(format!("{error}; run the same `minimize` again")))?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.is_empty());
    let traces = lines.map(|(line, number)| {
        serde_json::from_str(line).map_err(|error| {
            JobError::Unfit(format!(
                "{}:{number}: this is no trace: {error}; run the same `minimize` again",
                path.display()
            ))
        })
    });
    traces.collect()
}

/// The screens and actions of a trace.
fn shown(traces: &[Value], id: &str, folder: &Path) -> Result<(Vec<String>, Vec<Value>), JobError> {
    let unfit = |reason: &str| {
        JobError::Unfit(format!(
            "{}: {reason} `{id}`, which {FOUND} has; run the same `minimize` again",
            folder.join(TRACES).display()
        ))
    };
    let mut all = traces.iter();
    let trace = all.find(|trace| trace["id"] == id);
    let trace = trace.ok_or_else(|| unfit("there is no trace"))?;
    let steps = trace["steps"].as_array();
    let steps = steps.ok_or_else(|| unfit("there are no steps in"))?;
    let screen = |of: &Value| of["screen"].as_str().unwrap_or_default().to_owned();
    let screens = std::iter::once(&trace["launch"]).chain(steps).map(screen);
    let actions = steps.iter().map(|step| step["action"].clone());
    Ok((screens.collect(), actions.collect()))
}
