//! `explain`: why a trace is gone, where an element is covered, what a reduced trace is there for.

use super::show;
use crate::cli::args::ExplainArgs;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::explained;
use crate::session::{self, JobError, Question};

pub(super) fn run(config: &Config, args: &ExplainArgs) -> Result<ExitCode, JobError> {
    let folder = args.folder().unwrap_or(&config.out);
    let (what, name) = args.question();
    let question = (Question::parse(what)?, name);
    let explanation = session::explain(config, folder, question, &args.original)?;
    show(&args.common, &explanation, || explained(&explanation));
    Ok(ExitCode::Done)
}
