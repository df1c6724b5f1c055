//! The commands and their flags.

use std::path::PathBuf;

use clap::{ArgAction, Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::model::{Kind, Stabilize, Strategy};

mod audit;
mod explore;
mod follow_up;
mod help;
mod layers;
mod minimize;
mod words;

pub use audit::AuditArgs;
pub use explore::ExploreArgs;
pub use follow_up::{CountBy, ExplainArgs, PairBy, ReportArgs, RestoreArgs, ShadowArgs, ShardArgs};
pub use help::EXIT_CODES;
pub use minimize::{MinimizeArgs, ReviewArgs};
use words::formats;
pub use words::{DescribeArgs, ExportArgs, ImportArgs, InspectArgs};

/// Make a large suite of recorded GUI traces small, without losing what it covers
#[derive(Debug, Parser)]
#[command(
    name = "cargo-reduce-suite",
    bin_name = "cargo reduce-suite",
    version,
    after_help = help::PROGRAM,
    after_long_help = help::with_exit_codes(help::PROGRAM),
)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Reduce suites to a small one that covers the same, confirmed on devices
    #[command(
        after_help = help::REDUCE,
        after_long_help = help::with_exit_codes(help::REDUCE),
    )]
    Reduce(ReduceArgs),
    /// Replay every trace and keep the longest part of it that always replays
    #[command(
        after_help = help::STABILIZE,
        after_long_help = help::with_exit_codes(help::STABILIZE),
    )]
    Stabilize(StabilizeArgs),
    /// Shrink failing traces to the few events that matter
    #[command(
        after_help = help::MINIMIZE,
        after_long_help = help::with_exit_codes(help::MINIMIZE),
    )]
    Minimize(MinimizeArgs),
    /// Step through what is left of a failing trace, and write an error report if you agree
    #[command(
        after_help = help::REVIEW,
        after_long_help = help::with_exit_codes(help::REVIEW),
        mut_arg("out", |arg| arg.value_name("FILE").help("Write the error report to FILE instead of DIR/error-report.txt")),
        mut_arg("device", |arg| arg.hide(true)),
    )]
    Review(ReviewArgs),
    /// Replay traces and say which of them go another way than recorded
    #[command(
        after_help = help::REPLAY,
        after_long_help = help::with_exit_codes(help::REPLAY),
    )]
    Replay(ReplayArgs),
    /// Walk through an app and leave a suite with what it covered
    #[command(
        after_help = help::EXPLORE,
        after_long_help = help::with_exit_codes(help::EXPLORE),
    )]
    Explore(ExploreArgs),
    /// Show which devices can be reached and how they are
    #[command(
        after_help = help::DEVICES,
        after_long_help = help::with_exit_codes(help::DEVICES),
    )]
    Devices(DevicesArgs),
    /// Say which recorded traces suffice, by the recordings alone and without a device
    #[command(
        after_help = help::COVER,
        after_long_help = help::with_exit_codes(help::COVER),
        mut_arg("out", |arg| arg.value_name("SUITE").help("Write the traces that suffice to SUITE, compressed if it ends in .zst")),
        mut_arg("device", |arg| arg.hide(true)),
    )]
    Cover(CoverArgs),
    /// Turn files of other tools into a suite
    #[command(
        after_help = help::IMPORT,
        after_long_help = help::with_exit_codes(help::IMPORT),
        mut_arg("out", |arg| arg.value_name("SUITE").required(true).help("Write the suite to SUITE, compressed if it ends in .zst")),
        mut_arg("device", |arg| arg.hide(true)),
    )]
    Import(ImportArgs),
    /// Show what counts as the same screen: what each abstraction makes of window dumps
    #[command(
        after_help = help::INSPECT,
        after_long_help = help::with_exit_codes(help::INSPECT),
        mut_arg("out", |arg| arg.hide(true)),
        mut_arg("device", |arg| arg.hide(true)),
    )]
    Inspect(InspectArgs),
    /// Check a reduction against the original suite, without trusting the reducer
    #[command(
        after_help = help::AUDIT,
        after_long_help = help::with_exit_codes(help::AUDIT),
        mut_arg("out", |arg| arg.hide(true)),
    )]
    Audit(AuditArgs),
    /// Write traces in the format of another tool
    #[command(
        after_help = help::EXPORT,
        after_long_help = help::with_exit_codes(help::EXPORT),
        mut_arg("out", |arg| arg.help("Write the files into DIR, one a trace")),
        mut_arg("device", |arg| arg.hide(true)),
    )]
    Export(ExportArgs),
    /// Tell traces in plain words, and which of their events have no effect
    #[command(
        after_help = help::DESCRIBE,
        after_long_help = help::with_exit_codes(help::DESCRIBE),
        mut_arg("out", |arg| arg.hide(true)),
        mut_arg("device", |arg| arg.hide(true)),
    )]
    Describe(DescribeArgs),
    /// Write the readable reports of a finished run again
    #[command(
        after_help = help::REPORT,
        after_long_help = help::with_exit_codes(help::REPORT),
    )]
    Report(ReportArgs),
    /// Say why a trace is gone, where an element is covered, what a reduced trace is there for
    #[command(
        after_help = help::EXPLAIN,
        after_long_help = help::with_exit_codes(help::EXPLAIN),
        override_usage = "cargo reduce-suite explain [DIR] <trace|element|kept> <NAME> [OPTIONS]",
        mut_arg("out", |arg| arg.hide(true)),
        mut_arg("device", |arg| arg.hide(true)),
    )]
    Explain(ExplainArgs),
    /// Put removed traces back into a reduced suite, or take them out again
    #[command(
        after_help = help::RESTORE,
        after_long_help = help::with_exit_codes(help::RESTORE),
        mut_arg("out", |arg| arg.hide(true)),
        mut_arg("device", |arg| arg.hide(true)),
    )]
    Restore(RestoreArgs),
    /// Say what the reduced suite would have missed, from JUnit files of both suites
    #[command(
        after_help = help::SHADOW,
        after_long_help = help::with_exit_codes(help::SHADOW),
        mut_arg("out", |arg| arg.hide(true)),
        mut_arg("device", |arg| arg.hide(true)),
    )]
    Shadow(ShadowArgs),
    /// Split a suite into parts of about the same device time
    #[command(
        after_help = help::SHARD,
        after_long_help = help::with_exit_codes(help::SHARD),
        mut_arg("out", |arg| arg.help("Write the shards into DIR, as shard-K-of-N.jsonl")),
        mut_arg("device", |arg| arg.hide(true)),
    )]
    Shard(ShardArgs),
}

