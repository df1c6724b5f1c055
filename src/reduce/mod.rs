//! Layer 2: the reducers. Pure: no IO, no clock, no threads; the world is behind [`Replayer`].

mod bench;
mod bound;
pub mod cover;
mod evidence;
#[cfg(test)]
mod fixture;
mod loops;
mod pipeline;
mod port;
mod proven;
mod repair;
mod splice;
mod stabilize;
mod traces;
mod verdict;

pub use bound::lower_bound;
pub use evidence::Evidence;
pub use pipeline::{Outcome, PhaseSize, Shipped, reduce, stabilize_only};
pub use port::{Replayer, Settings};
pub use proven::Proven;
pub use stabilize::{Cut, Stabilized};
pub use verdict::{Finding, Removed, Why};
