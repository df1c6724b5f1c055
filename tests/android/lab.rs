//! A private adb server with virtual devices.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::BTreeSet;
use std::env;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use reduce_suite::abstraction::Abstraction;
use reduce_suite::replay::{Driver, DriverError, Reaction, Sight, Start};
use reduce_suite::{config, drivers, session};
use serde_json::Value;
use tempfile::TempDir;
use xtask::generate::random_app::{self, AppShape};
use xtask::generate::splitmix::SplitMix;
use xtask::virtual_android::{Options, VirtualAndroid};

/// An adb server of our own; it ends with the test.
pub(crate) struct Lab {
    port: u16,
    home: TempDir,
}

impl Lab {
    /// Starts a server; none where adb is not installed.
    ///
    /// # Panics
    /// On CI, which installs it.
    pub(crate) fn open() -> Option<Self> {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
        let lab = Self {
            port: free.expect("there is a free port").port(),
            home: tempfile::tempdir().expect("there is room for a folder"),
        };
        if lab.adb(&["start-server"]) {
            return Some(lab);
        }
        assert!(env::var_os("CI").is_none(), "adb is not installed");
        eprintln!("skipped: adb is not installed");
        None
    }

    fn adb(&self, words: &[&str]) -> bool {
        let status = Command::new("adb")
            .args(["-P", &self.port.to_string()])
            .args(words)
            .env("HOME", self.home.path())
            .env("ANDROID_ADB_SERVER_PORT", self.port.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    }

    /// Runs a script on a device, as people do.
    pub(crate) fn shell(&self, serial: &str, script: &str) {
        assert!(self.adb(&["-s", serial, "shell", script]), "{script}");
    }

    /// A device with an app on it, and its URL.
    pub(crate) fn device(&self, app: &Value, options: &Options) -> (VirtualAndroid, String) {
        let model = app.to_string();
        let device = VirtualAndroid::start(options, model.as_bytes(), 0).expect("it starts");
        let serial = format!("127.0.0.1:{}", device.port());
        assert!(self.adb(&["connect", &serial]), "adb connects to {serial}");
        (device, format!("adb://127.0.0.1:{}/{serial}", self.port))
    }

    /// A driver of a device with an app on it.
    pub(crate) fn driver(
        &self,
        app: &Value,
        options: &Options,
    ) -> (VirtualAndroid, Box<dyn Driver>) {
        let (device, url) = self.device(app, options);
        (device, open(&url))
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.adb(&["kill-server"]);
    }
}

/// Settings for devices in a hurry.
pub(crate) const HURRY: [&str; 6] = [
    "--set",
    "android.command_seconds=2",
    "--set",
    "android.boot_seconds=20",
    "--set",
    "android.stable_seconds=20",
];

/// The only driver behind a URL.
pub(crate) fn open(url: &str) -> Box<dyn Driver> {
    open_with(url, None)
}

/// The only driver behind a URL, which tells screens apart in this way.
pub(crate) fn open_with(url: &str, abstraction: Option<&'static Abstraction>) -> Box<dyn Driver> {
    let settings = config::resolve(&config::Layers::default(), Path::new("/"));
    let mut setup = session::setup(&settings.expect("the defaults hold").config);
    setup.android.command = Duration::from_secs(2);
    setup.android.boot = Duration::from_secs(20);
    if let Some(abstraction) = abstraction {
        setup.abstraction = abstraction;
        setup.is_abstraction_open = false;
    }
    let fleet = drivers::open(&[url.to_owned()], &setup).unwrap_or_else(|error| panic!("{error}"));
    fleet.devices.into_iter().next().expect("a device")
}

/// What a device showed: everything up to trouble, and the trouble.
#[derive(Debug, PartialEq)]
pub(crate) struct Shown {
    pub(crate) launch: Option<Sight>,
    pub(crate) reactions: Vec<Reaction>,
    pub(crate) trouble: Option<DriverError>,
}

/// Without what the clock says and what was aimed at, which simulated devices do not know.
fn plain(sight: Sight) -> Sight {
    Sight {
        micros: 0,
        aim: None,
        ..sight
    }
}

pub(crate) fn show(device: &mut dyn Driver, actions: &[String], start: Start) -> Shown {
    let mut shown = Shown {
        launch: None,
        reactions: Vec::new(),
        trouble: None,
    };
    match device.start(start) {
        Ok(sight) => shown.launch = Some(plain(sight)),
        Err(error) => {
            shown.trouble = Some(error);
            return shown;
        }
    }
    for action in actions {
        match device.perform(action) {
            Ok(Reaction::Sight(sight)) => shown.reactions.push(Reaction::Sight(plain(sight))),
            Ok(Reaction::NotEnabled { .. }) => {
                shown.reactions.push(Reaction::NotEnabled { micros: 0 });
            }
            Ok(Reaction::Dead) => shown.reactions.push(Reaction::Dead),
            Err(error) => {
                shown.trouble = Some(error);
                break;
            }
        }
    }
    shown
}

/// A flaky app and walks over all of its actions, wherever they may be enabled.
pub(crate) fn flaky_app(seed: u64, n_walks: usize) -> (Value, Vec<Vec<String>>) {
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
    let walks = (0..n_walks).map(|_| walk()).collect();
    (app, walks)
}
