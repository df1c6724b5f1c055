//! What the project's own tasks share with its tests: apps and suites from a seed, and a checker
//! that knows nothing of the reducer.

pub mod bench;
pub mod check;
pub mod generate;
pub mod make;
