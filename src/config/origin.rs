//! Where the value of an option came from.

use std::{fmt, path::PathBuf};

/// The layer, and the place in it, that set an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The defaults that are part of the program.
    Default,
    /// A project file.
    File {
        /// Its path, as it can be used from the current folder.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A flag of the command line.
    CommandLine,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::CommandLine => f.write_str("command line"),
        }
    }
}
