//! Edge: what other tools measured, as the elements that a suite knows.
//!
//! Nothing here reads files: bytes and texts go in, elements or the reason why not come out, so
//! that drivers and importers share one reader for each format.

pub mod jacoco;
