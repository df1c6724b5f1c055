//! `reduce` through adb gives the bytes that it gives on simulated devices, and `explore` the same on any number of them.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use xtask::generate::random_app::AppShape;
use xtask::generate::{random_app, record};
use xtask::virtual_android::{Fault, Options, VirtualAndroid};

use super::lab::{HURRY, Lab};

/// A scratch folder with an app that has hidden state, chance, faults and crashes, and a suite.
struct Case {
    folder: tempfile::TempDir,
    app: Value,
}

impl Case {
    fn new() -> Self {
        let shape = AppShape {
            screens: 8,
            branches: 60,
            hidden: 0.1,
            flaky: 0.04,
            faults: 2,
            crashes: 1,
        };
        let app = random_app::app(&shape, 3);
        let folder = tempfile::tempdir().expect("a folder");
        let lines = record::suite(&app, 3, 15, 10).join("\n") + "\n";
        std::fs::write(folder.path().join("app.json"), app.to_string()).expect("it is written");
        std::fs::write(folder.path().join("suite.jsonl"), lines).expect("it is written");
        Self { folder, app }
    }

    fn read(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Reduces on these devices into a folder; gives what was said on the way.
    #[track_caller]
    fn reduce(&self, devices: &[String], out: &str, more: &[&str]) -> String {
        let words = ["reduce", "suite.jsonl", "--set", "replay.runs=6"];
        self.work(&words, devices, out, more)
    }

    /// Does something on these devices into a folder; gives what was said on the way.
    #[track_caller]
    fn work(&self, words: &[&str], devices: &[String], out: &str, more: &[&str]) -> String {
        let devices = devices.iter().flat_map(|url| ["--device", url]);
        let output = Command::new(env!("CARGO_BIN_EXE_cargo-reduce-suite"))
            .args(words)
            .args(["--out", out])
            .args(devices)
            .args(more)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output()
            .expect("it can be started");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        said
    }

    /// Devices with the app, so many runs of which end in trouble. Which device draws how often depends on how
    /// the runs are spread, so where there is to be any, each loses its connection once for sure.
    fn devices(
        &self,
        lab: &Lab,
        count: u64,
        trouble: &[(Fault, f64)],
    ) -> (Vec<VirtualAndroid>, Vec<String>) {
        let device = |number| {
            let options = Options {
                seed: 40 + number,
                trouble: trouble.to_vec(),
                boot: std::time::Duration::from_millis(300),
                ..Options::default()
            };
            lab.device(&self.app, &options)
        };
        let (devices, urls): (Vec<VirtualAndroid>, _) = (0..count).map(device).unzip();
        if !trouble.is_empty() {
            for device in &devices {
                device.trouble("drop:40").expect("it is known");
            }
        }
        (devices, urls)
    }
}

/// One run in ten ends in trouble.
const TENTH: [(Fault, f64); 6] = [
    (Fault::Drop, 0.03),
    (Fault::Stall, 0.01),
    (Fault::Half, 0.02),
    (Fault::Reboot, 0.02),
    (Fault::Anr, 0.01),
    (Fault::Full, 0.01),
];

fn simulated(case: &Case, more: &[&str]) -> String {
    case.reduce(&["sim:app.json".to_owned()], "sim", more);
    case.read("sim/suite.jsonl")
}

#[test]
fn one_and_four_devices_with_trouble_give_the_suite_of_simulated_ones() {
    let Some(lab) = Lab::open() else { return };
    let case = Case::new();
    let expect = simulated(&case, &[]);
    for count in [1, 4] {
        let (devices, urls) = case.devices(&lab, count, &TENTH);
        let out = format!("adb{count}");
        case.reduce(&urls, &out, &HURRY);
        assert_eq!(case.read(&format!("{out}/suite.jsonl")), expect, "{count}");
        let struck: usize = devices.iter().map(|device| device.struck().len()).sum();
        assert!(struck > 0, "there was no trouble");
        for device in &devices {
            assert_eq!(
                device.setting("global window_animation_scale").as_deref(),
                Some("1.0")
            );
        }
    }
}

#[test]
fn what_is_explored_is_the_same_on_one_device_and_on_three_with_trouble() {
    let Some(lab) = Lab::open() else { return };
    let case = Case::new();
    let explore = ["explore", "--budget", "120steps"];
    let (_device, url) = case.devices(&lab, 1, &[]);
    case.work(&explore, &url, "one", &[]);
    let expect = case.read("one/suite.jsonl");
    assert!(expect.contains("\"covers\":[\"b"), "{expect}");
    let (devices, urls) = case.devices(&lab, 3, &TENTH.map(|(fault, share)| (fault, 3.0 * share)));
    case.work(&explore, &urls, "three", &HURRY);
    assert_eq!(case.read("three/suite.jsonl"), expect);
    let struck: usize = devices.iter().map(|device| device.struck().len()).sum();
    assert!(struck > 0, "there was no trouble");
}

#[test]
fn the_journal_has_the_recorded_and_the_resolved_targets() {
    let Some(lab) = Lab::open() else { return };
    let case = Case::new();
    let expect = simulated(&case, &["--strategy", "paper"]);
    let (_devices, urls) = case.devices(&lab, 2, &[]);
    case.reduce(&urls, "adb", &["--strategy", "paper"]);
    assert_eq!(case.read("adb/suite.jsonl"), expect);
    let journal = case.read("adb/journal/runs.jsonl");
    assert!(journal.contains(r#""recorded":"tap:"#), "{journal}");
    assert!(journal.contains(r#""resolved":"{\"at\":["#), "{journal}");
}

#[test]
fn a_device_that_is_unplugged_is_replaced_by_the_others() {
    let Some(lab) = Lab::open() else { return };
    let case = Case::new();
    let expect = simulated(&case, &[]);
    let (devices, urls) = case.devices(&lab, 2, &[]);
    // It goes down in the middle of a run and stays away for longer than anybody waits.
    devices[0].trouble("reboot:40").expect("it is known");
    devices[0].slow_boot(std::time::Duration::from_secs(600));
    let quick = [
        "--set",
        "android.boot_seconds=0.5",
        "--set",
        "retry.per_device=2",
    ];
    let said = case.reduce(&urls, "adb", &quick);
    assert!(said.contains("is out"), "{said}");
    assert_eq!(case.read("adb/suite.jsonl"), expect);
}

#[test]
fn devices_says_which_coverage_works() {
    let Some(lab) = Lab::open() else { return };
    let case = Case::new();
    let (_device, url) = lab.device(&case.app, &Options::default());
    let devices = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_cargo-reduce-suite"))
            .args(["devices", "-v", "--device", &url])
            .args(more)
            .current_dir(Path::new("/"))
            .output()
            .expect("it can be started");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let said = devices(&[]);
    assert!(said.contains("logcat: works"), "{said}");
    assert!(said.contains("jacoco: not asked for"), "{said}");
    let agent = "android.jacoco_broadcast=org.example.app.DUMP_COVERAGE";
    let said = devices(&["--set", agent, "--set", "android.coverage_tag=Other"]);
    assert!(said.contains("logcat: no line is tagged Other"), "{said}");
    assert!(said.contains("jacoco: works"), "{said}");
    let said = devices(&["--set", "android.jacoco_broadcast=nobody.LISTENS"]);
    assert!(said.contains("the app has not written it"), "{said}");
}
