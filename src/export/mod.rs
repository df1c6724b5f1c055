//! Edge: suites as files, byte for byte the same for the same suite.

mod json;
mod native;
mod text;

pub use native::{ReducedTrace, write_reduced, write_suite, write_traces};
pub use text::trace_text;
