//! Public coverage matrices, where they are at hand: all can be read, and few tests of them are
//! kept.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::{Path, PathBuf};

use reduce_suite::import::{Limits, Loaded, load_from, named};
use reduce_suite::model::{Costs, Kind};
use reduce_suite::reduce::cover::{Effort, solve, traces_of};

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 26,
    max_name_bytes: 1 << 10,
};

const COSTS: Costs = Costs {
    restart_micros: 15_000_000,
    action_micros: 2_000_000,
};

/// Files up to this size are quick enough to be solved by a build for debugging.
const SMALL_BYTES: u64 = 700_000;

/// The matrices of the corpus; none where there is no corpus.
fn matrices() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = corpus.join("../shared/corpus/coverage-matrices-fastr");
    if !corpus.exists() {
        eprintln!("skipped: there is no {}", corpus.display());
        return Vec::new();
    }
    let walk = walkdir::WalkDir::new(corpus).sort_by_file_name();
    let paths = walk
        .into_iter()
        .map(|entry| entry.expect("it can be read").into_path());
    let ends = ["-function.txt", "-line.txt", "-branch.txt"];
    let is_matrix = |path: &PathBuf| ends.iter().any(|end| path.to_string_lossy().ends_with(end));
    paths.filter(is_matrix).collect()
}

fn read(path: &Path) -> Loaded {
    let loaded = load_from(&[path.to_owned()], &LIMITS, named("coverage-matrix"));
    loaded.expect("the matrix is well-formed")
}

#[test]
fn every_matrix_is_read_and_its_elements_have_the_kind_of_the_file() {
    let matrices = matrices();
    assert!(matrices.is_empty() || matrices.len() >= 18);
    for path in matrices {
        let Loaded { suite, names, .. } = read(&path);
        let stem = path.file_stem().expect("a name").to_string_lossy();
        let kind = stem.rsplit('-').next().expect("a part").to_owned();
        let covered = suite.coverage(&names);
        let others = covered
            .iter()
            .filter(|&e| names.kind(e).name() != kind)
            .count();
        assert!(suite.n_traces() >= 100 && covered.len() > 70, "{stem}");
        assert_eq!((suite.n_steps(), others), (0, 1), "{stem}");
    }
}

#[test]
fn quick_choices_are_within_five_percent_of_the_optimum() {
    let mut ratios = Vec::new();
    for path in matrices() {
        let size = path.metadata().expect("it can be read").len();
        if size > SMALL_BYTES {
            continue;
        }
        let Loaded { suite, names, .. } = read(&path);
        let recorded = traces_of(&suite, &names, &Kind::ALL, COSTS, 1);
        let quick = solve(&recorded.instance, Effort::Quick);
        let exact = solve(&recorded.instance, Effort::Exact { max_nodes: 1000 });
        assert!(recorded.instance.is_covered_by(&quick.chosen));
        assert!(exact.optimal, "{}", path.display());
        let ratio = quick.chosen.len() as f64 / exact.chosen.len() as f64;
        assert!(ratio <= 1.05, "{}: {ratio}", path.display());
        ratios.push(ratio);
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
    assert!(mean <= 1.02, "{mean}");
}
