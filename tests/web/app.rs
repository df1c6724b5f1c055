//! The notes app: what is done to it and what is seen of it.

use reduce_suite::replay::{Reaction, Sight};

use super::support::{device, has_browser, start, timeless, walk};

const TOUR: [&str; 20] = [
    r#"{"do":"type","on":{"id":"note"},"text":"milk"}"#,
    r#"{"do":"tap","on":{"id":"add"}}"#,
    r#"{"do":"tap","on":{"class":"checkbox","description":"milk"}}"#,
    r#"{"do":"select","on":{"id":"show"},"text":"Open notes"}"#,
    r#"{"do":"select","on":{"id":"show"},"text":"All notes"}"#,
    r#"{"do":"tap","on":{"id":"later"}}"#,
    r#"{"do":"tap","on":{"id":"load"}}"#,
    r#"{"do":"tap","on":{"id":"clear"}}"#,
    r#"{"do":"dismiss"}"#,
    r#"{"do":"tap","on":{"id":"rename"}}"#,
    r#"{"do":"accept","text":"Things"}"#,
    r#"{"do":"tap","on":{"description":"Help"}}"#,
    r#"{"do":"tap","on":{"description":"Close"}}"#,
    r#"{"do":"tap","on":{"description":"About"}}"#,
    r#"{"do":"back"}"#,
    r#"{"do":"tap","on":{"id":"tip"}}"#,
    r#"{"do":"tap","on":{"id":"choose"}}"#,
    r#"{"do":"hover","on":{"id":"tip"}}"#,
    r#"{"do":"scroll","to":"down"}"#,
    r#"{"do":"key","on":{"id":"note"},"to":"Enter"}"#,
];

const MILK: &str = TOUR[0];
const ADD: &str = TOUR[1];

/// Whether a sight covers something in a function of the app.
fn covers(sight: &Sight, function: &str) -> bool {
    let start = format!("block:app.js:{function}@");
    sight
        .covers
        .iter()
        .any(|element| element.starts_with(&start))
}

#[test]
fn a_tour_shows_the_same_every_time_and_in_another_browser() {
    if !has_browser() {
        return;
    }
    let mut one = device("web-notes", |_| {});
    let first = timeless(walk(one.as_mut(), 1, &TOUR));
    let mut other = device("web-notes/index.html", |_| {});
    for _ in 0..3 {
        assert_eq!(timeless(walk(one.as_mut(), 1, &TOUR)), first);
    }
    // By the name of the page its address differs, and nothing else does.
    let named = timeless(walk(other.as_mut(), 1, &TOUR));
    for (a, b) in first.iter().zip(&named) {
        assert_eq!((&a.covers, &a.fault), (&b.covers, &b.fault));
    }
    let other_chance = walk(one.as_mut(), 2, &TOUR);
    assert_eq!(other_chance[15].screen, first[15].screen);
    let tips = (2..8).map(|attempt| walk(one.as_mut(), attempt, &TOUR[15..16])[1].screen.clone());
    let tips: std::collections::BTreeSet<String> = tips.collect();
    assert!(tips.len() > 1, "chance depends on the attempt: {tips:?}");
}

#[test]
fn steps_cover_the_blocks_that_they_run() {
    if !has_browser() {
        return;
    }
    let mut device = device("web-notes", |_| {});
    let sights = walk(device.as_mut(), 1, &TOUR);
    assert!(covers(&sights[0], "draw") && !covers(&sights[0], "add"));
    assert!(sights[1].covers.is_empty(), "{:?}", sights[1]);
    assert!(covers(&sights[2], "add") && covers(&sights[2], "isShown"));
    assert!(covers(&sights[3], "tick"));
    assert_ne!(sights[4].covers, sights[5].covers, "different branches");
    assert!(sights[6].covers.iter().any(|e| e.contains("later@")));
    assert!(covers(&sights[7], "load") && covers(&sights[7], "write"));
    assert!(sights[12].screen.starts_with("/help.html#"), "a new tab");
    assert!(sights[13].screen.starts_with("/#"), "the tab has closed");
    assert!(sights[14].screen.starts_with("/about.html#"));
    assert_eq!(sights[15].screen, sights[13].screen, "stored notes stay");
    assert!(sights.iter().all(|sight| sight.fault.is_none()));
}

