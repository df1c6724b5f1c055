//! Layer 3: the replay engine. It carries out what reducers ask for on a pool of devices,
//! writes every run down before it is used, and tells device trouble from a diverging test.
#![expect(
    clippy::disallowed_methods,
    reason = "this layer owns the devices' threads and watches their clock"
)]

mod budget;
mod cancel;
mod clock;
mod driver;
mod engine;
mod journal;
mod live;
mod player;
mod pool;
mod record;
mod retry;
mod roam;
mod tally;
mod watch;

pub use budget::Budget;
pub use cancel::Cancel;
pub use driver::{Aim, Driver, DriverError, Fleet, Reaction, Sight, Start};
pub use engine::{Engine, Parts, Pass, RestsOn};
pub use journal::{FILE as JOURNAL_FILE, Identity, Journal, JournalError};
pub use retry::Retry;
pub use tally::{PhaseUse, Tally};
