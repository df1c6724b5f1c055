//! The optimal scheduler: rounds as a decision process, solved exactly (paper 001, 4.3).
//!
//! A state is what the candidates that are neither in nor out have shown, in any order; those
//! that are out play no part, so states with fewer of them serve every number of candidates. A
//! round leads to states with more runs or fewer candidates, so one pass from the end suffices.
//! A round with `v` runs of a candidate has few outcomes that matter: in, out, or some misses
//! more. Actions are tried in the order of a lower bound (every state that is not final takes
//! one more round), and given up once what they cost so far is no better than the best.
//!
//! Values alone are kept; the best action of a state at hand follows from them in no time.

mod process;

use process::{Move, Process};

use super::Score;
use crate::reduce::sequence::{Chances, Rule};

/// The most candidates that a process is solved for.
pub(super) const MOST: usize = 5;

/// Works something out for each number below a limit, maybe side by side.
pub type Each<'a> = &'a dyn Fn(usize, &(dyn Fn(usize) -> f64 + Sync)) -> Vec<f64>;

/// What a process is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    /// How many candidates there are at first, from 1 to 5.
    pub candidates: usize,
    /// How many runs a round has.
    pub lanes: u32,
    /// What makes a candidate pass.
    pub rule: Rule,
    /// How often candidates reach the target.
    pub chances: Chances,
}

/// A solved process.
pub struct Optimal {
    parameters: Parameters,
    process: Process,
}

impl Parameters {
    /// How many classes of states there are that are not final: those with all candidates live,
    /// and those with some of them out.
    #[must_use]
    pub fn n_classes(&self) -> (usize, usize) {
        let process = Process::new(self.lanes, self.rule, &self.chances);
        let n = self.candidates;
        let with_dead = (1..n).map(|live| process.n_states(live)).sum();
        (process.n_whole_rounds(n), with_dead)
    }

    /// How many values a solution has, by the number of live candidates.
    #[must_use]
    pub fn n_states(&self) -> Vec<usize> {
        let process = Process::new(self.lanes, self.rule, &self.chances);
        (1..=self.candidates)
            .map(|live| process.n_states(live))
            .collect()
    }
}

impl Optimal {
    /// Solves a process.
    #[must_use]
    pub fn solve(parameters: Parameters, each: Each) -> Self {
        let Parameters { lanes, rule, .. } = parameters;
        let mut process = Process::new(lanes, rule, &parameters.chances);
        for live in 1..=parameters.candidates {
            let is_whole = live == parameters.candidates;
            process.solve(live, is_whole, each);
        }
        Self {
            parameters,
            process,
        }
    }

    /// A process solved before; nothing if these are not its values.
    #[must_use]
    pub fn from_values(parameters: Parameters, values: Vec<Vec<f64>>) -> Option<Self> {
        let Parameters { lanes, rule, .. } = parameters;
        let mut process = Process::new(lanes, rule, &parameters.chances);
        let lens = (1..=parameters.candidates).map(|live| process.n_states(live));
        let fits = values.iter().map(Vec::len).eq(lens);
        process.take_values(values);
        fits.then_some(Self {
            parameters,
            process,
        })
    }

    /// The expected rounds of each state, by the number of live candidates.
    #[must_use]
    pub fn values(&self) -> &[Vec<f64>] {
        self.process.values()
    }

    /// The expected rounds from the start.
    #[must_use]
    pub fn expected_rounds(&self) -> f64 {
        self.process.value(&vec![0; self.parameters.candidates])
    }

    /// The expected rounds from the start with schedules of another kind.
    #[must_use]
    pub fn expected_rounds_by(&self, schedule: &dyn Fn(&[Score]) -> Vec<u32>) -> f64 {
        self.process.expected(self.parameters.candidates, schedule)
    }

