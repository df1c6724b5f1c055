//! The sentences of events of every kind.

use super::super::fixture::recording;
use super::{Level, launch, sentences};
use crate::model::gesture::Gesture;

#[track_caller]
fn check(lines: &str, expect: &[&str]) {
    let (recording, names) = recording(lines);
    let sentences: Vec<_> = sentences(&recording, &names)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(sentences, expect);
}

#[test]
fn widgets_windows_and_levels_are_named_as_in_the_paper() {
    check(
        "Tap(50, 5, 0) > Main window ticked\n\
         Tap(50, 90, 0) > Main window ticked\n\
         Tap(50, 90, 0) > Main window menu\n\
         DispatchPress(4) > Main window ticked\n\
         Tap(50, 35, 0) > a.b/.Edit window menu crash",
        &[
            "#2 is a Touch event that clicks on CheckBox with the id \"CheckBox0\" and text \"Text 0\", whose level is Major.",
            "#3 is a Touch event, whose level is Trivial.",
            "#4 is a Touch event that causes the launch of window 1 of screen \"Main\", whose level is Essential.",
            "#5 is a MajorNav event that presses BACK, causing the close of window 1 of screen \"Main\", whose level is Essential.",
            "#6 is a Touch event that clicks on EditText with the id \"EditText30\" and text \"Text 30\", \
             causing the crash of the app (E), whose level is Essential.",
        ],
    );
}

#[test]
fn actions_of_other_tools_are_put_into_words() {
    check(
        "tap:menu > Menu\n{\"do\":1} > Menu\ntype:name > Main",
        &[
            "#2 is a Touch event that clicks on \"menu\", causing the launch of screen \"Menu\", whose level is Essential.",
            "#3 is a Action event that does \"{\"do\":1}\", whose level is Minor.",
            "#4 is a Text event that types into \"name\", causing the return to screen \"Main\", whose level is Essential.",
        ],
    );
}

#[test]
fn the_start_is_a_sentence_too() {
    let (recording, names) = recording("tap:x > Main");
    let action = Gesture::parse("LaunchActivity(a.b, a.b.Main)");
    let sentence = launch(&recording, &names, action.as_ref());
    assert_eq!(
        sentence.to_string(),
        "#1 is a Appswitch event that opens the entry page of \"a.b\", causing the launch of screen \"Main\", \
         whose level is Essential."
    );
    assert!(Level::Essential > Level::Major && Level::Minor > Level::Trivial);
}
