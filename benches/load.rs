//! How long loading a large suite and choosing traces of it takes, and how much memory it needs.
//!
//! `cargo bench --bench load -- 1000000 16` for a million steps, some 16 of them in a trace.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![expect(clippy::print_stdout, reason = "its figures are its result")]

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

use reduce_suite::import::{Limits, load};
use reduce_suite::model::{Costs, Kind, Seed};
use reduce_suite::reduce::cover::{Effort, solve, traces_of};

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 30,
    max_name_bytes: 1 << 16,
};

fn main() {
    let mut numbers = std::env::args().filter_map(|arg| arg.parse().ok());
    let n_steps = numbers.next().unwrap_or(1_000_000);
    let trace_steps = numbers.next().unwrap_or(16);
    let folder = tempfile::tempdir().expect("a folder for the suite");
    let path = folder.path().join("suite.jsonl");
    generate(&path, n_steps, trace_steps).expect("the suite can be written");
    let megabytes = fs::metadata(&path).map_or(0, |m| m.len()) as f64 / 1e6;

    let start = Instant::now();
    let loaded = load(&[path], &LIMITS).expect("the suite is well-formed");
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} steps, {megabytes:.1} MB: {seconds:.2} s, peak {}",
        loaded.suite.n_steps(),
        peak_memory()
    );

    let start = Instant::now();
    let costs = Costs {
        restart_micros: 15_000_000,
        action_micros: 2_000_000,
    };
    let recorded = traces_of(&loaded.suite, &loaded.names, &Kind::ALL, costs, 1);
    let building = start.elapsed().as_secs_f64();
    let cover = solve(&recorded.instance, Effort::Quick);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} of {} traces cover the same at {:.3} times the bound: {seconds:.2} s ({building:.2} s to build), peak {}",
        cover.chosen.len(),
        loaded.suite.n_traces(),
        cover.cost as f64 / cover.bound as f64,
        peak_memory()
    );
}

/// Walks over 90 screens; what a step covers hangs on screen and action, with some noise.
fn generate(path: &Path, n_steps: u64, trace_steps: u64) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let seed = Seed(7);
    let mut step = 0;
    let mut trace = 0;
    while step < n_steps {
        write!(
            out,
            r#"{{"id":"t{trace}","launch":{{"screen":"screen0","covers":["b0"]}},"steps":["#
        )?;
        let mut screen = 0;
        let n = trace_steps / 2 + seed.mix(trace).0 % (trace_steps + 1);
        let n = n.min(n_steps - step);
        for i in 0..n {
            let draw = seed.mix(step).mix(1).0;
            let action = draw % 6;
            let edge = Seed(screen * 6 + action);
            let noise = if draw.is_multiple_of(20) {
                draw >> 8
            } else {
                0
            };
            let branch = |j| edge.mix(j).0.wrapping_add(noise * j) % 2000;
            screen = edge.mix(99).0 % 90;
            let comma = if i == 0 { "" } else { "," };
            write!(
                out,
                r#"{comma}{{"action":"tap:button{action}","covers":["b{}","b{}","b{}","b{}","b{}"],"screen":"screen{screen}"}}"#,
                branch(0),
                branch(1),
                branch(2),
                branch(3),
                branch(4)
            )?;
            step += 1;
        }
        writeln!(out, "]}}")?;
        trace += 1;
    }
    out.flush()
}

fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown".to_owned(), |line| line.trim().to_owned())
}
