//! Apps of tabs, lists, details and dialogs whose `back` leads to where one came from, which no screen shows.
//!
//! Every screen has a place of its own below a tab; some details can be opened from elsewhere too. What lies below the
//! screen is a stack that only going back reveals. Tabs empty it, and some screens are dead ends.

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

/// The stack of screens; the last one is shown.
type Stack = Vec<usize>;

impl World for Layout {
    type Concrete = Stack;

    fn launch(&self) -> Stack {
        vec![0]
    }

    fn id(&self, stack: &Stack) -> String {
        let screens: Vec<String> = stack.iter().map(usize::to_string).collect();
        format!("s{}", screens.join("."))
    }

    fn screen(&self, stack: &Stack) -> &str {
        &self.names[shown(stack)]
    }

    fn moves(&self, stack: &Stack) -> Vec<Move<Stack>> {
        let mut moves = Vec::new();
        for handler in self.handlers.of(shown(stack)) {
            for outcome in handler.outcomes(|under| self.is_under(stack, handler, *under)) {
                moves.push(handler.step(outcome, self.target(stack, outcome.goal)));
            }
        }
        moves
    }
}

fn shown(stack: &Stack) -> usize {
    *stack
        .last()
        .expect("the bottom of the stack is never taken")
}

impl Layout {
    /// Whether going back as the handler does would show the given screen.
    fn is_under(&self, stack: &Stack, handler: &layout::Handler, screen: usize) -> bool {
        let to = self.target(stack, handler.usual.goal);
        to.is_some_and(|to| shown(&to) == screen)
    }

    /// The stack that `goal` leads to, unless the app ends there.
    fn target(&self, stack: &Stack, goal: Goal) -> Option<Stack> {
        let mut stack = stack.clone();
        match goal {
            Goal::Crash => return None,
            Goal::Stay => {}
            Goal::Open(screen) => stack.push(screen),
            Goal::Back(levels) => stack.truncate(stack.len().saturating_sub(levels).max(1)),
            Goal::Place(screen) => stack = self.way(screen),
        }
        Some(stack)
    }
}

#[cfg(test)]
mod tests {
    use super::super::survey;
    use super::*;

    #[test]
    fn back_leads_to_where_one_came_from() {
        let layout = layout::draw(&survey::TYPICAL, &mut SplitMix::new(1));
        let stack = vec![0, 7, 9];
        assert_eq!(layout.target(&stack, Goal::Back(1)), Some(vec![0, 7]));
        assert_eq!(layout.target(&stack, Goal::Back(2)), Some(vec![0]));
        assert_eq!(layout.target(&stack, Goal::Back(9)), Some(vec![0]));
        assert_eq!(layout.target(&stack, Goal::Open(3)), Some(vec![0, 7, 9, 3]));
    }

    #[test]
    fn some_screens_are_dead_ends_and_some_stacks_are_deep() {
        let still = AppShape {
            flaky: 0.0,
            ..survey::TYPICAL
        };
        let app = survey::typed(app, &still, 3);
        let deep = app.states.keys().filter(|id| id.matches('.').count() >= 5);
        assert!(deep.count() > 5);
        let ends = app.states.iter().filter(|(id, state)| {
            id.as_str() != "crashed" && state.edges.iter().all(|edge| edge.to == **id)
        });
        assert!(ends.count() > 0);
    }

    #[test]
    fn apps_have_the_shape_that_was_asked_for() {
        survey::check(app);
    }
}
