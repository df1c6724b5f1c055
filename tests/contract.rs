//! What every variant of a kind has in common: drivers, importers and renderers.

use std::collections::BTreeSet;
use std::path::Path;

use reduce_suite::model::Seed;
use reduce_suite::replay::{Driver, DriverError, Reaction, Sight, Start};
use reduce_suite::{config, drivers, export, import, report, session};
use xtask::generate::random_app::{self, AppShape};
use xtask::generate::splitmix::SplitMix;

/// What the default settings say about devices.
fn setup() -> drivers::Setup {
    let settings = config::resolve(&config::Layers::default(), Path::new("/"));
    session::setup(&settings.expect("the defaults hold").config)
}

#[track_caller]
fn are_names<'a>(names: impl Iterator<Item = &'a str>) {
    let mut seen = BTreeSet::new();
    for name in names {
        assert!(!name.trim().is_empty() && name.trim() == name, "{name:?}");
        assert!(seen.insert(name), "{name} occurs twice");
    }
    assert!(!seen.is_empty());
}

#[test]
fn the_names_of_all_variants_are_unique_and_not_empty() {
    are_names(drivers::all().iter().map(|kind| kind.scheme));
    are_names(drivers::all().iter().map(|kind| kind.about));
    are_names(import::all().iter().map(|importer| importer.name));
    let extensions = import::all().iter().flat_map(|one| one.extensions);
    are_names(extensions.copied());
    are_names(export::all().iter().map(|exporter| exporter.name));
    are_names(export::all().iter().map(|exporter| exporter.extension));
    are_names(report::all().iter().map(|renderer| renderer.name));
    are_names(report::all().iter().map(|renderer| renderer.file));
}

#[test]
fn the_example_of_every_driver_is_a_url_of_its_scheme() {
    for kind in drivers::all() {
        let url = drivers::DeviceUrl::parse(kind.example).expect(kind.example);
        assert_eq!(url.scheme, kind.scheme);
    }
}

#[test]
fn every_driver_refuses_options_that_it_does_not_know() {
    for kind in drivers::all() {
        let text = format!("{}:x?no_such_option=1", kind.scheme);
        let url = drivers::DeviceUrl::parse(&text).expect("a URL");
        let error = (kind.open)(&url, 0, &setup()).err().expect("it is refused");
        assert!(error.to_string().contains("no_such_option"), "{error}");
    }
}

/// What a device showed: everything up to trouble, and the trouble.
#[derive(Debug, PartialEq)]
struct Shown {
    launch: Option<Sight>,
    reactions: Vec<Reaction>,
    trouble: Option<DriverError>,
}

fn show(device: &mut dyn Driver, actions: &[String], start: Start) -> Shown {
    let mut shown = Shown {
        launch: None,
        reactions: Vec::new(),
        trouble: None,
    };
    match device.start(start) {
        Ok(sight) => shown.launch = Some(sight),
        Err(error) => {
            shown.trouble = Some(error);
            return shown;
        }
    }
    for action in actions {
        match device.perform(action) {
            Ok(reaction) => shown.reactions.push(reaction),
            Err(error) => {
                shown.trouble = Some(error);
                break;
            }
        }
    }
    shown
}

fn start(attempt: u64, trouble: u64) -> Start {
    Start {
        seed: Seed(7).mix(attempt),
        trouble: Seed(11).mix(trouble),
    }
}

/// Two devices on one app, the second of which may be in trouble.
fn pair(folder: &Path, app: &serde_json::Value, trouble: &str) -> [Box<dyn Driver>; 2] {
    let path = folder.join("app.json");
    std::fs::write(&path, app.to_string()).expect("the app is written");
    let open = |options: &str| {
        let url = format!("sim:{}?{options}", path.display());
        let fleet = drivers::open(&[url], &setup()).expect("it opens");
        fleet.devices.into_iter().next().expect("a device")
    };
    [open(""), open(trouble)]
}

/// A flaky app and walks over all of its actions, wherever they may be enabled.
fn flaky_app(seed: u64) -> (serde_json::Value, Vec<Vec<String>>) {
    let shape = AppShape {
        screens: 6,
        branches: 30,
        hidden: 0.2,
        flaky: 0.3,
        faults: 2,
        crashes: 2,
    };
    let app = random_app::app(&shape, seed);
    let states = app["states"].as_object().expect("states");
    let edges = states
        .values()
        .filter_map(|state| state["edges"].as_array());
    let actions: BTreeSet<_> = edges
        .flatten()
        .filter_map(|edge| edge["action"].as_str().map(str::to_owned))
        .collect();
    let actions: Vec<_> = actions.into_iter().collect();
    let mut random = SplitMix::new(seed);
    let mut walk = || (0..25).map(|_| random.pick(&actions).clone()).collect();
    let walks = (0..20).map(|_| walk()).collect();
    (app, walks)
}

#[test]
fn an_attempt_shows_the_same_on_every_simulated_device() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut attempts_differ = false;
    for seed in 0..20 {
        let (app, walks) = flaky_app(seed);
        let [mut one, mut other] = pair(folder.path(), &app, "");
        for (walk, attempt) in walks.iter().zip(0..) {
            let shown = show(one.as_mut(), walk, start(attempt, 0));
            assert_eq!(shown, show(other.as_mut(), walk, start(attempt, 1)));
            attempts_differ |= shown != show(one.as_mut(), walk, start(attempt + 1, 0));
        }
    }
    assert!(attempts_differ);
}

#[test]
fn a_prefix_shows_what_the_whole_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    for seed in 0..20 {
        let (app, walks) = flaky_app(seed);
        let [mut one, mut other] = pair(folder.path(), &app, "");
        for (walk, len) in walks.iter().zip(0..) {
            let whole = show(one.as_mut(), walk, start(3, 0));
            let prefix = show(other.as_mut(), &walk[..len], start(3, 0));
            assert_eq!(prefix.launch, whole.launch);
            assert_eq!(prefix.reactions, whole.reactions[..len]);
        }
    }
}

#[test]
fn trouble_ends_a_run_and_never_changes_a_sight() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut struck, mut late) = (0, 0);
    for seed in 0..20 {
        let (app, walks) = flaky_app(seed);
        let [mut calm, mut troubled] = pair(folder.path(), &app, "lost=0.2&hang=0.2&slow=0.1");
        for (walk, attempt) in walks.iter().zip(0..) {
            let whole = show(calm.as_mut(), walk, start(attempt, 0));
            let shown = show(
                troubled.as_mut(),
                walk,
                start(attempt, 100 * seed + attempt),
            );
            struck += usize::from(shown.trouble.is_some());
            if shown.launch.is_some() {
                late += usize::from(shown.trouble.is_some());
                assert_eq!(shown.launch, whole.launch);
                assert_eq!(shown.reactions, whole.reactions[..shown.reactions.len()]);
            }
        }
    }
    assert!((150..250).contains(&struck), "{struck}");
    assert!(late > 50, "{late}");
}
