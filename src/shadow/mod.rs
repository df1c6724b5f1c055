//! Edge: what test runs of the full and of the reduced suite ended in, and what the small one would
//! have missed.

mod compare;
mod interval;
mod junit;
mod signature;

use std::collections::BTreeMap;

pub use compare::{Pair, compare};
pub use interval::clopper_pearson;
pub use junit::{JunitError, read};

/// How a test case ended in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It passed.
    Passed,
    /// It failed, and so did every further try that the file tells of.
    Failed(Failure),
    /// It failed and then passed when it was tried again.
    Flaky(Failure),
    /// It was not run.
    Skipped,
}

/// How a test failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Whether it could not be carried out, as against an expectation that did not hold.
    pub is_error: bool,
    /// What stays the same when the same thing fails again.
    pub signature: String,
}

/// All runs of one suite on one build.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Build {
    tests: BTreeMap<String, Runs>,
}

/// The runs of one test on one build.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Runs {
    has_passed: bool,
    failure: Option<Failure>,
}

/// What all runs of a test on a build say together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict<'a> {
    /// It failed in every run.
    Failed(&'a Failure),
    /// It failed in one run and passed in another.
    Flaky(&'a Failure),
    /// It never failed.
    Fine,
}

impl Build {
    /// Adds a run of a test; a test that was run before on this build was run again.
    pub fn add(&mut self, test: String, ending: Ending) {
        let runs = self.tests.entry(test).or_default();
        match ending {
            Ending::Passed => runs.has_passed = true,
            Ending::Skipped => {}
            Ending::Failed(failure) => runs.failed(failure),
            Ending::Flaky(failure) => {
                runs.has_passed = true;
                runs.failed(failure);
            }
        }
    }

    /// How many tests there are.
    #[must_use]
    pub fn n_tests(&self) -> usize {
        self.tests.len()
    }

    fn verdicts(&self) -> impl Iterator<Item = (&str, Verdict<'_>)> {
        let tests = self.tests.iter();
        tests.map(|(test, runs)| (test.as_str(), runs.verdict()))
    }
}

impl Runs {
    /// The first failure stands for all of them.
    fn failed(&mut self, failure: Failure) {
        self.failure.get_or_insert(failure);
    }

    fn verdict(&self) -> Verdict<'_> {
        match &self.failure {
            Some(failure) if self.has_passed => Verdict::Flaky(failure),
            Some(failure) => Verdict::Failed(failure),
            None => Verdict::Fine,
        }
    }
}
