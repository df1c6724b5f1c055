//! Random cases from a seed, and the search for the smallest one on which a property fails.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use xtask::generate::random_app::AppShape;
use xtask::generate::splitmix::SplitMix;

/// Whether a property holds, or what does not.
pub(crate) type Verdict = Result<(), String>;

/// Which apps are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Apps {
    /// Apps in which an action does the same in the same state.
    Certain,
    /// Apps in which some actions have a second outcome.
    Flaky,
    /// Apps in which every action is enabled everywhere, and several states show each screen.
    Maze,
}

/// An app and a suite recorded on it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Case {
    /// What kind of app it is.
    pub(crate) apps: Apps,
    /// Where the app, the suite and the choices of a property come from.
    pub(crate) seed: u64,
    /// What the app looks like.
    pub(crate) shape: AppShape,
    /// How many traces are recorded.
    pub(crate) traces: usize,
    /// How long they are on average.
    pub(crate) mean: usize,
}

impl Case {
    pub(crate) fn draw(seed: u64, apps: Apps) -> Self {
        let mut random = SplitMix::new(seed ^ 0x5eed);
        let flaky = match apps {
            Apps::Certain | Apps::Maze => 0.0,
            Apps::Flaky => 0.02 + 0.08 * random.unit(),
        };
        Self {
            apps,
            seed,
            shape: AppShape {
                screens: 3 + random.below(13),
                branches: 5 + random.below(76),
                hidden: *random.pick(&[0.0, 0.06, 0.15, 0.3]),
                flaky,
                faults: random.below(3),
                crashes: random.below(3),
            },
            traces: 5 + random.below(56),
            mean: 2 + random.below(12),
        }
    }

    /// Draws for what a property leaves to chance.
    pub(crate) fn random(&self) -> SplitMix {
        SplitMix::new(self.seed ^ 0xd1ce)
    }

    /// The same case with less of one thing.
    fn smaller(&self) -> Vec<Self> {
        let half = |n: usize, least: usize| (n / 2).max(least);
        let AppShape {
            screens,
            branches,
            faults,
            crashes,
            ..
        } = self.shape;
        let shaped = |change: &dyn Fn(&mut AppShape)| {
            let mut smaller = self.clone();
            change(&mut smaller.shape);
            smaller
        };
        let candidates = [
            Self {
                traces: half(self.traces, 1),
                ..self.clone()
            },
            Self {
                traces: self.traces.saturating_sub(1).max(1),
                ..self.clone()
            },
            Self {
                mean: half(self.mean, 1),
                ..self.clone()
            },
            shaped(&|shape| shape.screens = half(screens, 1)),
            shaped(&|shape| shape.screens = screens.saturating_sub(1).max(1)),
            shaped(&|shape| shape.branches = half(branches, 1)),
            shaped(&|shape| shape.hidden = 0.0),
            shaped(&|shape| shape.flaky = 0.0),
            shaped(&|shape| shape.faults = half(faults, 0)),
            shaped(&|shape| shape.crashes = half(crashes, 0)),
        ];
        candidates.into_iter().filter(|one| one != self).collect()
    }
}

/// Checks a property on a case a seed; names the smallest case found on which it fails.
///
/// `PROPERTY_CASES=1000 cargo test --test properties NAME` tries so many instead of the usual few.
#[track_caller]
pub(crate) fn check(seeds: Range<u64>, apps: Apps, property: impl Fn(&Case) -> Verdict) {
    let held = |case: &Case| {
        catch_unwind(AssertUnwindSafe(|| property(case)))
            .unwrap_or_else(|_| Err("it panicked, as told above".to_owned()))
    };
    let asked = std::env::var("PROPERTY_CASES").ok();
    let asked = asked.and_then(|number| number.parse::<u64>().ok());
    let end = asked.map_or(seeds.end, |number| seeds.start + number);
    for seed in seeds.start..end {
        let mut case = Case::draw(seed, apps);
        let Err(mut why) = held(&case) else {
            continue;
        };
        let drawn = case.clone();
        while let Some((smaller, reason)) = case
            .smaller()
            .into_iter()
            .find_map(|smaller| held(&smaller).err().map(|reason| (smaller, reason)))
        {
            (case, why) = (smaller, reason);
        }
        panic!("it does not hold for\n{case:?},\nfound from\n{drawn:?}:\n{why}");
    }
}

/// Says what is wrong unless a condition holds.
pub(crate) fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Turns a list of violations into a verdict.
pub(crate) fn none(violations: &[String]) -> Verdict {
    ensure(violations.is_empty(), || violations.join("\n"))
}
