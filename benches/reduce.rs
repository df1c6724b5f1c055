//! Reducing generated suites of growing size: own time, memory, and what devices would spend.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark measures time and prints it"
)]

use std::fs;
use std::path::Path;
use std::time::Instant;

use reduce_suite::config::{self, Layers};
use reduce_suite::model::{Observer, RunEvent};
use reduce_suite::replay::Cancel;
use reduce_suite::report::{Report, human_seconds};
use reduce_suite::session::{self, Conditions};
use xtask::generate::random_app::{self, AppShape};
use xtask::generate::{app_model, record};

struct Nobody;

impl Observer for Nobody {
    fn on(&mut self, _: &RunEvent) {}
}

const MEAN_STEPS: usize = 17;

fn main() {
    let seed = std::env::args()
        .find_map(|word| word.parse().ok())
        .unwrap_or(1);
    println!("seed {seed}: `cargo bench --bench reduce -- SEED`");
    println!(
        "{:>7} {:>8} {:>7} {:>7}  {:>8} {:>8}  {:>9} {:>7}  device time",
        "traces", "steps", "screens", "flaky", "own s", "peak MB", "left", "steps"
    );
    for (traces, screens, branches) in [
        (200, 45, 500),
        (400, 65, 1000),
        (800, 90, 2000),
        (1600, 130, 4000),
        (3200, 180, 8000),
    ] {
        for flaky in [0.0, 0.02] {
            let shape = AppShape {
                screens,
                branches,
                hidden: 0.06,
                flaky,
                faults: 3,
                crashes: 2,
            };
            row(&shape, traces, seed);
        }
    }
}

fn row(shape: &AppShape, traces: usize, seed: u64) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let app = random_app::app(shape, seed);
    let text = app_model::text(&app).expect("apps are JSON");
    fs::write(folder.path().join("app.json"), text).expect("it can be written");
    let suite = record::suite(&app, seed, traces, MEAN_STEPS).join("\n");
    fs::write(folder.path().join("suite.jsonl"), suite).expect("it can be written");
    let started = Instant::now();
    let report = reduce(folder.path());
    let own = started.elapsed().as_secs_f64();
    println!(
        "{:>7} {:>8} {:>7} {:>7}  {own:>8.2} {:>8.0}  {:>9} {:>7}  {}",
        report.input.traces,
        report.input.steps,
        shape.screens,
        shape.flaky,
        peak_mb(),
        report.output.traces,
        report.output.steps,
        human_seconds(report.device.seconds),
    );
}

fn reduce(folder: &Path) -> Report {
    let at = |name: &str| {
        folder
            .join(name)
            .to_str()
            .expect("names are text")
            .to_owned()
    };
    let layers = Layers {
        file: None,
        overrides: vec![
            ("suite".to_owned(), vec![at("suite.jsonl")].into()),
            (
                "device".to_owned(),
                vec![format!("sim:{}", at("app.json"))].into(),
            ),
            ("out".to_owned(), at("out").into()),
            ("strategy".to_owned(), "paper".into()),
        ],
    };
    let resolved = config::resolve(&layers, folder).expect("the settings are right");
    session::reduce(Conditions {
        config: &resolved.config,
        fresh: true,
        cancel: Cancel::default(),
        observer: &mut Nobody,
    })
    .expect("the suite can be reduced")
}

/// The most memory this process ever had; it never falls, so rows grow with the largest so far.
fn peak_mb() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) / 1000.0
}
