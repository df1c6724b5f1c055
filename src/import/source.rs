//! The bytes of one file: hashed as they are on disk, decompressed on the way where need be.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use zstd::stream::read::Decoder;

use super::{ImportError, bytes};
use crate::model;

/// An open trace file.
pub(super) struct Source {
    path: PathBuf,
    bytes: Bytes,
}

enum Bytes {
    Plain(Hashing),
    Zstd(Decoder<'static, BufReader<Hashing>>),
}

impl Source {
    pub(super) fn open(path: &Path) -> Result<Self, ImportError> {
        Self::try_open(path).map_err(|source| ImportError::Unreadable {
            path: path.to_owned(),
            source,
        })
    }

    fn try_open(path: &Path) -> io::Result<Self> {
        let hashing = Hashing {
            file: File::open(path)?,
            hasher: Sha256::new(),
        };
        let bytes = if path.extension().is_some_and(|e| e == "zst") {
            let buffered = BufReader::with_capacity(1 << 20, hashing);
            Bytes::Zstd(Decoder::with_buffer(buffered)?)
        } else {
            Bytes::Plain(hashing)
        };
        let path = path.to_owned();
        Ok(Self { path, bytes })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Everything as text, whatever its encoding; a file with more than so many bytes is refused
    /// rather than cut.
    pub(super) fn text(&mut self, most: u64) -> Result<String, ImportError> {
        let mut raw = Vec::new();
        let read = self.by_ref().take(most + 1).read_to_end(&mut raw);
        read.map_err(|error| self.unreadable(error))?;
        if raw.len() as u64 > most {
            let mib = most >> 20;
            let error = io::Error::other(format!("it has more than {mib} MiB; split it"));
            return Err(self.unreadable(error));
        }
        Ok(bytes::text(&raw))
    }

    /// An error of this file's.
    pub(super) fn unreadable(&self, source: io::Error) -> ImportError {
        let path = self.path.clone();
        ImportError::Unreadable { path, source }
    }

    /// The digest of the whole file.
    pub(super) fn finish(self) -> Result<String, ImportError> {
        let path = self.path;
        let mut hashing = match self.bytes {
            Bytes::Plain(hashing) => hashing,
            Bytes::Zstd(decoder) => decoder.finish().into_inner(),
        };
        match io::copy(&mut hashing, &mut io::sink()) {
            Ok(_) => Ok(model::hex(&hashing.hasher.finalize())),
            Err(source) => Err(ImportError::Unreadable { path, source }),
        }
    }
}

impl Read for Source {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match &mut self.bytes {
            Bytes::Plain(hashing) => hashing.read(buf),
            Bytes::Zstd(decoder) => decoder.read(buf),
        }
    }
}

struct Hashing {
    file: File,
    hasher: Sha256,
}

impl Read for Hashing {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read(buf)?;
        self.hasher.update(&buf[..n]);
        Ok(n)
    }
}

/// The digest of a text.
pub(super) fn sha256(text: &str) -> String {
    model::sha256(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read as _;

    use super::{ImportError, Source};

    fn read(name: &str, bytes: &[u8]) -> Result<(String, String), ImportError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let mut source = Source::open(&path)?;
        let mut text = String::new();
        let read = source.read_to_string(&mut text);
        read.map_err(|e| source.unreadable(e))?;
        Ok((text, source.finish()?))
    }

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn plain_files_are_hashed_as_they_are() {
        let read = read("a.jsonl", b"abc").unwrap();
        assert_eq!(read, ("abc".to_owned(), ABC.to_owned()));
    }

    #[test]
    fn compressed_files_are_hashed_as_they_are_on_disk() {
        let packed = zstd::encode_all(&b"abc"[..], 3).unwrap();
        let (text, digest) = read("a.jsonl.zst", &packed).unwrap();
        assert_eq!(text, "abc");
        assert_eq!(digest, crate::model::sha256(&packed));
    }

    #[test]
    fn a_cut_off_compressed_file_is_an_error_that_says_so() {
        let packed = zstd::encode_all(&[b'x'; 5000][..], 3).unwrap();
        let error = read("a.jsonl.zst", &packed[..packed.len() - 3]).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("a.jsonl.zst") && message.contains("compress it again"),
            "{message}"
        );
    }
}
