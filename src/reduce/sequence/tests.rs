//! What must hold of every sequence reducer, on sequences whose answer is known.

use super::chard::fixture::recording;
use super::{
    Candidate, Lab, Recording, Runs, SequenceReducer, Trial, Trials, Try, Verdict, all,
    is_one_minimal, reduce,
};
use crate::model::{ScreenId, Seed, Stop};

/// A deterministic app made of a rule that says what a sequence of events shows.
struct Rule<F> {
    rule: F,
    tried: Vec<Candidate>,
}

impl<F: Fn(&[u32]) -> Verdict> Trials for Rule<F> {
    fn run(&mut self, batch: &[Try], enough: &dyn Fn(&Trial) -> bool) -> Result<Vec<Trial>, Stop> {
        let mut trials = Vec::new();
        for one in batch {
            self.tried.push(one.events.clone());
            let over = |len: &usize| (self.rule)(&one.events[..*len]) != Verdict::Missed;
            let ran = (0..=one.events.len())
                .find(over)
                .unwrap_or(one.events.len());
            let trial = Trial {
                verdict: (self.rule)(&one.events[..ran]),
                ran,
                screens: (0..=ran).map(ScreenId::new).collect(),
            };
            let done = enough(&trial);
            trials.push(trial);
            if done {
                break;
            }
        }
        Ok(trials)
    }
}

/// A recording of `n` events in a few windows, of which some probably matter.
fn shown(n: u32, seed: Seed) -> Recording {
    let lines = (0..u64::from(n)).map(|i| {
        let action = [
            "tap:a",
            "tap:b",
            "DispatchPress(4)",
            "DispatchPress(24)",
            "tap:c",
        ];
        let screen = ["Main", "Main", "Menu", "Form", "About"];
        let pick = |purpose: u64| draw(seed.mix(i), purpose, 5) as usize;
        format!("{} > {}", action[pick(5)], screen[pick(6)])
    });
    let lines: Vec<String> = lines.collect();
    let hint = (0..n as usize).filter(|&i| draw(seed.mix(i as u64), 7, 3) == 0);
    Recording {
        events: Some(recording(&lines.join("\n")).0),
        hint: hint.collect(),
        ..Recording::default()
    }
}

/// What a reducer leaves of `n` events under a rule, checked for what always holds.
#[track_caller]
fn check(name: &str, n: u32, shown: &Recording, rule: impl Fn(&[u32]) -> Verdict) -> Vec<u32> {
    let reducer = all().iter().find(|one| one.name == name).unwrap();
    let mut app = Rule {
        rule,
        tried: Vec::new(),
    };
    let mut lab = Lab::new(&mut app, (0..n).collect(), 1);
    reduce(reducer, &mut lab, shown).unwrap();
    let best = lab.best().unwrap().to_vec();
    let counts = lab.counts();
    assert!(is_one_minimal(&mut lab, &best).unwrap(), "{name}: {best:?}");
    assert_eq!(
        lab.counts().calls,
        counts.calls,
        "{name} had not asked for all"
    );
    assert_eq!((app.rule)(&best), Verdict::Reproduced, "{name}: {best:?}");
    let mut tried = app.tried.clone();
    tried.sort();
    tried.dedup();
    assert_eq!(tried.len(), app.tried.len(), "{name} ran something twice");
    best
}

/// Those that take the same actions to do the same always.
fn by_one_run() -> impl Iterator<Item = &'static SequenceReducer> {
    all().iter().filter(|one| one.runs == Runs::One)
}

fn draw(seed: Seed, purpose: u64, limit: u32) -> u32 {
    (seed.mix(purpose).0 % u64::from(limit)) as u32
}

fn reached(is_reached: bool) -> Verdict {
    if is_reached {
        Verdict::Reproduced
    } else {
        Verdict::Missed
    }
}

