//! `nd3min` on made-up flaky apps with the targets of paper 001, Tables 1 and 2.
//!
//! `cargo bench --bench flaky`. Each of the 49 targets is an app of its own: as many screens as
//! the paper's result has events, one behind the other, each opened by an action of its own,
//! which works in nearly all runs; another action goes back by one. In every third app a dialog
//! is there after half of the starts and takes the first action that dismisses it. A recorded
//! sequence has 500 random events. The shortest reliable part is known by how the app is made:
//! one event a screen, and one for the dialog, without which half of the runs fail.

#![expect(clippy::print_stdout, reason = "its figures are its result")]

use reduce_suite::model::{Seed, Stop};
use reduce_suite::reduce::sequence::nd3min::{Repeats, Schedulers, schedulers};
use reduce_suite::reduce::sequence::{
    Candidate, Lab, Recording, Trial, Trials, Try, Verdict, all, reduce,
};

/// The events that the heuristic leaves in the paper.
const EVENTS: [u32; 49] = [
    0, 0, 3, 5, 0, 2, 2, 19, 25, 2, 0, 3, 8, 0, 1, 7, 15, 5, 2, 1, 1, 1, 1, 8, 6, 5, 3, 3, 0, 2, 3,
    10, 0, 2, 3, 3, 0, 0, 2, 4, 0, 3, 5, 2, 6, 3, 0, 3, 13,
];
const LEN: u64 = 500;
const LANES: usize = 15;
const CHECK: u32 = 20;
/// Fresh runs have numbers from here on.
const FRESH: u32 = 1 << 30;

struct App {
    screens: u32,
    has_dialog: bool,
    /// The chance that an action works.
    works: f64,
    seed: Seed,
    actions: Vec<u32>,
}

impl App {
    fn new(screens: u32, number: u64, first: u64) -> Self {
        let seed = Seed(first).derive("app").mix(number);
        let has_dialog = number.is_multiple_of(3) && screens > 0;
        // The actions that open screens, one that goes back, one that dismisses, ten that do nothing.
        let n_actions = u64::from(screens) + 12;
        let mut app = Self {
            screens,
            has_dialog,
            works: if screens > 10 { 0.999 } else { 0.995 },
            seed,
            actions: Vec::new(),
        };
        for draft in 0.. {
            let draw = |i: u64| (seed.derive("event").mix(draft).mix(i).0 % n_actions) as u32;
            let back = |action: u32| {
                if action == screens {
                    screens + 2
                } else {
                    action
                }
            };
            // Long ways are found by explorers that seldom go back.
            let event = |i| if screens > 8 { back(draw(i)) } else { draw(i) };
            app.actions = (0..LEN).map(event).collect();
            let events: Vec<u32> = (0..LEN as u32).collect();
            let runs = (0..40).map(|run| app.trial(&events, FRESH / 2 + run));
            if runs
                .filter(|trial| trial.verdict == Verdict::Reproduced)
                .count()
                >= 38
            {
                break;
            }
        }
        app
    }

    fn shortest(&self) -> usize {
        self.screens as usize + usize::from(self.has_dialog)
    }

    fn trial(&self, events: &[u32], attempt: u32) -> Trial {
        let mut draw = self.seed.derive("run").mix(u64::from(attempt));
        let mut is_blocked = self.has_dialog && draw.fraction() < 0.5;
        let mut screen = 0;
        let mut ran = 0;
        while screen < self.screens && ran < events.len() {
            let action = self.actions[events[ran] as usize];
            draw = draw.mix(u64::from(action));
            ran += 1;
            if is_blocked {
                is_blocked = action != self.screens + 1;
            } else if action == screen && draw.fraction() < self.works {
                screen += 1;
            } else if action == self.screens {
                screen = screen.saturating_sub(1);
            }
        }
        let is_reached = screen == self.screens;
        Trial {
            verdict: [Verdict::Missed, Verdict::Reproduced][usize::from(is_reached)],
            ran,
            screens: Vec::new(),
        }
    }
}

impl Trials for App {
    fn run(&mut self, batch: &[Try], enough: &dyn Fn(&Trial) -> bool) -> Result<Vec<Trial>, Stop> {
        let mut trials = Vec::new();
        for one in batch {
            trials.push(self.trial(&one.events, one.attempt));
            if trials.last().is_some_and(enough) {
                break;
            }
        }
        Ok(trials)
    }
}

fn main() {
    println!(
        "| scheduler | seed | mean length | shortest | ratio | check ≥ 18 of 20 | mean rounds | mean runs |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for seed in 1..=3 {
        for scheduler in schedulers() {
            let recording = Recording {
                repeats: Repeats {
                    scheduler: Schedulers::Rule(scheduler),
                    ..Repeats::default()
                },
                ..Recording::default()
            };
            let reducer = all()
                .iter()
                .find(|one| one.name == "nd3min")
                .expect("it is there");
            let (mut len, mut shortest, mut checked, mut rounds, mut calls) = (0, 0, 0, 0, 0);
            for (&screens, number) in EVENTS.iter().zip(0..) {
                let mut app = App::new(screens, number, seed);
                let actions = app.actions.clone();
                let mut lab = Lab::new(&mut app, actions, LANES);
                reduce(reducer, &mut lab, &recording).expect("nothing stops it");
                let best = Candidate::from(lab.best().expect("the original passes"));
                let counts = lab.counts();
                let runs = (0..CHECK).map(|run| app.trial(&best, FRESH + run));
                let hits = runs
                    .filter(|trial| trial.verdict == Verdict::Reproduced)
                    .count();
                len += best.len();
                shortest += app.shortest();
                checked += usize::from(hits >= 18);
                rounds += counts.rounds;
                calls += counts.calls;
            }
            let n = EVENTS.len() as f64;
            println!(
                "| {} | {seed} | {:.2} | {:.2} | {:.3} | {checked} of 49 | {:.1} | {:.0} |",
                scheduler.name,
                len as f64 / n,
                shortest as f64 / n,
                len as f64 / shortest as f64,
                rounds as f64 / n,
                calls as f64 / n,
            );
        }
    }
}
