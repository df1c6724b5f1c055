//! Layer 0: the nouns of the program as plain data, without IO, clocks or threads.

pub mod act;
pub(crate) mod action;
mod choice;
mod cost;
mod coverage;
mod digest;
mod element;
mod event;
pub mod gesture;
mod id;
mod lists;
mod names;
mod run;
mod script;
mod seed;
pub mod selector;
mod signature;
mod slots;
mod suite;
pub mod window;

pub use choice::{AfterDivergence, Stabilize, Strategy};
pub use cost::{Costs, Usage};
pub use coverage::{Cover, Coverage};
pub use digest::{hex, sha256};
pub use element::{Kind, canonical, screen_element};
pub use event::{Limit, Observer, Phase, RunEvent};
pub use id::{ActionId, CoverId, ElementId, ScreenId, TraceIdx};
pub use names::Names;
pub use run::{Divergence, Job, Run, Seen, Stop, Walk, WalkStep};
pub use script::{Fragment, Origin, Script, ScriptStep, StepRef};
pub use seed::Seed;
pub use signature::Signature;
pub(crate) use slots::Slots;
pub use suite::{Fields, NewStep, NewTrace, Step, Suite, Trace};
