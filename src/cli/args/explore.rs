//! The flags of `explore`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::{Common, Start};
use crate::explore::Strategy;

/// Arguments of `explore`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct ExploreArgs {
    /// How to choose what to do
    #[arg(long, value_name = "NAME", value_parser = Strategy::CHOICES.map(|(name, _)| name))]
    pub strategy: Option<String>,
    /// Stop after so much: 1000steps, 50traces or device time such as 30m; repeat it for more
    #[arg(long, value_name = "LIMIT", value_delimiter = ',')]
    pub budget: Vec<String>,
    /// Stop after this much time by the clock, such as 90s, 30m or 1h30m
    #[arg(long, value_name = "TIME")]
    pub wall: Option<String>,
    /// Make traces of at most N steps
    #[arg(long, value_name = "N")]
    pub max_steps: Option<i64>,
    /// Never touch what says WORDS, beside the dangers that are known; repeat it for more
    #[arg(long, value_name = "WORDS")]
    pub deny: Vec<String>,
    /// Type TEXT where something can be typed; repeat it for more
    #[arg(long, value_name = "TEXT")]
    pub text: Vec<String>,
    /// Walk the traces of SUITE first, and write down what they show; repeat it for more
    ///
    /// Recordings of other tools say what was done and not what came of it. They are not counted
    /// in --budget; with --budget 0steps nothing else is done.
    #[arg(long, value_name = "SUITE")]
    pub follow: Vec<PathBuf>,
    #[command(flatten)]
    pub start: Start,
    #[command(flatten)]
    pub common: Common,
}
