//! Trouble with devices: it is told, the device comes back, and no sight ever changes.

use reduce_suite::model::Seed;
use reduce_suite::replay::{Reaction, Start};
use serde_json::json;
use xtask::virtual_android::{Fault, Options};

use super::lab::{Lab, flaky_app, show};

fn start(attempt: u64) -> Start {
    Start {
        seed: Seed(7).mix(attempt),
        trouble: Seed(0),
    }
}

#[test]
fn trouble_ends_a_run_and_never_changes_a_sight() {
    let Some(lab) = Lab::open() else { return };
    let (app, walks) = flaky_app(2, 1);
    let options = Options {
        boot: std::time::Duration::from_millis(300),
        ..Options::default()
    };
    let (device, mut driver) = lab.driver(&app, &options);
    let walk = &walks[0];
    let calm = show(driver.as_mut(), walk, start(1));
    assert_eq!(calm.trouble, None);
    let mut told = 0;
    for fault in Fault::ALL {
        for commands in [0, 7, 9, 12, 15] {
            device
                .trouble(&format!("{fault}:{commands}"))
                .expect("it is known");
            let shown = show(driver.as_mut(), walk, start(1));
            told += usize::from(shown.trouble.is_some());
            if shown.launch.is_some() {
                assert_eq!(shown.launch, calm.launch, "{fault}:{commands}");
            }
            let n = shown.reactions.len();
            assert_eq!(
                shown.reactions,
                calm.reactions[..n],
                "{fault}:{commands} {:?}",
                shown.trouble
            );
            // The device comes back by itself, within a few tries at most.
            let healed = (0..3).any(|_| show(driver.as_mut(), walk, start(1)) == calm);
            assert!(healed, "{fault}:{commands}");
        }
    }
    assert_eq!(device.struck().len(), 5 * Fault::ALL.len());
    // A dump that is cut off is read again; the others end the run.
    assert!(told >= 4 * 5 - 2, "{told}");
}

#[test]
fn an_app_that_hangs_every_time_in_the_same_place_has_a_fault() {
    let Some(lab) = Lab::open() else { return };
    let app = json!({"launch": "c0", "states": {"c0": {"screen": "Home", "edges": [{"action": "tap:x", "to": "c0"}]}}});
    let (device, mut driver) = lab.driver(&app, &Options::default());
    let mut last = None;
    for _ in 0..3 {
        let shown = show(driver.as_mut(), &[], start(1));
        assert_eq!(shown.trouble, None);
        device.trouble("anr").expect("it is known");
        last = Some(driver.perform("tap:x"));
    }
    let fault = match last {
        Some(Ok(Reaction::Sight(sight))) => sight.fault,
        other => panic!("{other:?}"),
    };
    assert_eq!(fault.as_deref(), Some("ANR in org.example.app"));
    assert!(!driver.is_alive().expect("it answers"));
}

#[test]
fn what_was_changed_on_a_device_is_put_back() {
    let Some(lab) = Lab::open() else { return };
    let (app, _) = flaky_app(2, 1);
    let (device, mut driver) = lab.driver(&app, &Options::default());
    let scale = || device.setting("global window_animation_scale");
    assert_eq!(scale().as_deref(), Some("1.0"));
    show(driver.as_mut(), &[], start(1));
    assert_eq!(scale().as_deref(), Some("0"));
    drop(driver);
    assert_eq!(scale().as_deref(), Some("1.0"));
    assert_eq!(device.setting("global reduce_suite_saved"), None);
}
