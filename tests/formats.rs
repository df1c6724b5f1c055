//! Formats of other tools: every importer on a case of its own, damaged in many ways, and on all files
//! of the corpus.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::fs;
use std::path::{Path, PathBuf};

use reduce_suite::import::windows::windows;
use reduce_suite::import::{self, ImportError, Limits, Loaded, load_from, named};
use xtask::generate::splitmix::SplitMix;

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 20,
    max_name_bytes: 1 << 16,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn load(path: &Path, format: &str) -> Result<Loaded, ImportError> {
    load_from(&[path.to_owned()], &LIMITS, named(format))
}

/// The case of each format, how many traces and steps it has, and how much of it cannot be used.
const CASES: &[(&str, &str, [usize; 3])] = &[
    ("jsonl", "suite.jsonl", [2, 1, 0]),
    ("text", "testdata/paper-2-1/suite.trace", [1, 4, 0]),
    ("coverage-matrix", "suite.matrix", [2, 0, 0]),
    ("monkey", "suite.monkey", [1, 2, 0]),
    ("fittest", "suite.fittest.xml", [1, 1, 0]),
    ("droidbot", "testdata/droidbot", [1, 6, 1]),
    ("swifthand", "testdata/swifthand/trace.json", [2, 7, 1]),
    ("uiautomator", "testdata/uiautomator", [3, 0, 1]),
    ("getevent", "testdata/getevent/taps.getevent", [1, 3, 0]),
    ("drlmobtest", "testdata/drlmobtest", [1, 3, 1]),
    ("ape", "testdata/ape", [1, 3, 0]),
];

/// Cases that are too small for a folder of their own.
const SMALL: &[(&str, &str)] = &[
    (
        "suite.jsonl",
        "{\"id\":\"a\",\"launch\":{\"screen\":\"H\"},\"steps\":[{\"action\":\"t\",\"screen\":\"M\"}]}\n{\"id\":\"b\",\"launch\":{\"screen\":\"H\"},\"steps\":[]}\n",
    ),
    ("suite.matrix", "1 2 3\n4\n"),
    (
        "suite.monkey",
        "start data >>\nLaunchActivity(a.b, a.b.C)\nTap(1, 2, 0)\nDispatchPress(4)\n",
    ),
    (
        "suite.fittest.xml",
        "<body><E><O ty=\"RecordEvent\"><fd n=\"targetID\"><V v=\"x\"/></fd><fd n=\"type\"><V v=\"click\"/></fd></O></E></body>",
    ),
];

/// A copy of a case, which may be damaged.
fn copy(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let small = SMALL.iter().find(|(file, _)| *file == name);
    if let Some((file, text)) = small {
        let path = folder.path().join(file);
        fs::write(&path, text).expect("it is written");
        return (folder, path);
    }
    let from = root().join(name);
    let to = folder.path().join(from.file_name().expect("a name"));
    for entry in walkdir::WalkDir::new(&from) {
        let entry = entry.expect("it can be read");
        let inside = entry.path().strip_prefix(&from).expect("it is inside");
        // Joining nothing would end the path of a file by a slash.
        let target = if inside.as_os_str().is_empty() {
            to.clone()
        } else {
            to.join(inside)
        };
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).expect("a folder");
        } else {
            fs::copy(entry.path(), target).expect("it is copied");
        }
    }
    (folder, to)
}

