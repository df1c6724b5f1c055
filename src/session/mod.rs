//! Layer 5: puts the layers together into whole jobs, without a terminal: load, open devices,
//! open the journal, reduce, write the results aside and rename them.

mod assemble;
mod audit;
mod certificate;
mod cover;
mod describe;
mod dropped;
mod explain;
mod explore;
mod export;
mod finished;
mod import;
mod inspect;
mod minimize;
mod near;
mod output;
mod places;
mod reaudit;
mod reduce;
mod reduction;
mod render;
mod replay;
mod restore;
mod review;
mod shadow;
mod shard;
mod since;
mod stabilize;
mod system;
mod words;

use std::path::PathBuf;
use std::time::Duration;

pub use self::audit::audit;
pub use self::cover::{Choice, cover};
pub use self::describe::{DescribedEvent, DescribedTrace, Description, describe, rule_names};
pub use self::export::{ExportReport, UnwrittenStep, export, export_formats};
pub use self::import::{ImportReport, UnusedLine, formats, import};
pub use self::inspect::{
    DistinctScreens, InspectedWindow, Inspection, UnusableWindow, abstractions, inspect,
};
pub use self::restore::{Restore, RestoreReport, restore};
pub use self::review::{Review, ReviewReport};
pub use self::shadow::{MissLimit, Pairing, Shadow, shadow};
pub use self::shard::{Split, shard};
pub use explain::{Question, explain};
pub use explore::explore;
pub use minimize::{Minimize, algorithms, minimize, scheduler_names, solve_side_by_side};
pub use render::{append_summary, render_again};
pub use replay::{ReplayReport, ReplayedTrace, replay};
pub use stabilize::{StabilizeReport, stabilize};

pub use self::reduce::{reduce, reduce_since};

use crate::abstraction;
use crate::config::{self, Config};
use crate::drivers::{self, Android, Jacoco, OpenError, Setup, WebSetup};
use crate::export::{ReducedTrace, write_reduced};
use crate::import::{ImportError, Limits, Loaded, load};
use crate::model::{Costs, Names, Observer, RunEvent, Seed, Stop, Suite};
use crate::reduce::Settings;
use crate::replay::{Budget, Cancel, Engine, Fleet, Identity, Journal, JournalError, Parts, Retry};

/// Why a job gave no result.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The suite cannot be loaded.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The devices cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The suite does not fit the app.
    #[error("{0}")]
    Unfit(String),
    /// A result cannot be written.
    #[error("{path}: {source}; choose another --out or make room", path = path.display())]
    Output {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It was stopped before there was a result.
    #[error("{0}")]
    Stopped(#[from] Stop),
}

/// How a job is run.
pub struct Conditions<'a> {
    /// The settings.
    pub config: &'a Config,
    /// Whether an earlier journal is thrown away.
    pub fresh: bool,
    /// How the user stops it.
    pub cancel: Cancel,
    /// Who is told what happens.
    pub observer: &'a mut dyn Observer,
}

/// The suite and the devices of a job, before any work is done.
struct Opened {
    loaded: Loaded,
    fleet: Fleet,
    costs: Costs,
}

impl Opened {
    fn new(config: &Config) -> Result<Self, JobError> {
        let loaded = load(&config.suite, &limits(config))?;
        let fleet = drivers::open(&config.device, &setup(config))?;
        let costs = fleet.costs.unwrap_or_else(|| config.cost.costs());
        Ok(Self {
            loaded,
            fleet,
            costs,
        })
    }

    fn identity(&self, config: &Config) -> Identity {
        let app = format!("{}:{}", self.fleet.kind, self.fleet.sha256);
        Identity::new(&self.loaded.sha256, &app, config.seed)
    }

    /// Refuses a suite with actions that the app does not have anywhere: it was recorded on
    /// something else, and cutting its traces there would hide the mistake.
    fn check_actions(&self, config: &Config) -> Result<(), JobError> {
        let Some(known) = &self.fleet.actions else {
            return Ok(());
        };
        if config.load.unknown_actions == config::UnknownActions::Cut {
            return Ok(());
        }
        let Loaded { suite, names, .. } = &self.loaded;
        for (idx, trace) in suite.traces() {
            for (number, step) in suite.steps(idx).iter().enumerate() {
                let action = names.action_text(step.action);
                if !known.contains(action) {
                    return Err(JobError::Unfit(format!(
                        "{}: trace {}, step {number}: the app has no action `{action}` on any screen; \
                         is this the app the suite was recorded on? \
                         (--set load.unknown_actions=cut cuts such traces there instead)",
                        self.loaded.place(idx),
                        trace.id
                    )));
                }
            }
        }
        Ok(())
    }
}

