//! What the reduced suite would have missed: builds and failures, counted and told by name.

use std::collections::{BTreeMap, BTreeSet};

use super::interval::clopper_pearson;
use super::{Build, Failure, Verdict};
use crate::report::{FlakyTest, MissedBuild, MissedFailure, Rate, ShadowReport, VERSION};

/// How sure the intervals are.
const CONFIDENCE: f64 = 0.95;

/// One build with the runs of both suites on it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pair {
    /// The build.
    pub build: String,
    /// The runs of the full suite.
    pub full: Build,
    /// The runs of the reduced suite.
    pub reduced: Build,
}

/// What the reduced suite would have missed over these builds; a flaky test failed if
/// `flaky_fails`.
#[must_use]
pub fn compare(pairs: &[Pair], flaky_fails: bool) -> ShadowReport {
    let mut count = Count::default();
    for pair in pairs {
        count.add(pair, flaky_fails);
    }
    ShadowReport {
        version: VERSION,
        tool: String::new(),
        builds: pairs.len(),
        failed: count.failed,
        failed_reduced: count.failed_reduced,
        by_build: rate(count.missed.len(), count.failed),
        by_failure: rate(count.failures_missed, count.failures),
        missed: count.missed,
        unseen: count.unseen,
        only_reduced: count.only_reduced,
        flaky: count.flaky,
        unpaired: Vec::new(),
        gate: None,
    }
}

/// A share with its interval.
fn rate(missed: usize, of: usize) -> Rate {
    let (low, high) = clopper_pearson(missed, of, CONFIDENCE);
    // As many digits as mean something, and never narrower than they are.
    let (low, high) = ((low * 1e6).floor() / 1e6, (high * 1e6).ceil() / 1e6);
    let share = missed as f64 / of as f64;
    Rate {
        missed,
        of,
        rate: (of > 0).then_some((share * 1e6).round() / 1e6),
        low,
        high,
        confidence: CONFIDENCE,
    }
}

#[derive(Default)]
struct Count {
    failed: usize,
    failed_reduced: usize,
    failures: usize,
    failures_missed: usize,
    missed: Vec<MissedBuild>,
    unseen: Vec<MissedBuild>,
    only_reduced: Vec<String>,
    flaky: Vec<FlakyTest>,
}

impl Count {
    fn add(&mut self, pair: &Pair, flaky_fails: bool) {
        let full = failures(&pair.full, flaky_fails);
        let reduced = failures(&pair.reduced, flaky_fails);
        self.flaky.extend(flaky("full", pair, &pair.full));
        self.flaky.extend(flaky("reduced", pair, &pair.reduced));
        self.failed += usize::from(!full.is_empty());
        self.failed_reduced += usize::from(!reduced.is_empty());
        let by_signature = by_signature(&full);
        let unseen = unseen(&by_signature, &reduced);
        self.failures += by_signature.len();
        self.failures_missed += unseen.len();
        let missed = MissedBuild {
            build: pair.build.clone(),
            failures: unseen,
        };
        match (full.is_empty(), reduced.is_empty()) {
            (true, false) => self.only_reduced.push(pair.build.clone()),
            (false, true) => self.missed.push(missed),
            (false, false) if !missed.failures.is_empty() => self.unseen.push(missed),
            _ => {}
        }
    }
}

/// The tests of a build that failed, each with its failure.
fn failures(build: &Build, flaky_fails: bool) -> Vec<(&str, &Failure)> {
    let verdicts = build.verdicts();
    let failed = verdicts.filter_map(|(test, verdict)| match verdict {
        Verdict::Failed(failure) => Some((test, failure)),
        Verdict::Flaky(failure) if flaky_fails => Some((test, failure)),
        Verdict::Flaky(_) | Verdict::Fine => None,
    });
    failed.collect()
}

fn flaky(suite: &str, pair: &Pair, build: &Build) -> Vec<FlakyTest> {
    let verdicts = build.verdicts();
    let flaky = verdicts.filter_map(|(test, verdict)| match verdict {
        Verdict::Flaky(failure) => Some(FlakyTest {
            build: pair.build.clone(),
            suite: suite.to_owned(),
            test: test.to_owned(),
            signature: failure.signature.clone(),
        }),
        Verdict::Failed(_) | Verdict::Fine => None,
    });
    flaky.collect()
}

/// The failed tests of each signature.
fn by_signature<'a>(failures: &[(&'a str, &'a Failure)]) -> BTreeMap<&'a str, MissedFailure> {
    let mut by_signature: BTreeMap<&str, MissedFailure> = BTreeMap::new();
    for (test, failure) in failures {
        let entry = by_signature.entry(&failure.signature);
        let entry = entry.or_insert_with(|| MissedFailure {
            signature: failure.signature.clone(),
            error: failure.is_error,
            tests: Vec::new(),
        });
        entry.tests.push((*test).to_owned());
    }
    by_signature
}

