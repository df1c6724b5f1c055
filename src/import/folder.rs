//! Recordings that are folders: all their files are read in path order, and together.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::ImportError;
use super::collect::Collector;
use super::files::TraceFile;
use super::source::Source;

/// A format whose recordings are folders.
#[derive(Debug)]
pub(super) struct FolderFormat {
    /// The files of a folder that are read, if it is a recording.
    pub(super) files: fn(&Path) -> Option<Vec<PathBuf>>,
    pub(super) read: fn(&mut Folder, &mut Collector) -> Result<(), ImportError>,
}

/// A file of it that was read.
pub(super) struct Part {
    pub(super) path: PathBuf,
    /// Its number among all files.
    pub(super) file: u32,
    pub(super) bytes: Vec<u8>,
}

/// A recording that is being read.
pub(super) struct Folder<'a> {
    files: std::slice::Iter<'a, TraceFile>,
    digests: Vec<String>,
}

/// No single file of a recording is larger.
const MOST_BYTES: u64 = 1 << 26;

impl<'a> Folder<'a> {
    pub(super) fn new(files: &'a [TraceFile]) -> Self {
        Self {
            files: files.iter(),
            digests: Vec::new(),
        }
    }

    /// The next file.
    pub(super) fn next(&mut self, collector: &mut Collector) -> Result<Option<Part>, ImportError> {
        let Some(file) = self.files.next() else {
            return Ok(None);
        };
        let mut source = Source::open(&file.path)?;
        let number = if self.digests.is_empty() {
            collector.start_file(&file.path);
            collector.current()
        } else {
            collector.go_on_with(&file.path)
        };
        let mut bytes = Vec::new();
        let read = source.by_ref().take(MOST_BYTES).read_to_end(&mut bytes);
        read.map_err(|error| source.unreadable(error))?;
        self.digests.push(source.finish()?);
        Ok(Some(Part {
            path: file.path.clone(),
            file: number,
            bytes,
        }))
    }

    /// Ends the recording; the digests of its files.
    pub(super) fn finish(mut self, collector: &mut Collector) -> Result<Vec<String>, ImportError> {
        while self.next(collector)?.is_some() {}
        collector.end_file();
        Ok(self.digests)
    }
}
