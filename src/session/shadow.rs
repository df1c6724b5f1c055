//! Comparing what both suites said about several builds: finds the files, pairs the builds, holds
//! the result against a limit.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::JobError;
use super::finished::tool;
use crate::report::{Gate, ShadowReport, Unpaired};
use crate::shadow::{Build, Pair, compare, read};

/// The largest file that is read.
const MOST_BYTES: u64 = 256 << 20;

/// What is compared, and how.
#[derive(Debug, Clone, Copy)]
pub struct Shadow<'a> {
    /// JUnit files or folders of the full suite.
    pub full: &'a [PathBuf],
    /// The same of the reduced suite.
    pub reduced: &'a [PathBuf],
    /// How builds find each other.
    pub pairing: Pairing,
    /// Whether a test that failed and passed on a build failed.
    pub flaky_fails: bool,
    /// What is accepted.
    pub limit: Option<MissLimit>,
}

/// How the builds of both suites find each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// By name: of the file without its ending, or of the folder.
    Name,
    /// The first with the first, the second with the second.
    Order,
}

/// The most misses that are accepted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MissLimit {
    /// As a fraction.
    pub max_miss: f64,
    /// Of failures, as against builds.
    pub by_failure: bool,
    /// Compared with the upper end of the interval, as against the share that was counted.
    pub strict: bool,
}

/// Compares the outcomes of both suites.
pub fn shadow(asked: &Shadow) -> Result<ShadowReport, JobError> {
    let full = builds(asked.full)?;
    let reduced = builds(asked.reduced)?;
    let (pairs, unpaired) = match asked.pairing {
        Pairing::Name => by_name(full, reduced)?,
        Pairing::Order => (by_order(full, reduced)?, Vec::new()),
    };
    let mut report = compare(&pairs, asked.flaky_fails);
    report.tool = tool();
    report.unpaired = unpaired;
    report.gate = asked.limit.map(|limit| gate(&report, limit));
    Ok(report)
}

fn gate(report: &ShadowReport, limit: MissLimit) -> Gate {
    let rate = if limit.by_failure {
        report.by_failure
    } else {
        report.by_build
    };
    let value = if limit.strict {
        Some(rate.high)
    } else {
        rate.rate
    };
    Gate {
        max_miss: limit.max_miss,
        by_failure: limit.by_failure,
        strict: limit.strict,
        value,
        holds: value.is_none_or(|value| value <= limit.max_miss),
    }
}

type Named = (String, Build);

/// The builds that paths hold: one folder holds a build in each entry; of several paths each is
/// a build. What has the same name is the same build, run again.
fn builds(paths: &[PathBuf]) -> Result<Vec<Named>, JobError> {
    let places = match paths {
        [folder] if folder.is_dir() => entries(folder)?,
        paths => paths.to_vec(),
    };
    let mut builds: Vec<Named> = Vec::new();
    let mut positions: BTreeMap<String, usize> = BTreeMap::new();
    for place in &places {
        let name = build_name(place);
        let idx = *positions.entry(name.clone()).or_insert_with(|| {
            builds.push((name, Build::default()));
            builds.len() - 1
        });
        for file in files(place)? {
            read_file(&file, &mut builds[idx].1)?;
        }
        if builds[idx].1.n_tests() == 0 {
            return Err(JobError::Unfit(format!(
                "{}: there is no test case in it; a run without tests says nothing, so leave this \
                 build out of both suites",
                place.display()
            )));
        }
    }
    Ok(builds)
}

/// What a folder holds of builds, in path order.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, JobError> {
    let walk = WalkDir::new(folder)
        .min_depth(1)
        .max_depth(1)
        .follow_links(true);
    let mut entries = Vec::new();
    for entry in walk.sort_by_file_name() {
        let entry = entry.map_err(|error| unreadable(folder, &error))?;
        let path = entry.into_path();
        if path.is_dir() || is_xml(&path) {
            entries.push(path);
        }
    }
    if entries.is_empty() {
        return Err(JobError::Unfit(format!(
            "{}: there are neither .xml files nor folders in it; name the folder that holds the \
             JUnit files of all builds",
            folder.display()
        )));
    }
    Ok(entries)
}

