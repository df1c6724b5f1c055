//! Coverage that other tools measured: our own case against the tool's report, and files of the corpus.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use reduce_suite::coverage::jacoco::{self, Classes};

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/jacoco")
        .join(name)
}

/// The files below a folder whose names end so; none where it is not there.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
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

fn corpus(end: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let mut found = files(&folder.join("coverage-reports"), end);
    found.extend(files(&folder.join("drlmobtest-testcases"), end));
    found
}

fn classes(folder: &Path) -> Classes {
    let mut classes = Classes::default();
    for path in files(folder, ".class") {
        let bytes = fs::read(&path).expect("it can be read");
        classes
            .add(&bytes)
            .unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
    }
    classes
}

fn of_kinds(elements: &BTreeSet<String>, kinds: &[&str]) -> BTreeSet<String> {
    let is_one = |element: &&String| {
        let mut kinds = kinds.iter();
        kinds.any(|kind| element.starts_with(kind))
    };
    elements.iter().filter(is_one).cloned().collect()
}

/// What a dump and class files name, against the report that `JaCoCo` made of them.
fn compare(exec: &Path, class_files: &Path, xml: &Path) -> (BTreeSet<String>, BTreeSet<String>) {
    let dump = jacoco::read(&fs::read(exec).expect("it can be read")).expect("a dump");
    let ours = dump.elements(&classes(class_files));
    let xml = fs::read_to_string(xml).expect("it can be read");
    let theirs = jacoco::report_elements(&xml).expect("a report");
    let kinds = ["method:", "line:"];
    (of_kinds(&ours, &kinds), of_kinds(&theirs, &kinds))
}

#[test]
fn methods_and_lines_behind_the_probes_are_those_of_jacocos_own_report() {
    let (ours, theirs) = compare(&case("jacoco.exec"), &case("classes"), &case("jacoco.xml"));
    assert!(theirs.len() > 50, "{}", theirs.len());
    let missing: Vec<_> = theirs.difference(&ours).collect();
    assert!(missing.is_empty(), "{missing:?}");
    // Reports leave out what compilers add: methods of enums, and the end of `try` with resources.
    let more: Vec<_> = ours.difference(&theirs).collect();
    let added = ["$Kind.", "$1.", "Main.java:74"];
    let is_added = |element: &&&String| added.iter().any(|part| element.contains(part));
    assert_eq!(more.iter().filter(is_added).count(), more.len(), "{more:?}");
}

#[test]
fn every_probe_that_the_dump_has_is_named_once() {
    let dump = jacoco::read(&fs::read(case("jacoco.exec")).expect("it is there")).expect("a dump");
    let reached = dump.classes.values().flat_map(|class| &class.probes);
    let n_reached = reached.filter(|reached| **reached).count();
    let elements = dump.elements(&Classes::default());
    assert_eq!(elements.len(), n_reached);
    assert!(
        elements
            .iter()
            .any(|name| name.starts_with("branch:demo/Main#"))
    );
}

#[test]
fn damaged_class_files_do_no_harm() {
    let whole = fs::read(case("classes/demo/Main.class")).expect("it is there");
    for len in (0..whole.len()).step_by(7) {
        assert!(Classes::default().add(&whole[..len]).is_err(), "{len}");
    }
    for i in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[i] = bytes[i].wrapping_add(i as u8 | 1);
        let _ = Classes::default().add(&bytes);
    }
}

#[test]
fn every_dump_and_report_of_the_corpus_is_read() {
    for path in corpus(".exec").into_iter().chain(corpus(".ec")) {
        let bytes = fs::read(&path).expect("it can be read");
        let dump = jacoco::read(&bytes).unwrap_or_else(|r| panic!("{}: {r}", path.display()));
        assert!(!dump.sessions.is_empty(), "{}", path.display());
        for len in (0..bytes.len()).step_by(bytes.len() / 50 + 1) {
            let _ = jacoco::read(&bytes[..len]);
        }
    }
    for path in corpus(".xml") {
        let is_jacoco = path.to_string_lossy().to_lowercase().contains("/jacoco");
        let xml = fs::read_to_string(&path).expect("it can be read");
        let read = jacoco::report_elements(&xml);
        assert_eq!(read.is_ok(), is_jacoco, "{}: {read:?}", path.display());
        if let Ok(elements) = read {
            let covers = xml.contains(" ci=\"1");
            assert!(!covers || !elements.is_empty(), "{}", path.display());
        }
    }
}
