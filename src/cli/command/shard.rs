//! `shard`: a suite in parts of about the same device time.

use std::path::Path;

use super::show;
use crate::cli::args::{Format, ShardArgs};
use crate::cli::exit_code::ExitCode;
use crate::cli::print_bytes;
use crate::config::Config;
use crate::report::shard_summary;
use crate::session::{self, JobError, Split};

pub(super) fn run(config: &Config, args: &ShardArgs) -> Result<ExitCode, JobError> {
    let common = &args.common;
    let asked = Split {
        total: args.total,
        index: args.index,
        out: common.out.as_deref().map(Path::new),
    };
    let (report, wanted) = session::shard(config, &asked)?;
    match wanted {
        Some(suite) if common.format == Format::Human => print_bytes(&suite),
        _ => show(common, &report, || shard_summary(&report)),
    }
    Ok(ExitCode::Done)
}
