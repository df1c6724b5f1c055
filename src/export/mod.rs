//! Edge: suites as files, byte for byte the same for the same suite.

mod json;
pub mod native;
pub mod text;
