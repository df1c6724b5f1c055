//! Where each step of a new trace was seen: long pieces of recorded traces first, live sessions
//! where no recording has the step.

use rustc_hash::FxHashMap;

use crate::model::{
    ActionId, Origin, ScreenId, Script, ScriptStep, StepRef, Suite, TraceIdx, Walk,
};

/// A step without its place: the screen before it, what is done, the screen after it.
pub(super) type Triple = (ScreenId, ActionId, ScreenId);

/// How many places one step is looked up at.
const PLACES: usize = 48;

/// The places of every step ever seen.
#[derive(Default)]
pub(super) struct Origins {
    recorded: FxHashMap<Triple, Vec<StepRef>>,
    observed: FxHashMap<Triple, (u32, u32)>,
}

impl Origins {
    pub(super) fn new(suite: &Suite) -> Self {
        let mut origins = Self::default();
        for (trace, head) in suite.traces() {
            let mut before = head.launch_screen;
            for (step, number) in suite.steps(trace).iter().zip(0..) {
                let triple = (before, step.action, step.screen);
                let places = origins.recorded.entry(triple).or_default();
                if places.len() < PLACES {
                    places.push(StepRef {
                        trace,
                        step: number,
                    });
                }
                before = step.screen;
            }
        }
        origins
    }

    /// Adds what a live session did.
    pub(super) fn add(&mut self, session: u32, walk: &Walk) {
        let mut before = walk.launch;
        for (step, number) in walk.steps.iter().zip(0..) {
            let Some((screen, _)) = &step.shown else {
                continue;
            };
            let triple = (before, step.action, *screen);
            self.observed.entry(triple).or_insert((session, number));
            before = *screen;
        }
    }

    /// Whether some recording has the step.
    pub(super) fn is_recorded(&self, triple: Triple) -> bool {
        self.recorded.contains_key(&triple)
    }

    /// A script of these steps from a launch, each with its origin; none when one was never
    /// seen.
    pub(super) fn script(
        &self,
        suite: &Suite,
        launch: TraceIdx,
        steps: &[(ActionId, ScreenId)],
    ) -> Option<Script> {
        let mut before = suite.trace(launch).launch_screen;
        let mut script = Script {
            launch,
            steps: Vec::with_capacity(steps.len()),
        };
        for (at, &(action, screen)) in steps.iter().enumerate() {
            let origin = goes_on(suite, &script, (action, screen));
            let triple = (before, action, screen);
            let origin = origin.or_else(|| self.longest(suite, triple, &steps[at..]))?;
            script.steps.push(ScriptStep {
                action,
                screen,
                origin,
            });
            before = screen;
        }
        Some(script)
    }

    /// The place from which a recording goes on like this for longest.
    fn longest(
        &self,
        suite: &Suite,
        triple: Triple,
        steps: &[(ActionId, ScreenId)],
    ) -> Option<Origin> {
        let Some(places) = self.recorded.get(&triple) else {
            let &(session, step) = self.observed.get(&triple)?;
            return Some(Origin::Observed { session, step });
        };
        let length = |place: &StepRef| {
            let recorded = suite.steps(place.trace)[place.step as usize..].iter();
            let same = recorded.zip(steps);
            same.take_while(|(one, other)| (one.action, one.screen) == **other)
                .count()
        };
        let longest = places
            .iter()
            .max_by_key(|place| (length(place), std::cmp::Reverse(**place)));
        longest.map(|&place| Origin::Recorded(place))
    }
}

/// The place behind the last step, if the recording goes on in the same way there.
fn goes_on(suite: &Suite, script: &Script, step: (ActionId, ScreenId)) -> Option<Origin> {
    let StepRef { trace, step: last } = script.steps.last()?.step()?;
    let next = suite.steps(trace).get(last as usize + 1)?;
    ((next.action, next.screen) == step).then_some(Origin::Recorded(StepRef {
        trace,
        step: last + 1,
    }))
}
