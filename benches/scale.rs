//! How load and bound grow with the suite: usual and hostile shapes, from one to ten million steps.
//!
//! `cargo bench --bench scale` runs all shapes; `-- 1000000 2000000` with other sizes, `-- cycles`
//! one shape, `-- FILE.jsonl` a suite of your own. Every row is measured in a process of its own.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![expect(clippy::print_stdout, reason = "its figures are its result")]

#[path = "scale/shapes.rs"]
mod shapes;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use reduce_suite::import::{Limits, load};
use reduce_suite::model::Costs;
use reduce_suite::reduce::lower_bound;
use shapes::SHAPES;

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 30,
    max_name_bytes: 1 << 16,
};

const COSTS: Costs = Costs {
    restart_micros: 15_000_000,
    action_micros: 2_000_000,
};

/// The word that makes the program measure one file and print bare figures.
const MEASURE: &str = "--measure-one";

fn main() {
    let words: Vec<_> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    if let [first, path] = &words[..]
        && first == MEASURE
    {
        println!("{}", Row::measure(Path::new(path)).figures());
        return;
    }
    println!("{HEAD}");
    let files: Vec<_> = words
        .iter()
        .filter(|word| Path::new(word).is_file())
        .collect();
    for file in &files {
        println!(
            "{}",
            Row::of_fresh_process(Path::new(file)).shown(file, None)
        );
    }
    if files.is_empty() {
        all_shapes(&words);
    }
}

fn all_shapes(words: &[String]) {
    let mut sizes: Vec<u64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![1_000_000, 10_000_000];
    }
    let named = |name: &&str| words.iter().any(|word| word == name);
    let any_named = SHAPES.iter().any(|shape| named(&shape.name));
    for shape in SHAPES
        .iter()
        .filter(|shape| !any_named || named(&shape.name))
    {
        let mut before: Option<Row> = None;
        for &n_steps in &sizes {
            let folder = tempfile::tempdir().expect("a folder for the suite");
            let path = folder.path().join("suite.jsonl");
            shape
                .write(&path, n_steps)
                .expect("the suite can be written");
            let row = Row::of_fresh_process(&path);
            println!("{}", row.shown(shape.name, before.as_ref()));
            before = Some(row);
        }
    }
}

const HEAD: &str = "shape                  steps     MB   load s     MB  cover s  bound s  peak MB     proven s  growth";

/// What one suite took.
#[derive(Clone, Copy)]
struct Row {
    steps: f64,
    megabytes: f64,
    load: f64,
    load_peak: f64,
    /// The place for choosing traces; nothing yet.
    cover: f64,
    bound: f64,
    peak: f64,
    proven: f64,
}

impl Row {
    fn measure(path: &Path) -> Self {
        let start = Instant::now();
        let loaded = load(&[path.to_path_buf()], &LIMITS).expect("the suite is well-formed");
        let load = start.elapsed().as_secs_f64();
        let load_peak = peak_megabytes();
        let goal = loaded.suite.coverage(&loaded.names);
        let start = Instant::now();
        let bound = lower_bound(&loaded.suite, &[], &goal, COSTS, &loaded.names);
        Self {
            steps: loaded.suite.n_steps() as f64,
            megabytes: fs::metadata(path).map_or(0, |m| m.len()) as f64 / 1e6,
            load,
            load_peak,
            cover: 0.0,
            bound: start.elapsed().as_secs_f64(),
            peak: peak_megabytes(),
            proven: bound.micros as f64 / 1e6,
        }
    }

    fn figures(self) -> String {
        let Self {
            steps,
            megabytes,
            load,
            load_peak,
            cover,
            bound,
            peak,
            proven,
        } = self;
        format!("{steps} {megabytes} {load} {load_peak} {cover} {bound} {peak} {proven}")
    }

    fn of_fresh_process(path: &Path) -> Self {
        let program = std::env::current_exe().expect("a program knows its path");
        let output = Command::new(program).arg(MEASURE).arg(path).output();
        let output = output.expect("it can be run again");
        let text = String::from_utf8_lossy(&output.stdout);
        let figures: Vec<f64> = text
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        let &[
            steps,
            megabytes,
            load,
            load_peak,
            cover,
            bound,
            peak,
            proven,
        ] = &figures[..]
        else {
            panic!("no figures: {}", String::from_utf8_lossy(&output.stderr));
        };
        Self {
            steps,
            megabytes,
            load,
            load_peak,
            cover,
            bound,
            peak,
            proven,
        }
    }

    fn seconds(self) -> f64 {
        self.load + self.cover + self.bound
    }

    fn shown(self, name: &str, before: Option<&Self>) -> String {
        let name = name.get(name.len().saturating_sub(18)..).unwrap_or(name);
        let growth = before.map_or(String::new(), |before| {
            let growth = |figure: fn(Self) -> f64| {
                (figure(self) / figure(*before)).ln() / (self.steps / before.steps).ln()
            };
            let (all, bound) = (growth(Self::seconds), growth(|row| row.bound));
            format!("n^{all:.2}, bound n^{bound:.2}")
        });
        format!(
            "{name:<18} {:>9} {:>6.0} {:>8.2} {:>6.0} {:>8.2} {:>8.2} {:>8.0} {:>12.1}  {growth}",
            self.steps,
            self.megabytes,
            self.load,
            self.load_peak,
            self.cover,
            self.bound,
            self.peak,
            self.proven
        )
    }
}

fn peak_megabytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) / 1000.0
}
