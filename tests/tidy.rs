//! The rules of the house, held by tests: layers, sizes, docs, licences.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What each layer of the crate may use of the others.
const LAYERS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("abstraction", &["model"]),
    ("coverage", &["model"]),
    ("import", &["model", "abstraction", "coverage"]),
    ("export", &["model"]),
    ("report", &["model"]),
    ("audit", &["model", "report"]),
    ("shadow", &["report"]),
    ("reduce", &["model"]),
    ("explore", &["model"]),
    ("replay", &["model", "reduce", "explore"]),
    (
        "drivers",
        &["model", "abstraction", "coverage", "import", "replay"],
    ),
    ("config", &["model", "abstraction", "explore"]),
    (
        "session",
        &[
            "model",
            "abstraction",
            "coverage",
            "import",
            "export",
            "report",
            "audit",
            "shadow",
            "reduce",
            "explore",
            "replay",
            "drivers",
            "config",
        ],
    ),
    (
        "cli",
        &[
            "model", "report", "audit", "explore", "replay", "drivers", "config", "session",
        ],
    ),
];

/// Layers that reach the world only through their port.
const PURE: &[&str] = &["model", "abstraction", "reduce", "explore"];
const WORLD: &[&str] = &[
    "std::fs",
    "std::net",
    "std::time",
    "std::thread",
    "std::process",
    "std::env",
    "Instant",
    "SystemTime",
    "rayon",
];

/// Names that say nothing about what is inside.
const NAMELESS: &[&str] = &[
    "util", "utils", "common", "helpers", "misc", "types", "errors",
];

const MOST_LINES: usize = 400;

const LICENCES: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "MPL-2.0",
    "MIT-0",
    "CC0-1.0",
    "Apache-2.0 WITH LLVM-exception",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All Rust files below a folder of the project, in order.
fn rust_files(folder: &str) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(root().join(folder)).sort_by_file_name();
    let files = walk
        .into_iter()
        .map(|entry| entry.expect("it can be read").into_path());
    files
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect()
}

fn all_rust_files() -> Vec<PathBuf> {
    ["src", "xtask", "tests", "benches"]
        .iter()
        .flat_map(|folder| rust_files(folder))
        .collect()
}

