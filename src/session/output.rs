//! Output folders: files are written aside and renamed, so that a result is whole or not there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::JobError;
use crate::replay::Journal;

/// The folder of the journal inside the output folder.
pub(super) const JOURNAL: &str = "journal";

/// The file in there that says which records the result rests on.
pub(super) const RESTS_ON: &str = "rests_on.json";

/// Makes sure that the folder exists and can be written to, before hours are spent.
pub(super) fn prepare(folder: &Path, fresh: bool) -> Result<(), JobError> {
    let error = |path: &Path, source| JobError::Output {
        path: path.to_owned(),
        source,
    };
    fs::create_dir_all(folder).map_err(|source| error(folder, source))?;
    let probe = folder.join(".probe");
    fs::write(&probe, "x").map_err(|source| error(folder, source))?;
    fs::remove_file(&probe).map_err(|source| error(&probe, source))?;
    if fresh {
        Journal::discard(&folder.join(JOURNAL))?;
    }
    Ok(())
}

/// Writes one file aside and puts it in place; compressed, if its name ends in `.zst`.
pub(super) fn write_file(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), JobError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let error = |source| JobError::Output {
        path: path.to_owned(),
        source,
    };
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return Err(error(io::Error::other("this is no name of a file")));
    };
    if !folder.as_os_str().is_empty() {
        fs::create_dir_all(folder).map_err(error)?;
    }
    let mut aside = Aside::new(folder);
    aside.write(name, |out| {
        if path.extension().is_none_or(|e| e != "zst") {
            return content(out);
        }
        let mut packed = zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
        content(&mut packed)?;
        packed.finish().map(drop)
    })?;
    aside.commit()
}

/// Files on their way into a folder.
pub(super) struct Aside {
    folder: PathBuf,
    names: Vec<String>,
}

impl Aside {
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            names: Vec::new(),
        }
    }

    /// Where a file is until it is put in place.
    pub(super) fn aside(&self, name: &str) -> PathBuf {
        self.folder.join(format!(".{name}.new"))
    }

    /// Writes a file aside.
    pub(super) fn write(
        &mut self,
        name: &str,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), JobError> {
        let path = self.aside(name);
        // Known before it is there, so that half a file goes away too.
        self.names.push(name.to_owned());
        let write = || {
            let mut file = io::BufWriter::new(File::create(&path)?);
            content(&mut file)?;
            file.into_inner()?.sync_all()
        };
        write().map_err(|source| JobError::Output {
            path: self.folder.join(name),
            source,
        })
    }

    /// Puts all files in place.
    pub(super) fn commit(mut self) -> Result<(), JobError> {
        while let Some(name) = self.names.first() {
            let target = self.folder.join(name);
            fs::rename(self.aside(name), &target).map_err(|source| JobError::Output {
                path: target.clone(),
                source,
            })?;
            self.names.remove(0);
        }
        Ok(())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // What was not committed is of no use; that it stays is no reason to fail.
        for name in &self.names {
            let _ = fs::remove_file(self.aside(name));
        }
    }
}