/// How devices look at apps, by the settings.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "resolving settings checks both")]
pub fn setup(config: &Config) -> Setup {
    let (screen, android) = (&config.screen, &config.android);
    let given = |text: &String, unset: &str| (text != unset).then(|| text.clone());
    Setup {
        abstraction: abstraction::find(screen.abstraction)
            .or_else(|| abstraction::find("actionable"))
            .expect("it is one of them"),
        is_abstraction_open: screen.abstraction == "auto",
        lens: screen.lens().expect("its masks were read"),
        web: web(&config.web),
        android: Android {
            package: given(&android.package, "auto"),
            activity: given(&android.activity, "auto"),
            apk: given(&android.apk, "none").map(PathBuf::from),
            snapshot: given(&android.snapshot, "none"),
            wipe: android.wipe.clone(),
            grant: android.grant.clone(),
            coverage_tag: given(&android.coverage_tag, "none"),
            jacoco: given(&android.jacoco_broadcast, "none").map(|broadcast| Jacoco {
                broadcast,
                file: android.jacoco_file.clone(),
                classes: android.jacoco_classes.iter().map(PathBuf::from).collect(),
            }),
            stable: Duration::from_secs_f64(android.stable_seconds),
            command: Duration::from_secs_f64(android.command_seconds),
            boot: Duration::from_secs_f64(android.boot_seconds),
        },
    }
}

fn web(web: &config::Web) -> WebSetup {
    WebSetup {
        chromium: web.chromium.clone(),
        allow_hosts: web.allow_hosts.clone(),
        pin_clock: web.pin_clock,
        pin_random: web.pin_random,
        step: Duration::from_millis(web.step_millis),
        calm: Duration::from_millis(web.calm_millis),
        quiet: Duration::from_secs_f64(web.quiet_seconds),
        load: Duration::from_secs_f64(web.load_seconds),
        max_elements: web.max_elements,
        width: web.width,
        height: web.height,
    }
}

fn limits(config: &Config) -> Limits {
    Limits {
        max_line_bytes: config.load.max_line_mib << 20,
        max_name_bytes: config.load.max_name_kib << 10,
    }
}

fn engine<'a>(
    suite: &'a Suite,
    names: Names,
    fleet: Fleet,
    journal: Journal,
    conditions: &'a mut Conditions,
) -> Engine<'a> {
    let config = conditions.config;
    if let Some(what) = fleet.untold {
        conditions.observer.on(&RunEvent::Untold { what });
    }
    Engine::new(Parts {
        suite,
        names,
        seed: Seed(config.seed),
        devices: fleet.devices,
        journal,
        budget: Budget::new(config.budget.device, config.budget.wall),
        retry: Retry {
            per_job: config.retry.per_job,
            per_device: config.retry.per_device,
            hang: Duration::from_secs_f64(config.retry.hang_seconds),
        },
        cancel: conditions.cancel.clone(),
        observer: &mut *conditions.observer,
    })
}

/// The traces of a result as the bytes of `suite.jsonl`.
fn suite_text(
    suite: &Suite,
    names: &Names,
    traces: &[ReducedTrace],
    config: &Config,
) -> Result<Vec<u8>, JobError> {
    let mut text = Vec::new();
    write_reduced(suite, names, traces, &mut text).map_err(|source| JobError::Output {
        path: config.out.join("suite.jsonl"),
        source,
    })?;
    Ok(text)
}

/// What a job on an engine gave, once all its runs are on disk.
fn synced<T>(engine: &mut Engine, result: Result<T, Stop>) -> Result<T, Stop> {
    let synced = engine.sync();
    synced.map_err(|error| Stop::Journal(error.to_string()))?;
    result
}

fn settings(config: &Config, costs: Costs) -> Settings {
    Settings {
        strategy: config.strategy,
        runs: config.replay.runs,
        after_divergence: config.replay.after_divergence,
        stabilize: config.stabilize,
        preserve: config.promised(),
        loop_work: config.loops.max_work,
        loop_candidates: config.loops.max_candidates,
        fragments: config.splice.fragments,
        splice_work: config.splice.max_work,
        settle_rounds: config.settle.rounds,
        max_steps: config.walk.max_steps,
        allow_observed: config.walk.allow_observed,
        lanes: config.walk.lanes,
        trace_flake: config.certify.trace_flake,
        suite_flake: config.certify.suite_flake,
        confidence: config.certify.confidence,
        max_runs: config.certify.max_runs.max(config.replay.runs),
        min_witness: config.slack.min_witness,
        keep_faults: config.slack.keep_faults,
        exact: config.cover.exact,
        guides: Vec::new(),
        costs,
    }
}