#[test]
fn a_fault_that_needs_hidden_state_has_a_steady_signature() {
    if !has_browser() {
        return;
    }
    let mut device = device("web-notes", |_| {});
    let export = r#"{"do":"tap","on":{"id":"export"}}"#;
    let switch = r#"{"do":"tap","on":{"id":"expert"}}"#;
    let calm = walk(device.as_mut(), 1, &[export]);
    assert_eq!(calm[1].fault, None);
    let sights = walk(device.as_mut(), 1, &[switch, export]);
    assert_eq!(
        sights[1].screen, sights[0].screen,
        "nothing is to be seen of it"
    );
    let fault = sights[2].fault.as_deref().expect("it fails");
    assert_eq!(
        fault,
        "TypeError: Cannot read properties of undefined (reading 'text') at exportNotes app.js:71"
    );
    let fine = walk(device.as_mut(), 1, &[MILK, ADD, switch, export]);
    assert_eq!(fine[4].fault, None);
}

#[test]
fn dialogs_stand_in_front_of_everything() {
    if !has_browser() {
        return;
    }
    let mut device = device("web-notes", |_| {});
    let clear = r#"{"do":"tap","on":{"id":"clear"}}"#;
    walk(device.as_mut(), 1, &[clear]);
    let offers = device.offers().expect("it works");
    assert_eq!(offers, [r#"{"do":"accept"}"#, r#"{"do":"dismiss"}"#]);
    let refused = device.perform(ADD).expect("it works");
    assert!(
        matches!(refused, Reaction::NotEnabled { .. }),
        "{refused:?}"
    );
    let leave = [
        r#"{"do":"tap","on":{"description":"About"}}"#,
        r#"{"do":"tap","on":{"id":"leave"}}"#,
        r#"{"do":"tap","on":{"description":"Back to the notes"}}"#,
    ];
    let sights = walk(device.as_mut(), 1, &leave);
    let asked = &sights[3];
    let stays = device.perform(r#"{"do":"dismiss"}"#).expect("it works");
    assert!(matches!(&stays, Reaction::Sight(sight) if sight.screen == sights[2].screen));
    let again = device.perform(leave[2]).expect("it works");
    assert!(matches!(&again, Reaction::Sight(sight) if sight.screen == asked.screen));
    let left = device.perform(r#"{"do":"accept"}"#).expect("it works");
    assert!(matches!(&left, Reaction::Sight(sight) if sight.screen.starts_with("/index.html#")));
}

#[test]
fn what_leads_off_the_site_leads_nowhere() {
    if !has_browser() {
        return;
    }
    let mut device = device("web-notes", |_| {});
    let away = r#"{"do":"tap","on":{"description":"Elsewhere"}}"#;
    let download = r#"{"do":"tap","on":{"description":"Download"}}"#;
    let sights = walk(device.as_mut(), 1, &[away, download, ADD]);
    assert_eq!(sights[1].screen, sights[0].screen);
    assert_eq!(sights[2].screen, sights[0].screen);
    let open = device.perform(r#"{"do":"open","to":"http://elsewhere.test/"}"#);
    assert!(matches!(open, Ok(Reaction::NotEnabled { .. })), "{open:?}");
    let open = device.perform(r#"{"do":"open","to":"about.html"}"#);
    assert!(matches!(open, Ok(Reaction::Sight(sight)) if sight.screen.starts_with("/about.html#")));
}

#[test]
fn everything_that_is_offered_can_be_done() {
    if !has_browser() {
        return;
    }
    let mut device = device("web-notes", |_| {});
    walk(device.as_mut(), 1, &[MILK, ADD]);
    let offers = device.offers().expect("it works");
    assert!(offers.len() > 15, "{offers:?}");
    let mut before = String::new();
    for offer in offers {
        let started = device.start(start(1));
        assert!(started.is_ok(), "{started:?} after {before}");
        before.clone_from(&offer);
        for action in [MILK, ADD, &offer] {
            let reaction = device.perform(action).expect("it works");
            assert!(
                matches!(reaction, Reaction::Sight(_)),
                "{action}: {reaction:?}"
            );
        }
    }
}

#[test]
fn a_real_clock_is_waited_for_until_nothing_changes() {
    if !has_browser() {
        return;
    }
    let mut device = device("web-notes", |config| {
        config.web.pin_clock = false;
        config.web.calm_millis = 900;
    });
    let sights = walk(device.as_mut(), 1, &[TOUR[5]]);
    let done = |element: &String| element.starts_with("block:app.js:@");
    assert!(sights[1].covers.iter().any(done), "{:?}", sights[1].covers);
    assert!(sights[1].micros > 700_000);
}
