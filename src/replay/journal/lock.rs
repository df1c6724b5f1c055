//! The file of a journal belongs to one process at a time.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use super::JournalError;

/// The file of a journal, for this process alone.
pub(super) fn locked(path: &Path) -> Result<File, JournalError> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|source| io_error(path, source))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(JournalError::InUse(path.to_owned())),
        Err(fs::TryLockError::Error(source)) => Err(io_error(path, source)),
    }
}

pub(super) fn io_error(path: &Path, source: io::Error) -> JournalError {
    JournalError::Io {
        path: path.to_owned(),
        source,
    }
}
