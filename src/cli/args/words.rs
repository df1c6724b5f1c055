//! The flags of commands that put traces into words and into the formats of other tools.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Common;
use crate::session;

/// Arguments of `describe`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct DescribeArgs {
    /// Suites, or logs and scripts of Monkey
    #[arg(value_name = "SUITE")]
    pub suite: Vec<String>,
    /// Read files of this format, whatever their names end in
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub from: Option<String>,
    /// Do not try this rule for events without effect; repeat it for more
    #[arg(long, value_name = "RULE", value_parser = rules())]
    pub off: Vec<String>,
    /// Leave events without effect out of the text
    #[arg(long)]
    pub brief: bool,
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `export`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct ExportArgs {
    /// Suites to write in another format
    #[arg(value_name = "SUITE")]
    pub suite: Vec<String>,
    /// Read files of this format, whatever their names end in
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub from: Option<String>,
    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = export_formats())]
    pub to: String,
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `import`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct ImportArgs {
    /// The files, read in this order; folders are looked through
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The format of the files; without it every file tells its own
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub from: Option<String>,
    /// Name screens by this abstraction where files have the windows, not as the tool did
    #[arg(long, value_name = "NAME", value_parser = abstractions())]
    pub screen: Option<String>,
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `inspect`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct InspectArgs {
    /// Window dumps, or view trees of other tools; folders are looked through
    #[arg(value_name = "DUMP", required = true)]
    pub dumps: Vec<PathBuf>,
    /// Look away from a text that changes by itself; repeat it for more
    ///
    /// id:clock, class:Chronometer, or a pattern such as text:[0-9]+:[0-9]+.
    #[arg(long, value_name = "MASK")]
    pub mask: Vec<String>,
    /// Whether the length of lists counts
    #[arg(long, value_name = "HOW", value_parser = ["count", "collapse"])]
    pub lists: Option<String>,
    /// Show every line that this abstraction looks at
    #[arg(long, value_name = "NAME", value_parser = abstractions())]
    pub lines: Option<String>,
    #[command(flatten)]
    pub common: Common,
}

pub(super) fn rules() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(session::rule_names())
}

fn export_formats() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(session::export_formats())
}

pub(super) fn formats() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(session::formats())
}

fn abstractions() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(session::abstractions())
}
