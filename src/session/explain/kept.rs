//! What a reduced trace is there for: what would be lost without it.

use std::collections::BTreeSet;

use super::Facts;
use crate::import::Loaded;
use crate::model::{Coverage, TraceIdx};
use crate::report::{KeptStory, Sole};
use crate::session::JobError;
use crate::session::places::places;

impl Facts<'_> {
    pub(super) fn kept(&self, name: &str) -> Result<KeptStory, JobError> {
        let Loaded { suite, names, .. } = &self.reduction.suite;
        let found = suite.traces().find(|(_, trace)| *trace.id == *name);
        let Some((idx, _)) = found else {
            return Err(self.no_such_kept(name));
        };
        let others = self.others(idx);
        let (mut only, mut shared) = (Vec::new(), BTreeSet::new());
        let mut seen = Coverage::default();
        for (step, elements) in places(suite, names, idx) {
            for element in elements.into_iter().filter(|&e| seen.insert(e)) {
                let name = names.element_name(element).to_owned();
                if others.contains(element) {
                    shared.insert(name);
                } else {
                    only.push(Sole {
                        element: name,
                        step,
                    });
                }
            }
        }
        let report = self.report();
        let steps = suite.steps(idx).len();
        let strip = self.reduction.strips.iter().find(|strip| strip.id == name);
        let mut runs = report.validation.traces.iter();
        Ok(KeptStory {
            trace: name.to_owned(),
            steps,
            seconds: report.subject.cost.map(|cost| cost.seconds(steps)),
            from: strip.map_or_else(Vec::new, |strip| strip.from.clone()),
            only,
            shared: shared.into_iter().collect(),
            runs: runs.find(|runs| runs.trace == name).cloned(),
            confidence: report.validation.confidence,
            restored: report.restored.iter().find(|r| r.name == name).cloned(),
        })
    }

    /// What all other traces cover that runs have shown to do so.
    fn others(&self, but: TraceIdx) -> Coverage {
        let Loaded { suite, names, .. } = &self.reduction.suite;
        let unproven: BTreeSet<&str> = {
            let restored = self.report().restored.iter();
            restored.map(|r| r.name.as_str()).collect()
        };
        let mut others = Coverage::default();
        for (idx, trace) in suite.traces() {
            if idx == but || unproven.contains(trace.id) {
                continue;
            }
            for (_, elements) in places(suite, names, idx) {
                for element in elements {
                    others.insert(element);
                }
            }
        }
        others
    }

    fn no_such_kept(&self, name: &str) -> JobError {
        let reduced = self.reduction.suite.suite.traces();
        let ids = reduced.map(|(_, trace)| trace.id);
        let removed = self.report().removed.iter().any(|r| r.trace == name);
        let hint = if removed {
            format!("; it is a trace of the input, so ask for `explain trace {name}`")
        } else {
            String::new()
        };
        Self::unknown("the reduced suite has no trace", name, ids, &hint)
    }
}
