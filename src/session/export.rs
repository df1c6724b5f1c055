//! Exporting: the traces of a suite become files of another tool.

use std::path::Path;

use serde::Serialize;

use super::import::format;
use super::output::write_file;
use super::{JobError, limits};
use crate::config::Config;
use crate::export::{self, Exporter};
use crate::import;
use crate::report::VERSION;

/// What was exported.
#[derive(Debug, Clone, Serialize)]
pub struct ExportReport {
    /// Version of the format.
    pub version: u32,
    /// The format of the files.
    pub to: &'static str,
    /// The files, in the order of the traces.
    pub files: Vec<String>,
    /// Steps that the format cannot hold, with their actions.
    pub unwritten: Vec<UnwrittenStep>,
}

/// A step that the format cannot hold.
#[derive(Debug, Clone, Serialize)]
pub struct UnwrittenStep {
    /// The trace.
    pub trace: String,
    /// The step.
    pub step: usize,
    /// Its action.
    pub action: String,
}

/// The names of all formats that can be written.
#[must_use]
pub fn export_formats() -> Vec<&'static str> {
    export::all().iter().map(|exporter| exporter.name).collect()
}

/// Writes each trace of the suite of a configuration as a file of its own into a folder.
pub fn export(
    config: &Config,
    from: Option<&str>,
    to: &str,
    out: &Path,
) -> Result<ExportReport, JobError> {
    let exporter = exporter(to)?;
    let from = from.map(format).transpose()?;
    let loaded = import::load_from(&config.suite, &limits(config), from)?;
    let mut report = ExportReport {
        version: VERSION,
        to: exporter.name,
        files: Vec::new(),
        unwritten: Vec::new(),
    };
    for (idx, trace) in loaded.suite.traces() {
        let written = (exporter.write)(&loaded.suite, &loaded.names, idx);
        let name = format!(
            "{}.{}",
            file_name(idx.index(), trace.id),
            exporter.extension
        );
        let path = out.join(name);
        write_file(&path, |file| file.write_all(written.text.as_bytes()))?;
        report.files.push(path.display().to_string());
        let unwritten = written
            .unwritten
            .into_iter()
            .map(|(step, action)| UnwrittenStep {
                trace: trace.id.to_string(),
                step,
                action,
            });
        report.unwritten.extend(unwritten);
    }
    Ok(report)
}

/// A name for a file that no two traces share, whatever their ids hold.
fn file_name(number: usize, id: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let plain: String = id
        .chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .take(60)
        .collect();
    format!("{:04}-{plain}", number + 1)
}

fn exporter(name: &str) -> Result<&'static Exporter, JobError> {
    export::all()
        .iter()
        .find(|exporter| exporter.name == name)
        .ok_or_else(|| {
            let known = export_formats().join(", ");
            JobError::Unfit(format!("no format is called `{name}`; there are {known}"))
        })
}
