//! Importing: files of other tools become one native suite.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::inspect::named;
use super::output::write_file;
use super::{JobError, limits, setup};
use crate::config::Config;
use crate::export::write_suite;
use crate::import::{self, Importer, Look, Note};
use crate::report::VERSION;

/// What was imported.
#[derive(Debug, Clone, Serialize)]
pub struct ImportReport {
    /// Version of the format.
    pub version: u32,
    /// The format of the files.
    pub from: String,
    /// How many files were read.
    pub files: usize,
    /// How many traces they hold.
    pub traces: usize,
    /// How many steps these have.
    pub steps: usize,
    /// How many different elements are covered, screens included.
    pub elements: usize,
    /// Digest of the files.
    pub sha256: String,
    /// The suite that was written.
    pub suite: String,
    /// How many lines of the files could not be used.
    pub unused: usize,
    /// The first of them.
    pub unused_lines: Vec<UnusedLine>,
}

/// A line of a file that could not be used.
#[derive(Debug, Clone, Serialize)]
pub struct UnusedLine {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// Why.
    pub why: String,
}

/// The lines of files that could not be used, as reports name them.
pub(super) fn unused_lines(notes: &[Note]) -> Vec<UnusedLine> {
    let lines = notes.iter().map(|note| UnusedLine {
        file: note.path.display().to_string(),
        line: note.line,
        why: note.reason.clone(),
    });
    lines.collect()
}

/// The names of all formats that can be read.
#[must_use]
pub fn formats() -> Vec<&'static str> {
    import::all().iter().map(|importer| importer.name).collect()
}

/// What reports say where every file told its own format.
const AS_FOUND: &str = "as found";

/// Reads files of a format, or of those that they tell, and writes them as one native suite;
/// `screen` names the abstraction that makes screens of windows.
pub fn import(
    config: &Config,
    files: &[PathBuf],
    from: Option<&str>,
    screen: Option<&str>,
    out: &Path,
) -> Result<ImportReport, JobError> {
    let from = from.map(format).transpose()?;
    let look = screen.map(named).transpose()?.map(|abstraction| Look {
        abstraction,
        lens: setup(config).lens,
    });
    let loaded = import::load_looking(files, &limits(config), from, look)?;
    write_file(out, |file| write_suite(&loaded.suite, &loaded.names, file))?;
    Ok(ImportReport {
        version: VERSION,
        from: from.map_or(AS_FOUND, |from| from.name).to_owned(),
        files: loaded.files.len(),
        traces: loaded.suite.n_traces(),
        steps: loaded.suite.n_steps(),
        elements: loaded.suite.coverage(&loaded.names).len(),
        sha256: loaded.sha256,
        suite: out.display().to_string(),
        unused: loaded.notes.len() + loaded.more_notes,
        unused_lines: unused_lines(&loaded.notes),
    })
}

/// The format of a name.
pub(super) fn format(name: &str) -> Result<&'static Importer, JobError> {
    import::named(name).ok_or_else(|| {
        let known = formats().join(", ");
        JobError::Unfit(format!("no format is called `{name}`; there are {known}"))
    })
}
