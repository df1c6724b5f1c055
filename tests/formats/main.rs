//! Formats of other tools: every importer on a case of its own, damaged in many ways, and on all files
//! of the corpus.

mod corpus;

use std::fs;
use std::path::{Path, PathBuf};

use reduce_suite::abstraction::{self, Lens};
use reduce_suite::export;
use reduce_suite::import::{self, ImportError, Limits, Loaded, dump, load_from, named};
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
    ("devtools-recorder", "suite.recorder.json", [1, 1, 0]),
    ("selenium-ide", "suite.side", [1, 1, 0]),
    ("playwright", "suite.spec.ts", [1, 1, 0]),
    ("droidbot", "testdata/droidbot", [1, 6, 1]),
    ("swifthand", "testdata/swifthand/trace.json", [2, 7, 1]),
    ("uiautomator", "testdata/uiautomator", [3, 0, 1]),
    ("getevent", "testdata/getevent/taps.getevent", [1, 3, 0]),
    ("drlmobtest", "testdata/drlmobtest", [1, 3, 1]),
    ("ape", "testdata/ape", [1, 3, 0]),
];

/// Archives, which `tests/recordings.rs` tries.
const ARCHIVES: &[&str] = &["playwright-trace"];

/// Cases that are too small for a folder of their own.
const SMALL: &[(&str, &str)] = &[
    (
        "suite.jsonl",
        "{\"id\":\"a\",\"launch\":{\"screen\":\"H\"},\"steps\":[{\"action\":\"t\",\"screen\":\"M\"}]}\n{\"id\":\"b\",\"launch\":{\"screen\":\"H\"},\"steps\":[]}\n",
    ),
    ("suite.matrix", "1 2 3\n4\n"),
    (
        "suite.recorder.json",
        "{\"title\":\"t\",\"steps\":[{\"type\":\"navigate\",\"url\":\"http://h/\"},{\"type\":\"click\",\"selectors\":[[\"#new\"]]}]}",
    ),
    (
        "suite.side",
        "{\"url\":\"http://h\",\"tests\":[{\"id\":\"1\",\"name\":\"t\",\"commands\":[{\"command\":\"open\",\"target\":\"/\",\"value\":\"\"},{\"command\":\"click\",\"target\":\"id=new\",\"value\":\"\"}]}]}",
    ),
    (
        "suite.spec.ts",
        "test('t', async ({ page }) => {\n  await page.goto('http://h/');\n  await page.locator('#new').click();\n});\n",
    ),
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
    let one_by_one = |importer: &&import::Importer| !ARCHIVES.contains(&importer.name);
    for importer in import::all().iter().filter(one_by_one) {
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

#[test]
fn the_readme_names_every_format_and_every_abstraction() {
    let text = fs::read_to_string(root().join("README.md")).expect("it is there");
    let formats = import::all().iter().map(|one| one.name);
    let exports = export::all().iter().map(|one| one.name);
    let abstractions = abstraction::all().iter().map(|one| one.name);
    for name in formats.chain(exports).chain(abstractions) {
        assert!(text.contains(&format!("`{name}`")), "{name}");
    }
}

/// A dump with the attributes of every widget the other way round.
fn turned(xml: &str) -> String {
    let tags = xml.split_inclusive('>').map(|tag| {
        let Some((before, node)) = tag.split_once("<node ") else {
            return tag.to_owned();
        };
        let end = node.rfind('"').expect("an attribute") + 1;
        let mut attributes: Vec<_> = node[..end].split_inclusive("\" ").map(str::trim).collect();
        attributes.reverse();
        format!("{before}<node {}{}", attributes.join(" "), &node[end..])
    });
    tags.collect()
}

#[test]
fn the_order_of_attributes_makes_no_difference_to_any_abstraction() {
    for name in ["home.xml", "longer.xml"] {
        let path = root().join("testdata/uiautomator").join(name);
        let xml = fs::read_to_string(path).expect("it is there");
        let turned = turned(&xml);
        assert_ne!(turned, xml);
        let (one, other) = (dump::window(&xml), dump::window(&turned));
        let (one, other) = (one.expect("a dump"), other.expect("a dump"));
        for abstraction in abstraction::all() {
            let lens = Lens::default();
            let screens = (
                abstraction.screen(&one, &lens),
                abstraction.screen(&other, &lens),
            );
            assert_eq!(screens.0, screens.1, "{}", abstraction.name);
        }
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