/// Flags that every command has.
#[derive(Debug, ClapArgs)]
pub struct Common {
    /// Read settings from FILE instead of the nearest config/reduce-suite.toml
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Use this device; repeat it for more
    ///
    /// sim:PATH is a simulated app; ?count=N opens N of the same.
    #[arg(long, value_name = "URL")]
    pub device: Vec<String>,
    /// Write the results into DIR
    #[arg(long, value_name = "DIR")]
    pub out: Option<String>,
    /// Start every random choice from N: the same N gives the same answer
    #[arg(long, value_name = "N")]
    pub seed: Option<i64>,
    /// Set any option, such as --set replay.runs=3; repeat it for more
    ///
    /// --print-config lists the options. A flag made for an option wins over --set.
    #[arg(long, value_name = "KEY=VALUE", value_parser = layers::parse_setting)]
    pub set: Vec<(String, toml::Value)>,
    /// Print the result for people or for programs
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Show nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Show more on the way
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,
}

/// How the result is written to stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text to read
    Human,
    /// One JSON value
    Json,
}

/// Bounds on what a command may cost.
#[derive(Debug, ClapArgs)]
pub struct Bounds {
    /// Replay everything N times before it is believed
    #[arg(long, value_name = "N")]
    pub runs: Option<i64>,
    /// Stop after this much device time, such as 90s, 30m or 1h30m
    #[arg(long, value_name = "TIME")]
    pub budget: Option<String>,
    /// Stop after this much time by the clock, such as 90s, 30m or 1h30m
    #[arg(long, value_name = "TIME")]
    pub wall: Option<String>,
}

