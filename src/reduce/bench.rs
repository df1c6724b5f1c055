//! The bench that all passes work at: the suite, the settings, the evidence, the door out.

use std::sync::Arc;

use super::evidence::Known;
use super::{Evidence, Proven, Replayer, Settings};
use crate::model::{Coverage, Names, Script, Stop, Suite};

/// Everything a pass works with.
pub(super) struct Bench<'b, 'a> {
    pub(super) suite: &'a Suite,
    pub(super) settings: &'b Settings,
    pub(super) evidence: &'b mut Evidence<'a>,
    pub(super) replayer: &'b mut dyn Replayer,
    /// Runs that a candidate must hold in now.
    pub(super) runs: u32,
}

impl Bench<'_, '_> {
    /// The names of everything seen so far.
    pub(super) fn names(&self) -> &Names {
        self.replayer.names()
    }

    /// What a trace covers.
    pub(super) fn coverage(&self, trace: &Proven) -> Coverage {
        trace.coverage(self.suite, self.names())
    }

    /// What all of these traces cover.
    pub(super) fn coverage_of(&self, traces: &[Proven]) -> Coverage {
        let mut coverage = Coverage::default();
        for trace in traces {
            coverage.union_with(&self.coverage(trace));
        }
        coverage
    }

    /// Decides whether a script holds in its first `runs` attempts.
    pub(super) fn confirm(&mut self, script: &Arc<Script>, runs: u32) -> Result<Known, Stop> {
        let after = self.settings.after_divergence;
        self.evidence.confirm(script, runs, after, self.replayer)
    }

    /// What the evidence leaves of a trace; none when not even its launch holds.
    pub(super) fn left_of(&self, trace: &Proven) -> Option<Proven> {
        let runs = self.settings.runs;
        let prefix = match self.evidence.known(&trace.script, runs) {
            Known::Proven(proven) => return Some(proven),
            Known::Open(_) => return Some(trace.clone()),
            Known::Broken(position) => trace.prefix(position.checked_sub(1)?),
        };
        match self.evidence.known(&prefix.script, runs) {
            Known::Proven(proven) => Some(proven),
            Known::Open(_) | Known::Broken(_) => Some(prefix),
        }
    }
}
