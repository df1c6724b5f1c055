//! What loading a suite, choosing traces of it and proving its bound take, in a process of its own.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use reduce_suite::import::{Limits, load};
use reduce_suite::model::{Costs, Kind};
use reduce_suite::reduce::cover::{Effort, solve, traces_of};
use reduce_suite::reduce::lower_bound;

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 30,
    max_name_bytes: 1 << 16,
};

const COSTS: Costs = Costs {
    restart_micros: 15_000_000,
    action_micros: 2_000_000,
};

/// The word that makes the program measure one file and print bare figures.
pub(crate) const MEASURE: &str = "--measure-one";

pub(crate) const HEAD: &str = "shape                 steps     MB   load s  cover s  bound s    cpu s  load MB  peak MB  chosen  gap    proven s  growth of cpu";

const N_FIGURES: usize = 11;

/// What one suite took: seconds by the clock for each part, of all processors for all of them,
/// and the memory at its highest.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    steps: f64,
    megabytes: f64,
    load: f64,
    cover: f64,
    bound: f64,
    cpu: f64,
    load_peak: f64,
    peak: f64,
    chosen: f64,
    /// The cost of the choice by the bound that is proven for choices.
    gap: f64,
    proven: f64,
}

impl Row {
    /// Measures a suite right here.
    pub(crate) fn measure(path: &Path) -> Self {
        let start = Instant::now();
        let loaded = load(&[path.to_path_buf()], &LIMITS).expect("the suite is well-formed");
        let load = start.elapsed().as_secs_f64();
        let load_peak = peak_megabytes();
        let start = Instant::now();
        let recorded = traces_of(&loaded.suite, &loaded.names, &Kind::ALL, COSTS, 1);
        let chosen = solve(&recorded.instance, Effort::Quick);
        drop(recorded);
        let cover = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let goal = loaded.suite.coverage(&loaded.names);
        let bound = lower_bound(&loaded.suite, &[], &goal, COSTS, &loaded.names);
        Self {
            steps: loaded.suite.n_steps() as f64,
            megabytes: fs::metadata(path).map_or(0, |m| m.len()) as f64 / 1e6,
            load,
            cover,
            bound: start.elapsed().as_secs_f64(),
            cpu: cpu_seconds(),
            load_peak,
            peak: peak_megabytes(),
            chosen: chosen.chosen.len() as f64,
            gap: chosen.cost as f64 / chosen.bound as f64,
            proven: bound.micros as f64 / 1e6,
        }
    }

    /// The figures for the process that asked for them.
    pub(crate) fn figures(self) -> String {
        self.all().map(|figure| figure.to_string()).join(" ")
    }

    fn all(self) -> [f64; N_FIGURES] {
        [
            self.steps,
            self.megabytes,
            self.load,
            self.cover,
            self.bound,
            self.cpu,
            self.load_peak,
            self.peak,
            self.chosen,
            self.gap,
            self.proven,
        ]
    }

    fn from_all(all: [f64; N_FIGURES]) -> Self {
        let [
            steps,
            megabytes,
            load,
            cover,
            bound,
            cpu,
            load_peak,
            peak,
            chosen,
            gap,
            proven,
        ] = all;
        Self {
            steps,
            megabytes,
            load,
            cover,
            bound,
            cpu,
            load_peak,
            peak,
            chosen,
            gap,
            proven,
        }
    }

    /// Measures a suite in a process of its own.
    pub(crate) fn of_fresh_process(path: &Path) -> Self {
        let program = std::env::current_exe().expect("a program knows its path");
        let output = Command::new(program).arg(MEASURE).arg(path).output();
        let output = output.expect("it can be run again");
        let text = String::from_utf8_lossy(&output.stdout);
        let figures: Vec<f64> = text
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        let Ok(all) = figures.try_into() else {
            panic!("no figures: {}", String::from_utf8_lossy(&output.stderr));
        };
        Self::from_all(all)
    }

    /// The lower of both for each figure.
    pub(crate) fn least(self, other: Self) -> Self {
        let others = other.all();
        let mut all = self.all();
        for (figure, other) in all.iter_mut().zip(others) {
            *figure = figure.min(other);
        }
        Self::from_all(all)
    }

    /// The line of a table, with how the time of processors has grown since another row.
    pub(crate) fn shown(self, name: &str, before: Option<&Self>) -> String {
        let name = name.get(name.len().saturating_sub(18)..).unwrap_or(name);
        let growth = before.map_or(String::new(), |before| {
            let growth = (self.cpu / before.cpu).ln() / (self.steps / before.steps).ln();
            format!("n^{growth:.2}")
        });
        format!(
            "{name:<18} {:>8} {:>6.0} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>8.0} {:>8.0} {:>7} {:>4.2} {:>11.0}  {growth}",
            self.steps,
            self.megabytes,
            self.load,
            self.cover,
            self.bound,
            self.cpu,
            self.load_peak,
            self.peak,
            self.chosen,
            self.gap,
            self.proven
        )
    }
}

fn peak_megabytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kibibytes.unwrap_or(f64::NAN) * 1024.0 / 1e6
}

/// What all threads so far have used, in user mode and in the kernel.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may hold anything.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks =
        |field: usize| -> Option<f64> { fields.split_whitespace().nth(field)?.parse().ok() };
    match (ticks(11), ticks(12)) {
        (Some(user), Some(system)) => (user + system) / 100.0,
        _ => f64::NAN,
    }
}
