//! How many runs it takes to find the few events that matter among many.
//!
//! `cargo bench --bench minimize` for the table; words behind `--` name reducers other than the
//! default to be shown too, and `--seeds FIRST` takes five other seeds, to tune on.
//!
//! *uniform*: k random events must remain. *dependent*: these are a chain, and every other event
//! needs a random one before it; an event whose need is missing ends the run.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![expect(clippy::print_stdout, reason = "its figures are its result")]

use std::time::{Duration, Instant};

use reduce_suite::model::{Seed, Stop};
use reduce_suite::reduce::sequence::{
    Counts, Lab, Recording, SequenceReducer, Trial, Trials, Try, Verdict, all, reduce,
};

/// Events, needed ones, whether they depend on each other, and the calls of the best tool known.
const ROWS: [(u32, u32, bool, f64); 10] = [
    (100, 3, false, 34.0),
    (100, 8, false, 64.0),
    (500, 3, false, 49.0),
    (500, 8, false, 102.0),
    (2000, 3, false, 59.0),
    (2000, 20, false, 275.0),
    (100, 8, true, 76.0),
    (500, 8, true, 119.0),
    (2000, 3, true, 65.0),
    (2000, 20, true, 321.0),
];
const LANES: usize = 15;
const SEEDS: u64 = 5;
/// How often each search is timed.
const REPEATS: usize = 25;

/// A made-up app.
struct App {
    /// What each event needs before it.
    needs: Vec<Option<u32>>,
    needed: Vec<u32>,
    is_there: Vec<bool>,
    /// The time spent here.
    spent: Duration,
}

impl App {
    fn new(n: u32, k: u32, is_dependent: bool, seed: Seed) -> Self {
        let mut all: Vec<u32> = (0..n).collect();
        all.sort_by_key(|&event| seed.derive("needed").mix(u64::from(event)).0);
        let mut needed = all[..k as usize].to_vec();
        needed.sort_unstable();
        let need = |event: u32| {
            let before = needed.partition_point(|&one| one < event);
            if needed.get(before) == Some(&event) {
                return before.checked_sub(1).map(|at| needed[at]);
            }
            let draw = seed.derive("need").mix(u64::from(event)).0;
            (event > 0).then(|| (draw % u64::from(event.max(1))) as u32)
        };
        let needs = (0..n).map(|event| need(event).filter(|_| is_dependent));
        Self {
            needs: needs.collect(),
            is_there: vec![false; n as usize],
            needed,
            spent: Duration::ZERO,
        }
    }

    fn trial(&mut self, events: &[u32]) -> Trial {
        let mut found = 0;
        let mut end = (Verdict::Missed, events.len());
        for (at, &event) in events.iter().enumerate() {
            let need = self.needs[event as usize];
            if need.is_some_and(|need| !self.is_there[need as usize]) {
                end = (Verdict::Unresolved, at + 1);
                break;
            }
            self.is_there[event as usize] = true;
            found += usize::from(self.needed.binary_search(&event).is_ok());
            if found == self.needed.len() {
                end = (Verdict::Reproduced, at + 1);
                break;
            }
        }
        for &event in events {
            self.is_there[event as usize] = false;
        }
        Trial {
            verdict: end.0,
            ran: end.1,
            screens: Vec::new(),
        }
    }
}

impl Trials for App {
    fn run(&mut self, batch: &[Try], enough: &dyn Fn(&Trial) -> bool) -> Result<Vec<Trial>, Stop> {
        let start = Instant::now();
        let mut trials = Vec::new();
        for one in batch {
            trials.push(self.trial(&one.events));
            if trials.last().is_some_and(enough) {
                break;
            }
        }
        self.spent += start.elapsed();
        Ok(trials)
    }
}

/// What a search took, and the time of its own: the shortest of some, as other programs and the
/// system only ever add to it.
fn search(reducer: &SequenceReducer, app: impl Fn() -> App, lanes: usize) -> (Counts, Duration) {
    let (counts, mut own) = search_once(reducer, app(), lanes);
    for _ in 1..REPEATS {
        let (same, again) = search_once(reducer, app(), lanes);
        assert_eq!(counts, same, "{}", reducer.name);
        own = own.min(again);
    }
    (counts, own)
}

fn search_once(reducer: &SequenceReducer, mut app: App, lanes: usize) -> (Counts, Duration) {
    let n = app.needs.len() as u32;
    let needed = app.needed.clone();
    let start = Instant::now();
    let mut lab = Lab::new(&mut app, (0..n).collect(), lanes);
    reduce(reducer, &mut lab, &Recording::default()).expect("nothing stops it");
    let counts = lab.counts();
    assert_eq!(lab.best(), Some(&needed[..]), "{}", reducer.name);
    let own = start.elapsed().saturating_sub(app.spent);
    (counts, own)
}

fn median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values[values.len() / 2]
}

fn row(reducer: &SequenceReducer, (n, k, is_dependent, known): (u32, u32, bool, f64), first: u64) {
    let app = |seed| App::new(n, k, is_dependent, Seed(seed).mix(u64::from(n + k)));
    let seeds = || first..first + SEEDS;
    let alone = seeds().map(|seed| search(reducer, || app(seed), 1));
    let alone: Vec<_> = alone.collect();
    let many = seeds().map(|seed| search(reducer, || app(seed), LANES));
    let many: Vec<_> = many.collect();
    let of = |figure: fn(&Counts) -> u64, runs: &[(Counts, Duration)]| {
        median(runs.iter().map(|(counts, _)| figure(counts)).collect())
    };
    let own = |runs: &[(Counts, Duration)]| {
        let calls: u64 = runs
            .iter()
            .map(|(counts, _)| counts.calls + counts.cached)
            .sum();
        let own: Duration = runs.iter().map(|(_, own)| *own).sum();
        own.as_secs_f64() * 1e6 / calls as f64
    };
    let kind = if is_dependent { "dependent" } else { "uniform" };
    let name = reducer.name;
    println!(
        "| {name} | {n} | {k} | {kind} | {} | {known} | {:.2} | {} | {} | {:.1} | {:.1} |",
        of(|c| c.calls, &alone),
        of(|c| c.calls, &alone) as f64 / known,
        of(|c| c.steps, &alone),
        of(|c| c.rounds, &many),
        own(&alone),
        own(&many),
    );
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let first = words.iter().position(|word| word == "--seeds");
    let first = first.and_then(|at| words.get(at + 1)?.parse().ok());
    println!(
        "| reducer | events | needed | kind | calls | best known | share | events executed | rounds of {LANES} | µs a call | µs, {LANES} lanes |"
    );
    println!("|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|");
    for (number, reducer) in all().iter().enumerate() {
        if number == 0 || words.iter().any(|word| word == reducer.name) {
            for one in ROWS {
                row(reducer, one, first.unwrap_or(1));
            }
        }
    }
}
