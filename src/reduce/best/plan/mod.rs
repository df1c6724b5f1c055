//! Plans: the cheapest walks through the machine that cover what is wanted.
//!
//! A set of walks with clean starts between them is a circulation through one more node that
//! stands for the start. Which arcs must be walked is a choice (`choose`, `shake`); how to walk them most
//! cheaply follows from it (`flow`); and the circulation is then cut into walks (`tours`).

mod choose;
mod flow;
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
