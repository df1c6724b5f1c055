//! Size against risk: what other settings would cost, by plans that are not tried on devices.

use std::sync::Arc;

use super::doubt::Doubt;
use super::plan::Planned;
use super::{SHAKES, Search};
use crate::model::{Coverage, Kind, Script};
use crate::reduce::certainty::Choice;

/// Lengths of traces that are looked at, and what each is good for.
const LENGTHS: [(usize, &str); 3] = [
    (
        50,
        "short traces: less breaks together when the app changes",
    ),
    (100, "traces of middle length"),
    (
        400,
        "fewer starts, but more breaks together when the app changes",
    ),
];

impl Search<'_, '_> {
    /// The table: what shipped, and what others would be.
    pub(super) fn choices(&mut self, shipped: &[Arc<Script>], risk: f64) -> Vec<Choice> {
        let mut goal = self.goal.clone();
        goal.subtract(&self.given_up);
        let steps = shipped.iter().map(|script| script.steps.len()).sum();
        let mut choices = vec![Choice {
            name: "as shipped".to_owned(),
            what: "certified on devices".to_owned(),
            traces: shipped.len(),
            steps,
            micros: self.micros(shipped),
            suite_risk: Some(risk),
            tried: true,
        }];
        let mut limits: Vec<usize> = LENGTHS.iter().map(|(length, _)| *length).collect();
        limits.push(self.bench.settings.max_steps);
        let mut planned = self.plan_within(&goal, &[], SHAKES, &limits);
        let once = planned.pop().unwrap_or_default();
        for ((length, what), planned) in LENGTHS.into_iter().zip(planned) {
            choices.push(self.choice(format!("max_steps = {length}"), what, &[planned]));
        }
        let twice = self.plan(&self.recorded_twice(&goal));
        let what = "every element covered by two traces where the input allows";
        choices.push(self.choice("min_witness = 2".to_owned(), what, &[once, twice]));
        let names = self.bench.names();
        let without: Coverage = goal
            .iter()
            .filter(|&element| names.kind(element) != Kind::Fault)
            .collect();
        if without.len() < goal.len() {
            let planned = self.plan(&without);
            let what = "exceptions are not kept for their own sake";
            choices.push(self.choice("without faults".to_owned(), what, &[planned]));
        }
        choices
    }

    fn choice(&self, name: String, what: &str, planned: &[Planned]) -> Choice {
        let walks: Vec<&Vec<usize>> = planned.iter().flat_map(|planned| &planned.walks).collect();
        let scripts = walks.iter().filter_map(|walk| self.script(walk));
        let holds: f64 = scripts
            .map(|script| 1.0 - Doubt::of(&script, &self.machine).risk)
            .product();
        Choice {
            name,
            what: what.to_owned(),
            traces: walks.len(),
            steps: walks.iter().map(|walk| walk.len()).sum(),
            micros: planned
                .iter()
                .map(|planned| planned.micros(self.bench.settings.costs))
                .sum(),
            suite_risk: Some(1.0 - holds),
            tried: false,
        }
    }

    /// Elements of a goal that two recorded traces have.
    fn recorded_twice(&self, goal: &Coverage) -> Coverage {
        goal.iter()
            .filter(|element| self.recorded.get(element).is_some_and(|&times| times > 1))
            .collect()
    }
}
