//! States, actions and outcomes of the decision process, and the pass that solves it.

use rustc_hash::FxHashMap;

use super::super::Score;
use super::{Each, MOST};
use crate::reduce::sequence::chances::binomial;
use crate::reduce::sequence::{Chances, Rule};

/// A candidate that is out.
const OUT: u8 = u8::MAX;

/// What a candidate may show next that does not make it pass: a chance and what it has shown
/// then.
type Outcomes = Vec<(f64, u8)>;

/// A decision process; candidates are known by what they have shown, as a number.
pub(super) struct Process {
    rule: Rule,
    lanes: u32,
    /// By what a candidate has shown and how often it runs.
    outcomes: Vec<Vec<Outcomes>>,
    /// `choose[n][k]`: ways to choose k of n.
    choose: Vec<[usize; MOST + 2]>,
    /// Expected rounds by the number of live candidates and the rank of a state.
    values: Vec<Vec<f64>>,
}

/// How often each candidate runs, and the rounds to expect.
pub(super) struct Move {
    pub(super) runs: Vec<u32>,
    pub(super) rounds: f64,
}

impl Process {
    pub(super) fn new(lanes: u32, rule: Rule, chances: &Chances) -> Self {
        let n_ids = (rule.accept * (rule.misses() + 1)) as usize;
        let mut choose = vec![[0; MOST + 2]; n_ids + MOST + 1];
        for n in 0..choose.len() {
            choose[n][0] = 1;
            for k in 1..MOST + 2 {
                choose[n][k] = n
                    .checked_sub(1)
                    .map_or(0, |m| choose[m][k - 1] + choose[m][k]);
            }
        }
        let mut process = Self {
            rule,
            lanes,
            outcomes: Vec::new(),
            choose,
            values: Vec::new(),
        };
        process.outcomes = (0..n_ids)
            .map(|id| {
                let score = process.score(id as u8);
                let most = rule.runs - score.0 - score.1;
                let runs = 0..=most.min(lanes);
                runs.map(|runs| process.outcomes_of(score, runs, chances))
                    .collect()
            })
            .collect();
        process
    }

    /// The number of what a candidate has shown.
    pub(super) fn id(&self, (hits, misses): Score) -> u8 {
        (misses * self.rule.accept + hits) as u8
    }

    fn score(&self, id: u8) -> Score {
        let id = u32::from(id);
        (id % self.rule.accept, id / self.rule.accept)
    }

    fn n_runs(&self, id: u8) -> u32 {
        let (hits, misses) = self.score(id);
        hits + misses
    }

    fn n_ids(&self) -> usize {
        (self.rule.accept * (self.rule.misses() + 1)) as usize
    }

    fn outcomes_of(&self, (hits, misses): Score, runs: u32, chances: &Chances) -> Outcomes {
        let power = |base: f64, n: u32| base.powi(i32::try_from(n).unwrap_or(i32::MAX));
        let weight = |&(c, share): &(f64, f64)| share * power(c, hits) * power(1.0 - c, misses);
        let all: f64 = chances.shares().iter().map(weight).sum();
        let mut outcomes: Outcomes = Vec::new();
        for more in 0..=runs {
            let (hits, misses) = (hits + more, misses + runs - more);
            if hits >= self.rule.accept {
                continue;
            }
            let shares = chances.shares().iter();
            let chance: f64 = shares
                .map(|one| weight(one) * binomial(runs, more, one.0))
                .sum();
            let chance = if all > 0.0 { chance / all } else { 0.0 };
            let id = if misses > self.rule.misses() {
                OUT
            } else {
                self.id((hits, misses))
            };
            match outcomes.iter_mut().find(|(_, known)| *known == id) {
                Some(known) => known.0 += chance,
                None => outcomes.push((chance, id)),
            }
        }
        outcomes.retain(|(chance, _)| *chance > 0.0);
        outcomes
    }

