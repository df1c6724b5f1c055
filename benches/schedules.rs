//! Expected rounds of the schedulers of nd3min on the shipped prior, and how long the optimal one takes to solve.
//!
//! `cargo bench --bench schedules` for 2 to 4 candidates; `-- 5` for five, which takes long.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![expect(clippy::print_stdout, reason = "its figures are its result")]

use std::time::Instant;

use reduce_suite::reduce::sequence::nd3min::{Parameters, schedulers};
use reduce_suite::reduce::sequence::{Chances, Rule};
use reduce_suite::session::solve_side_by_side;

const LANES: u32 = 15;

fn main() {
    let most = std::env::args().skip(1).find_map(|word| word.parse().ok());
    let names: Vec<_> = schedulers().iter().map(|one| one.name).collect();
    println!(
        "| candidates | classes of states | solved in | mdp | {} |",
        names.join(" | ")
    );
    println!("|--:|--:|--:|--:|{}", "--:|".repeat(names.len()));
    for candidates in 2..=most.unwrap_or(4) {
        let parameters = Parameters {
            candidates,
            lanes: LANES,
            rule: Rule::default(),
            chances: Chances::default(),
        };
        let (live, dead) = parameters.n_classes();
        let start = Instant::now();
        let optimal = solve_side_by_side(parameters);
        let seconds = start.elapsed().as_secs_f64();
        let others = schedulers().iter().map(|one| {
            let plan = |live: &[(u32, u32)]| (one.schedule)(live, Rule::default(), LANES);
            format!("{:.4}", optimal.expected_rounds_by(&plan))
        });
        let others: Vec<_> = others.collect();
        println!(
            "| {candidates} | {} + 2 | {seconds:.2} s | {:.4} | {} |",
            live + dead,
            optimal.expected_rounds(),
            others.join(" | "),
        );
    }
}
