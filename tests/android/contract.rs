//! What every device that runs app models has in common: the same checks over `sim:` and `adb:`.

use std::collections::BTreeSet;
use std::path::Path;

use reduce_suite::abstraction;
use reduce_suite::model::Seed;
use reduce_suite::replay::{Driver, Reaction, Start};
use serde_json::{Value, json};
use xtask::virtual_android::{Options, VirtualAndroid};

use super::lab::{Lab, Shown, flaky_app, open, open_with, show};

/// Devices of one kind.
enum Bench {
    Simulated(tempfile::TempDir),
    Virtual { lab: Lab, options: Options },
}

impl Bench {
    /// All kinds that can be had here.
    fn all() -> Vec<Self> {
        let simulated = Self::Simulated(tempfile::tempdir().expect("a folder"));
        let old = Options {
            old: true,
            ..Options::default()
        };
        let kinds = [Options::default(), old].into_iter().filter_map(|options| {
            let lab = Lab::open()?;
            Some(Self::Virtual { lab, options })
        });
        std::iter::once(simulated).chain(kinds).collect()
    }

    /// A device with an app on it, and what keeps it going.
    fn device(&self, app: &Value) -> (Option<VirtualAndroid>, Box<dyn Driver>) {
        match self {
            Self::Simulated(folder) => {
                let path: &Path = &folder.path().join("app.json");
                std::fs::write(path, app.to_string()).expect("the app is written");
                (None, open(&format!("sim:{}", path.display())))
            }
            Self::Virtual { lab, options } => {
                let (device, driver) = lab.driver(app, options);
                (Some(device), driver)
            }
        }
    }
}

fn start(attempt: u64) -> Start {
    Start {
        seed: Seed(7).mix(attempt),
        trouble: Seed(11),
    }
}

#[test]
fn an_attempt_shows_the_same_on_every_kind_of_device() {
    let benches = Bench::all();
    let mut attempts_differ = false;
    for seed in 0..3 {
        let (app, walks) = flaky_app(seed, 4);
        let mut known: Option<Vec<Shown>> = None;
        for bench in &benches {
            let (_device, mut driver) = bench.device(&app);
            let mut shown = Vec::new();
            for (walk, attempt) in walks.iter().zip(0..) {
                let once = show(driver.as_mut(), walk, start(attempt));
                assert_eq!(once.trouble, None);
                let again = show(driver.as_mut(), walk, start(attempt));
                assert_eq!(once, again, "{}", driver.name());
                attempts_differ |= once != show(driver.as_mut(), walk, start(attempt + 1));
                shown.push(once);
            }
            match &known {
                None => known = Some(shown),
                Some(known) => assert_eq!(&shown, known, "{}", driver.name()),
            }
        }
    }
    assert!(attempts_differ);
}

#[test]
fn a_prefix_shows_what_the_whole_shows() {
    for bench in Bench::all() {
        let (app, walks) = flaky_app(5, 3);
        let (_device, mut driver) = bench.device(&app);
        for (walk, len) in walks.iter().zip([3, 10, 20]) {
            let whole = show(driver.as_mut(), walk, start(3));
            let prefix = show(driver.as_mut(), &walk[..len], start(3));
            assert_eq!(prefix.launch, whole.launch);
            assert_eq!(prefix.reactions, whole.reactions[..len]);
        }
    }
}

#[test]
fn nothing_can_be_done_to_a_dead_app_until_it_is_started_again() {
    let app = json!({"launch": "c0", "states": {"c0": {"screen": "Home", "edges": [
        {"action": "stay", "to": "c0"}, {"action": "die", "to": "c0", "crash": true, "fault": "E"},
        {"action": "vanish", "to": "c0", "crash": true}]}}});
    for bench in Bench::all() {
        let (_device, mut driver) = bench.device(&app);
        for last in ["die", "vanish"] {
            let actions = ["stay", last, "stay", last, "unknown"].map(str::to_owned);
            let shown = show(driver.as_mut(), &actions, start(1));
            assert!(matches!(&shown.reactions[0], Reaction::Sight(sight) if sight.fault.is_none()));
            let fault = (last == "die").then(|| "E".to_owned());
            assert!(matches!(&shown.reactions[1], Reaction::Sight(sight) if sight.fault == fault));
            let dead = [Reaction::Dead, Reaction::Dead, Reaction::Dead];
            assert_eq!(shown.reactions[2..], dead, "{}", driver.name());
            assert!(!driver.is_alive().expect("it answers"));
        }
    }
}

