//! `explore`: walk through an app and leave a suite.

use super::{show, with_progress};
use crate::cli::args::ExploreArgs;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::{explore_summary, visible};
use crate::session::{self, JobError};

pub(super) fn run(config: &Config, args: &ExploreArgs) -> Result<ExitCode, JobError> {
    let (common, fresh) = (&args.common, args.start.fresh);
    let report = with_progress(config, common, fresh, |conditions| {
        session::explore(conditions, &args.follow)
    })?;
    let folder = config.out.display().to_string();
    show(common, &report, || {
        explore_summary(&report, &visible(&folder))
    });
    Ok(ExitCode::Done)
}
