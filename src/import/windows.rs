//! Windows in files, whoever wrote them: dumps of uiautomator, states of `DroidBot` and the steps of
//! `SwiftHand2`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::{ImportError, bytes, droidbot, dump, ends_in, swifthand};
use crate::model::window::Window;

/// A window and where it is from.
#[derive(Debug)]
pub struct Found {
    /// The file, and which step of it where it has many.
    pub place: String,
    /// The window, or why there is none.
    pub window: Result<Window, String>,
}

/// No file with windows is larger.
const MOST_BYTES: u64 = 1 << 30;
/// How the names of files with windows end, where a folder is looked through.
const EXTENSIONS: [&str; 3] = ["xml", "uix", "json"];

/// All windows of files and folders, in path order. In a folder, files that are made for something
/// else are left out; what looks like a window and cannot be read is among the rest.
pub fn windows(paths: &[PathBuf]) -> Result<Vec<Found>, ImportError> {
    if paths.is_empty() {
        return Err(ImportError::NoPaths);
    }
    let mut found = Vec::new();
    for path in paths {
        let metadata = path.metadata().map_err(|error| unreadable(path, error))?;
        if !metadata.is_dir() {
            found.extend(in_file(path)?);
            continue;
        }
        let before = found.len();
        for entry in WalkDir::new(path).sort_by_file_name() {
            let entry = entry.map_err(|error| unreadable(path, error.into()))?;
            if entry.file_type().is_file() && is_meant(entry.path()) {
                found.extend(in_file(entry.path())?);
            }
        }
        if found.len() == before {
            return Err(ImportError::NoFiles {
                folder: path.clone(),
                looked_for: ".xml, .uix, .json and hold windows".to_owned(),
            });
        }
    }
    Ok(found)
}

fn unreadable(path: &Path, source: std::io::Error) -> ImportError {
    let path = path.to_owned();
    ImportError::Unreadable { path, source }
}

fn is_meant(path: &Path) -> bool {
    ends_in(path, &EXTENSIONS)
        && super::beginning(path).is_some_and(|text| Kind::of(&text).is_some())
}

#[derive(Clone, Copy)]
enum Kind {
    Dump,
    State,
    Trace,
}

impl Kind {
    fn of(text: &str) -> Option<Self> {
        let has = |word: &str| text.contains(word);
        if has("<hierarchy") {
            Some(Self::Dump)
        } else if swifthand::looks_like(text) {
            Some(Self::Trace)
        } else if text.trim_start().starts_with('{')
            && (has("\"views\"") || has("\"activity_stack\"") || has("\"foreground_activity\""))
        {
            Some(Self::State)
        } else {
            None
        }
    }
}

fn in_file(path: &Path) -> Result<Vec<Found>, ImportError> {
    let file = std::fs::File::open(path).map_err(|error| unreadable(path, error))?;
    let mut raw = Vec::new();
    let read = file.take(MOST_BYTES).read_to_end(&mut raw);
    read.map_err(|error| unreadable(path, error))?;
    let text = bytes::text(&raw);
    let beginning: String = text.chars().take(1 << 13).collect();
    let place = path.display().to_string();
    let one = |window| {
        vec![Found {
            place: place.clone(),
            window,
        }]
    };
    Ok(match Kind::of(&beginning) {
        Some(Kind::Dump) => one(dump::window(&text)),
        Some(Kind::State) => one(droidbot::window(&text)),
        Some(Kind::Trace) => {
            let steps = swifthand::windows(&text).into_iter();
            let found = steps.map(|(step, window)| Found {
                place: format!("{place}#{step}"),
                window,
            });
            found.collect()
        }
        None => one(Err(
            "neither a dump of uiautomator nor a state of DroidBot nor a trace of SwiftHand2"
                .to_owned(),
        )),
    })
}
