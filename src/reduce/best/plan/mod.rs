//! Plans: the cheapest walks through the machine that cover what is wanted.
//!
//! A set of walks with clean starts between them is a circulation through one more node that
//! stands for the start. Which arcs must be walked is a choice (`choose`, `shake`); how to walk them most
//! cheaply follows from it (`flow`); and the circulation is then cut into walks (`tours`).

mod choose;
mod flow;
mod network;
mod problem;
mod shake;
mod tours;

use super::machine::{Machine, State};
use crate::model::{Costs, Coverage, Names, Seed};

use choose::Choice;
use problem::Problem;

/// What is to be planned.
pub(super) struct Task<'t> {
    pub(super) machine: &'t Machine,
    /// Which arcs may be walked, and what each costs beyond its time to make up for the chance
    /// that it surprises.
    pub(super) usable: &'t dyn Fn(usize) -> Option<u64>,
    pub(super) goal: &'t Coverage,
    pub(super) costs: Costs,
    /// Where known walks end that may go on.
    pub(super) ends: &'t [End],
    /// How many times the choice is shaken.
    pub(super) shakes: usize,
    /// How many nodes may be looked at to make the choice cheaper.
    pub(super) looks: u64,
    pub(super) seed: Seed,
}

/// The end of a known walk.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub(super) state: State,
    /// How many steps it may still have.
    pub(super) room: usize,
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Planned {
    /// The walks, as arcs of the machine.
    pub(super) walks: Vec<Vec<usize>>,
    /// Known walks that go on, and how.
    pub(super) longer: Vec<(usize, Vec<usize>)>,
    /// What of the goal no walk covers.
    pub(super) missing: Coverage,
}

impl Planned {
    /// Device time of one replay of all walks, and of what known ones have more.
    pub(super) fn micros(&self, costs: Costs) -> u64 {
        let longer = self.longer.iter().map(|(_, steps)| steps.len());
        let steps = self.walks.iter().map(Vec::len).chain(longer).sum();
        costs.micros(self.walks.len(), steps)
    }

    /// Whether there is nothing to walk.
    pub(super) fn is_empty(&self) -> bool {
        self.walks.is_empty() && self.longer.is_empty()
    }
}

/// Plans walks that cover all of the goal that can be covered, for each limit on the steps of a walk.
/// Gives how many nodes were looked at, too.
pub(super) fn plan(task: &Task, names: &Names, limits: &[usize]) -> (Vec<Planned>, u64) {
    let problem = Problem::new(task, names);
    let mut choice = Choice::new(&problem);
    choice.fill();
    choice.improve(task.shakes, task.looks, task.seed);
    let looks = choice.scratch.looks;
    let missing = problem.missing(&choice.uncovered());
    let cut = |&max_steps: &usize| {
        let (walks, longer) = choice.clone().into_walks(task, max_steps);
        Planned {
            walks,
            longer,
            missing: missing.clone(),
        }
    };
    (limits.iter().map(cut).collect(), looks)
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::{Task, plan};
    use crate::model::{ActionId, Costs, Cover, Coverage, ElementId, Names, ScreenId, Seed};
    use crate::reduce::best::machine::{Arc, Machine};

    /// A page with two states behind Home, of which one was never left: `back` was tried in the other one alone.
    fn machine(names: &mut Names, contested: &[(ScreenId, ActionId)]) -> (Machine, Coverage) {
        let (home, page) = (names.screen("Home"), names.screen("Page"));
        let elements = ["b1", "b2"].map(|name| names.element(name));
        let [one, two, back] = ["one", "two", "back"].map(|action| names.action(action));
        let arc = |from, action, screen, to, covers: &[ElementId]| Arc {
            from,
            action,
            screen,
            to,
            seen: 9,
            otherwise: 0,
            contested: 0,
            chance: 0.0,
            weak: false,
            cover: covers.iter().copied().collect::<Cover>(),
        };
        let mut machine = Machine {
            screens: vec![home, page, page],
            signatures: vec![0; 3],
            arcs: vec![
                arc(0, one, page, 1, &elements[..1]),
                arc(0, two, page, 2, &elements[1..]),
                arc(1, back, home, 0, &[]),
            ],
            first: vec![0, 2, 3, 3],
            ..Machine::default()
        };
        machine.contest(&contested.iter().copied().collect::<FxHashSet<_>>());
        (machine, elements.into_iter().collect())
    }

    /// How many walks cover everything, with a start that costs next to nothing or as much as ten steps.
    fn walks(machine: &Machine, goal: &Coverage, names: &Names, restart_micros: u64) -> Vec<usize> {
        let costs = Costs {
            restart_micros,
            action_micros: 10,
        };
        let task = Task {
            machine,
            usable: &|_| Some(0),
            goal,
            costs,
            ends: &[],
            shakes: 10,
            looks: 1000,
            seed: Seed(1),
        };
        let (planned, _) = plan(&task, names, &[50, 2]);
        planned.iter().map(|planned| planned.walks.len()).collect()
    }

    #[test]
    fn walks_keep_each_limit_and_save_starts_where_these_cost_more() {
        let mut names = Names::default();
        let (machine, goal) = machine(&mut names, &[]);
        // `one`, `back` and `two` are one walk of three steps.
        assert_eq!(walks(&machine, &goal, &names, 100), [1, 2]);
        assert_eq!(walks(&machine, &goal, &names, 1), [2, 2]);
    }

    #[test]
    fn actions_are_assumed_to_do_what_they_did_elsewhere_unless_that_differed() {
        let mut names = Names::default();
        let pair = (names.screen("Page"), names.action("back"));
        let (known, goal) = machine(&mut names, &[]);
        let (contested, _) = machine(&mut names, &[pair]);
        let only_from_the_other = |machine: &Machine| {
            // Without `back` from where `one` leads, only what is assumed goes back.
            let mut machine = machine.clone();
            machine.screens.push(machine.screens[1]);
            machine.signatures.push(0);
            machine.first.push(3);
            machine.arcs[0].to = 3;
            machine
        };
        let way_back = only_from_the_other(&known);
        assert_eq!(walks(&way_back, &goal, &names, 100), [1, 2]);
        let no_way_back = only_from_the_other(&contested);
        assert_eq!(walks(&no_way_back, &goal, &names, 100), [2, 2]);
    }
}
