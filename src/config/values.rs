//! The settings of a run with every default filled in.

use std::{path::PathBuf, time::Duration};

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{effort, time};
use crate::abstraction::{Attribute, Lens, Lists};
use crate::explore;
use crate::model::{AfterDivergence, Costs, Kind, Stabilize, Strategy};

/// All settings of a run. The fields have the names and the nesting of `config/default.toml`,
/// which says what they mean.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Config {
    pub suite: Vec<PathBuf>,
    pub device: Vec<String>,
    pub out: PathBuf,
    pub seed: u64,
    pub strategy: Strategy,
    pub stabilize: Stabilize,
    #[serde(serialize_with = "kind_names")]
    pub preserve: Vec<Kind>,
    pub replay: Replay,
    pub retry: Retry,
    pub budget: Budget,
    pub loops: Loops,
    pub splice: Splice,
    pub settle: Settle,
    pub walk: Walk,
    pub certify: Certify,
    pub slack: Slack,
    pub cover: Cover,
    pub minimize: Minimize,
    pub screen: Screen,
    pub android: Android,
    pub explore: Explore,
    pub web: Web,
    pub cost: Cost,
    pub load: Load,
}

/// How candidates are replayed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Replay {
    pub runs: u32,
    pub after_divergence: AfterDivergence,
}

/// How trouble with devices is borne.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Retry {
    pub per_job: u32,
    pub per_device: u32,
    pub hang_seconds: f64,
}

/// What a run may cost; `None` is no limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Budget {
    #[serde(serialize_with = "time_limit")]
    pub device: Option<Duration>,
    #[serde(serialize_with = "time_limit")]
    pub wall: Option<Duration>,
}

/// Bounds on the search for loops.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Loops {
    pub max_work: usize,
    pub max_candidates: usize,
}

/// Bounds on joining pieces of traces.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Splice {
    pub fragments: usize,
    pub max_work: usize,
}

/// How often the passes are repeated.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Settle {
    pub rounds: usize,
}

/// How new traces are walked on devices.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Walk {
    pub max_steps: usize,
    pub allow_observed: bool,
    pub lanes: usize,
}

/// How sure the reduced suite must be; shares are fractions, and `None` is no limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Certify {
    pub trace_flake: f64,
    #[serde(serialize_with = "share_limit")]
    pub suite_flake: Option<f64>,
    pub confidence: f64,
    pub max_runs: u32,
}

/// What is kept beyond the least that covers everything.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Slack {
    pub min_witness: usize,
    pub keep_faults: bool,
}

/// What counts as the same screen.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Screen {
    pub abstraction: &'static str,
    pub masks: Vec<String>,
    pub lists: Lists,
    pub attributes: Vec<Attribute>,
}

impl Screen {
    /// What abstractions look through; the reason where a mask makes no sense.
    pub fn lens(&self) -> Result<Lens, String> {
        Lens::new(&self.masks, self.lists, self.attributes.clone())
    }
}

/// How pages are visited.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Web {
    pub chromium: String,
    pub allow_hosts: Vec<String>,
    pub pin_clock: bool,
    pub pin_random: bool,
    pub step_millis: u64,
    pub calm_millis: u64,
    pub quiet_seconds: f64,
    pub load_seconds: f64,
    pub max_elements: u64,
    pub width: u32,
    pub height: u32,
}

/// What concerns Android devices.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Android {
    pub package: String,
    pub activity: String,
    pub apk: String,
    pub snapshot: String,
    pub wipe: Vec<String>,
    pub grant: Vec<String>,
    pub coverage_tag: String,
    pub jacoco_broadcast: String,
    pub jacoco_file: String,
    pub jacoco_classes: Vec<String>,
    pub stable_seconds: f64,
    pub command_seconds: f64,
    pub boot_seconds: f64,
}

