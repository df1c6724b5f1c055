//! How automated explorers choose the next action from what they see.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::app_model::State;
use super::super::splitmix::SplitMix;

/// How often a curious explorer prefers the action it has tried least.
const CURIOSITY: f64 = 0.6;
/// How often a monkey with restarts starts a trace as it started an earlier one.
const HABIT: f64 = 0.85;
/// How many earlier traces such a monkey remembers.
const MEMORY: usize = 12;

/// A kind of automated explorer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorder {
    /// Part of the time the action tried least on the screen it sees, otherwise any enabled one.
    Curious,
    /// Any enabled action.
    Random,
    /// Repeats the first half or more of an earlier trace, then goes on at random.
    Restarts,
}

impl Recorder {
    /// All of them by name.
    pub const CHOICES: [(&'static str, Self); 3] = [
        ("curious", Self::Curious),
        ("random", Self::Random),
        ("restarts", Self::Restarts),
    ];
}

/// An explorer at work, with what it remembers of the traces before.
pub(super) struct Explorer<'a> {
    recorder: Recorder,
    /// How often each action was tried on each screen, over all traces so far.
    tried: BTreeMap<(&'a str, String), usize>,
    /// The actions of earlier traces that are worth repeating.
    earlier: Vec<Vec<&'a Value>>,
    /// The actions to repeat in this trace.
    habit: Vec<&'a Value>,
    /// The actions of this trace so far.
    taken: Vec<&'a Value>,
}

impl<'a> Explorer<'a> {
    pub(super) const fn new(recorder: Recorder) -> Self {
        Self {
            recorder,
            tried: BTreeMap::new(),
            earlier: Vec::new(),
            habit: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// Gets ready for a trace of at most `length` steps.
    pub(super) fn restart(&mut self, length: usize, random: &mut SplitMix) {
        let taken = std::mem::take(&mut self.taken);
        if self.recorder != Recorder::Restarts {
            return;
        }
        // What followed a habit is forgotten more often, or all habits would soon be one.
        if !taken.is_empty() && (self.habit.is_empty() || random.chance(0.1)) {
            if self.earlier.len() == MEMORY {
                self.earlier.remove(random.below(MEMORY));
            }
            self.earlier.push(taken);
        }
        self.habit.clear();
        if !self.earlier.is_empty() && random.chance(HABIT) {
            let model = random.pick(&self.earlier);
            let least = model.len().min(length) / 2;
            let kept = least + random.below(model.len().min(length) - least + 1);
            self.habit.extend(&model[..kept]);
        }
    }

    /// The next action among those that are enabled.
    pub(super) fn choose(
        &mut self,
        screen: &'a str,
        mut actions: Vec<&'a Value>,
        random: &mut SplitMix,
    ) -> Option<&'a Value> {
        let habit = self.habit.get(self.taken.len()).copied();
        if let Some(action) = habit.filter(|action| actions.contains(action)) {
            self.taken.push(action);
            return Some(action);
        }
        if self.recorder == Recorder::Curious && random.chance(CURIOSITY) {
            let counts: Vec<usize> = actions
                .iter()
                .map(|action| self.count(screen, action))
                .collect();
            let least = counts.iter().min().copied();
            let mut counts = counts.into_iter();
            actions.retain(|_| counts.next() == least);
        }
        let action = (!actions.is_empty()).then(|| *random.pick(&actions))?;
        *self.tried.entry((screen, action.to_string())).or_default() += 1;
        self.taken.push(action);
        Some(action)
    }

    fn count(&self, screen: &'a str, action: &Value) -> usize {
        let key = (screen, action.to_string());
        self.tried.get(&key).copied().unwrap_or(0)
    }
}

/// The actions that are enabled in a state, each once.
pub(super) fn actions(state: &State) -> Vec<&Value> {
    let mut actions: Vec<&Value> = Vec::new();
    for edge in &state.edges {
        if !actions.contains(&&edge.action) {
            actions.push(&edge.action);
        }
    }
    actions
}
