//! The shopping cart of the paper step by step, and what holds of every hint.

use super::super::ask::{Answer, Item, Memory, Spent, Verdict, items};
use super::log::{Event, Log, Words};
use super::mine::{Pattern, Rule, Seen, Subject, mine, witnesses_for};
use super::minimise::Best;
use super::rewrite::rewrite;
use super::{as_published, ddmin, extend, rddmin};
use crate::model::{Names, Stop};

/// Figure 2: each event with the number of items and whether the catalogue is open after it.
const LOG: &str = "open 0 1, add(1) 1 1, empty 0 1, empty 0 1, add(2) 1 1, add(3) 2 1, delete(3) 1 1, \
                   delete(2) 0 1, add(3) 1 1, add(2) 2 1";

const FAILING: [&str; 8] = [
    "open",
    "add(1)",
    "empty",
    "add(2)",
    "add(3)",
    "delete(2)",
    "delete(3)",
    "empty",
];

/// The log with the variables that are looked at, of N and C.
fn log(words: &mut Words, with_catalogue: bool) -> Log {
    let mut names = Names::default();
    let mut state = |n: &str, c: &str| {
        names.screen(&if with_catalogue {
            format!("{n}{c}")
        } else {
            n.to_owned()
        })
    };
    let mut log = Log {
        events: Vec::new(),
        states: vec![Some(state("0", "0"))],
    };
    for entry in LOG.split(", ") {
        let mut parts = entry.split(' ');
        log.events.push(words.event(parts.next().unwrap()));
        log.states
            .push(Some(state(parts.next().unwrap(), parts.next().unwrap())));
    }
    log
}

fn rules(words: &mut Words, with_catalogue: bool) -> Vec<Rule> {
    mine(&[log(words, with_catalogue)], 0.5)
}

fn failing(words: &mut Words) -> Vec<Event> {
    FAILING.iter().map(|action| words.event(action)).collect()
}

#[test]
fn the_four_rules_of_the_paper_are_mined_from_its_log() {
    let mut words = Words::default();
    let rules = rules(&mut words, true);
    let texts: Vec<_> = rules.iter().map(|rule| rule.subject.text(&words)).collect();
    let expect = [
        "[add(a); delete(a)] = []",
        "[add(a); empty(b)] = [empty(b)]",
        "[empty(a); empty(a)] = [empty(a)]",
        "[add(a); add(b)] = [add(b); add(a)]",
    ];
    assert_eq!(texts, expect);
    assert!(rules.iter().all(|rule| rule.seen.witnesses >= 1));
}

#[test]
fn the_failing_sequence_is_rewritten_as_in_the_paper() {
    let mut words = Words::default();
    let rules = rules(&mut words, true);
    let rewritten = rewrite(&failing(&mut words), &rules);
    let steps: Vec<_> = rewritten
        .steps
        .iter()
        .map(|step| (step.subject.pattern, step.at.clone()))
        .collect();
    let expect = {
        use super::mine::Pattern::{Absorb, Commute, Inverse};
        [
            (Absorb, vec![1]),
            (Commute, vec![3, 4]),
            (Inverse, vec![3, 5]),
            (Inverse, vec![4, 6]),
            (Absorb, vec![2]),
        ]
    };
    assert_eq!(steps, expect);
    assert_eq!(rewritten.left, [0, 7]);
}

#[test]
fn a_coarser_state_gives_the_rule_that_breaks_the_sequence() {
    let mut words = Words::default();
    let rules = rules(&mut words, false);
    let texts: Vec<_> = rules.iter().map(|rule| rule.subject.text(&words)).collect();
    assert!(texts.contains(&"[open(a)] = []".to_owned()), "{texts:?}");
    assert_eq!(rewrite(&failing(&mut words), &rules).left, [7]);
}

#[test]
fn four_witnesses_are_ninety_percent() {
    assert_eq!(witnesses_for(0.9), 4);
    assert_eq!(witnesses_for(0.99), 7);
}

/// Figure 1: nothing works before the catalogue is open, and emptying an empty cart fails.
#[expect(
    clippy::unnecessary_wraps,
    reason = "it has the shape of what reducers ask"
)]
fn cart(sequence: &[Item]) -> Result<Answer, Stop> {
    let mut open = false;
    let mut cart: Vec<&str> = Vec::new();
    for (i, item) in sequence.iter().enumerate() {
        let action = FAILING[item.event];
        let argument = action.split(['(', ')']).nth(1).unwrap_or("");
        let verdict = match action {
            "open" => {
                open = true;
                continue;
            }
            _ if !open => Verdict::Unresolved,
            "empty" if cart.is_empty() => Verdict::Reproduced,
            "empty" => {
                cart.clear();
                continue;
            }
            _ if action.starts_with("add") => {
                cart.push(argument);
                continue;
            }
            _ => match cart.iter().position(|item| *item == argument) {
                Some(at) => {
                    cart.remove(at);
                    continue;
                }
                None => Verdict::Unresolved,
            },
        };
        return Ok(Answer {
            verdict,
            played: i + 1,
        });
    }
    let (verdict, played) = (Verdict::Missed, sequence.len());
    Ok(Answer { verdict, played })
}

