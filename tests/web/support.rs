//! Browsers for tests, and what is done with them.

#![expect(clippy::print_stdout, reason = "a skipped test says so")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::Duration;

use reduce_suite::drivers::web::Chromium;
use reduce_suite::model::Seed;
use reduce_suite::replay::{Driver, Reaction, Sight, Start};
use reduce_suite::{config, drivers, session};

/// The folder of a case.
pub(crate) fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(name)
}

/// Whether there is a browser; CI must have one.
pub(crate) fn has_browser() -> bool {
    let found = Chromium::find("auto").is_some();
    if !found {
        assert!(env::var_os("CI").is_none(), "CI must have a Chromium");
        println!("skipped: there is no Chromium on this machine");
    }
    found
}

/// The settings of devices, with some of them changed.
pub(crate) fn setup(change: impl FnOnce(&mut config::Config)) -> drivers::Setup {
    let settings = config::resolve(&config::Layers::default(), Path::new("/"));
    let mut config = settings.expect("the defaults hold").config;
    change(&mut config);
    session::setup(&config)
}

/// A device on a page of a case.
pub(crate) fn device(page: &str, change: impl FnOnce(&mut config::Config)) -> Box<dyn Driver> {
    let url = format!("web:{}", case(page).display());
    let fleet = drivers::open(&[url], &setup(change)).expect("it opens");
    fleet.devices.into_iter().next().expect("there is a device")
}

/// A start that depends on the attempt alone.
pub(crate) fn start(attempt: u64) -> Start {
    Start {
        seed: Seed(7).mix(attempt),
        trouble: Seed(11),
    }
}

/// A clean start and some actions, all of which must be there.
#[track_caller]
pub(crate) fn walk(device: &mut dyn Driver, attempt: u64, actions: &[&str]) -> Vec<Sight> {
    let mut sights = vec![device.start(start(attempt)).expect("it starts")];
    for action in actions {
        match device.perform(action).expect("the device works") {
            Reaction::Sight(sight) => sights.push(sight),
            other => panic!("{action}: {other:?}; offered are {:#?}", device.offers()),
        }
    }
    sights
}

/// What does not depend on time.
pub(crate) fn timeless(mut sights: Vec<Sight>) -> Vec<Sight> {
    for sight in &mut sights {
        sight.micros = 0;
    }
    sights
}

/// A width that no other test's window has.
pub(crate) fn own_width(number: u32) -> u32 {
    800 + (std::process::id() * 10 + number) % 9000
}

/// The browsers whose windows are so wide, by the numbers of their processes.
pub(crate) fn browsers(width: u32) -> Vec<String> {
    let all = Command::new("ps")
        .args(["-ww", "-eo", "pid=,args="])
        .output();
    let all = String::from_utf8(all.expect("ps runs").stdout).expect("it prints text");
    let flag = format!("--window-size={width},");
    let browsers = all
        .lines()
        .filter(|line| line.contains(&flag) && line.contains("--remote-debugging-p"))
        .filter(|line| !line.contains("--type=") && !line.contains("sh -c"));
    let pids = browsers.filter_map(|line| line.split_whitespace().next());
    pids.map(str::to_owned).collect()
}

/// Makes the pages of the browsers whose windows are so wide crash; how many there were.
pub(crate) fn crash_pages(width: u32) -> usize {
    let all = Command::new("ps")
        .args(["-ww", "-eo", "pid=,args="])
        .output();
    let all = String::from_utf8(all.expect("ps runs").stdout).expect("it prints text");
    let word = |line: &str, start: &str| {
        let mut words = line.split_whitespace();
        words
            .find(|word| word.starts_with(start))
            .map(str::to_owned)
    };
    let flag = format!("--window-size={width},");
    let ours = all.lines().filter(|line| line.contains(&flag));
    let profiles: Vec<String> = ours
        .filter_map(|line| word(line, "--user-data-dir="))
        .collect();
    let pages = all
        .lines()
        .filter(|line| line.contains("--type=renderer"))
        .filter(|line| word(line, "--user-data-dir=").is_some_and(|own| profiles.contains(&own)));
    let crash = |line: &str| {
        let pid = line.split_whitespace().next().unwrap_or_default();
        Command::new("kill").args(["-SEGV", pid]).status()
    };
    pages
        .map(crash)
        .filter(|killed| killed.as_ref().is_ok_and(ExitStatus::success))
        .count()
}

/// Kills the browsers whose windows are so wide; how many there were.
pub(crate) fn end_browsers(width: u32) -> usize {
    let kill = |pid: String| Command::new("kill").args(["-KILL", &pid]).status();
    let killed = browsers(width).into_iter().map(kill);
    killed
        .filter(|killed| killed.as_ref().is_ok_and(ExitStatus::success))
        .count()
}

/// Waits until a journal has more than so many lines, or the program has ended.
pub(crate) fn until_lines(child: &mut Child, journal: &Path, lines: usize) {
    loop {
        let known = fs::read_to_string(journal)
            .unwrap_or_default()
            .lines()
            .count();
        if known > lines || child.try_wait().expect("it can be asked").is_some() {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
}
