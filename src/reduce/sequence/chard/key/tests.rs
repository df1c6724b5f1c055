//! Each strategy on a recording that only it shortens, and what is confirmed by asking.

use super::super::super::ask::{Answer, Item, Memory, Verdict};
use super::super::fixture::recording;
use super::super::rules::Choice;
use super::{Strategy, key_events, tree};

/// An app that crashes once all needed events were played in a row of valid windows.
fn find(lines: &str, needs: &[usize]) -> (Vec<usize>, Strategy) {
    let (recording, _) = recording(lines);
    let events = recording.events.clone();
    let launch = recording.launch;
    let mut ask = |sequence: &[Item]| {
        let (mut view, mut met) = (launch, Vec::new());
        for (i, item) in sequence.iter().enumerate() {
            let event = &events[item.event];
            if event.before != view {
                let verdict = Verdict::Unresolved;
                return Ok(Answer {
                    verdict,
                    played: i + 1,
                });
            }
            view = event.after;
            met.push(item.event);
        }
        let reached = needs.iter().all(|need| met.contains(need));
        let verdict = if reached {
            Verdict::Reproduced
        } else {
            Verdict::Missed
        };
        Ok(Answer {
            verdict,
            played: sequence.len(),
        })
    };
    let mut memory = Memory::new(&mut ask);
    let found = key_events(&recording, &Choice::default(), &mut memory);
    let best = found.shrunk.best.iter().map(|item| item.event).collect();
    (best, found.strategy)
}

#[track_caller]
fn check(needs: &[usize], expect: &[usize], strategy: Strategy) {
    assert_eq!(find(LINES, needs), (expect.to_vec(), strategy));
}

/// Two visits to a form, with things done in both, and a key that is of no use.
const LINES: &str = "\
tap:new > Form
type:name > Form
tap:save > Main
DispatchPress(24) > Main
tap:sort > Main
tap:new > Form
type:name > Form
type:date > Form
tap:pay > Form crash";

#[test]
fn short_goes_straight_to_the_last_event() {
    check(&[8], &[0, 8], Strategy::Short);
}

#[test]
fn duplicate_gathers_what_is_done_in_each_window_once() {
    check(&[1, 7, 8], &[4, 0, 1, 7, 8], Strategy::Duplicate);
}

#[test]
fn ineffective_keeps_the_order_when_it_matters() {
    check(&[2, 8], &[0, 1, 2, 4, 5, 6, 7, 8], Strategy::Ineffective);
}

#[test]
fn rules_that_do_not_hold_here_are_left_out_one_by_one() {
    let everything: Vec<_> = (0..9).collect();
    check(&[2, 3, 8], &everything, Strategy::Everything);
    let lines = LINES.replace("tap:sort > Main", "DispatchPress(3) > Main");
    let (best, strategy) = find(&lines, &[2, 3, 8]);
    assert_eq!(
        (best, strategy),
        (vec![0, 1, 2, 3, 5, 6, 7, 8], Strategy::Ineffective)
    );
}

#[test]
fn the_tree_has_the_windows_by_distance_with_their_events() {
    let (recording, _) = recording(LINES);
    let all: Vec<_> = (0..9).collect();
    let tree = tree(&recording, &all);
    let nodes: Vec<_> = tree
        .nodes
        .iter()
        .map(|node| (node.level, node.events.clone()))
        .collect();
    assert_eq!(nodes, [(0, vec![0, 3, 4, 5]), (1, vec![1, 2, 6, 7, 8])]);
    assert_eq!(tree.transitions, [(0, 1), (2, 3), (5, 6)]);
}
