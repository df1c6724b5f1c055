//! The flags of the commands that work on what a reduction left.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};

use super::Common;
use crate::config;

/// Arguments of `explain`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct ExplainArgs {
    /// What to explain: trace, element or kept, and its name; the output folder may come first
    #[arg(value_name = "WHAT", required = true, num_args = 2..=3)]
    pub words: Vec<String>,
    /// The output folder of a finished run, if it is not the one of the settings
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// The suite that was reduced, if it is not the one of the settings
    #[arg(long, value_name = "SUITE", num_args = 1..)]
    pub original: Vec<PathBuf>,
    #[command(flatten)]
    pub common: Common,
}

impl ExplainArgs {
    /// The output folder, where it is named.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        match self.words.as_slice() {
            [folder, _, _] => Some(Path::new(folder)),
            _ => self.dir.as_deref(),
        }
    }

    /// What to explain, and its name.
    #[must_use]
    pub fn question(&self) -> (&str, &str) {
        match self.words.as_slice() {
            [.., what, name] => (what, name),
            _ => ("", ""),
        }
    }
}

/// Arguments of `restore`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct RestoreArgs {
    /// The output folder of a finished run
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// The traces, by their names in the original
    #[arg(value_name = "TRACE", required = true)]
    pub traces: Vec<String>,
    /// The suite that was reduced, if it is not the one of the settings
    #[arg(long, value_name = "SUITE", num_args = 1..)]
    pub original: Vec<PathBuf>,
    /// Why they are wanted back; the reports show it
    #[arg(long, value_name = "TEXT", required_unless_present = "undo")]
    pub why: Option<String>,
    /// Take them out again
    #[arg(long, conflicts_with = "why")]
    pub undo: bool,
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `shadow`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct ShadowArgs {
    /// JUnit files of the full suite, one for each build
    ///
    /// Of one folder, each entry is a build: an .xml file, or a folder of them. Of several paths,
    /// each is a build. A test that comes again on a build was run again.
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    pub full: Vec<PathBuf>,
    /// The same of the reduced suite
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    pub reduced: Vec<PathBuf>,
    /// How the builds of both suites find each other
    #[arg(long, value_enum, default_value_t = PairBy::Name)]
    pub pair: PairBy,
    /// Exit with 1 if the reduced suite missed more than SHARE, such as 1% or 0.01
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub max_miss: Option<f64>,
    /// What --max-miss is a share of
    #[arg(long, value_enum, default_value_t = CountBy::Build)]
    pub by: CountBy,
    /// Hold --max-miss against the upper end of the interval, not against what was counted
    #[arg(long, requires = "max_miss")]
    pub strict: bool,
    /// Take a test that failed and passed on one build as failed
    #[arg(long)]
    pub count_flaky: bool,
    #[command(flatten)]
    pub common: Common,
}

/// How the builds of both suites find each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PairBy {
    /// By name: of the file without .xml, or of the folder
    Name,
    /// The first with the first, the second with the second
    Order,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CountBy {
    /// Builds that the full suite failed
    Build,
    /// Failures of the full suite, by signature within each build
    Failure,
}

fn share(text: &str) -> Result<f64, String> {
    let share = config::parse_share(text);
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it must be a share, such as 1%, 0.5% or 0.01".to_owned())
}

/// Arguments of `shard`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct ShardArgs {
    /// Suites to split: .jsonl files or folders of them
    #[arg(value_name = "SUITE")]
    pub suite: Vec<String>,
    /// Split into N shards
    #[arg(long, value_name = "N", value_parser = positive)]
    pub total: usize,
    /// Give the K-th shard alone, from 1: on stdout, or with --out as a file
    #[arg(long, value_name = "K", value_parser = positive)]
    pub index: Option<usize>,
    #[command(flatten)]
    pub common: Common,
}

/// More shards than any farm has devices.
const MOST_SHARDS: usize = 10_000;

fn positive(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1..=MOST_SHARDS).contains(number));
    number.ok_or_else(|| format!("it must be a number from 1 to {MOST_SHARDS}"))
}

/// Arguments of `report`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct ReportArgs {
    /// The output folder of a finished run
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    #[command(flatten)]
    pub common: Common,
}
