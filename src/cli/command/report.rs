//! `report`: render the readable reports again from `report.json`.

use std::path::Path;

use super::show;
use crate::cli::args::Common;
use crate::cli::exit_code::ExitCode;
use crate::report::summary;
use crate::session::{self, JobError};

pub(super) fn run(folder: &Path, common: &Common) -> Result<ExitCode, JobError> {
    let report = session::render_again(folder)?;
    show(common, &report, || {
        summary(&report, &folder.display().to_string())
    });
    Ok(ExitCode::Done)
}
