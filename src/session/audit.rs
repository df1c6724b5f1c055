//! Auditing: a reduction is read from its files and checked, and replayed where that is asked for.

use std::fs::{self, File};
use std::io::{self, BufReader, Read as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::finished::tool;
use super::output::{JOURNAL, RESTS_ON};
use super::{Conditions, JobError, limits};
use crate::audit::{self, Audit, Book, Case, Checked, JournalFile, Violation, strict};
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
        let unfit = |path: &Path, error: io::Error| {
            JobError::Unfit(format!(
                "{}: {error}; name the folder that `reduce --out` wrote",
                path.display()
            ))
        };
        let path = folder.join("report.json");
        let report = read_file(&path).map_err(|error| unfit(&path, error))?;
        check_file(&suite).map_err(|error| unfit(&suite, error))?;
        let path = folder.join(ATTESTATION);
        let attestation = match read_file(&path) {
            // What is no JSON is no statement, and told as such.
            Ok(bytes) if strict(&bytes).is_err() => Some(Value::Null),
            Ok(bytes) => Some(serde_json::from_slice(&bytes).unwrap_or(Value::Null)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unfit(&path, error)),
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
        let report = strict(&self.report).and_then(|()| {
            let report = serde_json::from_slice(&self.report);
            report.map_err(|error| error.to_string())
        });
        let report = report.map_err(|error| wrong(format!("it is no report: {error}")))?;
        let suite = load(std::slice::from_ref(&self.suite), &limits(config));
        let suite = suite.map_err(|error| ("suite.jsonl".to_owned(), error.to_string()))?;
        Ok((suite, report, self.journal(limits(config).max_line_bytes)?))
    }

    /// Compares the readable reports with what the report says. Only where the report is to the
    /// letter as this very version writes it: order and wording differ otherwise, and that is no
    /// harm.
    fn renderings(&self, report: &Report, audit: &mut Audit) {
        let suite = fs::read(&self.suite).unwrap_or_default();
        let Ok(strips) = report::strips(&suite) else {
            return;
        };
        let shown = Shown {
            report,
            strips: &strips,
        };
        let is_as_written = report.tool == tool()
            && rendered("report.json", &shown).is_some_and(|text| text == self.report);
        if !is_as_written {
            return;
        }
        let mut checked = Checked {
            name: "readable",
            about: "the readable reports show what report.json says",
            looked_at: 0,
            violations: 0,
        };
        let mut violations = Vec::new();
        for renderer in report::all().iter().filter(|r| r.file != "report.json") {
            let Ok(found) = read_file(&self.folder.join(renderer.file)) else {
                continue;
            };
            checked.looked_at += 1;
            if rendered(renderer.file, &shown).is_some_and(|text| text != found) {
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

    fn journal(&self, max_line_bytes: usize) -> Result<Option<JournalFile>, (String, String)> {
        let folder = self.folder.join(JOURNAL);
        let path = folder.join(JOURNAL_FILE);
        if !path.exists() {
            return Ok(None);
        }
        let wrong = |path: &Path, what: String| Err((path.display().to_string(), what));
        let rests_on_path = folder.join(RESTS_ON);
        let rests_on = match read_file(&rests_on_path) {
            Ok(text) => match serde_json::from_slice(&text) {
                Ok(rests_on) => Some(rests_on),
                Err(error) => {
                    let what = format!("it does not say what the result rests on: {error}");
                    return wrong(&rests_on_path, what);
                }
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return wrong(&rests_on_path, error.to_string()),
        };
        let file = match check_file(&path).and_then(|()| File::open(&path)) {
            Ok(file) => file,
            Err(error) => return wrong(&path, error.to_string()),
        };
        let journal = JournalFile::read(BufReader::new(file), rests_on, max_line_bytes);
        journal.map(Some).map_err(|(line, error)| {
            (
                format!("{}:{line}", path.display()),
                format!("it is no record of a run: {error}"),
            )
        })
    }
}

/// A report as one of the files that are made from it.
fn rendered(file: &str, shown: &Shown) -> Option<Vec<u8>> {
    let renderer = report::all().iter().find(|r| r.file == file)?;
    let mut text = Vec::new();
    (renderer.render)(shown, &mut text).ok()?;
    Some(text)
}

/// The longest file that is read as a whole.
const MOST_BYTES: u64 = 4 << 30;

/// Reads a file that somebody else may have put there.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    check_file(path)?;
    let file = File::open(path)?;
    if file.metadata()?.len() > MOST_BYTES {
        let what = format!("it has more than {MOST_BYTES} bytes");
        return Err(io::Error::other(what));
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes sure that a path leads to a file: reading from a pipe or a device may never end.
fn check_file(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() {
        return Ok(());
    }
    Err(io::Error::other("this is no file"))
}