#[test]
fn every_importer_reads_its_own_case_and_tells_what_it_cannot_use() {
    for importer in import::all() {
        let case = CASES.iter().find(|(name, ..)| *name == importer.name);
        let Some((name, path, expect)) = case else {
            panic!("{} has no case", importer.name);
        };
        let (_folder, path) = copy(path);
        let loaded = load(&path, name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let unused = loaded.notes.len() + loaded.more_notes;
        let found = [loaded.suite.n_traces(), loaded.suite.n_steps(), unused];
        assert_eq!(found, *expect, "{name}: {:?}", loaded.notes);
    }
}

#[test]
fn files_that_tell_their_format_need_not_be_told() {
    for (name, path, expect) in CASES {
        let (_folder, path) = copy(path);
        let path = match *name {
            "uiautomator" => path.join("home.xml"),
            _ => path,
        };
        let loaded = load_from(&[path], &LIMITS, None);
        let loaded = loaded.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(loaded.suite.n_steps(), expect[1], "{name}");
    }
}

/// All files of a case.
fn files(path: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(path).sort_by_file_name();
    let entries = walk.into_iter().map(|entry| entry.expect("it can be read"));
    entries
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .collect()
}

/// Loads a damaged case: it may be refused, with a reason, or loaded; nothing else.
fn survives(path: &Path, format: &str) {
    match load(path, format) {
        Ok(loaded) => assert!(loaded.suite.n_traces() > 0),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

#[test]
fn files_that_are_cut_off_anywhere_do_no_harm() {
    for (name, path, _) in CASES {
        let (_folder, path) = copy(path);
        for file in files(&path) {
            let whole = fs::read(&file).expect("it can be read");
            for len in (0..whole.len()).step_by(whole.len() / 30 + 1) {
                fs::write(&file, &whole[..len]).expect("it is written");
                survives(&path, name);
            }
            fs::write(&file, &whole).expect("it is written");
        }
    }
}

#[test]
fn files_with_flipped_bytes_do_no_harm() {
    let mut random = SplitMix::new(5);
    for (name, path, _) in CASES {
        let (_folder, path) = copy(path);
        for file in files(&path) {
            let whole = fs::read(&file).expect("it can be read");
            for _ in 0..if whole.is_empty() { 0 } else { 30 } {
                let mut bytes = whole.clone();
                for _ in 0..=random.below(4) {
                    let at = random.below(bytes.len());
                    bytes[at] = random.below(256) as u8;
                }
                fs::write(&file, &bytes).expect("it is written");
                survives(&path, name);
            }
            fs::write(&file, &whole).expect("it is written");
        }
    }
}

#[test]
fn deep_nesting_and_huge_numbers_do_no_harm() {
    let huge = "9".repeat(400);
    for (name, path, _) in CASES {
        let (_folder, path) = copy(path);
        for file in files(&path) {
            let whole = fs::read_to_string(&file).expect("text");
            let digits = whole
                .char_indices()
                .filter(|(_, c)| c.is_ascii_digit())
                .map(|(at, _)| at);
            let mut texts: Vec<String> = digits
                .step_by(whole.len() / 20 + 1)
                .map(|at| format!("{}{huge}{}", &whole[..at], &whole[at + 1..]))
                .collect();
            for (open, close) in [("[", "]"), ("{\"children\":[", "]}"), ("<node>", "</node>")] {
                let deep = open.repeat(20_000) + &close.repeat(20_000);
                texts.push(whole.replacen("{}", &deep, 1));
                texts.push(whole.replacen("<node ", &format!("{deep}<node "), 1));
                texts.push(deep);
            }
            for text in texts {
                fs::write(&file, text).expect("it is written");
                survives(&path, name);
            }
            fs::write(&file, &whole).expect("it is written");
        }
    }
}

/// A folder of the corpus, where there is one.
fn corpus(folder: &str) -> Option<PathBuf> {
    let folder = root().join("../shared/corpus").join(folder);
    if !folder.exists() {
        eprintln!("skipped: there is no {}", folder.display());
        return None;
    }
    Some(folder)
}

#[test]
fn at_least_95_of_100_events_of_every_droidbot_run_arrive_and_the_rest_are_named() {
    let Some(folder) = corpus("droidbot") else {
        return;
    };
    for run in fs::read_dir(folder).expect("it can be read").flatten() {
        let events = run.path().join("events");
        if !events.is_dir() {
            continue;
        }
        let n_events = files(&events).len();
        let loaded = load(&run.path(), "droidbot").expect("it is read");
        let launches = loaded.suite.traces().map(|(_, trace)| {
            let fields = trace.launch_fields.iter();
            let events = fields.filter(|(name, _)| **name == *"events");
            events
                .map(|(_, json)| json.matches("event_").count())
                .sum::<usize>()
        });
        let arrived = loaded.suite.n_steps() + launches.sum::<usize>();
        let named = loaded.notes.len() + loaded.more_notes;
        let name = run.path();
        assert_eq!(arrived + named, n_events, "{}", name.display());
        assert!(arrived * 100 >= n_events * 95, "{}", name.display());
    }
}

#[test]
fn every_folder_of_dumps_in_the_corpus_is_read_whole() {
    for folder in ["uiautomator-dumps", "googlenews-utg"] {
        let Some(folder) = corpus(folder) else {
            return;
        };
        let n_dumps = files(&folder)
            .iter()
            .filter(|path| path.extension().is_some_and(|end| end == "xml"))
            .count();
        let loaded = load(&folder, "uiautomator").expect("it is read");
        assert_eq!(loaded.suite.n_traces(), n_dumps);
        assert_eq!(loaded.notes, []);
        let seen = windows(&[folder]).expect("they are read");
        let seen = seen.iter().filter(|found| found.window.is_ok()).count();
        assert!(seen >= n_dumps, "{seen}");
    }
}

#[test]
fn every_state_of_droidbot_in_the_corpus_is_a_window() {
    let Some(folder) = corpus("droidbot") else {
        return;
    };
    let (mut read, mut unread) = (0, Vec::new());
    for run in fs::read_dir(folder).expect("it can be read").flatten() {
        let states = run.path().join("states");
        if states.is_dir() {
            for found in windows(&[states]).expect("they are read") {
                match found.window {
                    Ok(_) => read += 1,
                    Err(reason) => unread.push(format!("{}: {reason}", found.place)),
                }
            }
        }
    }
    assert!(read > 100 && unread.is_empty(), "{read} {unread:?}");
}

/// How many lines of a folder's files say something that only an event says.
fn count(folder: &Path, end: &str, is_event: impl Fn(&str) -> bool) -> usize {
    let mut count = 0;
    for path in files(folder) {
        if path.to_string_lossy().ends_with(end) {
            let text =
                String::from_utf8_lossy(&fs::read(&path).expect("it can be read")).into_owned();
            count += text.lines().filter(|line| is_event(line)).count();
        }
    }
    count
}

#[test]
fn every_timeline_of_ape_is_read_and_ends_in_its_crash() {
    let Some(folder) = corpus("ape-crash-timelines") else {
        return;
    };
    let n_items = count(&folder, ".vis.js", |line| {
        line.contains("{start: new Date(")
    });
    let Loaded { suite, notes, .. } = load(&folder, "ape").expect("they are read");
    // A start in front of everything is the launch.
    assert!(suite.n_steps() + suite.n_traces() >= n_items, "{n_items}");
    assert!(suite.n_steps() * 100 >= n_items * 95, "{n_items}");
    assert_eq!(notes, []);
    for (idx, trace) in suite.traces() {
        assert!(
            suite
                .steps(idx)
                .last()
                .is_some_and(|step| step.fault.is_some()),
            "{}",
            trace.id
        );
    }
}

#[test]
fn every_test_case_of_drl_mobtest_is_read() {
    let Some(folder) = corpus("drlmobtest-testcases") else {
        return;
    };
    let is_event = |line: &str| {
        let line = line.trim();
        let other = ["Test Case", "Go to", "Got "];
        !line.is_empty() && !other.iter().any(|start| line.starts_with(start))
    };
    let n_events = count(&folder, ".txt", is_event);
    let loaded = load(&folder, "drlmobtest").expect("they are read");
    let steps = loaded.suite.n_steps();
    assert!(
        steps * 100 >= n_events * 95,
        "{steps} of {n_events}: {:?}",
        loaded.notes
    );
    assert_eq!(loaded.suite.n_traces(), 60);
}

#[test]
fn every_recording_of_getevent_is_read() {
    let Some(folder) = corpus("getevent-traces") else {
        return;
    };
    for path in files(&folder) {
        let text = String::from_utf8_lossy(&fs::read(&path).expect("it can be read")).into_owned();
        if !text.contains("EV_") || path.extension().is_none_or(|end| end != "txt") {
            continue;
        }
        let loaded = load(&path, "getevent").expect("it is read");
        let ups = text.matches("BTN_TOUCH            UP").count();
        let name = path.display();
        assert!(
            loaded.suite.n_steps() >= ups.max(1),
            "{name}: {}",
            loaded.suite.n_steps()
        );
        let lines = text.lines().count();
        assert!(
            loaded.notes.len() * 20 <= lines,
            "{name}: {:?}",
            loaded.notes.first()
        );
    }
}

#[test]
fn a_folder_of_monkey_scripts_is_read_with_what_stands_beside_them() {
    let Some(folder) = corpus("monkey-simplydroid") else {
        return;
    };
    let Loaded { suite, notes, .. } = load(&folder, "monkey").expect("they are read");
    assert!(suite.n_traces() >= 65, "{}", suite.n_traces());
    let foreign = notes
        .iter()
        .filter(|note| note.reason.contains("no file of this format"));
    let readmes = files(&folder)
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .count();
    assert_eq!(
        (foreign.count(), notes.len()),
        (readmes, readmes),
        "{notes:?}"
    );
}
