//! Traces that somebody put back, with why, and with all that is needed to take them out again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Dropped, Removed};

/// An input trace that somebody put back into the output after the reduction.
///
/// The figures of the output count it (traces, steps, device time, digest, gap to the bound).
/// Coverage, witnesses and validation do not, since no run has shown what it covers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Restored {
    /// Trace of the input.
    pub trace: String,
    /// Trace of the output that it is now.
    #[serde(rename = "as")]
    pub name: String,
    /// Why somebody wanted it back.
    pub why: String,
    /// What `removed` said of it; null if parts of it had been kept.
    pub removed: Option<Removed>,
    /// What `dropped` said of its pieces.
    pub dropped: Vec<Dropped>,
    /// The chance that one replay of the validated traces goes another way somewhere, as a
    /// fraction; null: unknown.
    pub suite_risk: Option<f64>,
}
