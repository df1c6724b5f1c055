//! The TV-Browser sample of the paper, and what must hold of every tree of dialogs.

use super::super::ask::{Answer, Item, Memory, Verdict, items};
use super::dialogs::{Change, Dialogs, Part, Recorder};
use super::{Shrunk, guimin};
use crate::model::Stop;

/// Events on widgets, with `+` where a container opens and `-` where one closes.
fn dialogs(words: &str) -> Dialogs {
    let mut recorder = Recorder::new();
    for word in words.split(' ') {
        let change = match word {
            word if word.ends_with('+') => Change::Opens,
            word if word.ends_with('-') => Change::Closes(1),
            _ => Change::Stays,
        };
        recorder.record(word.trim_end_matches(['+', '-']), change);
    }
    recorder.finish()
}

/// An app that fails once the needed events were played, and in which nothing can be done in a
/// container that was not opened. After the first event of a debt it fails only with the second.
fn app(
    dialogs: &Dialogs,
    needed: Vec<usize>,
    debts: Vec<(usize, usize)>,
) -> impl FnMut(&[Item]) -> Result<Answer, Stop> + use<> {
    let openers: Vec<Option<usize>> = (0..dialogs.n_events())
        .map(|event| opener(dialogs, event))
        .collect();
    move |sequence| {
        let mut played = Vec::new();
        for (i, item) in sequence.iter().enumerate() {
            if openers[item.event].is_some_and(|opener| !played.contains(&opener)) {
                let verdict = Verdict::Unresolved;
                return Ok(Answer {
                    verdict,
                    played: i + 1,
                });
            }
            played.push(item.event);
            let is_owed = debts
                .iter()
                .any(|(taken, paid)| played.contains(taken) && !played.contains(paid));
            if !is_owed && needed.iter().all(|need| played.contains(need)) {
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

fn opener(dialogs: &Dialogs, event: usize) -> Option<usize> {
    let is_inside =
        |&opener: &usize| opener != event && dialogs.inside(Part::Event(opener)).contains(&event);
    (0..event).rev().find(is_inside)
}

fn events(shrunk: &Shrunk) -> Vec<usize> {
    shrunk.best.iter().map(|item| item.event).collect()
}

#[test]
fn the_tv_browser_sample_goes_from_eight_events_to_three() {
    let dialogs = dialogs("listings+ addrem+ filter+ search search ok close- locale");
    let mut ask = app(&dialogs, vec![7], Vec::new());
    let mut memory = Memory::new(&mut ask);
    let shrunk = guimin(&dialogs, &mut memory);
    assert_eq!(events(&shrunk), [0, 1, 7]);
    assert!(memory.spent.played <= 12, "{:?}", memory.spent);
}

#[test]
fn where_the_first_of_everything_is_enough_few_tests_find_it() {
    // Proposition 2: so many widget dialogs, so many events in each.
    for (widgets, events) in [(2_usize, 2_usize), (8, 4), (64, 16)] {
        let words: Vec<String> = (0..widgets)
            .flat_map(|widget| vec![format!("w{widget}"); events])
            .collect();
        let dialogs = dialogs(&words.join(" "));
        let mut ask = app(&dialogs, vec![0], Vec::new());
        let mut memory = Memory::new(&mut ask);
        let shrunk = guimin(&dialogs, &mut memory);
        assert_eq!(self::events(&shrunk), [0]);
        let bound = widgets.ilog2() + events.ilog2() + 1;
        assert!(memory.spent.played <= bound as usize, "{:?}", memory.spent);
    }
}

#[test]
fn a_container_goes_that_became_idle_only_when_others_had_gone() {
    let dialogs = dialogs("a a c c+ d- b a");
    let mut ask = app(&dialogs, vec![0, 2, 6], vec![(1, 5), (5, 3)]);
    let mut memory = Memory::new(&mut ask);
    assert_eq!(events(&guimin(&dialogs, &mut memory)), [0, 2, 6]);
}

fn random(state: &mut u64, below: u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

fn random_words(n: usize, state: &mut u64) -> String {
    let mut depth = 0;
    let words = (0..n).map(|_| {
        let name = random(state, 4);
        match random(state, 5) {
            0 => {
                depth += 1;
                format!("w{name}+")
            }
            1 if depth > 0 => {
                depth -= 1;
                format!("w{name}-")
            }
            _ => format!("w{name}"),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_left_is_one_dialog_minimal_within_the_bound_of_the_paper() {
    let mut state = 3;
    for n in [1, 2, 5, 12, 40] {
        for _ in 0..60 {
            let dialogs = dialogs(&random_words(n, &mut state));
            let needed: Vec<usize> = (0..=random(&mut state, 2))
                .map(|_| random(&mut state, n as u64) as usize)
                .collect();
            let place = |state: &mut u64| random(state, n as u64) as usize;
            let debt = (place(&mut state), place(&mut state));
            let mut ask = app(&dialogs, needed, vec![debt]);
            if ask(&items(0..n)).expect("no stop").verdict != Verdict::Reproduced {
                continue;
            }
            let mut asked = Vec::new();
            let mut counting = |sequence: &[Item]| {
                asked.push(sequence.to_vec());
                ask(sequence)
            };
            let mut memory = Memory::new(&mut counting);
            let shrunk = guimin(&dialogs, &mut memory);
            let n_played = asked.len();
            asked
                .sort_by_key(|sequence| sequence.iter().map(|item| item.event).collect::<Vec<_>>());
            asked.dedup();
            assert_eq!(asked.len(), n_played, "a test was made twice");
            assert!(n_played <= 4 * n * n + 12 * n);
            check_minimal(&dialogs, &events(&shrunk), &mut ask);
        }
    }
}

/// Nothing that is left can go: no widget dialog and no event that opens a container.
fn check_minimal(
    dialogs: &Dialogs,
    left: &[usize],
    ask: &mut dyn FnMut(&[Item]) -> Result<Answer, Stop>,
) {
    let mut reaches = |events: &[usize]| {
        let answer = ask(&items(events.iter().copied()));
        answer.expect("no stop").verdict == Verdict::Reproduced
    };
    assert!(reaches(left), "{left:?}");
    let n_containers = 1
        + (0..dialogs.n_events())
            .filter(|&event| dialogs.opens(event).is_some())
            .count();
    let widgets = (0..n_containers)
        .flat_map(|container| dialogs.widgets(container))
        .map(Part::Widget);
    let openers = (0..dialogs.n_events())
        .filter(|&event| dialogs.opens(event).is_some())
        .map(Part::Event);
    for part in widgets.chain(openers) {
        let gone = dialogs.inside(part);
        let rest: Vec<usize> = left
            .iter()
            .filter(|event| !gone.contains(event))
            .copied()
            .collect();
        assert!(
            rest.len() == left.len() || !reaches(&rest),
            "{part:?} can go from {left:?}"
        );
    }
}

#[test]
fn dialogs_are_inferred_from_the_windows_of_a_recording() {
    let (recording, _) = super::super::chard::fixture::recording(
        "tap:menu > Menu\ntap:about > About\ntap:more > About\ntap:more > About\nback > Main\ntype:name=Jo > Main",
    );
    let expect = dialogs("menu+ about+ more more back- name");
    let inferred = super::dialogs::dialogs(&recording);
    // The way back closes both windows at once.
    assert_eq!(inferred.opens(0), expect.opens(0));
    assert_eq!(inferred.opens(1), expect.opens(1));
    assert_eq!(inferred.inside(Part::Event(0)).len(), 5);
    assert_eq!(inferred.widgets(Dialogs::MAIN).count(), 2);
}

#[test]
fn a_stop_leaves_what_was_found_so_far() {
    let dialogs = dialogs("a b+ c d- e f");
    let mut ask = app(&dialogs, vec![5], Vec::new());
    let mut left = 2;
    let mut stopping = |sequence: &[Item]| {
        left -= 1;
        if left == 0 {
            Err(Stop::Interrupted)
        } else {
            ask(sequence)
        }
    };
    let mut memory = Memory::new(&mut stopping);
    let shrunk = guimin(&dialogs, &mut memory);
    assert_eq!(shrunk.stopped, Some(Stop::Interrupted));
    assert_eq!(
        ask(&shrunk.best).expect("no stop").verdict,
        Verdict::Reproduced
    );
}