/// The text without its unit tests and comments.
fn code(path: &Path) -> String {
    let text = read(path);
    let text = text
        .split("\n#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or("");
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn is_test(path: &Path) -> bool {
    let name = path.file_stem().and_then(|name| name.to_str());
    matches!(name, Some("tests" | "sample" | "fixture"))
        || path.components().any(|part| part.as_os_str() == "tests")
}

fn layer_of(path: &Path) -> Option<String> {
    let inside = path.strip_prefix(root().join("src")).ok()?;
    let first = inside.components().next()?.as_os_str().to_str()?;
    Path::new(first)
        .extension()
        .is_none_or(|e| e != "rs")
        .then(|| first.to_owned())
}

/// The layers that a text names behind `crate::`.
fn layers_used(code: &str) -> BTreeSet<String> {
    let uses = code.split("crate::").skip(1);
    let names = uses.map(|rest| {
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        rest[..end].to_owned()
    });
    names
        .filter(|name| LAYERS.iter().any(|(layer, _)| layer == name))
        .collect()
}

#[test]
fn every_layer_uses_only_those_it_may() {
    let allowed: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    for path in rust_files("src").iter().filter(|path| !is_test(path)) {
        let Some(layer) = layer_of(path) else {
            continue;
        };
        let allowed = allowed.get(layer.as_str()).unwrap_or_else(|| {
            panic!("{layer} is in no layer; add it to LAYERS and to ARCHITECTURE.md")
        });
        for used in layers_used(&code(path)) {
            assert!(
                used == layer || allowed.contains(&used.as_str()),
                "{} uses crate::{used}, which {layer} may not",
                path.display()
            );
        }
    }
}

#[test]
fn pure_layers_do_not_touch_the_world() {
    for path in rust_files("src") {
        if layer_of(&path).is_some_and(|layer| PURE.contains(&layer.as_str())) && !is_test(&path) {
            let code = code(&path);
            for word in WORLD {
                assert!(!code.contains(word), "{} uses {word}", path.display());
            }
        }
    }
}

#[test]
fn the_checker_of_the_tests_knows_nothing_of_the_reducer() {
    for path in rust_files("xtask/src/generate") {
        assert!(!code(&path).contains("reduce_suite"), "{}", path.display());
    }
}

#[test]
fn every_file_starts_by_saying_what_it_is_and_stays_short() {
    for path in all_rust_files() {
        let text = read(&path);
        assert!(
            text.starts_with("//! "),
            "{} has no module doc",
            path.display()
        );
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", path.display());
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("names are text");
        assert!(
            !NAMELESS.contains(&name),
            "{} has a name without meaning",
            path.display()
        );
        // Spelt in two parts, so that this line is not found.
        assert!(
            !text.contains(concat!("TO", "DO")),
            "{} has loose ends",
            path.display()
        );
    }
}

#[test]
fn architecture_md_and_the_source_tree_name_the_same_files() {
    let text = read(&root().join("ARCHITECTURE.md"));
    for path in rust_files("src").iter().filter(|path| !is_test(path)) {
        let path = path.strip_prefix(root()).expect("it is inside");
        let name = path
            .to_str()
            .expect("names are text")
            .replace("/mod.rs", "/");
        assert!(
            text.contains(&format!("`{name}`")),
            "ARCHITECTURE.md does not name `{name}`"
        );
    }
    let named = text.split('`').skip(1).step_by(2);
    for name in named.filter(|name| name.starts_with("src/") || name.starts_with("tests/")) {
        assert!(
            root().join(name).exists(),
            "ARCHITECTURE.md names `{name}`, which is gone"
        );
    }
}

#[test]
fn the_changelog_has_this_version() {
    let version = format!("## {}", env!("CARGO_PKG_VERSION"));
    assert!(
        read(&root().join("CHANGELOG.md")).contains(&version),
        "{version} is missing"
    );
}

#[test]
fn ci_runs_the_test_command_of_the_readme() {
    let command = "cargo xtask check";
    assert!(read(&root().join("README.md")).contains(&format!("\n{command}\n")));
    assert!(read(&root().join(".ci/run")).contains(&format!("\n{command}\n")));
}

#[test]
fn the_top_level_holds_only_what_belongs_there() {
    let known = [
        ".cargo",
        ".ci",
        ".git",
        ".gitignore",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "benches",
        "clippy.toml",
        "config",
        "rustfmt.toml",
        "src",
        "target",
        "testdata",
        "tests",
        "xtask",
    ];
    for entry in fs::read_dir(root()).expect("it can be read") {
        let name = entry.expect("it can be read").file_name();
        let name = name.to_str().expect("names are text");
        assert!(
            known.contains(&name),
            "{name} does not belong at the top level"
        );
    }
}

fn cargo(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(words)
        .current_dir(root())
        .output();
    let output = output.expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("cargo prints text")
}

#[test]
fn every_dependency_has_a_licence_that_suits_us() {
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.expect("cargo names its host");
    // Only what is built here: the rest may never have been downloaded.
    let metadata = cargo(&[
        "metadata",
        "--format-version",
        "1",
        "--offline",
        "--locked",
        "--filter-platform",
        host,
    ]);
    let metadata: serde_json::Value = serde_json::from_str(&metadata).expect("cargo prints JSON");
    for package in metadata["packages"]
        .as_array()
        .expect("packages are a list")
    {
        let licence = package["license"].as_str().unwrap_or("none");
        let any = licence.split(" OR ").flat_map(|part| part.split('/'));
        let suits = |part: &str| {
            let all = part.trim_matches(['(', ')', ' ']).split(" AND ");
            all.into_iter()
                .all(|one| LICENCES.contains(&one.trim_matches(['(', ')', ' '])))
        };
        assert!(
            any.into_iter().any(suits),
            "{} has licence {licence}",
            package["name"]
        );
    }
}
