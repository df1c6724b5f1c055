//! Random but believable apps: sections around a home screen, hidden modes, flaky outcomes, faults.
//!
//! Some parts of the app have modes that no screen shows: their screens are shown by one concrete state a mode, an
//! action on their first screen switches to the next mode, and leaving the part forgets it.

mod layout;

use serde_json::Value;

use super::draft::{self, Move, World};
use super::splitmix::SplitMix;
use layout::Layout;

/// What an app should look like.
#[derive(Debug, Clone, PartialEq)]
pub struct AppShape {
    /// Screens, besides the `Crashed` one that crashes lead to.
    pub screens: usize,
    /// Branches, named `b0`, `b1` and so on.
    pub branches: usize,
    /// Share of the actions whose effect depends on hidden state; 0.04 to 0.08 is typical.
    pub hidden: f64,
    /// Share of the actions that have a second, less likely outcome.
    pub flaky: f64,
    /// Actions that raise an exception which the app survives.
    pub faults: usize,
    /// Actions that crash the app.
    pub crashes: usize,
}

/// Draws an app of the given shape.
#[must_use]
pub fn app(shape: &AppShape, seed: u64) -> Value {
    let mut random = SplitMix::new(seed);
    let layout = layout::draw(shape, &mut random);
    draft::app(&layout, shape.branches, &mut random)
}

/// A concrete state is a screen and a mode.
impl World for Layout {
    type Concrete = (usize, usize);

    fn launch(&self) -> (usize, usize) {
        (0, 0)
    }

    fn id(&self, (screen, mode): &(usize, usize)) -> String {
        format!("s{screen}.{mode}")
    }

    fn screen(&self, (screen, _): &(usize, usize)) -> &str {
        &self.names[*screen]
    }

    fn moves(&self, &(screen, mode): &(usize, usize)) -> Vec<Move<(usize, usize)>> {
        let mut moves = Vec::new();
        for handler in self.handlers.of(screen) {
            for outcome in handler.outcomes(|at| *at == mode) {
                moves.push(handler.step(outcome, self.target(screen, mode, outcome.goal)));
            }
        }
        moves
    }
}

#[cfg(test)]
mod tests;