/// The failures that no test of the reduced suite shows: neither their signature, nor a test of
/// the same name that failed.
fn unseen(
    full: &BTreeMap<&str, MissedFailure>,
    reduced: &[(&str, &Failure)],
) -> Vec<MissedFailure> {
    let signatures: BTreeSet<&str> = reduced.iter().map(|(_, f)| &*f.signature).collect();
    let tests: BTreeSet<&str> = reduced.iter().map(|(test, _)| *test).collect();
    let is_seen = |failure: &MissedFailure| {
        signatures.contains(&*failure.signature)
            || failure.tests.iter().any(|test| tests.contains(&**test))
    };
    let unseen = full.values().filter(|failure| !is_seen(failure));
    unseen.cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::{Pair, compare};
    use crate::report::ShadowReport;
    use crate::shadow::{Build, Ending, Failure};

    /// Runs such as `a=ok b=E c=E? d=-`: passed, failed with E, flaky with E, skipped.
    fn build(runs: &str) -> Build {
        let mut build = Build::default();
        for run in runs.split_whitespace() {
            let (test, ending) = run.split_once('=').unwrap();
            let failure = |signature: &str| Failure {
                is_error: false,
                signature: signature.to_owned(),
            };
            let ending = match ending {
                "ok" => Ending::Passed,
                "-" => Ending::Skipped,
                flaky if flaky.ends_with('?') => Ending::Flaky(failure(flaky.trim_matches('?'))),
                failed => Ending::Failed(failure(failed)),
            };
            build.add(test.to_owned(), ending);
        }
        build
    }

    fn report(builds: &[(&str, &str)], flaky_fails: bool) -> ShadowReport {
        let pairs = builds.iter().zip(1..).map(|((full, reduced), n)| Pair {
            build: n.to_string(),
            full: build(full),
            reduced: build(reduced),
        });
        compare(&pairs.collect::<Vec<_>>(), flaky_fails)
    }

    /// Missed builds and unseen failures of `full | reduced` builds, as `missed/of missed/of`.
    #[track_caller]
    fn check(builds: &[(&str, &str)], expect: &str) {
        let report = report(builds, false);
        let [one, other] = [report.by_build, report.by_failure];
        let shown = format!("{}/{} {}/{}", one.missed, one.of, other.missed, other.of);
        assert_eq!(shown, expect);
    }

    #[test]
    fn a_build_is_missed_when_only_the_full_suite_fails() {
        check(&[("a=E b=ok", "r=ok"), ("a=ok", "r=ok")], "1/1 1/1");
        check(&[("a=E", "r=E"), ("a=E", "r=F")], "0/2 1/2");
        check(&[("a=ok", "r=E")], "0/0 0/0");
    }

    #[test]
    fn a_failure_is_seen_by_its_signature_or_by_its_test() {
        check(&[("a=E b=E c=F", "r=F")], "0/1 1/2");
        check(&[("a=E b=F", "a=G r=F")], "0/1 0/2");
        check(&[("a=E b=F", "r=ok")], "1/1 2/2");
    }

    #[test]
    fn what_failed_and_passed_is_flaky_and_no_failure() {
        let builds = [("a=E a=ok", "r=ok"), ("a=E?", "r=ok"), ("a=E a=E", "r=E?")];
        check(&builds, "1/1 1/1");
        let told = report(&builds, false);
        let told: Vec<_> = told.flaky.iter().map(|f| (&*f.build, &*f.suite)).collect();
        assert_eq!(told, [("1", "full"), ("2", "full"), ("3", "reduced")]);
        assert_eq!(report(&builds, true).by_build.missed, 2);
    }

    #[test]
    fn skipped_tests_neither_pass_nor_fail() {
        check(&[("a=E a=-", "r=-")], "1/1 1/1");
    }

    #[test]
    fn builds_that_only_the_reduced_suite_fails_are_named() {
        assert_eq!(report(&[("a=ok", "r=E")], false).only_reduced, ["1"]);
    }

    #[test]
    fn the_interval_is_wide_where_little_was_seen() {
        let rate = report(&[("a=E", "r=E")], false).by_build;
        assert_eq!((rate.rate, rate.low, rate.high), (Some(0.0), 0.0, 0.975));
        let none = report(&[], false).by_build;
        assert_eq!((none.rate, none.low, none.high), (None, 0.0, 1.0));
    }
}
