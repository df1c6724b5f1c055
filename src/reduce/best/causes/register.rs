//! Registers: what steps leave behind that no screen shows.

use rustc_hash::FxHashSet;

use super::history::{History, Sighting};
use crate::model::{ActionId, ScreenId};

/// An action on a screen, and the screen it showed.
pub(in super::super) type Step = (ScreenId, ActionId, ScreenId);

/// Something that steps set and actions obey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Register {
    /// How often a step was taken since a screen was last arrived at. After `turn` times it is at its start again;
    /// with a turn of one it tells only whether the step was taken.
    Count {
        step: Step,
        turn: u8,
        reset: Option<ScreenId>,
    },
    /// Which of these steps was the last.
    Last(Vec<Step>),
}

impl Register {
    /// Its value after a step; it is 0 at the start.
    pub(super) fn after(&self, value: u8, taken: Step) -> u8 {
        match self {
            Self::Count { step, turn, reset } => {
                let kept = if arrives(taken, *reset) { 0 } else { value };
                match (*step == taken, turn) {
                    (false, _) => kept,
                    (true, 1) => 1,
                    (true, turn) => (kept + 1) % turn,
                }
            }
            Self::Last(steps) => {
                let at = steps.iter().zip(1..).find(|(step, _)| **step == taken);
                at.map_or(value, |(_, at)| at)
            }
        }
    }

    /// How many values it has.
    fn n_values(&self) -> u8 {
        match self {
            Self::Count { turn, .. } => (*turn).max(2),
            Self::Last(steps) => steps.len() as u8 + 1,
        }
    }

    /// Whether nothing of what was before is left of it after a step.
    fn forgets(&self, taken: Step) -> bool {
        let after = self.after(0, taken);
        (1..self.n_values()).all(|value| self.after(value, taken) == after)
    }

    /// Whether nothing but its own step changes it.
    pub(super) fn is_lasting(&self) -> bool {
        matches!(self, Self::Count { reset: None, .. })
    }

    /// The screens before a sighting back to where the register was set.
    pub(super) fn since_set(
        &self,
        sighting: &Sighting,
        history: &History,
    ) -> impl Iterator<Item = ScreenId> {
        let steps = sighting.steps.iter().rev();
        let steps = steps.map(|&step| history.steps[step as usize]);
        let steps = steps.take_while(|step| !self.forgets(*step));
        steps.map(|(from, _, _)| from)
    }

    /// On how many screens it matters.
    pub(super) fn area(&self, seen: &[Sighting], history: &History) -> usize {
        let mut screens = FxHashSet::default();
        if self.is_lasting() {
            screens.extend(history.steps.iter().map(|(_, _, to)| *to));
        } else {
            let since_set = |sighting| self.since_set(sighting, history);
            screens.extend(seen.iter().flat_map(since_set));
        }
        screens.len() + 1
    }
}

/// Whether a step arrives at a screen from another one.
pub(super) fn arrives((from, _, to): Step, screen: Option<ScreenId>) -> bool {
    Some(to) == screen && from != to
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Names;

    #[test]
    fn counters_turn_and_forget_where_their_screen_is_arrived_at() {
        let mut names = Names::default();
        let [home, page] = ["Home", "Page"].map(|name| names.screen(name));
        let [mode, back, again] = ["mode", "back", "again"].map(|name| names.action(name));
        let step = (page, mode, page);
        let count = |turn, reset| Register::Count { step, turn, reset };
        assert_eq!(count(1, None).after(1, step), 1);
        assert_eq!(count(2, None).after(1, step), 0);
        assert_eq!(count(3, None).after(1, step), 2);
        let leave = (page, back, home);
        assert_eq!(count(3, None).after(2, leave), 2);
        assert_eq!(count(3, Some(home)).after(2, leave), 0);
        // Who stays does not arrive.
        assert_eq!(count(3, Some(home)).after(2, (home, again, home)), 2);
        assert!(count(3, Some(home)).forgets(leave) && !count(3, None).forgets(leave));
        // Whether a step was taken is clear behind it whatever was before.
        assert!(count(1, None).forgets(step) && !count(2, None).forgets(step));
    }

    #[test]
    fn the_last_of_some_steps_is_kept_until_the_next_of_them() {
        let mut names = Names::default();
        let [home, tab, page] = ["Home", "Tab", "Page"].map(|name| names.screen(name));
        let [open, more] = ["open", "more"].map(|name| names.action(name));
        let last = Register::Last(vec![(home, open, page), (tab, open, page)]);
        assert_eq!(last.after(0, (tab, open, page)), 2);
        assert_eq!(last.after(2, (page, more, page)), 2);
        assert_eq!(last.after(2, (home, open, page)), 1);
        assert!(last.forgets((home, open, page)) && !last.forgets((page, more, page)));
    }
}