/// The JUnit files of one build.
fn files(place: &Path) -> Result<Vec<PathBuf>, JobError> {
    if !place.is_dir() {
        return Ok(vec![place.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in WalkDir::new(place).sort_by_file_name() {
        let entry = entry.map_err(|error| unreadable(place, &error))?;
        if entry.file_type().is_file() && is_xml(entry.path()) {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

fn is_xml(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    extension.is_some_and(|e| e.eq_ignore_ascii_case("xml"))
}

fn build_name(place: &Path) -> String {
    let name = if is_xml(place) {
        place.file_stem()
    } else {
        place.file_name()
    };
    let name = name.unwrap_or(place.as_os_str());
    name.to_string_lossy().into_owned()
}

fn unreadable(path: &Path, error: &dyn std::error::Error) -> JobError {
    JobError::Unfit(format!(
        "{}: {error}; check the path and that you may read it",
        path.display()
    ))
}

fn read_file(path: &Path, build: &mut Build) -> Result<(), JobError> {
    let unreadable = |error| unreadable(path, &error);
    let file = fs::File::open(path).map_err(unreadable)?;
    let mut text = Vec::new();
    let read_bytes = file.take(MOST_BYTES + 1).read_to_end(&mut text);
    if read_bytes.map_err(unreadable)? as u64 > MOST_BYTES {
        return Err(JobError::Unfit(format!(
            "{}: it is larger than {} MiB; leave the output of tests out of it",
            path.display(),
            MOST_BYTES >> 20
        )));
    }
    read(&text, |test, ending| build.add(test, ending))
        .map_err(|error| JobError::Unfit(format!("{}:{error}", path.display())))
}

fn by_name(full: Vec<Named>, reduced: Vec<Named>) -> Result<(Vec<Pair>, Vec<Unpaired>), JobError> {
    let alone = |build: &str, suite: &str| Unpaired {
        build: build.to_owned(),
        suite: suite.to_owned(),
    };
    let (n_full, n_reduced) = (full.len(), reduced.len());
    let mut others: BTreeMap<String, Build> = reduced.into_iter().collect();
    let (mut pairs, mut unpaired) = (Vec::new(), Vec::new());
    for (build, full) in full {
        match others.remove(&build) {
            Some(reduced) => pairs.push(Pair {
                build,
                full,
                reduced,
            }),
            None => unpaired.push(alone(&build, "full")),
        }
    }
    unpaired.extend(others.keys().map(|build| alone(build, "reduced")));
    if pairs.is_empty() {
        let example = |suite: &str| {
            let mut all = unpaired.iter();
            let found = all.find(|one| one.suite == suite);
            found.map_or_else(String::new, |one| format!("`{}`", one.build))
        };
        return Err(JobError::Unfit(format!(
            "no build of the full suite ({n_full}, such as {}) has the name of one of the reduced \
             suite ({n_reduced}, such as {}); name the files after their builds, or pair them in \
             their order with --pair order",
            example("full"),
            example("reduced"),
        )));
    }
    Ok((pairs, unpaired))
}

fn by_order(full: Vec<Named>, reduced: Vec<Named>) -> Result<Vec<Pair>, JobError> {
    if full.len() != reduced.len() {
        return Err(JobError::Unfit(format!(
            "there are {} builds of the full suite and {} of the reduced one, so they cannot be \
             paired in their order; give as many of each, or pair them with --pair name",
            full.len(),
            reduced.len()
        )));
    }
    let pairs = full.into_iter().zip(reduced);
    Ok(pairs
        .map(|((build, full), (_, reduced))| Pair {
            build,
            full,
            reduced,
        })
        .collect())
}
