//! What the project's own tasks share with its tests: apps and suites from a seed, a checker
//! that knows nothing of the reducer, and virtual devices.

pub mod bench;
pub mod check;
pub mod generate;
pub mod make;
pub mod virtual_android;
