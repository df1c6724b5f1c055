//! Logs of other tools, where they are at hand: all are read, and rules mined from them hold.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::{Path, PathBuf};

use reduce_suite::import::{ImportError, Limits, Loaded, dump, load_from, named};
use reduce_suite::reduce::sequence::chard::events::events;
use reduce_suite::reduce::sequence::chard::rules::{Choice, apply};
use reduce_suite::reduce::sequence::chard::sentence::sentences;
use xtask::bench::rules;

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 20,
    max_name_bytes: 1 << 16,
};

/// The files of a folder of the corpus whose names end so; none where there is no corpus.
fn corpus(folder: &str, end: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/corpus")
        .join(folder);
    if !folder.exists() {
        eprintln!("skipped: there is no {}", folder.display());
        return Vec::new();
    }
    let walk = walkdir::WalkDir::new(folder).sort_by_file_name();
    let paths = walk
        .into_iter()
        .map(|entry| entry.expect("it can be read").into_path());
    paths
        .filter(|path| path.to_string_lossy().ends_with(end))
        .collect()
}

fn read(path: &Path, format: &str) -> Result<Loaded, ImportError> {
    load_from(&[path.to_owned()], &LIMITS, named(format))
}

/// The events of a script, counted by their lines.
fn n_commands(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).expect("it can be read");
    let body = text.split("start data >>").nth(1).expect("a header");
    body.lines().filter(|line| line.contains('(')).count()
}

#[test]
fn every_script_of_simplydroid_is_read_whole_and_ends_in_its_crash() {
    let scripts: Vec<_> = corpus("monkey-simplydroid", ".log");
    let is_script = |path: &&PathBuf| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("script"))
    };
    for path in scripts.iter().filter(is_script) {
        let Loaded {
            suite,
            names,
            notes,
            ..
        } = read(path, "monkey").expect("it is read");
        assert!(notes.is_empty(), "{}: {notes:?}", path.display());
        let (idx, trace) = suite.traces().next().expect("a trace");
        let steps = suite.steps(idx);
        assert_eq!(steps.len() + 1, n_commands(path), "{}", path.display());
        assert!(names.screen_name(trace.launch_screen).contains('/'));
        let fault = steps.last().and_then(|step| step.fault).expect("a crash");
        let signature = names.element_name(fault);
        assert!(
            signature.contains(" at ") || signature.contains("Exception"),
            "{signature}"
        );
        let recording = events(&suite, &names, idx, &[]);
        assert_eq!(sentences(&recording, &names).len(), steps.len());
        let finding = apply(&recording, &Choice::default());
        assert!(finding.why.last().is_some_and(Option::is_none));
    }
}

#[test]
fn folders_of_other_tools_are_looked_through_for_the_format_that_is_named() {
    let folder = |name: &str| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../shared/corpus")
            .join(name)
    };
    let scripts = corpus("monkey-simplydroid", ".log");
    let is_script = |path: &&PathBuf| path.to_string_lossy().contains("/script");
    let n_scripts = scripts.iter().filter(is_script).count();
    let logs = corpus("flexstore-bad", ".xml");
    for (name, format, n) in [
        ("monkey-simplydroid", "monkey", n_scripts),
        ("flexstore-bad", "fittest", logs.len()),
    ] {
        if n > 0 {
            let loaded = read(&folder(name), format).expect("it is read");
            assert_eq!(loaded.suite.traces().count(), n, "{name}");
        }
    }
}

#[test]
fn every_log_of_monkey_is_read_and_what_is_none_is_refused() {
    for path in corpus("monkey-logs", ".txt") {
        let name = path.display();
        let bytes = std::fs::read(&path).expect("it can be read");
        if !bytes.windows(8).any(|part| part == b":\0M\0o\0n\0")
            && !bytes.windows(8).any(|part| part == b":Monkey:")
        {
            let error = read(&path, "monkey").expect_err("it is no log").to_string();
            assert!(error.contains("no event of Monkey"), "{error}");
            continue;
        }
        let Loaded {
            suite,
            names,
            notes,
            ..
        } = read(&path, "monkey").expect("it is read");
        let lines = String::from_utf8_lossy(&bytes).matches('\n').count();
        assert!(
            notes.len() * 20 <= lines.max(100),
            "{name}: {} notes, first {:?}",
            notes.len(),
            notes.first()
        );
        let text: String = bytes
            .iter()
            .filter(|byte| **byte != 0)
            .map(|byte| char::from(*byte))
            .collect();
        let n_ups = text.matches("Touch (ACTION_UP)").count();
        let steps = suite.traces().flat_map(|(idx, _)| suite.steps(idx));
        let is_touch = |text: &str| {
            ["Tap", "Drag", "Pinch", "PressAnd"]
                .iter()
                .any(|start| text.starts_with(start))
        };
        let n_touches = steps
            .filter(|step| is_touch(names.action_text(step.action)))
            .count();
        assert!(
            n_touches >= n_ups && n_touches <= n_ups + 1,
            "{name}: {n_touches} touches of {n_ups}"
        );
    }
}

#[test]
fn every_log_of_the_flex_store_is_read_whole() {
    for path in corpus("flexstore-bad", ".xml") {
        let text =
            String::from_utf8_lossy(&std::fs::read(&path).expect("it can be read")).into_owned();
        let n_events = text.matches("<E ").count();
        let loaded = read(&path, "fittest").expect("it is read");
        assert_eq!(loaded.suite.n_steps(), n_events, "{}", path.display());
    }
}

#[test]
fn every_window_dump_is_read() {
    for path in corpus("uiautomator-dumps", ".xml") {
        let text =
            String::from_utf8_lossy(&std::fs::read(&path).expect("it can be read")).into_owned();
        let window =
            dump::window(&text).unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
        assert_eq!(
            window.widgets.len(),
            text.matches("<node").count(),
            "{}",
            path.display()
        );
    }
}

#[test]
fn rddmin_is_faster_than_ddmin_on_the_errors_of_the_paper() {
    let Some(paths) = rules::flex_store() else {
        eprintln!("skipped: there is no corpus");
        return;
    };
    let shop = rules::shop(&paths, rules::Mined::FromOthers).expect("the logs are read");
    assert_eq!(shop.failing.events.len(), 44);
    for seed in 0..5 {
        let rows = rules::rows(44, &shop.rewritten.left, seed).expect("all errors are found");
        let (_, ours) = rules::wins(&rows);
        assert!(ours >= 12, "seed {seed}: {ours} of 15");
    }
}

#[test]
fn mined_rules_hold_on_logs_that_were_held_back() {
    let Some(paths) = rules::flex_store() else {
        eprintln!("skipped: there is no corpus");
        return;
    };
    let shop = rules::shop(&paths, rules::Mined::FromOthers).expect("the logs are read");
    let checked = rules::held_back(&shop.passing);
    let spoken: usize = checked.iter().map(|(spoken, _)| spoken).sum();
    let broken: usize = checked.iter().map(|(_, broken)| broken).sum();
    assert!(
        spoken > 50 && broken * 20 <= spoken,
        "{broken} of {spoken} contradicted"
    );
}
