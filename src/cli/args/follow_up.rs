//! The flags of the commands that work on what a reduction left.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::Common;

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
