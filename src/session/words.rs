//! Ids as words: how reports name traces, screens and divergences.

use crate::model::{Names, Seen, Suite, TraceIdx};
use crate::reduce::Cut;
use crate::report::{self, SeenCount};

/// The tables behind the ids, and how many runs were made.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) suite: &'a Suite,
    pub(super) names: &'a Names,
    pub(super) runs: u32,
}

impl<'a> Words<'a> {
    /// The name of a trace.
    pub(super) fn id(self, trace: TraceIdx) -> &'a str {
        self.suite.trace(trace).id
    }

    /// Where a trace stopped replaying.
    pub(super) fn cut(self, trace: TraceIdx, cut: &Cut) -> report::Cut {
        let expected = match cut.position.checked_sub(1) {
            None => self.suite.trace(trace).launch_screen,
            Some(step) => self.suite.steps(trace)[step].screen,
        };
        let diverged = cut.seen.iter().map(|(_, runs)| runs).sum();
        report::Cut {
            trace: self.id(trace).to_owned(),
            kept: cut.kept,
            of: cut.of,
            runs: self.runs.max(diverged),
            diverged,
            expected: self.names.screen_name(expected).to_owned(),
            seen: cut
                .seen
                .iter()
                .map(|&(seen, runs)| SeenCount {
                    what: self.seen(seen),
                    runs,
                })
                .collect(),
        }
    }

    /// What was seen instead.
    pub(super) fn seen(self, seen: Seen) -> String {
        match seen {
            Seen::Screen(screen) => self.names.screen_name(screen).to_owned(),
            Seen::NotEnabled => "the action is not there".to_owned(),
            Seen::Dead => "the app had died".to_owned(),
        }
    }
}
