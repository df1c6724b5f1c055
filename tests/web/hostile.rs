//! Pages that mean harm.

#![expect(
    clippy::disallowed_methods,
    reason = "harm that takes time is seen by the clock"
)]

use std::time::{Duration, Instant};

use reduce_suite::replay::{Driver, DriverError, Reaction, Sight};

use super::support::{crash_pages, device, end_browsers, has_browser, own_width, start, walk};

const GO: &str = r#"{"do":"tap","on":{"id":"go"}}"#;

fn hostile(page: &str) -> Option<Box<dyn Driver>> {
    let page = format!("web-notes/hostile/{page}.html");
    has_browser().then(|| {
        device(&page, |config| {
            config.web.quiet_seconds = 2.0;
            config.web.load_seconds = 20.0;
        })
    })
}

#[track_caller]
fn sight(reaction: Result<Reaction, DriverError>) -> Sight {
    match reaction {
        Ok(Reaction::Sight(sight)) => sight,
        other => panic!("{other:?}"),
    }
}

#[test]
fn endless_alerts_are_one_step_each() {
    let Some(mut device) = hostile("alerts") else {
        return;
    };
    let accept = r#"{"do":"accept"}"#;
    let sights = walk(device.as_mut(), 1, &[GO, accept, accept, accept]);
    assert_eq!(sights[1].screen, sights[4].screen);
    assert_ne!(sights[1].screen, sights[0].screen);
    let again = walk(device.as_mut(), 1, &[GO]);
    assert_eq!(again[1].screen, sights[1].screen);
}

#[test]
fn a_script_that_never_ends_is_ended_and_counts_as_a_fault() {
    let Some(mut device) = hostile("endless") else {
        return;
    };
    let other = r#"{"do":"tap","on":{"id":"other"}}"#;
    let sights = walk(device.as_mut(), 1, &[GO, other]);
    assert_eq!(
        sights[1].fault.as_deref(),
        Some("hang: a script does not end")
    );
    assert_ne!(sights[2].screen, sights[1].screen, "the page works again");
    assert!(device.start(start(1)).is_ok());
}

#[test]
fn redirects_without_end_are_looked_at_when_time_is_up() {
    let Some(mut device) = hostile("redirect") else {
        return;
    };
    let since = Instant::now();
    let sight = device.start(start(1)).expect("it starts");
    assert!(sight.screen.starts_with("/redirect.html#"), "{sight:?}");
    let tells = device.probe().expect("it works").join("\n");
    assert!(tells.contains("not at rest in time"), "{tells}");
    assert!(since.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_hundred_thousand_elements_are_not_looked_at_one_by_one() {
    let Some(mut device) = hostile("nodes") else {
        return;
    };
    let since = Instant::now();
    let sights = walk(device.as_mut(), 1, &[GO]);
    assert_ne!(sights[1].screen, sights[0].screen);
    let offers = device.offers().expect("it works");
    assert!(
        offers.iter().all(|offer| !offer.contains("\"on\"")),
        "{offers:?}"
    );
    assert!(since.elapsed() < Duration::from_secs(60));
}

#[test]
fn markup_in_titles_and_names_stays_text() {
    let Some(mut device) = hostile("markup") else {
        return;
    };
    let sights = walk(device.as_mut(), 1, &[GO]);
    let fault = sights[1].fault.as_deref().expect("it fails");
    assert!(
        fault.starts_with("Error: <script>alert(3)</script> at"),
        "{fault}"
    );
    assert_eq!(device.offers().expect("it works"), [GO]);
}

#[test]
fn other_hosts_do_not_exist() {
    let Some(mut device) = hostile("nosy") else {
        return;
    };
    walk(device.as_mut(), 1, &[GO]);
    let reached = r#"{"do":"tap","on":{"class":"button","description":"no no no"}}"#;
    sight(device.perform(reached));
}

#[test]
fn a_page_that_always_moves_is_seen_at_the_same_moment_every_time() {
    let Some(mut device) = hostile("ticking") else {
        return;
    };
    let first = walk(device.as_mut(), 1, &[GO, GO]);
    for _ in 0..3 {
        let again = walk(device.as_mut(), 1, &[GO, GO]);
        let screens = |sights: &[Sight]| -> Vec<String> {
            sights.iter().map(|sight| sight.screen.clone()).collect()
        };
        assert_eq!(screens(&again), screens(&first));
    }
}

#[test]
fn a_clean_start_forgets_everything_that_was_stored() {
    let Some(mut device) = hostile("stored") else {
        return;
    };
    let sights = walk(device.as_mut(), 1, &[GO]);
    assert_ne!(sights[1].screen, sights[0].screen);
    let again = walk(device.as_mut(), 1, &[]);
    assert_eq!(again[0].screen, sights[0].screen);
    let nothing = r#"{"do":"tap","on":{"class":"button","description":"nothing"}}"#;
    sight(device.perform(nothing));
}

#[test]
fn a_browser_that_dies_is_a_matter_of_the_device_and_is_started_anew() {
    if !has_browser() {
        return;
    }
    let width = own_width(0);
    let mut device = device("web-notes/hostile/endless.html", |config| {
        config.web.width = width;
    });
    let first = walk(device.as_mut(), 1, &[]);
    assert_eq!(end_browsers(width), 1);
    let lost = device.perform(GO);
    assert_eq!(lost, Err(DriverError::Lost));
    let again = walk(device.as_mut(), 1, &[]);
    assert_eq!(again[0].screen, first[0].screen);
}

#[test]
fn a_page_that_crashes_twice_after_the_same_steps_has_crashed_and_once_is_the_browsers_fault() {
    if !has_browser() {
        return;
    }
    let width = own_width(2);
    let mut device = device("web-notes/hostile/stored.html", |config| {
        config.web.width = width;
    });
    walk(device.as_mut(), 1, &[]);
    assert!(crash_pages(width) > 0);
    assert_eq!(device.perform(GO), Err(DriverError::Lost));
    walk(device.as_mut(), 2, &[]);
    assert!(crash_pages(width) > 0);
    let crashed = sight(device.perform(GO));
    assert_eq!(crashed.fault.as_deref(), Some("crash: crashed"));
    assert_eq!(device.perform(GO), Ok(Reaction::Dead));
    let again = walk(device.as_mut(), 3, &[GO]);
    assert_eq!(again[1].fault, None, "it goes on after a clean start");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    if !has_browser() {
        return;
    }
    let setup = super::support::setup(|_| {});
    let url = "web:http://127.0.0.1:9/".to_owned();
    let fleet = reduce_suite::drivers::open(&[url], &setup).expect("it opens");
    let mut device = fleet.devices.into_iter().next().expect("a device");
    let error = device.start(start(1)).expect_err("nothing is there");
    let text = error.to_string();
    assert!(
        text.contains("http://127.0.0.1:9/") && text.contains("ERR_"),
        "{text}"
    );
}
