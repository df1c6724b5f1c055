//! What to do next: which of the walks that held are kept, and what is planned beside them.
//!
//! An option is judged by all that it will have cost in the end: the runs that its walks still
//! need on devices, and what every later replay of the suite takes. What is planned seldom comes
//! out as planned; by how much it did not so far is added to what new walks are said to cost.

use std::sync::Arc;

use super::Search;
use super::plan::{End, Planned};
use crate::model::{Coverage, Script};
use crate::reduce::cover::{Effort, Instance, solve};
use crate::reduce::evidence::Node;

/// How many seconds of device time while reducing a second of every later replay is worth at
/// first, and once patience is at its end.
const VALUE: u64 = 60;
const LEAST_VALUE: u64 = 20;
/// How many times what all runs of the first plan take may be spent in vain until then.
const PATIENCE: u64 = 3;
/// How many times plans that are only compared are shaken.
pub(super) const SHAKES: usize = 20;
/// How many walks are given up together at most.
const GIVEN_UP: usize = 6;
/// After so many surprises right behind its end a walk is not made longer.
const DEAD: u32 = 2;
/// How many new walks are remembered.
const MEMORY: u64 = 16;
/// A walk with room for fewer steps than this is not made longer.
const ROOM: usize = 3;

/// Walks to keep, and a plan for what they do not cover.
#[derive(Clone)]
pub(super) struct Choice {
    pub(super) kept: Vec<Arc<Script>>,
    pub(super) planned: Planned,
    /// Device time of one replay of all that, by plan.
    pub(super) micros: u64,
    /// What is new of it.
    pub(super) new_micros: u64,
    /// All that it will have cost.
    worth: u64,
}

/// How plans came out so far.
#[derive(Default)]
pub(super) struct Luck {
    planned: u64,
    beyond: u64,
    /// How many new walks were tried of late, and how many of them went as planned.
    tried: u64,
    held: u64,
}

impl Luck {
    /// Takes in that walks that were planned to take `planned` took so much more in the end.
    pub(super) fn note(&mut self, planned: u64, beyond: u64) {
        // What came last says most.
        self.planned = self.planned / 2 + planned;
        self.beyond = self.beyond / 2 + beyond.min(planned);
    }

    /// Takes in whether a new walk went as planned.
    pub(super) fn tried(&mut self, held: bool) {
        if self.tried == MEMORY {
            self.tried /= 2;
            self.held /= 2;
        }
        self.tried += 1;
        self.held += u64::from(held);
    }

    /// Whether new walks go as planned more often than not.
    pub(super) fn is_good(&self) -> bool {
        2 * self.held >= self.tried
    }

    /// What it takes to walk something of this length until it holds.
    fn until_held(&self, micros: u64) -> u64 {
        micros * (self.tried + 4) / (self.held + 3)
    }

    /// How much more than planned new walks will take.
    fn beyond(&self, micros: u64) -> u64 {
        // As if a first plan had taken a tenth more.
        let (planned, beyond) = (self.planned + micros, self.beyond + micros / 10);
        let more = u128::from(micros) * u128::from(beyond) / u128::from(planned.max(1));
        u64::try_from(more).unwrap_or(u64::MAX)
    }
}

/// How much is worth trying still: the more was spent in vain, the less.
#[derive(Default)]
pub(super) struct Patience {
    /// Device time so far.
    spent: u64,
    /// What of it was in vain.
    vain: u64,
    /// What all runs of the first plan would have taken.
    first: Option<u64>,
}

impl Patience {
    /// Takes in device time.
    pub(super) fn spend(&mut self, micros: u64) {
        self.spent += micros;
    }

    /// Takes in what all runs of a plan take, and what of the time so far was well used.
    fn weigh(&mut self, planned: u64, used: u64) {
        self.first.get_or_insert(planned);
        self.vain = self.spent.saturating_sub(used);
    }

    /// How many seconds of device time while reducing a second of every later replay is worth.
    fn value(&self) -> u64 {
        let all = (PATIENCE * self.first.unwrap_or(0)).max(1);
        let left = all.saturating_sub(self.vain);
        let value = u128::from(VALUE) * u128::from(left) / u128::from(all);
        u64::try_from(value).unwrap_or(VALUE).max(LEAST_VALUE)
    }
}

impl Search<'_, '_> {
    /// The best of the options that there are, given what was kept and walked last, and all that
    /// ever held; and the others, best first.
    pub(super) fn best_choices(
        &self,
        fresh: Planned,
        latest: &[Arc<Script>],
        pool: &[Arc<Script>],
    ) -> (Choice, Vec<Choice>) {
        let mut choices = vec![self.choice_of(Vec::new(), fresh), self.keep_all(pool)];
        let base = self.cheapest(latest);
        choices.push(self.beside(base.clone()));
        let mut removals: Vec<(u64, usize)> = Vec::new();
        for without in 0..base.len() {
            let choice = self.beside(all_but(&base, &[without]));
            removals.push((choice.worth, without));
            choices.push(choice);
        }
        removals.sort_unstable();
        let order: Vec<usize> = removals.into_iter().map(|(_, without)| without).collect();
        for some in 2..order.len().min(GIVEN_UP) {
            choices.push(self.beside(all_but(&base, &order[..some])));
        }
        choices.sort_by_key(|choice| choice.worth);
        let mut best = choices.remove(0);
        if !(latest.is_empty() || best.planned.is_empty()) {
            let again = self.planned_beside(&best.kept, super::SHAKES);
            best = better(best.clone(), self.choice_of(best.kept.clone(), again));
        }
        (best, choices)
    }