#[test]
fn an_action_that_is_not_there_leaves_the_app_where_it_is() {
    let app = json!({"launch": "c0", "states": {
        "c0": {"screen": "Home", "edges": [{"action": "go", "to": "c1", "covers": ["b1"]}]},
        "c1": {"screen": "Menu", "edges": []},
        "hidden": {"screen": "Home", "edges": [{"action": "tap:hidden", "to": "c1"}]}}});
    for bench in Bench::all() {
        let (_device, mut driver) = bench.device(&app);
        let actions = [
            "unknown",
            "back",
            "tap:hidden",
            "scroll",
            "type:x",
            "go",
            "go",
        ];
        let shown = show(driver.as_mut(), &actions.map(str::to_owned), start(1));
        for reaction in &shown.reactions[..5] {
            assert_eq!(*reaction, Reaction::NotEnabled { micros: 0 });
        }
        assert!(
            matches!(&shown.reactions[5], Reaction::Sight(sight) if sight.screen == "Menu" && sight.covers == ["b1"])
        );
        assert_eq!(shown.reactions[6], Reaction::NotEnabled { micros: 0 });
    }
}

#[test]
fn every_spelling_of_actions_and_screens_means_the_same() {
    let actions = [
        "tap:a b",
        "tap:a_b",
        "hold:a b",
        "a b",
        "tap:<&\">",
        "key:ENTER",
        "back",
        "menu",
        "scroll",
        "scroll:down",
        "scroll:up",
        "swipe",
        "swipe:left",
        "swipe:right",
        "rotate",
        "type:x y",
        "type:100%sure",
        "type:é🙂",
        "tap:tap:x",
        "Größe",
        "tap:'; reboot",
        "intent:x:y",
        "odd:thing",
        "tap:äöü",
        "{not json",
        "\"quoted\"",
        "double:x",
    ];
    let edges: Vec<_> = actions
        .iter()
        .zip(0..)
        .map(|(action, n)| json!({"action": action, "to": format!("c{n}"), "covers": [format!("b {n}")]}))
        .collect();
    let mut states = json!({"start": {"screen": "My \"Home\" & <more>/x", "edges": edges}});
    for n in 0..actions.len() {
        states[format!("c{n}")] = json!({"screen": format!("Screen {n} é"), "edges": []});
    }
    let app = json!({"launch": "start", "covers": ["b\"0", "[x]", "!y"], "states": states});
    let canonical = |action: &&str| {
        let is_json = action.starts_with(['{', '"']);
        if is_json {
            json!(action).to_string()
        } else {
            (*action).to_owned()
        }
    };
    for bench in Bench::all() {
        let (_device, mut driver) = bench.device(&app);
        for (action, n) in actions.iter().map(canonical).zip(0..) {
            let shown = show(driver.as_mut(), std::slice::from_ref(&action), start(1));
            let launch = shown.launch.expect("it starts");
            assert_eq!(launch.covers, ["b\"0", "[x]", "!y"]);
            assert_eq!(launch.screen, "My \"Home\" & <more>/x");
            let Some(Reaction::Sight(sight)) = shown.reactions.first() else {
                panic!(
                    "{}: {action}: {:?} {:?}",
                    driver.name(),
                    shown.reactions,
                    shown.trouble
                );
            };
            assert_eq!(sight.screen, format!("Screen {n} é"), "{action}");
            assert_eq!(sight.covers, [format!("b {n}")], "{action}");
        }
    }
}

#[test]
fn every_abstraction_tells_the_screens_of_an_app_model_apart_and_nothing_else() {
    let Some(lab) = Lab::open() else { return };
    let (app, walks) = flaky_app(4, 2);
    let (_device, url) = lab.device(&app, &Options::default());
    let mut plain = open(&url);
    let screens = |shown: &Shown| {
        let first = shown.launch.iter().map(|sight| sight.screen.clone());
        let rest = shown
            .reactions
            .iter()
            .filter_map(|reaction| match reaction {
                Reaction::Sight(sight) => Some(sight.screen.clone()),
                _ => None,
            });
        first.chain(rest).collect::<Vec<_>>()
    };
    let walk = |driver: &mut dyn Driver| -> Vec<String> {
        let shown = walks
            .iter()
            .zip(0..)
            .map(|(walk, attempt)| show(driver, walk, start(attempt)));
        shown.flat_map(|shown| screens(&shown)).collect()
    };
    let names = walk(plain.as_mut());
    drop(plain);
    for abstraction in abstraction::all() {
        let mut driver = open_with(&url, Some(abstraction));
        let pairs: BTreeSet<_> = names.iter().cloned().zip(walk(driver.as_mut())).collect();
        let known: BTreeSet<_> = pairs.iter().map(|(name, _)| name).collect();
        let called: BTreeSet<_> = pairs.iter().map(|(_, called)| called).collect();
        assert_eq!(
            (known.len(), called.len()),
            (pairs.len(), pairs.len()),
            "{}",
            abstraction.name
        );
        assert!(pairs.len() > 3);
    }
}