/// How to begin a command that can go on where it stopped.
#[derive(Debug, ClapArgs)]
pub struct Start {
    /// Start over: throw away what an earlier run left in the output folder
    #[arg(long)]
    pub fresh: bool,
    /// Print the settings and where each came from, and do nothing else
    #[arg(long)]
    pub print_config: bool,
}

/// Arguments of `reduce`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct ReduceArgs {
    /// Recorded suites: .jsonl files or folders of them
    #[arg(value_name = "SUITE")]
    pub suite: Vec<String>,
    /// How to reduce
    #[arg(long, value_name = "NAME", value_parser = Strategy::CHOICES.map(|(name, _)| name))]
    pub strategy: Option<String>,
    /// Which recorded traces to replay before anything else
    #[arg(long, value_name = "WHICH", value_parser = Stabilize::CHOICES.map(|(name, _)| name))]
    pub stabilize: Option<String>,
    /// What the reduced suite must still cover
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind_names())]
    pub preserve: Vec<String>,
    /// Make new traces of at most K pieces of recorded ones
    #[arg(long, value_name = "K")]
    pub fragments: Option<i64>,
    /// Keep what still holds of an earlier reduction, and tell what changed
    #[arg(long, value_name = "DIR")]
    pub since: Option<PathBuf>,
    /// Append the report in Markdown to FILE, such as the summary of a CI step
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    #[command(flatten)]
    pub best: BestArgs,
    #[command(flatten)]
    pub bounds: Bounds,
    #[command(flatten)]
    pub start: Start,
    #[command(flatten)]
    pub common: Common,
}

/// Flags of `reduce` that `best` follows.
#[derive(Debug, ClapArgs)]
pub struct BestArgs {
    /// Make new traces of at most N steps
    #[arg(long, value_name = "N")]
    pub max_steps: Option<i64>,
    /// Let new traces hold steps that only the tool has seen
    #[arg(
        long,
        hide_short_help = true,
        value_name = "BOOL",
        num_args = 0..=1,
        default_missing_value = "true"
    )]
    pub allow_observed: Option<bool>,
    /// Replay until the whole suite goes another way less often than SHARE
    ///
    /// Such as 1%, 0.5% or 0.01; none asks for --runs of each trace instead.
    #[arg(long, value_name = "SHARE")]
    pub suite_flake: Option<String>,
    /// Cover each element by N traces where the input allows
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub min_witness: Option<i64>,
    /// Keep each fault even if --preserve does not name faults
    #[arg(
        long,
        hide_short_help = true,
        value_name = "BOOL",
        num_args = 0..=1,
        default_missing_value = "true"
    )]
    pub keep_faults: Option<bool>,
    /// Choose traces optimally, however long it takes
    #[arg(long, hide_short_help = true)]
    pub exact: bool,
}

/// Arguments of `stabilize`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct StabilizeArgs {
    /// Recorded suites: .jsonl files or folders of them
    #[arg(value_name = "SUITE")]
    pub suite: Vec<String>,
    #[command(flatten)]
    pub bounds: Bounds,
    #[command(flatten)]
    pub start: Start,
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `replay`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct ReplayArgs {
    /// Suites to replay: .jsonl files or folders of them
    #[arg(value_name = "SUITE")]
    pub suite: Vec<String>,
    #[command(flatten)]
    pub bounds: Bounds,
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `devices`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct DevicesArgs {
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `cover`.
#[derive(Debug, ClapArgs)]
#[expect(
    missing_docs,
    reason = "the flattened groups are described where they are defined"
)]
pub struct CoverArgs {
    /// Recorded suites: .jsonl files or folders of them
    #[arg(value_name = "SUITE")]
    pub suite: Vec<String>,
    /// Read files of this format, whatever their names end in
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub from: Option<String>,
    /// Search until the choice is proven to be the best, which may take minutes
    #[arg(long)]
    pub exact: bool,
    /// What the chosen traces must still cover
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind_names())]
    pub preserve: Vec<String>,
    /// Cover everything by N of the chosen traces, where there are so many
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub min_witness: u32,
    #[command(flatten)]
    pub common: Common,
}

fn kind_names() -> clap::builder::PossibleValuesParser {
    let kinds = Kind::ALL.map(Kind::name);
    clap::builder::PossibleValuesParser::new(["all"].into_iter().chain(kinds))
}
