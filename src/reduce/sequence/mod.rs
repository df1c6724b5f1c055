//! Shrinking one sequence of recorded events: what is left still reaches the target.

pub mod ask;
pub mod chard;
pub mod guimin;
pub mod rddmin;
