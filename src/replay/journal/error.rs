//! What can be wrong with a journal, with what to do about it.

use std::io;
use std::path::PathBuf;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It belongs to something else.
    #[error(
        "{path} holds runs of another {what} ({found}, not {wanted}); use another --out, or --fresh to throw them away",
        path = path.display()
    )]
    Foreign {
        /// The journal.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the journal says.
        found: String,
        /// What this run has.
        wanted: String,
    },
    /// Its content is damaged.
    #[error(
        "{path}:{line}: {reason}; use --fresh to start over without it",
        path = path.display()
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// Another process writes to it.
    #[error("{path} is in use by another process; wait for it or choose another --out", path = .0.display())]
    InUse(PathBuf),
    /// It cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}
