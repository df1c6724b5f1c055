//! The same app through chromedriver, and what is said of ends that are of no use.

#![expect(clippy::print_stdout, reason = "a skipped test says so")]

use std::env;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use reduce_suite::drivers;
use reduce_suite::drivers::web::Server;
use reduce_suite::replay::{Driver, DriverError, Sight};

use super::support::{case, device, has_browser, setup, timeless, walk};

pub(crate) const WALK: [&str; 6] = [
    r#"{"do":"type","on":{"id":"note"},"text":"milk"}"#,
    r#"{"do":"tap","on":{"id":"add"}}"#,
    r#"{"do":"tap","on":{"id":"expert"}}"#,
    r#"{"do":"tap","on":{"id":"clear"}}"#,
    r#"{"do":"accept"}"#,
    r#"{"do":"tap","on":{"id":"export"}}"#,
];

/// A process that ends with the test, and its children with it.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.0.wait();
    }
}

pub(crate) fn run(command: &mut Command) -> Running {
    use std::os::unix::process::CommandExt as _;
    Running(command.process_group(0).spawn().expect("it starts"))
}

/// What the local browser shows.
pub(crate) fn expected() -> Vec<Sight> {
    timeless(walk(device("web-notes", |_| {}).as_mut(), 1, &WALK))
}

pub(crate) fn devices(end: &str, count: usize, more: &str) -> Vec<Box<dyn Driver>> {
    let page = case("web-notes");
    let url = format!("webdriver:{end}?url={}&count={count}{more}", page.display());
    let fleet = drivers::open(&[url], &setup(|_| {})).expect("it opens");
    fleet.devices
}

/// Whether a program is there; CI must have those it installs.
pub(crate) fn has(program: &str, on_ci: bool) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&folders).any(|folder| folder.join(program).is_file());
    if !found {
        assert!(
            !on_ci || env::var_os("CI").is_none(),
            "CI must have {program}"
        );
        println!("skipped: there is no {program} on this machine");
    }
    found
}

/// A chromedriver and its address, where there is one.
pub(crate) fn chromedriver() -> Option<(Running, String)> {
    if !has_browser() || !has("chromedriver", true) {
        return None;
    }
    let mut driver = run(Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped()));
    let said = BufReader::new(driver.0.stdout.take().expect("it is a pipe"));
    let port = said.lines().map_while(Result::ok).find_map(|line| {
        let port = line.split("successfully on port ").nth(1)?;
        Some(port.trim_end_matches('.').to_owned())
    });
    let end = format!("http://127.0.0.1:{}", port.expect("it names its port"));
    Some((driver, end))
}

#[test]
fn chromedriver_shows_what_the_local_browser_shows() {
    let Some((_driver, end)) = chromedriver() else {
        return;
    };
    let mut device = devices(&end, 1, "").pop().expect("a device");
    let expected = expected();
    assert_eq!(timeless(walk(device.as_mut(), 1, &WALK)), expected);
    assert_eq!(timeless(walk(device.as_mut(), 1, &WALK)), expected);
}

/// What is said of an end that is of no use.
#[track_caller]
fn check(end: &str, more: &str, expect: &str) {
    let mut device = devices(end, 1, more).pop().expect("a device");
    match device.start(super::support::start(1)) {
        Err(DriverError::Unwell(said)) => assert!(said.contains(expect), "{said}"),
        other => panic!("{more}: {other:?}"),
    }
}

#[test]
fn ends_that_are_of_no_use_are_told_apart() {
    let hint = "is chromedriver or the hub running?";
    check("http://127.0.0.1:9", "", hint);
    let server = Server::start(&case("web-notes")).expect("it serves");
    check(&server.url(), "", "is no WebDriver end");
    let Some((_driver, end)) = chromedriver() else {
        return;
    };
    check(&end, "&cdp=hub", "add &cdp=none");
    let page = "&url=http://127.0.0.1:9/";
    for way in ["auto", "none"] {
        check(&end, &format!("{page}&cdp={way}"), "is the server running?");
    }
}

#[test]
fn urls_that_make_no_sense_are_explained() {
    let page = case("web-notes").display().to_string();
    for (url, expect) in [
        ("webdriver:http://127.0.0.1:9", "it needs ?url="),
        (
            "webdriver:127.0.0.1:9?url=/",
            "it looks like webdriver:http://",
        ),
        (
            "webdriver:http://127.0.0.1:9?url=/nowhere",
            "neither http://",
        ),
        (
            &format!("web:{page}?page=nowhere.html"),
            "there is no nowhere.html in it",
        ),
        (
            &format!("web:{page}/hostile"),
            "there is no index.html in it",
        ),
        (
            &format!("webdriver:http://127.0.0.1:9?url={page}&cdp=x"),
            "auto, direct, hub, none",
        ),
        (
            &format!("webdriver:http://hub.test:4444?url={page}"),
            "served on this machine alone",
        ),
    ] {
        let said = drivers::open(&[url.to_owned()], &setup(|_| {})).err();
        let said = said.expect("it is refused").to_string();
        assert!(said.contains(expect), "{said}");
    }
}
