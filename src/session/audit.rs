//! Auditing: a reduction is read from its files and checked, and replayed where that is asked for.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::finished::tool;
use super::output::{JOURNAL, RESTS_ON};
use super::{Conditions, JobError, limits};
use crate::audit::{self, Audit, Book, Case, Checked, JournalFile, Violation, repeated_name};
use crate::config::Config;
use crate::import::{Loaded, load};
use crate::model::sha256;
use crate::replay::JOURNAL_FILE;
use crate::report::{self, ATTESTATION, Report, Shown};

/// Audits the reduction in a folder against the suite of a configuration; with `replay` also on
/// its devices.
pub fn audit(folder: &Path, replay: bool, conditions: &mut Conditions) -> Result<Audit, JobError> {
    let config = conditions.config;
    if config.suite.is_empty() {
        return Err(JobError::Unfit(
            "name the suite that was reduced with --original SUITE".to_owned(),
        ));
    }
    let files = Files::read(folder)?;
    let original = load(&config.suite, &limits(config))?;
    let parsed = files.parse(config);
    let (reduced, report, journal) = match parsed {
        Ok(parsed) => parsed,
        Err((place, what)) => return Ok(Audit::unreadable(&place, what)),
    };
    let mut audit = audit::audit(&Case {
        original: book(&original),
        reduced: book(&reduced),
        report: &report,
        report_sha256: &sha256(&files.report),
        attestation: files.attestation.as_ref(),
        journal: journal.as_ref(),
    });
    files.renderings(&report, &mut audit);
    if replay {
        super::reaudit::replay(&reduced, &original, &report, conditions, &mut audit)?;
    }
    Ok(audit)
}

fn book(loaded: &Loaded) -> Book<'_> {
    Book {
        suite: &loaded.suite,
        names: &loaded.names,
        sha256: &loaded.sha256,
        files: &loaded.digests,
    }
}

/// What the files of a reduction hold.
type Parsed = (Loaded, Report, Option<JournalFile>);

/// The files of a reduction.
struct Files {
    folder: PathBuf,
    suite: PathBuf,
    report: Vec<u8>,
    attestation: Option<Value>,
}

impl Files {
    fn read(folder: &Path) -> Result<Self, JobError> {
        let suite = folder.join("suite.jsonl");
        let needed = |path: &Path| {
            fs::read(path).map_err(|error| {
                JobError::Unfit(format!(
                    "{}: {error}; name the folder that `reduce --out` wrote",
                    path.display()
                ))
            })
        };
        let report = needed(&folder.join("report.json"))?;
        needed(&suite)?;
        let attestation = match fs::read(folder.join(ATTESTATION)) {
            // What is no JSON is no statement, and told as such.
            Ok(bytes) => Some(serde_json::from_slice(&bytes).unwrap_or(Value::Null)),
            Err(_) => None,
        };
        Ok(Self {
            folder: folder.to_owned(),
            suite,
            report,
            attestation,
        })
    }

    /// The suite, the report and the journal, or which file is not what it should be and why.
    fn parse(&self, config: &Config) -> Result<Parsed, (String, String)> {
        let wrong = |what: String| ("report.json".to_owned(), what);
        if let Some(name) = repeated_name(&self.report) {
            return Err(wrong(format!("an object has two fields `{name}`")));
        }
        let report = serde_json::from_slice(&self.report);
        let report = report.map_err(|error| wrong(format!("it is no report: {error}")))?;
        let suite = load(std::slice::from_ref(&self.suite), &limits(config));
        let suite = suite.map_err(|error| ("suite.jsonl".to_owned(), error.to_string()))?;
        Ok((suite, report, self.journal()?))
    }

    /// Compares the readable reports with what the report says. Only where the report is to the
    /// letter the one that was written, and by this very version: order and wording differ
    /// otherwise, and that is no harm.
    fn renderings(&self, report: &Report, audit: &mut Audit) {
        let attested = self.attestation.as_ref().map(|a| &a["subject"]);
        let mut attested = attested.and_then(Value::as_array).into_iter().flatten();
        let digest = Value::from(sha256(&self.report));
        let is_untouched = attested.any(|subject| {
            subject["name"] == "report.json" && subject["digest"]["sha256"] == digest
        });
        let suite = fs::read(&self.suite).unwrap_or_default();
        let strips = report::strips(&suite);
        let (true, Ok(strips)) = (is_untouched && report.tool == tool(), strips) else {
            return;
        };
        let shown = Shown {
            report,
            strips: &strips,
        };
        let mut checked = Checked {
            name: "readable",
            about: "the readable reports show what report.json says",
            looked_at: 0,
            violations: 0,
        };
        let mut violations = Vec::new();
        for renderer in report::all().iter().filter(|r| r.file != "report.json") {
            let Ok(found) = fs::read(self.folder.join(renderer.file)) else {
                continue;
            };
            let mut expected = Vec::new();
            if (renderer.render)(&shown, &mut expected).is_err() {
                continue;
            }
            checked.looked_at += 1;
            if found != expected {
                violations.push(Violation {
                    check: checked.name,
                    place: renderer.file.to_owned(),
                    element: None,
                    what: "it does not show what report.json says; `report` writes it again"
                        .to_owned(),
                });
            }
        }
        checked.violations = violations.len();
        audit.add(checked, violations, Vec::new());
    }

    fn journal(&self) -> Result<Option<JournalFile>, (String, String)> {
        let folder = self.folder.join(JOURNAL);
        let path = folder.join(JOURNAL_FILE);
        let Ok(file) = File::open(&path) else {
            return Ok(None);
        };
        let rests_on = fs::read(folder.join(RESTS_ON)).ok();
        let rests_on = rests_on.and_then(|text| serde_json::from_slice(&text).ok());
        let journal = JournalFile::read(BufReader::new(file), rests_on);
        journal.map(Some).map_err(|(line, error)| {
            (
                format!("{}:{line}", path.display()),
                format!("it is no record of a run: {error}"),
            )
        })
    }
}
