//! Layer 2: the reducers. Pure: no IO, no clock, no threads; the world is behind [`Replayer`].

mod bench;
mod best;
mod bound;
mod certainty;
pub mod cover;
mod evidence;
#[cfg(test)]
mod fixture;
mod loops;
mod pipeline;
mod port;
mod proven;
mod repair;
pub mod sequence;
mod splice;
mod stabilize;
mod traces;
mod verdict;

pub use bound::{Bound, lower_bound};
pub use certainty::Choice;
pub use evidence::Evidence;
pub use pipeline::{Outcome, PhaseSize, Shipped, stabilize_only};
pub use port::{Look, Pilot, Plan, Replayer, Settings};
pub use proven::Proven;
pub use stabilize::{Cut, Stabilized};
pub use verdict::{Finding, Removed, Why};

use crate::model::{Stop, Strategy, Suite};

/// Reduces a suite by the strategy of the settings. Stops of devices or by the user are errors;
/// so is a used-up budget while there is no proven suite to ship yet.
pub fn reduce(
    suite: &Suite,
    settings: &Settings,
    replayer: &mut dyn Replayer,
) -> Result<Outcome, Stop> {
    match settings.strategy {
        Strategy::Paper => pipeline::reduce(suite, settings, replayer),
        Strategy::Best => best::reduce(suite, settings, replayer),
    }
}
