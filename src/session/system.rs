//! The transition system of the input, with what the output still goes through.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::model::{ActionId, Names, ScreenId, Suite};
use crate::reduce::Proven;
use crate::report::{Screen, System, Transition};

/// The most transitions that a report lists; more would be no picture any more.
const MOST: usize = 5_000;

type Hop = (ScreenId, ActionId, ScreenId);

/// How often something is in the input and in the output.
#[derive(Clone, Copy, Default)]
struct Times {
    seen: usize,
    kept: usize,
}

#[derive(Default)]
struct Count {
    launches: IndexSet<ScreenId, FxBuildHasher>,
    screens: IndexMap<ScreenId, Times, FxBuildHasher>,
    hops: IndexMap<Hop, Times, FxBuildHasher>,
}

/// The system of a suite and of what is left of it.
pub(super) fn system(suite: &Suite, names: &Names, shipped: &[&Proven]) -> System {
    let mut count = Count::default();
    for (idx, trace) in suite.traces() {
        let steps = suite.steps(idx).iter().map(|s| (s.action, s.screen));
        count.add(trace.launch_screen, steps, |times| &mut times.seen);
    }
    for proven in shipped {
        let steps = proven.script.steps.iter().map(|s| (s.action, s.screen));
        let launch = proven.screen_at(suite, 0);
        count.add(launch, steps, |times| &mut times.kept);
    }
    count.system(names)
}

impl Count {
    fn add(
        &mut self,
        launch: ScreenId,
        steps: impl Iterator<Item = (ActionId, ScreenId)>,
        which: fn(&mut Times) -> &mut usize,
    ) {
        self.launches.insert(launch);
        *which(self.screens.entry(launch).or_default()) += 1;
        let mut before = launch;
        for (action, screen) in steps {
            *which(self.screens.entry(screen).or_default()) += 1;
            *which(self.hops.entry((before, action, screen)).or_default()) += 1;
            before = screen;
        }
    }

    fn system(mut self, names: &Names) -> System {
        self.screens
            .sort_by_key(|screen, _| !self.launches.contains(screen));
        let position = |screen| {
            let found = self.screens.get_index_of(&screen);
            found.expect("both ends of a transition are screens")
        };
        let mut hops: Vec<(Hop, Times)> = self.hops.iter().map(|(h, t)| (*h, *t)).collect();
        hops.sort_by_key(|(_, times)| (times.kept == 0, std::cmp::Reverse(times.seen)));
        let left_out = hops.len().saturating_sub(MOST);
        hops.truncate(MOST);
        let transitions = hops.iter().map(|&((from, action, to), times)| Transition {
            from: position(from),
            to: position(to),
            action: names.action_text(action).to_owned(),
            seen: times.seen,
            kept: times.kept,
        });
        let screens = self.screens.iter().map(|(&screen, times)| Screen {
            name: names.screen_name(screen).to_owned(),
            seen: times.seen,
            kept: times.kept,
            launch: self.launches.contains(&screen),
        });
        System {
            transitions: transitions.collect(),
            screens: screens.collect(),
            left_out,
        }
    }
}