#[test]
fn the_needed_events_are_left_by_every_reducer() {
    for case in 0..40 {
        let seed = Seed(case);
        let n = 1 + draw(seed, 0, 80);
        let mut needed: Vec<u32> = (1..=u64::from(draw(seed, 1, 6)))
            .map(|i| draw(seed.mix(i), 2, n))
            .collect();
        needed.sort_unstable();
        needed.dedup();
        for reducer in by_one_run() {
            for shown in [Recording::default(), shown(n, seed)] {
                let mut left = check(reducer.name, n, &shown, |events| {
                    reached(needed.iter().all(|one| events.contains(one)))
                });
                // What chard gathers may be in another order.
                left.sort_unstable();
                assert_eq!(left, needed, "{} on {n}", reducer.name);
            }
        }
    }
}

#[test]
fn nothing_that_is_left_can_go_whatever_the_app_does() {
    // Reached or derailed by a coin that all events so far toss together.
    for case in 0..120 {
        let seed = Seed(case).derive("coin");
        let n = 2 + draw(seed, 0, 24);
        let whole: Vec<u32> = (0..n).collect();
        let rule = |events: &[u32]| {
            let coin = events.iter().fold(seed, |seed, &e| seed.mix(u64::from(e)));
            match draw(coin, 3, 8) {
                _ if events == whole => Verdict::Reproduced,
                0 if !events.is_empty() => Verdict::Reproduced,
                1 => Verdict::Unresolved,
                _ => Verdict::Missed,
            }
        };
        let derails = |len: usize| rule(&whole[..len]) == Verdict::Unresolved;
        if (0..n as usize).any(derails) {
            continue;
        }
        for reducer in by_one_run() {
            check(reducer.name, n, &Recording::default(), rule);
            check(reducer.name, n, &shown(n, seed), rule);
        }
    }
}

#[test]
fn lanes_change_the_rounds_and_nothing_else() {
    let needed = [3, 40, 41, 97];
    for reducer in by_one_run() {
        let ask = |lanes| {
            let mut app = Rule {
                rule: |events: &[u32]| reached(needed.iter().all(|one| events.contains(one))),
                tried: Vec::new(),
            };
            let mut lab = Lab::new(&mut app, (0..120).collect(), lanes);
            reduce(reducer, &mut lab, &Recording::default()).unwrap();
            (lab.best().unwrap().to_vec(), lab.counts())
        };
        let (best, alone) = ask(1);
        let (same, many) = ask(15);
        assert_eq!(best, same, "{}", reducer.name);
        assert_eq!(
            (alone.calls, alone.cached, alone.steps),
            (many.calls, many.cached, many.steps),
            "{}",
            reducer.name
        );
        assert_eq!(alone.rounds, alone.calls, "{}", reducer.name);
        // Its search asks one question after the other, and little is left for the last pass.
        let is_in_turn = reducer.name == "rddmin";
        assert!(
            is_in_turn || many.rounds < alone.rounds,
            "{}: {many:?}",
            reducer.name
        );
        let is_default = reducer.name == all()[0].name;
        assert!(!is_default || many.rounds * 2 < alone.rounds, "{many:?}");
    }
}

#[test]
fn a_target_that_the_start_reaches_needs_no_event() {
    for reducer in by_one_run() {
        let mut app = Rule {
            rule: |_: &[u32]| Verdict::Reproduced,
            tried: Vec::new(),
        };
        let mut lab = Lab::new(&mut app, (0..9).collect(), 1);
        reduce(reducer, &mut lab, &Recording::default()).unwrap();
        assert_eq!((lab.best(), lab.counts().calls), (Some(&[][..]), 1));
    }
}

#[test]
fn a_sequence_that_misses_its_target_is_left_alone() {
    for reducer in by_one_run() {
        let mut app = Rule {
            rule: |_: &[u32]| Verdict::Missed,
            tried: Vec::new(),
        };
        let mut lab = Lab::new(&mut app, (0..9).collect(), 1);
        reduce(reducer, &mut lab, &Recording::default()).unwrap();
        assert_eq!((lab.best(), lab.counts().calls), (None, 1));
    }
}
