//! What a device is to the engine.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::model::window::Window;
use crate::model::{Costs, Seed};

/// One device. Calls block; exactly one worker owns it.
pub trait Driver: Send {
    /// A name for messages.
    fn name(&self) -> &str;
    /// Starts the app anew with everything it ever stored wiped.
    fn start(&mut self, start: Start) -> Result<Sight, DriverError>;
    /// Performs one action.
    fn perform(&mut self, action: &str) -> Result<Reaction, DriverError>;
    /// The actions that the present screen takes, in an order that depends on the screen alone.
    fn offers(&mut self) -> Result<Vec<String>, DriverError>;
    /// The present screen as a window, where the device shows such; what is written on a widget
    /// decides whether it may be touched.
    fn window(&self) -> Option<&Window> {
        None
    }
    /// What the device can tell of an app that was just started, a line each, for people who set
    /// it up.
    fn probe(&mut self) -> Result<Vec<String>, DriverError> {
        Ok(Vec::new())
    }
    /// Whether the app still runs, as far as the device can tell without another action.
    fn is_alive(&mut self) -> Result<bool, DriverError> {
        Ok(true)
    }
}

/// What makes one start different from another.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// Decides everything that a simulated app leaves to chance: the same for the same
    /// attempt, whichever device runs it.
    pub seed: Seed,
    /// Decides injected trouble: another one for every try.
    pub trouble: Seed,
}

/// What is to be seen after a start or an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// The screen.
    pub screen: String,
    /// What was covered since the last sight.
    pub covers: Vec<String>,
    /// The exception that was raised.
    pub fault: Option<String>,
    /// How long it took on the device's clock.
    pub micros: u64,
    /// What the action was done to, where it named a widget.
    pub aim: Option<Aim>,
}

/// A widget that an action named, and the one it was done to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aim {
    /// As the action names it.
    pub recorded: String,
    /// As it was found on the screen.
    pub resolved: String,
    /// By what it was found.
    pub how: String,
}

/// What came of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reaction {
    /// It was performed.
    Sight(Sight),
    /// The app offers no such action here; looking for it took so long.
    NotEnabled {
        /// Device time in microseconds.
        micros: u64,
    },
    /// The app has died before.
    Dead,
}

/// The device failed, not the test: retry elsewhere, conclude nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DriverError {
    /// The connection is gone.
    #[error("lost the connection")]
    Lost,
    /// It did not answer in time.
    #[error("silent for {0:?}")]
    TimedOut(Duration),
    /// The app did not come up in time.
    #[error("the app did not start within {0:?}")]
    SlowStart(Duration),
    /// It says itself why it cannot go on.
    #[error("{0}")]
    Unwell(String),
    /// Its thread ended by itself.
    #[error("the driver stopped: {0}")]
    Panicked(String),
}

/// Devices of one kind that run one app.
pub struct Fleet {
    /// The scheme of the URL, such as `sim`.
    pub kind: &'static str,
    /// Digest of what runs on them, so that runs of another app are never mixed in.
    pub sha256: String,
    /// What a start and an action cost, where the devices say so.
    pub costs: Option<Costs>,
    /// Every action the app has anywhere, where the devices know.
    pub actions: Option<BTreeSet<String>>,
    /// What they cannot tell of an app, for whoever relies on what they do tell.
    pub untold: Option<&'static str>,
    /// The devices.
    pub devices: Vec<Box<dyn Driver>>,
}