fn events(sequence: &[Item]) -> Vec<usize> {
    sequence.iter().map(|item| item.event).collect()
}

#[test]
fn plain_ddmin_asks_fourteen_times_and_plays_nine() {
    let mut ask = cart;
    let mut memory = Memory::new(&mut ask);
    let shrunk = ddmin(items(0..8), &mut memory);
    assert_eq!(events(&shrunk.best), [0, 2]);
    let Spent { asked, played, .. } = memory.spent;
    assert_eq!((asked, played), (14, 9));
}

#[test]
fn with_the_hint_the_paper_asks_eight_times_and_plays_five() {
    let mut ask = cart;
    let mut memory = Memory::new(&mut ask);
    let mut best = Best::new(items(0..8));
    extend(&[7], &mut memory, &mut best).unwrap();
    assert_eq!(events(&best.items), [0, 2]);
    let Spent { asked, played, .. } = memory.spent;
    assert_eq!((asked, played), (8, 5));
    // The paper's table leaves out the test of the hint itself.
    let mut memory = Memory::new(&mut ask);
    as_published(8, &[7], &mut memory);
    assert_eq!((memory.spent.asked, memory.spent.played), (9, 6));
}

/// The failure is a sequence that has these events in order.
fn needs(needed: Vec<usize>) -> impl FnMut(&[Item]) -> Result<Answer, Stop> {
    move |sequence| {
        let mut open = needed.iter().peekable();
        for (i, item) in sequence.iter().enumerate() {
            open.next_if(|next| **next == item.event);
            if open.peek().is_none() {
                let verdict = Verdict::Reproduced;
                return Ok(Answer {
                    verdict,
                    played: i + 1,
                });
            }
        }
        let (verdict, played) = (Verdict::Missed, sequence.len());
        Ok(Answer { verdict, played })
    }
}

fn some_of(n: usize, share: u64, state: &mut u64) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..n)
        .filter(|_| {
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (*state >> 33) % 100 < share
        })
        .collect();
    if chosen.is_empty() {
        chosen.push(n / 2);
    }
    chosen
}

#[test]
fn any_hint_gives_the_minimum_and_no_hint_costs_more_than_a_few_tests() {
    let mut state = 5;
    for n in [1, 2, 3, 10, 30] {
        for _ in 0..60 {
            let (needed, hint) = (some_of(n, 20, &mut state), some_of(n, 30, &mut state));
            for search in [rddmin, as_published] {
                let mut ask = needs(needed.clone());
                let mut memory = Memory::new(&mut ask);
                let shrunk = search(n, &hint, &mut memory);
                assert_eq!(events(&shrunk.best), needed, "hint {hint:?} of {n}");
                assert!(memory.spent.asked <= n * n + 11 * n + 10);
            }
        }
    }
}

#[test]
fn a_stop_leaves_what_was_found_so_far() {
    let mut left = 3;
    let mut inner = needs(vec![4]);
    let mut ask = |sequence: &[Item]| {
        left -= 1;
        if left == 0 {
            Err(Stop::Interrupted)
        } else {
            inner(sequence)
        }
    };
    let mut memory = Memory::new(&mut ask);
    let shrunk = rddmin(10, &[1], &mut memory);
    assert_eq!(shrunk.stopped, Some(Stop::Interrupted));
    assert_eq!(inner(&shrunk.best).unwrap().verdict, Verdict::Reproduced);
}

/// Each rule on each pair of names that a coin says.
fn random_rules(n_names: usize, state: &mut u64) -> Vec<Rule> {
    let patterns = [Pattern::Inverse, Pattern::Absorb, Pattern::Commute];
    let all = (0..n_names * n_names * 6).map(|i| Subject {
        pattern: patterns[i % 3],
        first: (i / 6 % n_names) as u32,
        second: (i / 6 / n_names) as u32,
        same: i / 3 % 2 == 0,
    });
    let all: Vec<_> = all.collect();
    let chosen = some_of(all.len(), 25, state);
    let rule = |i: &usize| Rule {
        subject: all[*i],
        seen: Seen::default(),
    };
    chosen.iter().map(rule).collect()
}

#[test]
fn rewriting_ends_on_any_rules_and_accounts_for_every_event() {
    let mut state = 9;
    let mut shortened = 0;
    for _ in 0..200 {
        let chosen = some_of(60, 50, &mut state);
        let event = |i: &usize| Event {
            name: (i % 4) as u32,
            arguments: (i % 3) as u32,
        };
        let events: Vec<_> = chosen.iter().map(event).collect();
        let rewritten = rewrite(&events, &random_rules(4, &mut state));
        assert!(!rewritten.is_bounded);
        let removed = rewritten
            .steps
            .iter()
            .map(|step| match step.subject.pattern {
                Pattern::Commute => 0,
                _ => step.at.len(),
            });
        let removed: usize = removed.sum();
        shortened += usize::from(removed > 0);
        assert_eq!(rewritten.left.len() + removed, events.len());
    }
    assert!(shortened > 100, "{shortened}");
}
