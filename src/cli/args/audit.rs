//! The flags of `audit`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Common;

/// Arguments of `audit`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct AuditArgs {
    /// The output folder of a finished reduction
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// The suite that was reduced: .jsonl files or folders of them
    #[arg(long, value_name = "SUITE", num_args = 1..)]
    pub original: Vec<String>,
    /// Replay the reduced suite on devices as well
    #[arg(long)]
    pub replay: bool,
    /// Replay each trace N times
    #[arg(long, value_name = "N", requires = "replay")]
    pub runs: Option<i64>,
    #[command(flatten)]
    pub common: Common,
}
