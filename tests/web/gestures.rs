//! What fingers do, and places that are hidden from plain scripts: frames, shadow roots, choosers.

use reduce_suite::model::window::Widget;
use reduce_suite::replay::{Driver, Reaction, Sight};

use super::support::{device, has_browser, start};

/// A device on the page, from a clean start.
fn page(hosts: &[&str]) -> Option<Box<dyn Driver>> {
    if !has_browser() {
        return None;
    }
    let hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
    let mut device = device("web-gestures", |config| config.web.allow_hosts = hosts);
    device.start(start(1)).expect("it starts");
    Some(device)
}

/// Whether the words are on the present page.
pub(crate) fn shows(device: &dyn Driver, words: &str) -> bool {
    let window = device.window().expect("it shows a window");
    let mut widgets = window.widgets.iter();
    widgets.any(|widget| widget.text == words || widget.description == words)
}

#[track_caller]
pub(crate) fn check(device: &mut dyn Driver, action: &str, expect: &str) -> Sight {
    assert!(!shows(device, expect), "{expect} is there before {action}");
    let sight = match device.perform(action).expect("the device works") {
        Reaction::Sight(sight) => sight,
        other => panic!("{action}: {other:?}; offered are {:#?}", device.offers()),
    };
    let window = device.window().expect("it shows a window");
    let words: Vec<&str> = window.widgets.iter().map(Widget::label).collect();
    assert!(shows(device, expect), "{action} shows {words:?}");
    assert_eq!(sight.fault, None);
    sight
}

fn covers(sight: &Sight, start: &str) -> bool {
    sight
        .covers
        .iter()
        .any(|element| element.starts_with(start))
}

#[test]
fn a_long_press_a_double_click_and_swipes_are_told_apart() {
    let Some(mut device) = page(&[]) else { return };
    let held = check(
        device.as_mut(),
        r#"{"do":"hold","on":{"id":"pad"}}"#,
        "held",
    );
    assert!(covers(&held, "block:app.js:held@"), "{held:?}");
    check(
        device.as_mut(),
        r#"{"do":"double","on":{"id":"pad"}}"#,
        "doubled",
    );
    check(
        device.as_mut(),
        r#"{"do":"swipe","on":{"id":"pad"},"to":"left"}"#,
        "swiped left",
    );
    check(
        device.as_mut(),
        r#"{"do":"swipe","on":{"id":"pad"},"to":"right"}"#,
        "swiped right",
    );
    // A tap is none of them.
    let tap = device
        .perform(r#"{"do":"tap","on":{"id":"pad"}}"#)
        .expect("it works");
    assert!(matches!(tap, Reaction::Sight(_)), "{tap:?}");
    assert!(shows(device.as_ref(), "swiped right"));
}

#[test]
fn frames_of_this_host_and_of_an_allowed_one_are_seen_pressed_and_counted() {
    let Some(mut device) = page(&["localhost"]) else {
        return;
    };
    let near = r#"{"do":"tap","on":{"class":"button","description":"near"}}"#;
    let sight = check(device.as_mut(), near, "near pressed");
    assert!(covers(&sight, "block:frame.js:press@"), "{sight:?}");
    let far = r#"{"do":"tap","on":{"class":"button","description":"far"}}"#;
    let sight = check(device.as_mut(), far, "far pressed");
    assert!(
        covers(&sight, "block:localhost/frame.js:press@"),
        "{sight:?}"
    );
}

#[test]
fn frames_of_other_hosts_stay_empty() {
    let Some(device) = page(&[]) else { return };
    assert!(shows(device.as_ref(), "near"));
    assert!(
        !device
            .window()
            .expect("a window")
            .widgets
            .iter()
            .any(|widget| { widget.class == "button" && widget.description == "far" })
    );
}

#[test]
fn buttons_inside_shadow_roots_are_found_by_their_names() {
    let Some(mut device) = page(&[]) else { return };
    for mode in ["open", "closed"] {
        let action = format!(r#"{{"do":"tap","on":{{"description":"In the {mode} box"}}}}"#);
        check(device.as_mut(), &action, &format!("{mode} box pressed"));
    }
}

#[test]
fn a_file_chooser_is_declined_and_the_page_hears_of_it() {
    let Some(mut device) = page(&[]) else { return };
    check(
        device.as_mut(),
        r#"{"do":"tap","on":{"id":"choose"}}"#,
        "no file",
    );
}

#[test]
fn code_made_of_text_runs_and_workers_answer_within_a_few_steps() {
    let Some(mut device) = page(&[]) else { return };
    check(
        device.as_mut(),
        r#"{"do":"tap","on":{"id":"evaluate"}}"#,
        "evaluated 5",
    );
    // A page is at rest although a worker is still at work.
    let work = r#"{"do":"tap","on":{"id":"work"}}"#;
    let wait = r#"{"do":"hover","on":{"id":"pad"}}"#;
    for action in [work].iter().chain(&[wait; 20]) {
        device.perform(action).expect("it works");
        if shows(device.as_ref(), "worked out 42") {
            return;
        }
    }
    panic!("the worker is never heard of");
}
