//! The flags of `minimize`.

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

fn default_algorithm() -> &'static str {
    session::algorithms()[0].0
}

fn algorithms() -> PossibleValuesParser {
    let all = session::algorithms().into_iter();
    PossibleValuesParser::new(all.map(|(name, about)| PossibleValue::new(name).help(about)))
}
