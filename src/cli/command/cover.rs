//! `cover`: which recorded traces suffice.

use std::path::Path;

use super::{show, with_progress};
use crate::cli::args::CoverArgs;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::cover_summary;
use crate::session::{self, Choice, JobError};

pub(super) fn run(config: &Config, args: &CoverArgs) -> Result<ExitCode, JobError> {
    let common = &args.common;
    let choice = Choice {
        from: args.from.as_deref(),
        exact: args.exact,
        min_witness: args.min_witness,
        out: common.out.as_deref().map(Path::new),
    };
    let report = with_progress(config, common, false, |mut conditions| {
        session::cover(&mut conditions, &choice)
    })?;
    show(common, &report, || cover_summary(&report));
    Ok(ExitCode::Done)
}
