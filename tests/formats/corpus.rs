//! All files of the corpus, where it is at hand.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::fs;
use std::path::{Path, PathBuf};

use reduce_suite::import::Loaded;
use reduce_suite::import::windows::windows;

use super::{files, load, root};

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
