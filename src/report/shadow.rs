//! What the reduced suite would have missed: the data of `shadow` and its lines for the terminal.

mod text;

use serde::Serialize;

pub use text::shadow_summary;

/// What the reduced suite would have missed over several builds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShadowReport {
    /// Version of the format.
    pub version: u32,
    /// Name and version of the tool.
    pub tool: String,
    /// Number of builds that both suites were run on.
    pub builds: usize,
    /// Number of builds that the full suite failed.
    pub failed: usize,
    /// Number of builds that the reduced suite failed.
    pub failed_reduced: usize,
    /// Builds that the full suite failed and the reduced one did not, of those the full one failed.
    pub by_build: Rate,
    /// Failures of the full suite, by signature within each build, that the reduced one did not show.
    pub by_failure: Rate,
    /// The builds that the reduced suite would have missed.
    pub missed: Vec<MissedBuild>,
    /// Failures that it did not show on builds that it failed for another reason.
    pub unseen: Vec<MissedBuild>,
    /// Builds that the reduced suite failed and the full one did not.
    pub only_reduced: Vec<String>,
    /// Tests that both failed and passed on a build; they count as not failed unless that was
    /// asked for.
    pub flaky: Vec<FlakyTest>,
    /// Builds that only one of the suites was run on; nothing counts them.
    pub unpaired: Vec<Unpaired>,
    /// What was asked for, and whether it holds.
    pub gate: Option<Gate>,
}

/// A share of misses, as counted and as far as it may be from the true one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rate {
    /// Number of misses.
    pub missed: usize,
    /// Number of chances to miss.
    pub of: usize,
    /// The share, as a fraction; null: there was no chance to miss.
    pub rate: Option<f64>,
    /// The lower end of the Clopper-Pearson interval, as a fraction.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// How sure the interval is, as a fraction.
    pub confidence: f64,
}

/// Failures of the full suite on one build that the reduced one did not show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissedBuild {
    /// The build.
    pub build: String,
    /// The failures, one for each signature.
    pub failures: Vec<MissedFailure>,
}

/// A failure that was not shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissedFailure {
    /// What stays the same when the same thing fails again.
    pub signature: String,
    /// Whether it could not be carried out, as against an expectation that did not hold.
    pub error: bool,
    /// The tests of the full suite that failed in this way.
    pub tests: Vec<String>,
}

/// A test that both failed and passed on one build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FlakyTest {
    /// The build.
    pub build: String,
    /// `full` or `reduced`.
    pub suite: String,
    /// The test.
    pub test: String,
    /// How it failed.
    pub signature: String,
}

/// A build that only one of the suites was run on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unpaired {
    /// The build.
    pub build: String,
    /// `full` or `reduced`.
    pub suite: String,
}

/// A limit on misses.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Gate {
    /// The most misses that are accepted, as a fraction.
    pub max_miss: f64,
    /// Whether failures are counted, as against builds.
    pub by_failure: bool,
    /// Whether the upper end of the interval is compared, as against the share that was counted.
    pub strict: bool,
    /// What was compared; null: there was no chance to miss.
    pub value: Option<f64>,
    /// Whether it is within the limit.
    pub holds: bool,
}
