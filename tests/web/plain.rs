//! The same app by W3C commands alone, where no debugging protocol gets through.

use reduce_suite::drivers;
use reduce_suite::replay::{Driver, Reaction};

use super::gestures::{check, shows};
use super::remote::{WALK, chromedriver, devices, expected};
use super::support::{case, setup, start, timeless, walk};

#[test]
fn a_walk_shows_the_same_every_time_without_coverage_and_with_the_same_fault() {
    let Some((_driver, end)) = chromedriver() else {
        return;
    };
    let mut device = devices(&end, 1, "&cdp=none").pop().expect("a device");
    let first = timeless(walk(device.as_mut(), 1, &WALK));
    assert_eq!(timeless(walk(device.as_mut(), 1, &WALK)), first);
    let local = expected();
    for (step, (here, local)) in first.iter().zip(&local).enumerate() {
        assert_eq!(here.fault, local.fault, "step {step}");
        assert!(
            here.covers.is_empty(),
            "step {step} covers {:?}",
            here.covers
        );
    }
    assert!(first.last().is_some_and(|sight| sight.fault.is_some()));
    let told = device.probe().expect("it works").join(" ");
    assert!(told.contains("no coverage of code"), "{told}");
}

#[test]
fn what_is_typed_chosen_asked_and_opened_is_seen() {
    let Some((_driver, end)) = chromedriver() else {
        return;
    };
    let mut device = devices(&end, 1, "&cdp=none").pop().expect("a device");
    let device = device.as_mut();
    device.start(start(1)).expect("it starts");
    let typed = r#"{"do":"type","on":{"id":"note"},"text":"bread"}"#;
    check(device, typed, "bread");
    let enter = r#"{"do":"key","on":{"id":"note"},"to":"Enter"}"#;
    check(device, enter, "Added the first note");
    let show = r#"{"do":"select","on":{"id":"show"},"text":"Done notes"}"#;
    check(device, show, "Done notes");
    let clear = r#"{"do":"tap","on":{"id":"clear"}}"#;
    check(device, clear, "Remove all notes?");
    let refused = device.perform(typed).expect("it works");
    assert!(
        matches!(refused, Reaction::NotEnabled { .. }),
        "{refused:?}"
    );
    let offers = device.offers().expect("it works");
    assert_eq!(offers, [r#"{"do":"accept"}"#, r#"{"do":"dismiss"}"#]);
    let dismissed = device.perform(r#"{"do":"dismiss"}"#).expect("it works");
    assert!(matches!(dismissed, Reaction::Sight(_)));
    device
        .perform(r#"{"do":"tap","on":{"id":"rename"}}"#)
        .expect("it works");
    check(device, r#"{"do":"accept","text":"Things"}"#, "Things");
    let page = |device: &dyn Driver| device.window().expect("a window").activity.clone();
    device
        .perform(r#"{"do":"tap","on":{"description":"Help"}}"#)
        .expect("it works");
    assert_eq!(page(device), "/help.html", "a new tab is in front");
    device.perform(r#"{"do":"back"}"#).expect("it works");
    assert_eq!(page(device), "/", "it was closed");
    device
        .perform(r#"{"do":"tap","on":{"description":"About"}}"#)
        .expect("it works");
    assert_eq!(page(device), "/about.html");
    device.perform(r#"{"do":"back"}"#).expect("it works");
    assert_eq!(page(device), "/");
    // A start forgets what was stored.
    device.start(start(1)).expect("it starts");
    assert!(!shows(device, "Things"));
}

#[test]
fn gestures_are_told_apart_and_open_shadow_roots_looked_into() {
    let Some((_driver, end)) = chromedriver() else {
        return;
    };
    let page = case("web-gestures");
    let url = format!("webdriver:{end}?url={}&cdp=none", page.display());
    let fleet = drivers::open(&[url], &setup(|_| {})).expect("it opens");
    assert!(
        fleet
            .untold
            .is_some_and(|what| what.contains("no coverage"))
    );
    let mut device = fleet.devices.into_iter().next().expect("a device");
    let device = device.as_mut();
    device.start(start(1)).expect("it starts");
    check(device, r#"{"do":"hold","on":{"id":"pad"}}"#, "held");
    check(device, r#"{"do":"double","on":{"id":"pad"}}"#, "doubled");
    check(
        device,
        r#"{"do":"swipe","on":{"id":"pad"},"to":"left"}"#,
        "swiped left",
    );
    let open = r#"{"do":"tap","on":{"description":"In the open box"}}"#;
    check(device, open, "open box pressed");
}
