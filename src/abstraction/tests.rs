//! What each abstraction tells apart, on a small screen.

use super::{Attribute, Lens, Lists, all, find};
use crate::model::window::{Takes, Widget, Window};

fn widget(class: &str, text: &str, taps: bool, parent: Option<u32>) -> Widget {
    Widget {
        class: class.into(),
        text: text.into(),
        takes: Takes {
            taps,
            ..Takes::default()
        },
        parent,
        ..Widget::default()
    }
}

/// A title, a clock, a button and a list of so many rows.
fn window(clock: &str, rows: &[&str]) -> Window {
    let mut widgets = vec![
        widget("Frame", "", false, None),
        widget("Text", "Title", false, Some(0)),
        widget("Text", clock, false, Some(0)),
        widget("Button", "Save", true, Some(0)),
        widget("ListView", "", false, Some(0)),
    ];
    widgets[2].id = "clock".into();
    widgets.extend(rows.iter().map(|row| widget("Row", row, true, Some(4))));
    Window {
        activity: "Main".into(),
        widgets,
        ..Window::default()
    }
}

fn lens(masks: &[&str], lists: Lists) -> Lens {
    let masks: Vec<_> = masks.iter().map(|&mask| mask.to_owned()).collect();
    Lens::new(&masks, lists, vec![Attribute::Text]).unwrap()
}

/// The abstractions that tell two windows apart.
fn told_apart(one: &Window, other: &Window, lens: &Lens) -> Vec<&'static str> {
    let differ = |a: &&super::Abstraction| a.screen(one, lens) != a.screen(other, lens);
    all().iter().filter(differ).map(|a| a.name).collect()
}

#[test]
fn a_name_is_readable_and_stays_the_same() {
    let screens = all()
        .iter()
        .map(|a| a.screen(&window("12:00", &["a"]), &Lens::default()));
    let expect = [
        "Main",
        "Main#8279a6eff8b1",
        "Main#70b488da8adf",
        "Main#f876ce932806",
        "Main#af43234e0b81",
        "Main#263449f0859d",
    ];
    assert!(screens.eq(expect));
}

#[test]
fn each_abstraction_looks_at_more_than_the_one_before() {
    let plain = Lens::default();
    let base = window("12:00", &["a", "b"]);
    let clock = window("12:01", &["a", "b"]);
    assert_eq!(told_apart(&base, &clock, &plain), ["content"]);
    let row = window("12:00", &["a", "c"]);
    assert_eq!(told_apart(&base, &row, &plain), ["actionable", "content"]);
    let longer = window("12:00", &["a", "b", "c"]);
    assert_eq!(
        told_apart(&base, &longer, &plain),
        ["swifthand", "structure", "actionable", "content"]
    );
    let mut keyboard = base.clone();
    keyboard.keyboard = true;
    assert_eq!(
        told_apart(&base, &keyboard, &plain),
        ["actionable", "content"]
    );
    let mut elsewhere = base.clone();
    elsewhere.activity = "Other".into();
    assert_eq!(told_apart(&base, &elsewhere, &plain).len(), all().len());
}

#[test]
fn masks_hide_what_changes_by_itself() {
    let (base, clock) = (window("12:00", &["a"]), window("12:01", &["a"]));
    for mask in ["id:clock", "class:Text", "text:[0-9]+:[0-9]+"] {
        let lens = lens(&[mask], Lists::Count);
        assert_eq!(told_apart(&base, &clock, &lens), [""; 0], "{mask}");
    }
    let other = lens(&["id:other"], Lists::Count);
    assert_eq!(told_apart(&base, &clock, &other), ["content", "custom"]);
}

#[test]
fn the_length_of_lists_does_not_count_where_that_is_asked_for() {
    let lens = lens(&[], Lists::Collapse);
    let (one, many) = (window("12:00", &["a"]), window("12:00", &["b", "c", "d"]));
    assert_eq!(told_apart(&one, &many, &lens), [""; 0]);
    let none = window("12:00", &[]);
    assert_eq!(
        told_apart(&one, &none, &lens),
        ["swifthand", "structure", "actionable", "content"]
    );
}

#[test]
fn settings_that_make_no_sense_are_told() {
    let masks = |mask: &str| Lens::new(&[mask.into()], Lists::Count, Vec::new()).unwrap_err();
    assert!(masks("clock").contains("`id:NAME`"));
    assert!(masks("text:(").contains("`(` is none"));
    assert!(find("paper").is_none());
}
