//! From sessions to a suite: what was done and shown becomes recorded traces.

use std::collections::BTreeSet;

use crate::explore::{Exploration, Found, Settings};
use crate::model::act::Act;
use crate::model::{Cover, ElementId, Fields, Kind, Names, NewStep, NewTrace, ScreenId, Suite};
use crate::report::{DeniedAction, FaultPlace, FollowedTrace};

/// A suite and what is worth telling about it.
pub(super) struct Made {
    /// What a start comes to, for whoever replays a trace elsewhere.
    launch_fields: Fields,
    pub(super) suite: Suite,
    pub(super) names: Names,
    pub(super) faults: Vec<FaultPlace>,
    pub(super) denied: Vec<DeniedAction>,
    pub(super) followed: Vec<FollowedTrace>,
}

/// How many denied actions are listed.
const MOST_DENIED: usize = 1000;

/// Makes a suite of all sessions that did something; of none, the first launch is left.
pub(super) fn made(
    settings: &Settings,
    exploration: &Exploration,
    names: &Names,
    opening: Option<&Act>,
) -> Made {
    let opening = opening.map(|act| ("action".into(), act.to_string().into()));
    let mut made = Made {
        launch_fields: opening.into_iter().collect(),
        suite: Suite::default(),
        names: names.clone(),
        faults: Vec::new(),
        denied: Vec::new(),
        followed: Vec::new(),
    };
    let mut seen = Seen::default();
    let mut ids: BTreeSet<String> = settings.follow.iter().map(|(id, _)| id.clone()).collect();
    let did_nothing = |found: &Found| found.walk.steps.iter().all(|step| step.shown.is_none());
    let is_idle = exploration.found.iter().all(did_nothing);
    for (number, found) in exploration.found.iter().enumerate() {
        let recording = settings.follow.get(number);
        if let Some((name, actions)) = recording {
            made.followed.push(followed(name, actions, found));
        }
        made.deny(found, names, &mut seen);
        if did_nothing(found) && !(is_idle && number == 0) {
            continue;
        }
        let id = match recording {
            Some((name, _)) => name.clone(),
            None => fresh_id(number, &mut ids),
        };
        made.push(&id, found, names, &mut seen);
    }
    made
}

/// What was told already.
#[derive(Default)]
struct Seen {
    faults: BTreeSet<ElementId>,
    denied: BTreeSet<(ScreenId, String)>,
}

fn fresh_id(number: usize, taken: &mut BTreeSet<String>) -> String {
    let mut id = format!("e{}", number + 1);
    while !taken.insert(id.clone()) {
        id.push('x');
    }
    id
}

fn followed(name: &str, actions: &[String], found: &Found) -> FollowedTrace {
    let steps = &found.walk.steps;
    let done = steps.iter().filter(|step| step.shown.is_some()).count();
    let stuck = actions.get(done).filter(|_| !found.walk.died);
    FollowedTrace {
        trace: name.to_owned(),
        done,
        of: actions.len(),
        stuck_at: stuck.cloned(),
    }
}

impl Made {
    fn push(&mut self, id: &str, found: &Found, names: &Names, seen: &mut Seen) {
        let walk = &found.walk;
        for fault in faults(&walk.launch_cover, names) {
            self.fault(fault, id, None, names, seen);
        }
        let trace = NewTrace {
            id: id.into(),
            launch_screen: walk.launch,
            launch_covers: walk.launch_cover.elements().to_vec(),
            launch_fields: self.launch_fields.clone(),
            fields: Fields::new(),
            joins: Vec::new(),
        };
        let mut steps = Vec::new();
        for step in &walk.steps {
            // An action that was refused has changed nothing, so the trace goes on without it.
            let Some((screen, cover)) = &step.shown else {
                continue;
            };
            for fault in faults(cover, names) {
                self.fault(fault, id, Some(steps.len()), names, seen);
            }
            let fault = faults(cover, names).next();
            let covers = cover.elements().iter().copied();
            steps.push(NewStep {
                action: step.action,
                screen: *screen,
                covers: covers.filter(|element| Some(*element) != fault).collect(),
                fault,
                millis: None,
                fields: Fields::new(),
            });
        }
        self.suite.push(trace, steps);
    }

    fn fault(
        &mut self,
        fault: ElementId,
        trace: &str,
        step: Option<usize>,
        names: &Names,
        seen: &mut Seen,
    ) {
        if seen.faults.insert(fault) {
            let name = names.element_name(fault);
            self.faults.push(FaultPlace {
                fault: name.strip_prefix("fault:").unwrap_or(name).to_owned(),
                trace: trace.to_owned(),
                step,
            });
        }
    }

    fn deny(&mut self, found: &Found, names: &Names, seen: &mut Seen) {
        let walk = &found.walk;
        let screens = walk.steps.iter().filter_map(|step| step.shown.as_ref());
        let screens = std::iter::once(walk.launch).chain(screens.map(|(screen, _)| *screen));
        for (screen, denied) in screens.zip(&found.denied) {
            for action in denied.iter() {
                let is_new = seen.denied.insert((screen, action.clone()));
                if is_new && self.denied.len() < MOST_DENIED {
                    self.denied.push(DeniedAction {
                        screen: names.screen_name(screen).to_owned(),
                        action: action.clone(),
                    });
                }
            }
        }
    }
}

fn faults<'a>(cover: &'a Cover, names: &'a Names) -> impl Iterator<Item = ElementId> + 'a {
    let elements = cover.elements().iter().copied();
    elements.filter(|element| names.kind(*element) == Kind::Fault)
}
