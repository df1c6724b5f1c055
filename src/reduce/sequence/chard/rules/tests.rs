//! Each rule on a recording made for it, and what the rules say they cannot see.

use super::super::fixture::recording;
use super::{Choice, all, apply};

/// The events that only this rule removes.
fn found_by(rule: &str, lines: &str) -> Vec<usize> {
    let (recording, _) = recording(lines);
    let names = all().iter().map(|rule| rule.name.to_owned());
    let choice = Choice {
        off: names.filter(|name| name != rule).collect(),
        ..Choice::default()
    };
    let why = apply(&recording, &choice).why;
    let found = why.iter().enumerate().filter(|(_, why)| why.is_some());
    found.map(|(i, _)| i).collect()
}

#[track_caller]
fn check(rule: &str, lines: &str, expect: &[usize]) {
    assert_eq!(found_by(rule, lines), expect, "{rule}");
}

const END: &str = "Tap(50, 5, 0) > Main crash";

#[test]
fn no_ops_are_failed_input_and_touches_of_nothing() {
    check(
        "no-ops",
        &format!("Tap(1, 5, 0) > Main failed\nTap(2, 5, 0) > Main\n{END}"),
        &[0],
    );
    let dumps = "Tap(50, 90, 0) > Main window form\nTap(50, 5, 0) > Main window form\n\
                 Tap(50, 90, 0) > Main window ticked\nTap(50, 90, 0) > Other window form\n";
    check("no-ops", &format!("{dumps}{END}"), &[0]);
}

#[test]
fn home_and_back_on_the_first_window_are_refused_and_go() {
    let lines = "DispatchPress(3) > Main\nDispatchPress(4) > Main\nTap(1, 1, 0) > Other\n\
                 DispatchPress(4) > Other\nDispatchPress(3) > Main\n";
    check("home", &format!("{lines}{END}"), &[0]);
    check("back-on-main", &format!("{lines}{END}"), &[1]);
}

#[test]
fn optional_keys_go_unless_something_happens_inside() {
    let lines =
        "DispatchPress(24) > Main\nDispatchPress(25) > Main inside\nDispatchPress(66) > Main\n";
    check("optional", &format!("{lines}{END}"), &[0]);
}

#[test]
fn a_pair_that_opens_and_closes_goes_and_nested_ones_need_the_stack() {
    let lines = "Tap(1, 1, 0) > A\nTap(2, 2, 0) > B\nDispatchPress(4) > A\nDispatchPress(4) > Main\n\
                 Tap(3, 3, 0) > C\n";
    // One pass finds the inner pair, the next one the outer: the rules go on until nothing is left.
    check("contrary-pair", &format!("{lines}{END}"), &[0, 1, 2, 3]);
    check("nested-pair", &format!("{lines}{END}"), &[0, 1, 2, 3]);
    let (recording, _) = recording(&format!("{lines}{END}"));
    let events: Vec<_> = recording.events[..5].iter().collect();
    let scene = super::Scene {
        main: recording.launch,
        optional: &[],
    };
    assert_eq!((all()[4].find)(&events, &scene), [1, 2]);
    assert_eq!((all()[5].find)(&events, &scene), [0, 1, 2, 3]);
}

#[test]
fn a_box_that_is_ticked_and_unticked_is_a_pair_and_two_of_them_are_not() {
    let lines = "Tap(50, 5, 0) > Main window ticked\nTap(50, 5, 0) > Main window form\n";
    check("contrary-pair", &format!("{lines}{END}"), &[0, 1]);
    let lines = "Tap(50, 5, 0) > Main window ticked\nTap(50, 15, 0) > Main window form\n";
    check("contrary-pair", &format!("{lines}{END}"), &[]);
}

#[test]
fn of_choices_and_focus_in_a_row_the_last_stays() {
    let lines = "Tap(50, 15, 0) > Main window form\nTap(50, 25, 0) > Main window form\n\
                 Tap(50, 35, 0) > Main window form\nTap(51, 35, 0) > Main window form\n\
                 RotateScreen(1) > Main window form\nRotateScreen(0) > Main window form\n";
    check("last-effective", &format!("{lines}{END}"), &[0, 2, 4]);
}

#[test]
fn text_that_was_only_slid_through_goes_with_its_window() {
    let lines = "Tap(1, 1, 0) > Text inside\nDrag(1, 1, 1, 50, 3) > Text\nDrag(1, 1, 1, 50, 3) > Text\n\
                 DispatchPress(4) > Main\n";
    check("text-slide", &format!("{lines}{END}"), &[0, 1, 2, 3]);
    let busy = lines.replacen("50, 3) > Text", "50, 3) > Text inside", 1);
    check("text-slide", &format!("{busy}{END}"), &[]);
}

#[test]
fn a_menu_that_is_left_again_goes() {
    let lines = "DispatchPress(82) > Main\nDispatchPress(4) > Main\n";
    check("hidden-menu", &format!("{lines}{END}"), &[0, 1]);
    let lines = "Tap(50, 90, 0) > Main window menu\nTap(50, 5, 0) > About window menu\n\
                 DispatchPress(4) > Main window form\n";
    check("hidden-menu", &format!("{lines}{END}"), &[0, 1, 2]);
}

#[test]
fn the_last_event_stays_whatever_the_rules_say() {
    check(
        "home",
        "DispatchPress(3) > Main\nDispatchPress(3) > Main",
        &[0],
    );
}

#[test]
fn rules_say_what_they_cannot_see() {
    let blind = |lines: &str| {
        let (recording, _) = recording(lines);
        let finding = apply(&recording, &Choice::default());
        finding
            .blind
            .iter()
            .map(|(name, _)| *name)
            .collect::<Vec<_>>()
    };
    let without = blind(END);
    assert_eq!(
        without,
        [
            "no-ops",
            "contrary-pair",
            "nested-pair",
            "last-effective",
            "text-slide",
            "hidden-menu"
        ]
    );
    assert_eq!(
        blind("Tap(1, 1, 0) > Main inside\nTap(1, 1, 0) > Main").len(),
        5
    );
    assert!(blind("Tap(1, 1, 0) > Main window form\nTap(1, 1, 0) > Main").is_empty());
}

#[test]
fn a_rule_that_is_off_does_nothing() {
    let off = all().iter().map(|rule| rule.name.to_owned()).collect();
    let (recording, _) = recording("DispatchPress(3) > Main\nDispatchPress(3) > Main");
    let finding = apply(
        &recording,
        &Choice {
            off,
            ..Choice::default()
        },
    );
    assert_eq!((finding.kept(), finding.blind.len()), (vec![0, 1], 0));
}
