//! What browsers have in common with every other device.

use reduce_suite::replay::{Reaction, Sight};

use super::support::{device, has_browser, start, timeless, walk};

const WALK: [&str; 5] = [
    r#"{"do":"tap","on":{"id":"tip"}}"#,
    r#"{"do":"type","on":{"id":"note"},"text":"bread"}"#,
    r#"{"do":"key","on":{"id":"note"},"to":"Enter"}"#,
    r#"{"do":"tap","on":{"id":"tip"}}"#,
    r#"{"do":"tap","on":{"id":"later"}}"#,
];

fn screens(sights: &[Sight]) -> Vec<&str> {
    sights.iter().map(|sight| &*sight.screen).collect()
}

#[test]
fn an_attempt_shows_the_same_in_every_browser_and_a_prefix_what_the_whole_shows() {
    if !has_browser() {
        return;
    }
    let (mut one, mut other) = (device("web-notes", |_| {}), device("web-notes", |_| {}));
    let mut attempts_differ = false;
    let first = timeless(walk(one.as_mut(), 0, &WALK));
    for attempt in 0..4 {
        let whole = timeless(walk(one.as_mut(), attempt, &WALK));
        assert_eq!(timeless(walk(other.as_mut(), attempt, &WALK)), whole);
        let prefix = timeless(walk(other.as_mut(), attempt, &WALK[..attempt as usize]));
        assert_eq!(prefix, whole[..prefix.len()]);
        attempts_differ |= screens(&whole) != screens(&first);
    }
    assert!(attempts_differ);
}

#[test]
fn an_unknown_action_is_not_enabled_and_leaves_the_app_where_it_is() {
    if !has_browser() {
        return;
    }
    let mut device = device("web-notes", |_| {});
    let expected = walk(device.as_mut(), 1, &WALK[1..3]);
    device.start(start(1)).expect("it starts");
    for action in [
        "tap:menu",
        r#"{"do":"tap","on":{"id":"nowhere"}}"#,
        r#"{"do":"accept"}"#,
    ] {
        let refused = device.perform(action).expect("it works");
        assert!(
            matches!(refused, Reaction::NotEnabled { .. }),
            "{action}: {refused:?}"
        );
    }
    for (action, expected) in WALK[1..3].iter().zip(&expected[1..]) {
        let reaction = device.perform(action).expect("it works");
        assert!(matches!(&reaction, Reaction::Sight(sight) if sight.screen == expected.screen));
    }
}
