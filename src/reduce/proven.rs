//! Proven scripts: what every run of a script showed.

use std::sync::Arc;

use crate::model::{Cover, Coverage, ElementId, Names, ScreenId, Script, Suite, TraceIdx};

/// A script together with what all its runs covered, step by step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proven {
    /// The script.
    pub script: Arc<Script>,
    /// What the launch and each step covered in every run, screens not included.
    pub covers: Vec<Cover>,
}

impl Proven {
    /// The recording of a trace taken at its word.
    pub(super) fn trusted(suite: &Suite, trace: TraceIdx) -> Self {
        let steps = suite.steps(trace);
        let launch = suite.cover(suite.trace(trace).launch_covers).clone();
        let covers = steps.iter().map(|step| suite.step_cover(step));
        Self {
            script: Arc::new(Script::prefix_of(suite, trace, steps.len())),
            covers: std::iter::once(launch).chain(covers).collect(),
        }
    }

    /// How many steps it has.
    #[must_use]
    pub fn n_steps(&self) -> usize {
        self.script.steps.len()
    }

    /// The screen after `position` steps.
    #[must_use]
    pub fn screen_at(&self, suite: &Suite, position: usize) -> ScreenId {
        self.script.screen_at(suite, position)
    }

    /// What position `position` adds: its cover and its screen.
    pub fn elements_at<'a>(
        &'a self,
        suite: &Suite,
        names: &Names,
        position: usize,
    ) -> impl Iterator<Item = ElementId> + 'a {
        let screen = names.screen_element(self.screen_at(suite, position));
        let cover = self.covers[position].elements().iter().copied();
        cover.chain([screen])
    }

    /// Everything it covers, screens included.
    #[must_use]
    pub fn coverage(&self, suite: &Suite, names: &Names) -> Coverage {
        (0..self.covers.len())
            .flat_map(|position| self.elements_at(suite, names, position))
            .collect()
    }

    /// The shortest prefix that covers all of `needed` that the whole covers.
    #[must_use]
    pub fn cut_tail(&self, suite: &Suite, names: &Names, needed: &Coverage) -> Self {
        let mut seen = Coverage::default();
        let mut len = 0;
        for position in 0..self.covers.len() {
            for element in self.elements_at(suite, names, position) {
                if needed.contains(element) && seen.insert(element) {
                    len = position;
                }
            }
        }
        self.prefix(len)
    }

    /// Its first `len` steps.
    #[must_use]
    pub fn prefix(&self, len: usize) -> Self {
        if len == self.n_steps() {
            return self.clone();
        }
        Self {
            script: Arc::new(Script {
                launch: self.script.launch,
                steps: self.script.steps[..len].to_vec(),
            }),
            covers: self.covers[..=len].to_vec(),
        }
    }
}
