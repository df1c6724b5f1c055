//! Edge: recorded traces from files into a [`Suite`], or an error that says where and what to do.

mod ape;
mod collect;
mod coverage_matrix;
mod drlmobtest;
mod droidbot;
pub mod dump;
mod error;
mod files;
mod fittest;
mod folder;
mod getevent;
mod jsonl;
mod lines;
mod monkey;
mod notation;
mod recording;
mod source;
mod swifthand;
pub mod text;
mod uiautomator;
pub mod windows;
mod wire;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::abstraction::{Abstraction, Lens};
use crate::model::window::Window;
use crate::model::{Names, Suite, TraceIdx};

use collect::Collector;
pub use error::{ImportError, Note, Place, Problem, Problems};
use files::TraceFile;
use folder::{Folder, FolderFormat};
use monkey::bytes;
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
    lines: Vec<(u32, u32)>,
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

/// How windows in files become screens.
#[derive(Debug, Clone)]
pub struct Look {
    /// What counts as the same screen.
    pub abstraction: &'static Abstraction,
    /// What is not looked at.
    pub lens: Lens,
}

impl Look {
    fn screen(&self, window: &Window) -> String {
        self.abstraction.screen(window, &self.lens)
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
    /// Further endings, which other formats have as well: what is in a file decides.
    shared: &'static [&'static str],
    /// What the path and the beginning of a file with a shared ending tell.
    looks: fn(&Path, &str) -> Likeness,
    /// For recordings that are folders.
    folder: Option<FolderFormat>,
    read: fn(&mut Source, &mut Collector) -> Result<(), ImportError>,
}

/// What a file is to a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// One of its files.
    Alike,
    /// Something that is read along with one of its files.
    Beside,
    /// Something else.
    Foreign,
}

/// What most formats have in common: one file at a time, and its ending tells.
const PLAIN: Importer = Importer {
    name: "",
    extensions: &[],
    shared: &[],
    looks: |_, _| Likeness::Foreign,
    folder: None,
    read: |_, _| Ok(()),
};

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
        droidbot::IMPORTER,
        swifthand::IMPORTER,
        uiautomator::IMPORTER,
        getevent::IMPORTER,
        drlmobtest::IMPORTER,
        ape::IMPORTER,
    ]
}

impl Importer {
    fn reads(&self, path: &Path) -> bool {
        ends_in(path, self.extensions)
    }

    /// What a file is to it whose name may be that of many formats.
    fn likeness(&self, path: &Path) -> Likeness {
        match beginning(path) {
            Some(text) => (self.looks)(path, &text),
            None => Likeness::Foreign,
        }
    }
}

fn ends_in(path: &Path, extensions: &[&str]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    extensions.iter().any(|extension| {
        let stem = name.strip_suffix(extension);
        stem.is_some_and(|stem| stem.ends_with('.'))
    })
}

/// The first few thousand characters of a file.
fn beginning(path: &Path) -> Option<String> {
    let file = std::fs::File::open(path).ok()?;
    let mut start = Vec::new();
    file.take(1 << 13).read_to_end(&mut start).ok()?;
    Some(bytes::text(&start))
}

/// The format that a file's name tells.
fn detect(path: &Path) -> Option<&'static Importer> {
    all().iter().find(|importer| importer.reads(path))
}

/// The format that the beginning of a file tells whose name tells none.
fn detect_inside(path: &Path) -> Option<&'static Importer> {
    let text = beginning(path)?;
    let mut formats = all().iter();
    formats.find(|importer| (importer.looks)(path, &text) == Likeness::Alike)
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
    load_looking(paths, limits, from, None)
}

/// The same, with screens by an abstraction where files have the windows, and not by what the tool
/// that recorded them calls a screen.
pub fn load_looking(
    paths: &[PathBuf],
    limits: &Limits,
    from: Option<&'static Importer>,
    look: Option<Look>,
) -> Result<Loaded, ImportError> {
    let found = files::find(paths, from)?;
    let files = found.files;
    let mut collector = Collector::new(*limits, files.len(), look);
    let mut digests = Vec::with_capacity(files.len());
    for group in files.chunk_by(TraceFile::is_with) {
        let file = &group[0];
        let read = match &file.importer.folder {
            Some(format) if file.group.is_some() => {
                let mut folder = Folder::new(group);
                (format.read)(&mut folder, &mut collector)?;
                folder.finish(&mut collector)?
            }
            _ => {
                let mut source = Source::open(&file.path)?;
                collector.start_file(&file.path);
                (file.importer.read)(&mut source, &mut collector)?;
                collector.end_file();
                vec![source.finish()?]
            }
        };
        if collector.gives_up() {
            break;
        }
        digests.extend(read);
    }
    for (path, reason) in found.passed_over {
        collector.pass_over(&path, reason);
    }
    let mut loaded = collector.finish(files::digest(&files, &digests))?;
    let relative = files.iter().map(files::TraceFile::relative);
    loaded.digests = relative.zip(digests).collect();
    Ok(loaded)
}