    /// The cheapest of these walks that cover all that they cover together, without tails.
    pub(super) fn cheapest(&self, walks: &[Arc<Script>]) -> Vec<Arc<Script>> {
        let mut elements: Vec<_> = self
            .coverage(walks)
            .intersection(&self.goal)
            .iter()
            .collect();
        elements.sort_unstable();
        let mut instance = Instance::new(elements.len(), 1);
        let mut known: Vec<&Arc<Script>> = Vec::new();
        for walk in walks.iter().filter(|walk| !walk.steps.is_empty()) {
            let Some(proven) = self.measured(walk) else {
                continue;
            };
            let covers = self.bench.coverage(&proven);
            let covered = elements.iter().zip(0..);
            let covered = covered.filter(|(element, _)| covers.contains(**element));
            instance.push(self.worth_of(walk), covered.map(|(_, number)| number));
            known.push(walk);
        }
        let cover = solve(&instance, Effort::Quick);
        let chosen = cover
            .chosen
            .iter()
            .map(|&set| Arc::clone(known[set as usize]));
        let settled = self.settle(chosen.collect()).into_iter();
        settled.map(|proven| proven.script).collect()
    }

    /// Weighs what all that was spent is good for: runs of what is kept are not in vain.
    pub(super) fn weigh_patience(&mut self, planned: u64, latest: &[Arc<Script>]) {
        let runs = self.bench.settings.runs;
        let used = self.cheapest(latest).into_iter().map(|walk| {
            let passes = self.passes(&walk).unwrap_or(0).min(runs);
            self.micros(&[walk]) * u64::from(passes)
        });
        let used = used.sum();
        self.patience.weigh(planned * u64::from(runs), used);
    }

    /// What a walk that is kept will still cost.
    fn worth_of(&self, walk: &Arc<Script>) -> u64 {
        let left = self.runs_left(walk, self.bench.settings.runs);
        self.micros(std::slice::from_ref(walk)) * (self.patience.value() + u64::from(left))
    }

    /// Keeps all of these and plans for the rest.
    pub(super) fn keep_all(&self, walks: &[Arc<Script>]) -> Choice {
        self.beside(self.cheapest(walks))
    }

    fn beside(&self, kept: Vec<Arc<Script>>) -> Choice {
        let planned = self.planned_beside(&kept, SHAKES);
        self.choice_of(kept, planned)
    }

    /// A plan for what these walks do not cover; they may go on.
    fn planned_beside(&self, kept: &[Arc<Script>], shakes: usize) -> Planned {
        let max_steps = self.bench.settings.max_steps;
        let missing: Coverage = self.missing(kept);
        if missing.is_empty() {
            return Planned::default();
        }
        let mut walks = Vec::new();
        let mut ends = Vec::new();
        for (number, walk) in kept.iter().enumerate() {
            let room = max_steps.saturating_sub(walk.steps.len());
            let failed = self.end_of(walk).and_then(|end| self.dead_ends.get(&end));
            let goes_on = room >= ROOM && failed.is_none_or(|&failed| failed < DEAD);
            if let Some(path) = self.path(walk).filter(|_| goes_on) {
                let last = path.last().map(|&arc| self.machine.arcs[arc].to);
                let state = last.unwrap_or(self.machine.launch);
                ends.push(End { state, room });
                walks.push(number);
            }
        }
        let mut planned = self.plan_beside(&missing, &ends, shakes);
        for (end, _) in &mut planned.longer {
            *end = walks[*end];
        }
        planned
    }

    /// The evidence of where a walk ends.
    pub(super) fn end_of(&self, walk: &Script) -> Option<Node> {
        self.bench.evidence.walk(walk).last()
    }

    fn choice_of(&self, kept: Vec<Arc<Script>>, planned: Planned) -> Choice {
        let costs = self.bench.settings.costs;
        let mut worth = 0;
        let mut walked = costs.micros(
            planned.walks.len(),
            planned.walks.iter().map(Vec::len).sum(),
        );
        for (number, walk) in kept.iter().enumerate() {
            let longer = planned.longer.iter().find(|(end, _)| *end == number);
            match longer {
                Some((_, more)) => {
                    walked += costs.micros(1, walk.steps.len() + more.len());
                }
                None => worth += self.worth_of(walk),
            }
        }
        let runs = u64::from(self.bench.settings.runs);
        let beyond = self.luck.beyond(planned.micros(costs));
        worth += (walked + beyond) * (runs + self.patience.value()) + self.luck.until_held(walked);
        Choice {
            micros: self.micros(&kept) + planned.micros(costs),
            new_micros: planned.micros(costs),
            kept,
            planned,
            worth,
        }
    }

    /// The arcs of the machine that a walk takes.
    pub(super) fn path(&self, walk: &Script) -> Option<Vec<usize>> {
        let mut state = self.machine.launch;
        let arcs = walk.steps.iter().map(|step| {
            let arc = self.machine.step(state, step.action, step.screen)?;
            state = self.machine.arcs[arc].to;
            Some(arc)
        });
        arcs.collect()
    }
}

fn better(one: Choice, other: Choice) -> Choice {
    if other.worth < one.worth { other } else { one }
}

fn all_but(walks: &[Arc<Script>], without: &[usize]) -> Vec<Arc<Script>> {
    let kept = walks.iter().enumerate();
    let kept = kept.filter(|(number, _)| !without.contains(number));
    kept.map(|(_, walk)| Arc::clone(walk)).collect()
}