    /// How many states there are with so many live candidates.
    pub(super) fn n_states(&self, live: usize) -> usize {
        self.choose[self.n_ids() + live - 1][live]
    }

    /// How many of them are reached by whole rounds alone.
    pub(super) fn n_whole_rounds(&self, live: usize) -> usize {
        let mut n = 0;
        self.each_state(live, |state| n += usize::from(self.is_whole(state)));
        n
    }

    fn is_whole(&self, state: &[u8]) -> bool {
        self.sum(state).is_multiple_of(self.lanes)
    }

    fn sum(&self, state: &[u8]) -> u32 {
        state.iter().map(|&id| self.n_runs(id)).sum()
    }

    /// All states with so many live candidates, as ascending numbers.
    fn each_state(&self, live: usize, mut take: impl FnMut(&[u8])) {
        let last = (self.n_ids() - 1) as u8;
        let mut state = vec![0; live];
        loop {
            take(&state);
            let Some(at) = state.iter().rposition(|&id| id < last) else {
                return;
            };
            let next = state[at] + 1;
            state[at..].fill(next);
        }
    }

    fn rank(&self, state: &[u8]) -> usize {
        let ids = state.iter().enumerate();
        ids.map(|(at, &id)| self.choose[id as usize + at][at + 1])
            .sum()
    }

    /// Finds the values of all states with so many live candidates, given those with fewer.
    pub(super) fn solve(&mut self, live: usize, only_whole: bool, each: Each) {
        let mut by_sum: FxHashMap<u32, Vec<u8>> = FxHashMap::default();
        self.each_state(live, |state| {
            if !only_whole || self.is_whole(state) {
                by_sum.entry(self.sum(state)).or_default().extend(state);
            }
        });
        let mut sums: Vec<u32> = by_sum.keys().copied().collect();
        sums.sort_unstable_by(|one, other| other.cmp(one));
        self.values.push(vec![f64::NAN; self.n_states(live)]);
        for sum in sums {
            let states = &by_sum[&sum];
            let state = |at: usize| &states[at * live..(at + 1) * live];
            let found = each(states.len() / live, &|at| self.best_move(state(at)).rounds);
            let ranks = (0..found.len()).map(|at| self.rank(state(at)));
            let ranks: Vec<usize> = ranks.collect();
            for (rank, value) in ranks.into_iter().zip(found) {
                self.values[live - 1][rank] = value;
            }
        }
    }

    pub(super) fn values(&self) -> &[Vec<f64>] {
        &self.values
    }

    pub(super) fn take_values(&mut self, values: Vec<Vec<f64>>) {
        self.values = values;
    }

    /// The rounds to expect from a state on.
    pub(super) fn value(&self, state: &[u8]) -> f64 {
        self.values[state.len() - 1][self.rank(state)]
    }

    /// The best action in a state.
    pub(super) fn best_move(&self, state: &[u8]) -> Move {
        let left = state.iter().map(|&id| self.rule.runs - self.n_runs(id));
        let left: Vec<u32> = left.collect();
        if left.iter().sum::<u32>() <= self.lanes {
            return Move {
                runs: left,
                rounds: 1.0,
            };
        }
        let mut actions = Vec::new();
        fill(state, &left, (0, self.lanes), [0; MOST], &mut |action| {
            actions.push((self.goes_on(state, action), action));
        });
        actions.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        let (mut best, mut rounds) = (actions[0].1, f64::INFINITY);
        for (goes_on, action) in actions {
            if 1.0 + goes_on >= rounds {
                break;
            }
            let mut cost = 1.0 + goes_on;
            let mut next = [0; MOST];
            self.expect(state, action, 0, 1.0, (&mut next, 0), (&mut cost, rounds));
            if cost < rounds {
                (best, rounds) = (action, cost);
            }
        }
        let runs = best[..state.len()].iter().map(|&runs| u32::from(runs));
        Move {
            runs: runs.collect(),
            rounds,
        }
    }

