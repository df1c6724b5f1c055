//! Recordings of other tools: those at hand are all read, what they hold survives a round trip,
//! and no file, however broken, ends the program.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::{Path, PathBuf};

use reduce_suite::export;
use reduce_suite::import::{ImportError, Limits, Loaded, load_from, named};

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 20,
    max_name_bytes: 1 << 16,
};

/// The recordings of a kind; none where there is no corpus.
fn corpus(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/corpus/gui-recordings")
        .join(kind);
    if !folder.exists() {
        eprintln!("skipped: there is no {}", folder.display());
        return Vec::new();
    }
    let walk = walkdir::WalkDir::new(folder).sort_by_file_name();
    let paths = walk
        .into_iter()
        .map(|entry| entry.expect("it can be read").into_path());
    paths.filter(|path| path.is_file()).collect()
}

fn read(path: &Path, format: &str) -> Result<Loaded, ImportError> {
    load_from(&[path.to_owned()], &LIMITS, named(format))
}

fn actions(loaded: &Loaded) -> Vec<Vec<String>> {
    let (suite, names) = (&loaded.suite, &loaded.names);
    let traces = suite.traces().map(|(idx, _)| {
        let steps = suite.steps(idx).iter();
        steps
            .map(|step| names.action_text(step.action).to_owned())
            .collect()
    });
    traces.collect()
}

#[test]
fn every_recording_is_read_or_refused_with_a_reason() {
    let kinds = [
        ("chrome-devtools-recorder", "devtools-recorder"),
        ("selenium-ide-side", "selenium-ide"),
        ("playwright-trace", "playwright-trace"),
    ];
    for (kind, format) in kinds {
        for path in corpus(kind) {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            match read(&path, format) {
                Ok(loaded) => {
                    assert!(loaded.suite.n_traces() > 0, "{name}");
                    for note in &loaded.notes {
                        assert!(note.line > 0 && !note.reason.is_empty(), "{name}");
                    }
                }
                Err(error) => {
                    let is_none = name.contains("singlestep") || name.contains("from-the-future");
                    assert!(is_none, "{name}: {error}");
                    assert!(error.to_string().contains(&name), "{error}");
                }
            }
        }
    }
}

#[test]
fn large_projects_of_selenium_keep_nearly_all_their_actions() {
    for (file, traces, steps) in [("fitness-web", 16, 90), ("rufs-nfe-rust", 35, 500)] {
        let Some(path) = corpus("selenium-ide-side")
            .into_iter()
            .find(|path| path.to_string_lossy().contains(file))
        else {
            continue;
        };
        let loaded = read(&path, "selenium-ide").expect("it is read");
        assert_eq!(loaded.suite.n_traces(), traces, "{file}");
        assert!(
            loaded.suite.n_steps() > steps,
            "{file}: {}",
            loaded.suite.n_steps()
        );
    }
}

#[test]
fn what_is_written_in_a_format_is_read_back_from_it() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in corpus("selenium-ide-side") {
        let loaded = read(&path, "selenium-ide").expect("it is read");
        for exporter in export::all()
            .iter()
            .filter(|one| ["devtools-recorder", "playwright", "selenium-ide"].contains(&one.name))
        {
            for ((idx, _), whole) in loaded.suite.traces().zip(actions(&loaded)) {
                let written = (exporter.write)(&loaded.suite, &loaded.names, idx);
                let left_out: Vec<usize> = written.unwritten.iter().map(|(at, _)| *at).collect();
                let file = folder.path().join(format!("t.{}", exporter.extension));
                std::fs::write(&file, &written.text).expect("it is written");
                let again = read(&file, exporter.name).expect("it is read back");
                let kept = whole
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| !left_out.contains(at));
                let kept: Vec<&String> = kept.map(|(_, action)| action).collect();
                let again = actions(&again);
                let again: Vec<&String> = again.iter().flatten().collect();
                same(&kept, &again, exporter.name, &path);
            }
        }
    }
}

/// Compares what was written with what was read; a format may have fewer names of a widget, and
/// give it the focus before a key.
#[track_caller]
fn same(kept: &[&String], again: &[&String], format: &str, path: &Path) {
    let verb = |action: &&String| {
        let value: serde_json::Value = serde_json::from_str(action).expect("an act");
        let word = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        (word("do"), word("text"), word("to"))
    };
    let kept: Vec<_> = kept.iter().map(verb).collect();
    let mut again: Vec<_> = again.iter().map(verb).collect();
    if format == "devtools-recorder" {
        let is_focus = |at: usize, again: &[(String, String, String)]| {
            let next = again.get(at + 1).is_some_and(|(verb, ..)| verb == "key");
            again[at].0 == "tap" && next
        };
        let n_extra = again.len().saturating_sub(kept.len());
        let places: Vec<usize> = (0..again.len())
            .filter(|&at| is_focus(at, &again))
            .collect();
        for at in places.into_iter().rev().take(n_extra) {
            again.remove(at);
        }
    }
    assert_eq!(kept, again, "{format} {}", path.display());
}

#[test]
fn broken_recordings_are_refused_or_read_and_never_end_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let kinds = [
        ("chrome-devtools-recorder", "devtools-recorder"),
        ("selenium-ide-side", "selenium-ide"),
        ("playwright-trace", "playwright-trace"),
        ("selenium-ide-side", "playwright"),
    ];
    for (kind, format) in kinds {
        for path in corpus(kind).into_iter().take(6) {
            let whole = std::fs::read(&path).expect("it can be read");
            for part in 0..24 {
                let mut bytes = whole[..whole.len() * part / 24].to_vec();
                // Half of them have a byte that does not belong there instead of an end.
                if part % 2 == 1 {
                    bytes.clone_from(&whole);
                    let at = whole.len() * part / 24;
                    bytes[at] ^= 0x5a;
                }
                let file = folder.path().join("broken");
                std::fs::write(&file, &bytes).expect("it is written");
                if let Err(error) = read(&file, format) {
                    assert!(error.to_string().contains("broken"), "{error}");
                }
            }
        }
    }
}
