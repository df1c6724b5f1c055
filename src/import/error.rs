//! What can be wrong with input, each with its place and with what to do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a suite could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Nothing to load.
    #[error("no suite is named; give a trace file or a folder of them")]
    NoPaths,
    /// A file or folder could not be read.
    #[error("cannot read {}: {source}; {}", path.display(), advice(source))]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder holds nothing to load.
    #[error("no trace files in {}; looked for names that end in {looked_for}", folder.display())]
    NoFiles {
        /// The folder.
        folder: PathBuf,
        /// The extensions of all formats.
        looked_for: String,
    },
    /// Files were read but are not all well-formed.
    #[error("{0}")]
    Malformed(Problems),
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "check the spelling of the path",
        io::ErrorKind::PermissionDenied => "give yourself the right to read it",
        io::ErrorKind::UnexpectedEof => "it is cut off, so copy or compress it again",
        io::ErrorKind::Other | io::ErrorKind::InvalidData => {
            "if its name ends in .zst it must be a whole zstd file, so compress it again"
        }
        _ => "check the file and the disk it is on",
    }
}

/// Where in a file something is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What stands around there.
    pub excerpt: String,
}

/// A line of a file that could not be used, though the rest could.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// One thing that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub path: PathBuf,
    /// Where in it; nowhere when it is about the whole file.
    pub place: Option<Place>,
    /// What is wrong.
    pub reason: String,
    /// What to do about it.
    pub advice: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        let Self { reason, advice, .. } = self;
        match &self.place {
            None => write!(f, "{reason} in {path}; {advice}"),
            Some(place) => {
                let Place {
                    line,
                    column,
                    excerpt,
                } = place;
                write!(
                    f,
                    "{path}:{line}:{column}: {reason}; {advice} (near: {excerpt})"
                )
            }
        }
    }
}

/// Everything that is wrong with the input, as far as it was counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    /// The first of them.
    pub shown: Vec<Problem>,
    /// How many more were met before loading gave up.
    pub more: usize,
    /// How many files were to be read.
    pub files: usize,
    /// With how many of them something is wrong.
    pub bad_files: usize,
}

impl Problems {
    const MAX_SHOWN: usize = 10;
    const MAX_COUNTED: usize = 1000;

    pub(super) fn push(&mut self, problem: Problem) {
        if self.shown.len() < Self::MAX_SHOWN {
            self.shown.push(problem);
        } else {
            self.more += 1;
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.shown.len() + self.more >= Self::MAX_COUNTED
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.shown.iter().enumerate() {
            let separator = if i == 0 { "" } else { "\n" };
            write!(f, "{separator}{problem}")?;
        }
        if self.more > 0 {
            write!(f, "\n… and {} more", self.more)?;
        }
        // Where reading stopped early, nobody knows about the rest.
        match self.files.saturating_sub(self.bad_files) {
            good if good > 0 && !self.is_full() => {
                write!(f, "\n{good} of {} files are good", self.files)
            }
            _ => Ok(()),
        }
    }
}