/// How suites are made by walking through an app.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Explore {
    pub strategy: explore::Strategy,
    #[serde(serialize_with = "effort_limits")]
    pub budget: explore::Limits,
    pub max_steps: usize,
    pub lanes: usize,
    pub deny: Vec<String>,
    pub also_deny: Vec<String>,
    pub texts: Vec<String>,
}

/// How traces are chosen.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Cover {
    pub exact: bool,
}

/// What devices cost that do not say so themselves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Cost {
    pub action_seconds: f64,
    pub restart_seconds: f64,
}

/// Bounds on what is read from a suite.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Load {
    pub max_line_mib: usize,
    pub max_name_kib: usize,
    pub unknown_actions: UnknownActions,
}

/// How failing traces are minimised.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Minimize {
    pub private: Vec<String>,
    pub replace_text: bool,
    pub rules_off: Vec<String>,
    pub solved_candidates: usize,
}

/// What happens to a suite with actions that the app does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UnknownActions {
    /// It is taken for the suite of another app.
    Refuse,
    /// Its traces end where such an action comes.
    Cut,
}

impl UnknownActions {
    /// The words for it and what they mean.
    pub const CHOICES: [(&str, Self); 2] = [("refuse", Self::Refuse), ("cut", Self::Cut)];
}

impl Stabilize {
    /// The words for it and what they mean; nothing where the strategy decides.
    pub const CHOICES: [(&str, Option<Self>); 4] = [
        ("auto", None),
        ("full", Some(Self::Full)),
        ("lazy", Some(Self::Lazy)),
        ("none", Some(Self::None)),
    ];
}

impl AfterDivergence {
    /// The words for it and what they mean.
    pub const CHOICES: [(&str, Self); 2] = [("stop", Self::Stop), ("finish", Self::Finish)];
}

impl Cost {
    /// The same in the unit that reports count with.
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "resolving refuses negative times")]
    pub fn costs(&self) -> Costs {
        let micros = |seconds: f64| (seconds * 1e6).round() as u64;
        Costs {
            restart_micros: micros(self.restart_seconds),
            action_micros: micros(self.action_seconds),
        }
    }
}

impl Config {
    /// The kinds that the reduced suite must still cover: those asked for, and faults where they
    /// are kept anyway.
    #[must_use]
    pub fn promised(&self) -> Vec<Kind> {
        let kept = |kind: Kind| kind == Kind::Fault && self.slack.keep_faults;
        let promised = |kind: &Kind| self.preserve.contains(kind) || kept(*kind);
        Kind::ALL.into_iter().filter(promised).collect()
    }

    /// The settings that can change the answer of a reduction. Where things are, how long to wait for them and
    /// how to bear trouble is left out, so a report is the same however many devices worked.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "a plain struct with text keys")]
    pub fn answer_settings(&self) -> Value {
        let mut settings = serde_json::to_value(self).expect("settings are plain JSON values");
        if let Some(table) = settings.as_object_mut() {
            let others = [
                "suite", "device", "out", "retry", "load", "minimize", "explore",
            ];
            table.retain(|key, _| !others.contains(&&**key));
        }
        if let Some(budget) = settings["budget"].as_object_mut() {
            budget.remove("wall");
        }
        settings
    }
}

fn kind_names<S: Serializer>(kinds: &[Kind], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(kinds.iter().map(|kind| kind.name()))
}

#[expect(clippy::ref_option, reason = "serde passes the field by reference")]
fn time_limit<S: Serializer>(limit: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    match limit {
        Some(time) => serializer.serialize_str(&time::write(*time)),
        None => serializer.serialize_str("none"),
    }
}

fn effort_limits<S: Serializer>(
    limits: &explore::Limits,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&effort::write(*limits))
}

#[expect(clippy::ref_option, reason = "serde passes the field by reference")]
fn share_limit<S: Serializer>(limit: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match limit {
        Some(share) => serializer.serialize_f64(*share),
        None => serializer.serialize_str("none"),
    }
}
