//! Which files a suite is made of, and the digest that stands for all of them.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::source::sha256;
use super::{ImportError, Importer, Likeness, all, detect, detect_inside, ends_in};

/// A file to be read.
pub(super) struct TraceFile {
    pub(super) path: PathBuf,
    /// Its path in the suite's folder; its name if it was named itself.
    relative: PathBuf,
    pub(super) importer: &'static Importer,
    /// The recording it belongs to, where one has several files.
    pub(super) group: Option<u32>,
}

/// The files of a suite.
pub(super) struct Found {
    pub(super) files: Vec<TraceFile>,
    /// Files that might have been meant, and why they are not read.
    pub(super) passed_over: Vec<(PathBuf, &'static str)>,
}

impl TraceFile {
    /// Whether both are of one recording.
    pub(super) fn is_with(&self, other: &Self) -> bool {
        self.group.is_some() && self.group == other.group
    }

    /// Its path in the suite's folder, however the system writes paths.
    pub(super) fn relative(&self) -> String {
        let parts: Vec<_> = self.relative.iter().map(|p| p.to_string_lossy()).collect();
        parts.join("/")
    }
}

/// The trace files that the paths name, folders walked in path order; all of one format, or each
/// of the one that its name tells.
pub(super) fn find(
    paths: &[PathBuf],
    from: Option<&'static Importer>,
) -> Result<Found, ImportError> {
    if paths.is_empty() {
        return Err(ImportError::NoPaths);
    }
    let mut found = Found {
        files: Vec::new(),
        passed_over: Vec::new(),
    };
    for path in paths {
        let metadata = path.metadata().map_err(|e| unreadable(path, e))?;
        if metadata.is_dir() {
            in_folder(path, from, &mut found)?;
        } else {
            found.files.push(TraceFile {
                path: path.clone(),
                relative: path.file_name().unwrap_or_default().into(),
                importer: from
                    .or_else(|| detect(path))
                    .or_else(|| detect_inside(path))
                    .unwrap_or(&all()[0]),
                group: None,
            });
        }
    }
    Ok(found)
}

fn in_folder(
    folder: &Path,
    from: Option<&'static Importer>,
    found: &mut Found,
) -> Result<(), ImportError> {
    let walk = WalkDir::new(folder).follow_links(true).into_iter();
    let mut files = Vec::new();
    let mut walk = walk.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry));
    while let Some(entry) = walk.next() {
        match entry {
            Ok(entry) if entry.file_type().is_file() => {
                match trace_file(folder, entry.into_path(), from) {
                    Ok(file) => files.extend(file),
                    Err(passed_over) => found.passed_over.push(passed_over),
                }
            }
            Ok(entry) => {
                let group = (found.files.len() + files.len()) as u32;
                let recording = recording(folder, entry.path(), from, group);
                if !recording.is_empty() {
                    files.extend(recording);
                    walk.skip_current_dir();
                }
            }
            Err(error) if is_harmless(&error) => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                return Err(unreadable(&path, error.into()));
            }
        }
    }
    if files.is_empty() {
        return Err(ImportError::NoFiles {
            folder: folder.to_owned(),
            looked_for: looked_for(from),
        });
    }
    files.sort_by(|a, b| a.relative.cmp(&b.relative));
    found.passed_over.sort();
    found.files.extend(files);
    Ok(())
}

/// The files of the recording that a folder is, if it is one.
fn recording(
    root: &Path,
    folder: &Path,
    from: Option<&'static Importer>,
    group: u32,
) -> Vec<TraceFile> {
    let formats = from.map_or_else(all, std::slice::from_ref).iter();
    let mut found = formats.filter_map(|importer| {
        let files = (importer.folder.as_ref()?.files)(folder)?;
        Some((importer, files))
    });
    let Some((importer, files)) = found.next() else {
        return Vec::new();
    };
    let files = files.into_iter().map(|path| TraceFile {
        relative: path.strip_prefix(root).unwrap_or(&path).to_owned(),
        path,
        importer,
        group: Some(group),
    });
    files.collect()
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().to_string_lossy().starts_with('.')
}

/// Links in a circle add no file, nor do dead ones unless they should have been a trace file.
fn is_harmless(error: &walkdir::Error) -> bool {
    let is_dead = error
        .io_error()
        .is_some_and(|e| e.kind() == io::ErrorKind::NotFound);
    let is_trace = error.path().is_some_and(|path| detect(path).is_some());
    error.loop_ancestor().is_some() || (is_dead && !is_trace)
}

