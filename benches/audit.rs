//! How long the audit of a large reduction takes: `cargo bench --bench audit -- 1000000`.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![expect(clippy::print_stdout, reason = "its figures are its result")]

use std::fs;
use std::path::Path;
use std::time::Instant;

use reduce_suite::config::{self, Layers};
use reduce_suite::model::{Observer, RunEvent};
use reduce_suite::replay::Cancel;
use reduce_suite::session::{self, Conditions};
use xtask::generate::random_app::{self, AppShape};
use xtask::generate::{app_model, record};

struct Nobody;

impl Observer for Nobody {
    fn on(&mut self, _: &RunEvent) {}
}

const MEAN_STEPS: usize = 17;
const SEED: u64 = 1;

fn main() {
    let n_steps = std::env::args().find_map(|word| word.parse().ok());
    let n_steps: usize = n_steps.unwrap_or(1_000_000);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let shape = AppShape {
        screens: 90,
        branches: 2000,
        hidden: 0.06,
        flaky: 0.0,
        faults: 3,
        crashes: 2,
    };
    let app = random_app::app(&shape, SEED);
    let write = |name: &str, text: String| {
        fs::write(folder.path().join(name), text).expect("it can be written");
    };
    write("app.json", app_model::text(&app).expect("apps are JSON"));
    let suite = record::suite(&app, SEED, n_steps / MEAN_STEPS, MEAN_STEPS);
    write("suite.jsonl", suite.join("\n"));
    let (reduced, seconds) = timed(|| {
        let report = with_conditions(folder.path(), session::reduce);
        report.expect("the suite can be reduced")
    });
    println!(
        "{} steps in {} traces, reduced to {} in {}: {seconds:.2} s",
        reduced.input.steps, reduced.input.traces, reduced.output.steps, reduced.output.traces
    );
    let (audit, seconds) = timed(|| {
        let out = folder.path().join("out");
        let audit = with_conditions(folder.path(), |mut conditions| {
            session::audit(&out, false, &mut conditions)
        });
        audit.expect("it can be audited")
    });
    assert!(audit.holds, "{:?}", audit.violations);
    let statements: usize = audit.checks.iter().map(|check| check.looked_at).sum();
    println!("audit of {statements} statements: {seconds:.2} s");
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let started = Instant::now();
    let done = work();
    (done, started.elapsed().as_secs_f64())
}

fn with_conditions<T>(folder: &Path, work: impl FnOnce(Conditions) -> T) -> T {
    let at = |name: &str| folder.join(name).display().to_string();
    let layers = Layers {
        file: None,
        overrides: vec![
            ("suite".to_owned(), vec![at("suite.jsonl")].into()),
            (
                "device".to_owned(),
                vec![format!("sim:{}", at("app.json"))].into(),
            ),
            ("out".to_owned(), at("out").into()),
        ],
    };
    let resolved = config::resolve(&layers, folder).expect("the settings are right");
    work(Conditions {
        config: &resolved.config,
        fresh: false,
        cancel: Cancel::default(),
        observer: &mut Nobody,
    })
}