    /// The chance that the next state is not final.
    fn goes_on(&self, state: &[u8], action: [u8; MOST]) -> f64 {
        let (mut none_in, mut all_out) = (1.0, 1.0);
        for (&id, &runs) in state.iter().zip(&action) {
            let outcomes = &self.outcomes[id as usize][runs as usize];
            none_in *= outcomes.iter().map(|(chance, _)| chance).sum::<f64>();
            let out = outcomes.iter().find(|(_, id)| *id == OUT);
            all_out *= out.map_or(0.0, |(chance, _)| *chance);
        }
        none_in - all_out
    }

    /// Adds to a cost what the next states take beyond one round each; stops once it is no
    /// better than a limit. `next` holds what candidates before `at` show then, ascending.
    fn expect(
        &self,
        state: &[u8],
        action: [u8; MOST],
        at: usize,
        chance: f64,
        (next, n): (&mut [u8; MOST], usize),
        (cost, limit): (&mut f64, f64),
    ) {
        if at == state.len() {
            if n > 0 {
                *cost += chance * (self.value(&next[..n]) - 1.0);
            }
            return;
        }
        for &(share, id) in &self.outcomes[state[at] as usize][action[at] as usize] {
            if *cost >= limit {
                return;
            }
            let mut grown = *next;
            let mut n = n;
            if id != OUT {
                let mut place = n;
                while place > 0 && grown[place - 1] > id {
                    grown[place] = grown[place - 1];
                    place -= 1;
                }
                grown[place] = id;
                n += 1;
            }
            let rest = (&mut grown, n);
            self.expect(state, action, at + 1, chance * share, rest, (cost, limit));
        }
    }

    /// The rounds to expect from the start with other schedules.
    pub(super) fn expected(
        &self,
        candidates: usize,
        schedule: &dyn Fn(&[Score]) -> Vec<u32>,
    ) -> f64 {
        let mut known = FxHashMap::default();
        self.expected_from(&vec![0; candidates], schedule, &mut known)
    }

    fn expected_from(
        &self,
        state: &[u8],
        schedule: &dyn Fn(&[Score]) -> Vec<u32>,
        known: &mut FxHashMap<Vec<u8>, f64>,
    ) -> f64 {
        if let Some(rounds) = known.get(state) {
            return *rounds;
        }
        let scores: Vec<Score> = state.iter().map(|&id| self.score(id)).collect();
        let planned = schedule(&scores);
        let mut states: Vec<(f64, Vec<u8>)> = vec![(1.0, Vec::new())];
        for (&id, &runs) in state.iter().zip(&planned) {
            let outcomes = &self.outcomes[id as usize][runs as usize];
            let grown = states.iter().flat_map(|(chance, next)| {
                outcomes.iter().map(move |&(share, id)| {
                    let mut next = next.clone();
                    if id != OUT {
                        let at = next.partition_point(|&one| one <= id);
                        next.insert(at, id);
                    }
                    (chance * share, next)
                })
            });
            states = grown.collect();
        }
        let mut rounds = 1.0;
        for (chance, next) in states.into_iter().filter(|(_, next)| !next.is_empty()) {
            rounds += chance * self.expected_from(&next, schedule, known);
        }
        known.insert(state.to_vec(), rounds);
        rounds
    }
}

/// All ways to fill a round; of candidates that have shown the same, earlier ones run more.
fn fill(
    state: &[u8],
    left: &[u32],
    (at, free): (usize, u32),
    mut action: [u8; MOST],
    take: &mut dyn FnMut([u8; MOST]),
) {
    let behind: u32 = left[at + 1..].iter().sum();
    let mut most = left[at].min(free);
    if at > 0 && state[at] == state[at - 1] {
        most = most.min(u32::from(action[at - 1]));
    }
    for runs in free.saturating_sub(behind)..=most {
        action[at] = runs as u8;
        if at + 1 < state.len() {
            fill(state, left, (at + 1, free - runs), action, take);
        } else if runs == free {
            take(action);
        }
    }
}
