//! The flags of `minimize`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::{Common, Start};
use crate::session;

/// Arguments of `minimize`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct MinimizeArgs {
    /// The recorded trace, or suites of them: .jsonl files or folders
    #[arg(value_name = "TRACE")]
    pub suite: Vec<String>,
    /// What must still be reached: screen:NAME, covers:ELEMENT, fault:SIGNATURE or crash
    ///
    /// A signature is the class of an exception, with or without its package, and maybe frames of
    /// the app: `fault:NullPointerException at org.app.Cart.pay`. Line numbers do not matter.
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,
    /// Look at the trace of this name alone
    #[arg(long, value_name = "ID")]
    pub trace: Option<String>,
    /// How to choose the events that are tried without
    #[arg(long, value_name = "NAME", default_value = default_algorithm(), value_parser = algorithms())]
    pub algorithm: String,
    /// How nd3min plans its rounds of runs
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = default_scheduler(), value_parser = schedulers())]
    pub scheduler: String,
    /// Keep solved schedules in FOLDER instead of the user's cache
    #[arg(long, hide_short_help = true, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// Take text like this for private, too; `*` stands for anything, and it can be repeated
    #[arg(long, value_name = "PATTERN")]
    pub private: Vec<String>,
    /// Type other text where private text is left and another one reaches the target as well
    #[arg(
        long,
        hide_short_help = true,
        value_name = "BOOL",
        num_args = 0..=1,
        default_missing_value = "true"
    )]
    pub replace_text: Option<bool>,
    /// Do not let chard try this rule for events without effect; repeat it for more
    #[arg(long, hide_short_help = true, value_name = "RULE", value_parser = super::words::rules())]
    pub off: Vec<String>,
    /// Run the result N more times, to see how reliable it is
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub check: u32,
    /// Stop after this much device time, such as 90s, 30m or 1h30m
    #[arg(long, value_name = "TIME")]
    pub budget: Option<String>,
    /// Stop after this much time by the clock, such as 90s, 30m or 1h30m
    #[arg(long, value_name = "TIME")]
    pub wall: Option<String>,
    #[command(flatten)]
    pub start: Start,
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `review`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct ReviewArgs {
    /// The output folder of a finished `minimize`
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Review what is left of this failure alone, such as m1
    #[arg(long, value_name = "ID")]
    pub trace: Option<String>,
    /// Write a page to step through in a browser instead, to FILE or DIR/review.html
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "agree")]
    pub page: Option<Option<PathBuf>>,
    /// Agree beforehand: print the report and write it without a question
    #[arg(long)]
    pub agree: bool,
    #[command(flatten)]
    pub common: Common,
}

fn default_algorithm() -> &'static str {
    session::algorithms()[0].0
}

fn default_scheduler() -> &'static str {
    session::scheduler_names()[0].0
}

fn algorithms() -> PossibleValuesParser {
    choices(session::algorithms())
}

fn schedulers() -> PossibleValuesParser {
    choices(session::scheduler_names())
}

fn choices(all: Vec<(&'static str, &'static str)>) -> PossibleValuesParser {
    let all = all.into_iter();
    PossibleValuesParser::new(all.map(|(name, about)| PossibleValue::new(name).help(about)))
}
