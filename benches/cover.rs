//! How few tests cover what all tests of a coverage matrix cover, and how long finding out takes.
//!
//! `cargo bench --bench cover -- FOLDER…` for the matrices in some folders: files called
//! `…-function.txt`, `…-line.txt` and `…-branch.txt`. Without a folder those of the corpus
//! beside the repository are taken, where there is one.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![expect(clippy::print_stdout, reason = "its figures are its result")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use reduce_suite::import::{Limits, load_from, named};
use reduce_suite::reduce::cover::{Cover, Effort, Instance, solve};

const CORPUS: &str = "../shared/corpus/coverage-matrices-fastr";

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 30,
    max_name_bytes: 1 << 16,
};

fn main() {
    let words = std::env::args().skip(1);
    let mut folders: Vec<String> = words.filter(|word| !word.starts_with('-')).collect();
    if folders.is_empty() {
        folders.push(CORPUS.to_owned());
    }
    let files = matrices(&folders);
    println!("| matrix | tests | kept, quick | seconds | optimum | proven | seconds |");
    println!("|---|--:|--:|--:|--:|---|--:|");
    let mut ratios = Vec::new();
    for file in files {
        let instance = read(&file);
        let (quick, quick_seconds) = timed(&instance, Effort::Quick);
        let (exact, seconds) = timed(&instance, Effort::Exact { max_nodes: 20_000 });
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let (tests, kept) = (instance.n_sets(), quick.chosen.len());
        let (optimum, proven) = (exact.chosen.len(), exact.optimal);
        println!(
            "| {name} | {tests} | {kept} | {quick_seconds:.2} | {optimum} | {proven} | {seconds:.2} |"
        );
        ratios.push(kept as f64 / exact.bound as f64);
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    println!("\nquick against the proven bound: {mean:.4} on average, {worst:.4} at most");
}

fn matrices(folders: &[String]) -> Vec<PathBuf> {
    let walks = folders.iter().map(|folder| {
        let walk = walkdir::WalkDir::new(folder).sort_by_file_name();
        walk.into_iter().filter_map(Result::ok)
    });
    let paths = walks.flatten().map(walkdir::DirEntry::into_path);
    let ends = ["-function.txt", "-line.txt", "-branch.txt"];
    let is_matrix = |path: &PathBuf| ends.iter().any(|end| path.to_string_lossy().ends_with(end));
    paths.filter(is_matrix).collect()
}

fn read(path: &Path) -> Instance {
    let from = named("coverage-matrix");
    let loaded = load_from(&[path.to_owned()], &LIMITS, from).expect("the matrix is well-formed");
    let mut instance = Instance::new(loaded.names.n_elements(), 1);
    // Equal tests stay apart here, so that shrinking is part of what is measured.
    for (_, trace) in loaded.suite.traces() {
        let elements = loaded.suite.cover(trace.launch_covers).elements().iter();
        instance.push(1, elements.map(|e| e.index() as u32));
    }
    instance
}

fn timed(instance: &Instance, effort: Effort) -> (Cover, f64) {
    let start = Instant::now();
    let cover = solve(instance, effort);
    (cover, start.elapsed().as_secs_f64())
}
