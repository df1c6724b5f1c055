//! The paper's examples, what every scheduler must keep to, and flaky apps whose answer is known.

use super::{Repeats, Schedulers, schedulers};
use crate::model::{Seed, Stop};
use crate::reduce::sequence::{Lab, Recording, Rule, Trial, Trials, Try, Verdict, all, reduce};

#[track_caller]
fn check(name: &str, live: &[(u32, u32)], expect: &[u32]) {
    let scheduler = schedulers().iter().find(|one| one.name == name).unwrap();
    assert_eq!((scheduler.schedule)(live, Rule::default(), 15), expect);
}

#[test]
fn schedules_are_those_of_the_paper() {
    check("naive", &[(0, 0); 3], &[5, 5, 5]);
    check("naive", &[(4, 1), (5, 0)], &[8, 7]);
    check("naive", &[(11, 2), (12, 0)], &[7, 8]);
    check("heuristic", &[(0, 0); 3], &[5, 5, 5]);
    // (2, 3) is out, and counts as 0 in the paper's 2, 0, 13.
    check("heuristic", &[(4, 1), (5, 0)], &[2, 13]);
}

#[test]
fn every_schedule_is_full_and_within_bounds() {
    let rule = Rule::default();
    for case in 0..400 {
        let seed = Seed(case);
        let draw = |i: u64, limit: u64| (seed.mix(i).0 % limit) as u32;
        let live: Vec<(u32, u32)> = (0..u64::from(1 + draw(0, 9)))
            .map(|i| (draw(2 * i + 1, 18), draw(2 * i + 2, 3)))
            .collect();
        for scheduler in schedulers() {
            let planned = (scheduler.schedule)(&live, rule, 15);
            let left = |at: usize| rule.runs - live[at].0 - live[at].1;
            let most: u32 = (0..live.len()).map(left).sum();
            assert!(
                (0..live.len()).all(|at| planned[at] <= left(at)),
                "{live:?}"
            );
            let sum: u32 = planned.iter().sum();
            assert_eq!(sum, most.min(15), "{} {live:?} {planned:?}", scheduler.name);
        }
    }
}

/// An app in which each event is there in a share of runs only, and some of them are needed.
struct Flaky {
    needed: Vec<u32>,
    chance: f64,
}

impl Trials for Flaky {
    fn run(&mut self, batch: &[Try], _: &dyn Fn(&Trial) -> bool) -> Result<Vec<Trial>, Stop> {
        let trial = |one: &Try| {
            let events = one.events.iter();
            let seed = events.fold(Seed(u64::from(one.attempt)), |s, &e| s.mix(u64::from(e)));
            let has_all = self.needed.iter().all(|need| one.events.contains(need));
            let is_reached = has_all && seed.mix(7).fraction() < self.chance;
            let verdict = [Verdict::Missed, Verdict::Reproduced][usize::from(is_reached)];
            Trial {
                verdict,
                ran: one.events.len(),
                screens: Vec::new(),
            }
        };
        Ok(batch.iter().map(trial).collect())
    }
}

fn minimize(needed: &[u32], chance: f64, scheduler: Schedulers) -> (Option<Vec<u32>>, u64) {
    let mut app = Flaky {
        needed: needed.to_vec(),
        chance,
    };
    let reducer = all().iter().find(|one| one.name == "nd3min").unwrap();
    let recording = Recording {
        repeats: Repeats {
            scheduler,
            ..Repeats::default()
        },
        ..Recording::default()
    };
    let mut lab = Lab::new(&mut app, (0..200).collect(), 15);
    reduce(reducer, &mut lab, &recording).unwrap();
    (lab.best().map(<[u32]>::to_vec), lab.counts().rounds)
}

#[test]
fn needed_events_are_found_though_runs_fail_now_and_then() {
    let needed = [12, 13, 170];
    let mut rounds = Vec::new();
    for scheduler in schedulers() {
        let (best, n_rounds) = minimize(&needed, 0.98, Schedulers::Rule(scheduler));
        assert_eq!(best.as_deref(), Some(&needed[..]), "{}", scheduler.name);
        rounds.push((n_rounds, scheduler.name));
    }
    assert!(
        rounds.is_sorted(),
        "the default is best, then as in the paper: {rounds:?}"
    );
}

#[test]
fn a_sequence_that_reaches_its_target_rarely_is_left_alone() {
    assert_eq!(minimize(&[3], 0.4, Schedulers::default()).0, None);
}