    /// The best schedule; nothing where it was not solved for that.
    #[must_use]
    pub fn schedule(&self, live: &[Score], rule: Rule, lanes: u32) -> Option<Vec<u32>> {
        let Parameters {
            candidates: n,
            lanes: solved,
            rule: known,
            ..
        } = self.parameters;
        let runs: u32 = live.iter().map(|(hits, misses)| hits + misses).sum();
        let is_known = live.len() < n || (live.len() == n && runs.is_multiple_of(lanes));
        if rule != known || lanes != solved || !is_known || live.is_empty() {
            return None;
        }
        let mut order: Vec<usize> = (0..live.len()).collect();
        order.sort_by_key(|&at| self.process.id(live[at]));
        let state: Vec<u8> = order.iter().map(|&at| self.process.id(live[at])).collect();
        let Move { runs, .. } = self.process.best_move(&state);
        let mut planned = vec![0; live.len()];
        for (at, runs) in order.into_iter().zip(runs) {
            planned[at] = runs;
        }
        Some(planned)
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedulers;
    use super::{Optimal, Parameters};
    use crate::reduce::sequence::{Chances, Rule};

    fn parameters(candidates: usize, lanes: u32, runs: u32, accept: u32) -> Parameters {
        Parameters {
            candidates,
            lanes,
            rule: Rule { runs, accept },
            chances: Chances::default(),
        }
    }

    fn solved(parameters: Parameters) -> Optimal {
        Optimal::solve(parameters, &|n, value| (0..n).map(value).collect())
    }

    #[test]
    fn the_classes_of_states_are_counted_as_by_the_paper_s_rules() {
        // The paper prints 729,709 with the two final states; its own rules give these.
        let (live, dead) = parameters(5, 15, 20, 18).n_classes();
        assert_eq!((live, dead, live + dead), (305_436, 424_269, 729_705));
    }

    /// The least expected rounds by trying everything, without classes and bounds.
    fn slow(state: &[(u32, u32)], p: &Parameters) -> f64 {
        let Rule { runs, accept } = p.rule;
        if state.iter().any(|score| score.0 >= accept) {
            return 0.0;
        }
        let is_live = |score: &&(u32, u32)| score.1 <= runs - accept;
        let live: Vec<(u32, u32)> = state.iter().filter(is_live).copied().collect();
        if live.is_empty() {
            return 0.0;
        }
        let left: Vec<u32> = live.iter().map(|score| runs - score.0 - score.1).collect();
        let total = p.lanes.min(left.iter().sum());
        let mut best = f64::INFINITY;
        let mut action = vec![0; live.len()];
        loop {
            if action.iter().sum::<u32>() == total {
                best = best.min(1.0 + outcome(&live, &action, 0, p));
            }
            let Some(at) = (0..live.len()).find(|&at| action[at] < left[at]) else {
                return best;
            };
            action[..at].fill(0);
            action[at] += 1;
        }
    }

    fn outcome(state: &[(u32, u32)], action: &[u32], at: usize, p: &Parameters) -> f64 {
        if at == state.len() {
            return slow(state, p);
        }
        let (hits, misses) = state[at];
        let weight = |hits: u32, misses: u32| -> f64 {
            let shares = p.chances.shares().iter();
            let power = |base: f64, n: u32| base.powi(i32::try_from(n).unwrap());
            shares
                .map(|&(c, share)| share * power(c, hits) * power(1.0 - c, misses))
                .sum()
        };
        let ways =
            |n: u32, k: u32| (0..k).fold(1.0, |w, i| w * f64::from(n - i) / f64::from(i + 1));
        (0..=action[at])
            .map(|more| {
                let (h, m) = (hits + more, misses + action[at] - more);
                let chance = ways(action[at], more) * weight(h, m) / weight(hits, misses);
                let mut next = state.to_vec();
                next[at] = (h, m);
                chance * outcome(&next, action, at + 1, p)
            })
            .sum()
    }

    #[test]
    fn the_solution_is_what_trying_everything_finds() {
        for (candidates, lanes, runs, accept) in
            [(1, 2, 5, 4), (2, 3, 4, 3), (2, 2, 4, 3), (3, 3, 3, 2)]
        {
            let parameters = parameters(candidates, lanes, runs, accept);
            let expect = slow(&vec![(0, 0); candidates], &parameters);
            let found = solved(parameters).expected_rounds();
            assert!(
                (found - expect).abs() < 1e-9,
                "{candidates}: {found} {expect}"
            );
        }
    }

    #[test]
    fn no_other_schedule_is_better_and_its_own_is_as_good_as_it_says() {
        let optimal = solved(parameters(3, 6, 8, 7));
        let rule = optimal.parameters.rule;
        let best = optimal.expected_rounds();
        for scheduler in schedulers() {
            let rounds = optimal.expected_rounds_by(&|live| (scheduler.schedule)(live, rule, 6));
            assert!(rounds >= best - 1e-9, "{}: {rounds} {best}", scheduler.name);
        }
        let own = optimal.expected_rounds_by(&|live| optimal.schedule(live, rule, 6).unwrap());
        assert!((own - best).abs() < 1e-9, "{own} {best}");
    }

    #[test]
    fn values_kept_give_the_same_schedules_and_foreign_ones_are_refused() {
        let parameters = parameters(2, 6, 8, 7);
        let optimal = solved(parameters.clone());
        let values = optimal.values().to_vec();
        let again = Optimal::from_values(parameters.clone(), values.clone()).unwrap();
        let rule = parameters.rule;
        let live = [(3, 0), (2, 1)];
        assert_eq!(
            again.schedule(&live, rule, 6),
            optimal.schedule(&live, rule, 6)
        );
        assert!(Optimal::from_values(parameters, values[..1].to_vec()).is_none());
        assert_eq!(optimal.schedule(&[(0, 0); 3], rule, 6), None);
    }
}
