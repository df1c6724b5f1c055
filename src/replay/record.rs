//! Runs as they come from devices and go to the journal: names, not ids.

use serde::{Deserialize, Serialize};

use super::driver::Aim;
use crate::model::Usage;

/// What a device showed, up to and including the first thing that differs from the script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Showing {
    /// What launch and steps covered, faults included, as far as the script was followed.
    pub(super) covers: Vec<Vec<String>>,
    /// How it ended.
    pub(super) end: End,
    /// What it cost.
    pub(super) usage: Usage,
    /// What steps were done to, by their positions, where their actions named a widget.
    pub(super) aims: Vec<(u32, Aim)>,
}

/// A screen and what was covered on the way to it.
pub(super) type View = (String, Vec<String>);

/// What a screen offers that may be done, and what it offers that is denied.
pub(super) type Offered = (Vec<String>, Vec<String>);

/// What a device showed in a live session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Flown {
    /// The screen after the launch and what it covered.
    pub(super) launch: View,
    /// Each action with what came of it; none when it was not there to be done.
    pub(super) steps: Vec<(String, Option<View>)>,
    /// What the launch screen and each later one offered, where the session asked.
    pub(super) offers: Vec<Offered>,
    /// Whether the app died.
    pub(super) died: bool,
    /// What it cost.
    pub(super) usage: Usage,
    /// What steps were done to, by their positions, where their actions named a widget.
    pub(super) aims: Vec<(u32, Aim)>,
}

impl Flown {
    /// Notes what the step that comes next was done to.
    pub(super) fn aim(&mut self, aim: Option<Aim>) {
        let step = self.steps.len() as u32;
        self.aims.extend(aim.map(|aim| (step, aim)));
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum End {
    /// Everything was as the script says.
    Complete,
    /// Another screen came up.
    Screen(String),
    /// The next action was not there.
    NotEnabled,
    /// The app had died.
    Dead,
}

/// A run in the journal; covers are numbers of its dictionary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunRecord {
    /// The script's identity.
    pub(super) script: String,
    pub(super) attempt: u32,
    pub(super) covers: Vec<u32>,
    pub(super) end: End,
    pub(super) launches: u64,
    pub(super) steps: u64,
    pub(super) micros: u64,
    pub(super) retries: u32,
    /// What steps were done to, by their positions, as the action names it and as it was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) aims: Vec<(u32, Aim)>,
}

impl RunRecord {
    pub(super) fn usage(&self) -> Usage {
        Usage {
            launches: self.launches,
            steps: self.steps,
            micros: self.micros,
        }
    }
}

/// A live session in the journal; covers are numbers of its dictionary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WalkRecord {
    /// The plan's identity.
    pub(super) plan: String,
    pub(super) session: u32,
    /// The screen after the launch and what it covered.
    pub(super) launch: (String, u32),
    /// Each action with the screen and the cover behind it; null when it was not there.
    pub(super) steps: Vec<(String, Option<(String, u32)>)>,
    /// What each screen offered and what of it was denied, as lists like those of covers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) offers: Vec<(u32, u32)>,
    /// Whether the app died.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) died: bool,
    pub(super) launches: u64,
    pub(super) micros: u64,
    pub(super) retries: u32,
    /// What steps were done to, by their positions, as the action names it and as it was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) aims: Vec<(u32, Aim)>,
}

impl WalkRecord {
    pub(super) fn usage(&self) -> Usage {
        Usage {
            launches: self.launches,
            steps: self.steps.len() as u64,
            micros: self.micros,
        }
    }
}
