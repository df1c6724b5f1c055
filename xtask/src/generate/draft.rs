//! From the rules of a generated app to its concrete states: only those that can be reached are built.

use std::collections::BTreeMap;

use serde_json::Value;

use super::app_model::{App, Edge, State};
use super::cover;
use super::splitmix::SplitMix;

const CRASHED: &str = "crashed";

/// The rules of an app: what is shown in a concrete state, and what can happen there.
pub(super) trait World {
    /// A concrete state.
    type Concrete;
    fn launch(&self) -> Self::Concrete;
    fn id(&self, state: &Self::Concrete) -> String;
    fn screen(&self, state: &Self::Concrete) -> &str;
    fn moves(&self, state: &Self::Concrete) -> Vec<Move<Self::Concrete>>;
}

/// One thing that can happen in a state.
pub(super) struct Move<S> {
    pub(super) action: String,
    /// The state it leads to; none where the app dies.
    pub(super) to: Option<S>,
    /// All edges with one slot cover the same elements.
    pub(super) slot: usize,
    pub(super) weight: Option<f64>,
    pub(super) fault: Option<String>,
}

/// The app before its branches are spread: each edge still has to get the elements of its slot.
pub(super) struct Draft {
    pub(super) app: App,
    /// For each state, the slot of each of its edges.
    pub(super) slots: BTreeMap<String, Vec<usize>>,
}

/// The app that follows the rules of a world, with branches spread over it.
pub(super) fn app(world: &impl World, branches: usize, random: &mut SplitMix) -> Value {
    let mut draft = explored(world);
    cover::spread(&mut draft, branches, random);
    draft.app.to_value()
}

/// Builds the states that can be reached from launch, so that no branch is spent on others.
fn explored<W: World>(world: &W) -> Draft {
    let launch = world.launch();
    let mut draft = Draft {
        app: App {
            launch: world.id(&launch),
            covers: Vec::new(),
            action_seconds: 2.0,
            restart_seconds: 15.0,
            states: BTreeMap::new(),
        },
        slots: BTreeMap::new(),
    };
    let mut open = vec![launch];
    while let Some(state) = open.pop() {
        let id = world.id(&state);
        if draft.app.states.contains_key(&id) {
            continue;
        }
        let moves = world.moves(&state);
        let slots = moves.iter().map(|step| step.slot).collect();
        let edges = moves.iter().map(|step| edge(world, step)).collect();
        if moves.iter().any(|step| step.to.is_none()) {
            draft.app.states.insert(CRASHED.to_owned(), crashed());
        }
        let screen = world.screen(&state).to_owned();
        draft.app.states.insert(id.clone(), State { screen, edges });
        draft.slots.insert(id, slots);
        open.extend(moves.into_iter().filter_map(|step| step.to));
    }
    draft
}

fn edge<W: World>(world: &W, step: &Move<W::Concrete>) -> Edge {
    let to = step.to.as_ref();
    Edge {
        action: Value::from(step.action.as_str()),
        to: to.map_or_else(|| CRASHED.to_owned(), |to| world.id(to)),
        covers: Vec::new(),
        weight: step.weight,
        fault: step.fault.clone(),
        crash: to.is_none(),
        millis: None,
    }
}

fn crashed() -> State {
    State {
        screen: "Crashed".to_owned(),
        edges: Vec::new(),
    }
}