/// A file of a folder, if it is to be read; else why not, where it might have been meant.
fn trace_file(
    folder: &Path,
    path: PathBuf,
    from: Option<&'static Importer>,
) -> Result<Option<TraceFile>, (PathBuf, &'static str)> {
    let importer = match from {
        None => detect(&path),
        Some(format) if format.reads(&path) => Some(format),
        Some(format) if ends_in(&path, format.shared) => match format.likeness(&path) {
            Likeness::Alike => Some(format),
            Likeness::Beside => None,
            Likeness::Foreign => return Err((path, "it is no file of this format")),
        },
        Some(_) => None,
    };
    Ok(importer.map(|importer| TraceFile {
        importer,
        relative: path.strip_prefix(folder).unwrap_or(&path).to_owned(),
        path,
        group: None,
    }))
}

fn looked_for(from: Option<&'static Importer>) -> String {
    let formats = from.map_or_else(all, std::slice::from_ref);
    let shared = |importer: &'static Importer| match from {
        Some(_) => importer.shared,
        None => &[],
    };
    let extensions = formats
        .iter()
        .flat_map(|importer| importer.extensions.iter().chain(shared(importer)));
    let extensions: Vec<_> = extensions.map(|e| format!(".{e}")).collect();
    extensions.join(", ")
}

fn unreadable(path: &Path, source: io::Error) -> ImportError {
    let path = path.to_owned();
    ImportError::Unreadable { path, source }
}

/// The digest of the suite: of its one file, or of the list of its files with their digests.
pub(super) fn digest(files: &[TraceFile], digests: &[String]) -> String {
    if let [only] = digests {
        return only.clone();
    }
    let mut list = String::new();
    for (file, digest) in files.iter().zip(digests) {
        let _ = writeln!(list, "{digest}  {}", file.relative());
    }
    sha256(&list)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{TraceFile, digest, find};

    fn make(folder: &Path, files: &[&str]) {
        for file in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
    }

    fn relative(files: &[TraceFile]) -> Vec<String> {
        let relative = files.iter().map(|f| f.relative.to_string_lossy());
        relative.map(|p| p.replace('\\', "/")).collect()
    }

    #[track_caller]
    fn check(files: &[&str], expect: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), files);
        let found = find(&[folder.path().to_owned()], None).unwrap().files;
        assert_eq!(relative(&found), expect);
    }

    #[test]
    fn folders_are_walked_in_path_order() {
        check(
            &["b.jsonl", "a/z.ndjson", "a/b/c.jsonl.zst", "a.trace"],
            &["a/b/c.jsonl.zst", "a/z.ndjson", "a.trace", "b.jsonl"],
        );
    }

    #[test]
    fn hidden_and_foreign_files_in_folders_are_ignored() {
        check(
            &["a.jsonl", ".b.jsonl", ".git/c.jsonl", "README.md", "jsonl"],
            &["a.jsonl"],
        );
    }

    #[test]
    fn a_folder_may_itself_be_hidden() {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), &[".suite/a.jsonl"]);
        let found = find(&[folder.path().join(".suite")], None).unwrap().files;
        assert_eq!(relative(&found), ["a.jsonl"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_in_a_circle_and_dead_links_do_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), &["a/x.jsonl"]);
        std::os::unix::fs::symlink(folder.path(), folder.path().join("a/up")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("a/dead")).unwrap();
        let found = find(&[folder.path().to_owned()], None).unwrap().files;
        assert_eq!(relative(&found), ["a/x.jsonl"]);
        std::os::unix::fs::symlink("nowhere", folder.path().join("dead.jsonl")).unwrap();
        assert!(find(&[folder.path().to_owned()], None).is_err());
    }

    #[test]
    fn what_cannot_be_found_is_named_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let message = |path: PathBuf| find(&[path], None).err().unwrap().to_string();
        let empty = message(folder.path().to_owned());
        assert!(
            empty.contains(".jsonl, .jsonl.zst, .ndjson, .trace, .matrix, .monkey"),
            "{empty}"
        );
        let missing = message(folder.path().join("no.jsonl"));
        assert!(
            missing.contains("no.jsonl") && missing.contains("spelling"),
            "{missing}"
        );
    }

    #[test]
    fn named_files_of_unknown_extension_are_json_lines() {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), &["x.log"]);
        let found = find(&[folder.path().join("x.log")], None).unwrap().files;
        assert_eq!(found[0].importer.name, "jsonl");
        assert_eq!(relative(&found), ["x.log"]);
    }

    #[test]
    fn the_digest_of_several_files_is_that_of_their_list() {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), &["a/x.jsonl", "b.jsonl"]);
        let files = find(&[folder.path().to_owned()], None).unwrap().files;
        let digests = ["11".to_owned(), "22".to_owned()];
        let list = super::sha256("11  a/x.jsonl\n22  b.jsonl\n");
        assert_eq!(digest(&files, &digests), list);
        assert_eq!(digest(&files[..1], &digests[..1]), "11");
    }
}
