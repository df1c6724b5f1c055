//! Edge: suites as files, byte for byte the same for the same suite.

mod deed;
mod json;
mod kotlin;
mod maestro;
mod monkey;
mod native;
mod shell;
mod text;
mod web;

pub use monkey::monkey_script;
pub use native::{ReducedTrace, write_reduced, write_suite, write_traces};
pub use text::trace_text;

use crate::model::{Names, Suite, TraceIdx};

/// A format that traces can be written in, a file each.
#[derive(Debug)]
pub struct Exporter {
    /// Its name on the command line.
    pub name: &'static str,
    /// How the names of its files end, without the dot in front.
    pub extension: &'static str,
    /// Writes a recorded trace.
    pub write: fn(&Suite, &Names, TraceIdx) -> Exported,
}

/// A trace in another format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub text: String,
    /// Steps that the format cannot hold, with their actions.
    pub unwritten: Vec<(usize, String)>,
}

/// All formats.
#[must_use]
pub fn all() -> &'static [Exporter] {
    &[
        native::EXPORTER,
        text::EXPORTER,
        monkey::EXPORTER,
        maestro::EXPORTER,
        shell::EXPORTER,
        kotlin::EXPORTER,
        web::DEVTOOLS,
        web::PLAYWRIGHT,
        web::SELENIUM,
    ]
}
