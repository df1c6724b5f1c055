//! Edge: recorded traces from files into a [`Suite`], or an error that says where and what to do.

mod collect;
mod coverage_matrix;
pub mod dump;
mod error;
mod files;
mod fittest;
mod jsonl;
mod lines;
mod monkey;
mod notation;
mod recording;
mod source;
pub mod text;
mod wire;

use std::path::{Path, PathBuf};

use crate::model::{Names, Suite, TraceIdx};

use collect::Collector;
pub use error::{ImportError, Note, Place, Problem, Problems};
use source::Source;

/// A suite as it was loaded.
#[derive(Debug)]
pub struct Loaded {
    /// The traces.
    pub suite: Suite,
    /// The strings behind the suite's ids.
    pub names: Names,
    /// Digest of the input: of the one file's bytes, or of the list of files with their digests.
    pub sha256: String,
    /// The files that were read, in that order.
    pub files: Vec<PathBuf>,
    /// For each of them its path in the suite's folder and the digest of its bytes.
    pub digests: Vec<(String, String)>,
    /// What in them could not be used, though the rest could; the first of it.
    pub notes: Vec<Note>,
    /// How many more there is of that.
    pub more_notes: usize,
    /// For each trace its file, as a number in `files`, and its line there.
    lines: Vec<(u32, usize)>,
}

impl Loaded {
    /// The file that a trace is from.
    #[must_use]
    pub fn file(&self, trace: TraceIdx) -> &Path {
        let (file, _) = self.lines[trace.index()];
        &self.files[file as usize]
    }

    /// Where a trace stands, as `FILE:LINE`.
    #[must_use]
    pub fn place(&self, trace: TraceIdx) -> String {
        let (file, line) = self.lines[trace.index()];
        format!("{}:{line}", self.files[file as usize].display())
    }
}

/// Bounds on what a file may ask for, so that a broken or hostile one cannot use up the memory.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest line.
    pub max_line_bytes: usize,
    /// The longest id, screen, action, element or fault.
    pub max_name_bytes: usize,
}

/// A format of trace files.
#[derive(Debug)]
pub struct Importer {
    /// Its name on the command line.
    pub name: &'static str,
    /// How the names of its files end, without the dot in front.
    pub extensions: &'static [&'static str],
    read: fn(&mut Source, &mut Collector) -> Result<(), ImportError>,
}

/// All formats; the first is what a file of unknown extension is taken for.
#[must_use]
pub fn all() -> &'static [Importer] {
    &[
        jsonl::IMPORTER,
        text::IMPORTER,
        coverage_matrix::IMPORTER,
        monkey::IMPORTER,
        fittest::IMPORTER,
        recording::DEVTOOLS,
        recording::SELENIUM,
        recording::PLAYWRIGHT_TRACE,
        recording::PLAYWRIGHT_SCRIPT,
    ]
}

impl Importer {
    fn reads(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut extensions = self.extensions.iter();
        extensions.any(|extension| {
            let stem = name.strip_suffix(extension);
            stem.is_some_and(|stem| stem.ends_with('.'))
        })
    }
}

/// The format that a file's name tells.
fn detect(path: &Path) -> Option<&'static Importer> {
    all().iter().find(|importer| importer.reads(path))
}

/// The format that the beginning of a file tells whose name tells none.
fn detect_inside(path: &Path) -> Option<&'static Importer> {
    let monkey = named(monkey::IMPORTER.name)?;
    begins_like(path, monkey).then_some(monkey)
}

/// Whether the beginning of a file tells that it is of a format; where formats have no telling
/// beginning, none is.
fn begins_like(path: &Path, importer: &Importer) -> bool {
    let looks_like = match importer.name {
        name if name == monkey::IMPORTER.name => monkey::looks_like,
        name if name == fittest::IMPORTER.name => fittest::looks_like,
        _ => return false,
    };
    source::beginning(path).is_some_and(|bytes| looks_like(&bytes))
}

/// The format of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Importer> {
    all().iter().find(|importer| importer.name == name)
}

/// Loads files and folders, in the given order, as one suite.
pub fn load(paths: &[PathBuf], limits: &Limits) -> Result<Loaded, ImportError> {
    load_from(paths, limits, None)
}

/// The same, with the format that named files have whatever their names end in; folders are
/// looked through for its files alone.
pub fn load_from(
    paths: &[PathBuf],
    limits: &Limits,
    from: Option<&'static Importer>,
) -> Result<Loaded, ImportError> {
    let files = files::find(paths, from)?;
    let mut collector = Collector::new(*limits, files.len());
    let mut digests = Vec::with_capacity(files.len());
    for file in &files {
        let mut source = Source::open(&file.path)?;
        collector.start_file(&file.path);
        (file.importer.read)(&mut source, &mut collector)?;
        collector.end_file();
        if collector.gives_up() {
            break;
        }
        digests.push(source.finish()?);
    }
    let mut loaded = collector.finish(files::digest(&files, &digests))?;
    let relative = files.iter().map(files::TraceFile::relative);
    loaded.digests = relative.zip(digests).collect();
    Ok(loaded)
}
