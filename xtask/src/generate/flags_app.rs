//! Apps whose screens depend on a handful of flags that no screen shows and that last until the next clean start.
//!
//! Settings toggle some flags, a login another, and finished wizards set the rest. A flag opens gates in long chains of
//! screens, offers actions that are not there otherwise, and changes what others do. A wizard also remembers whether
//! its form was filled in, which matters only at its end.

mod layout;

use serde_json::Value;

use super::draft::{self, Move, World};
use super::random_app::AppShape;
use super::splitmix::SplitMix;
use layout::{Goal, Layout};

/// Draws an app of the given shape.
#[must_use]
pub fn app(shape: &AppShape, seed: u64) -> Value {
    let mut random = SplitMix::new(seed);
    let layout = layout::draw(shape, &mut random);
    draft::app(&layout, shape.branches, &mut random)
}

/// Where the app is, and all that no screen shows.
#[derive(Debug, Clone, Copy)]
struct Concrete {
    screen: usize,
    flags: u8,
    filled: bool,
}

impl World for Layout {
    type Concrete = Concrete;

    fn launch(&self) -> Concrete {
        Concrete {
            screen: 0,
            flags: 0,
            filled: false,
        }
    }

    fn id(&self, state: &Concrete) -> String {
        let filled = if state.filled { "f" } else { "" };
        format!("s{}.{}{filled}", state.screen, state.flags)
    }

    fn screen(&self, state: &Concrete) -> &str {
        &self.names[state.screen]
    }

    fn moves(&self, state: &Concrete) -> Vec<Move<Concrete>> {
        let mut moves = Vec::new();
        for handler in self.handlers.of(state.screen) {
            let holds = |when: &layout::When| when.holds(state.flags, state.filled);
            let outcomes: Vec<_> = handler.outcomes(holds).collect();
            // What is not offered cannot have a rare outcome either.
            if outcomes[0].goal == Goal::Absent {
                continue;
            }
            for outcome in outcomes {
                moves.push(handler.step(outcome, self.target(state, outcome.goal)));
            }
        }
        moves
    }
}

impl Layout {
    /// The state that `goal` leads to, unless the app ends there.
    fn target(&self, from: &Concrete, goal: Goal) -> Option<Concrete> {
        let mut to = *from;
        match goal {
            Goal::Crash | Goal::Absent => return None,
            Goal::Stay => {}
            Goal::Screen(screen) => to.screen = screen,
            Goal::Toggle(flag) => to.flags ^= 1 << flag,
            Goal::Clear(flag) => to.flags &= !(1 << flag),
            Goal::Finish(flag, screen) => {
                to.flags |= 1 << flag;
                to.screen = screen;
            }
            Goal::Fill => to.filled = true,
        }
        // Leaving a wizard forgets its form.
        to.filled &= self.wizards[to.screen].is_some()
            && self.wizards[to.screen] == self.wizards[from.screen];
        Some(to)
    }
}

#[cfg(test)]
mod tests {
    use super::super::survey;
    use super::*;

    #[test]
    fn flags_last_when_their_screen_is_left() {
        let layout = layout::draw(&survey::TYPICAL, &mut SplitMix::new(1));
        let home = layout.launch();
        let on = layout.target(&home, Goal::Toggle(1)).unwrap();
        let there = layout.target(&on, Goal::Screen(5)).unwrap();
        assert_eq!((there.flags, there.screen), (2, 5));
        assert_eq!(layout.target(&there, Goal::Toggle(1)).unwrap().flags, 0);
    }

    #[test]
    fn a_form_is_forgotten_outside_of_its_wizard() {
        let layout = layout::draw(&survey::TYPICAL, &mut SplitMix::new(1));
        let first = layout.wizards.iter().position(Option::is_some).unwrap();
        let at = Concrete {
            screen: first,
            flags: 0,
            filled: false,
        };
        let filled = layout.target(&at, Goal::Fill).unwrap();
        assert!(
            layout
                .target(&filled, Goal::Screen(first + 1))
                .unwrap()
                .filled
        );
        assert!(!layout.target(&filled, Goal::Screen(0)).unwrap().filled);
    }

    #[test]
    fn apps_have_the_shape_that_was_asked_for() {
        survey::check(app);
    }
}
