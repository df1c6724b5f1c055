//! A headless Chromium at the other end of a pipe, spoken to in its debugging protocol.

#![expect(
    clippy::disallowed_methods,
    reason = "a browser that hangs is a failure, which takes a thread and a clock to see"
)]
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::env;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// How long a single answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The browser where it is installed; some packages put a shell script in front of it.
fn program() -> Option<PathBuf> {
    let packaged = PathBuf::from("/usr/lib/chromium/chromium");
    let folders = env::var_os("PATH").unwrap_or_default();
    let spellings = ["chromium", "chromium-browser", "google-chrome"];
    let named =
        env::split_paths(&folders).flat_map(|folder| spellings.map(|name| folder.join(name)));
    [packaged]
        .into_iter()
        .chain(named)
        .find(|path| path.is_file())
}

/// Starts the browser on a profile, and removes the profile when the browser has ended, which it
/// does when nobody is left at the other end of its pipes: its third and fourth descriptor.
const START: &str = "\"$@\" --user-data-dir=\"$0\" 3<&0 4>&1 </dev/null >/dev/null; rm -rf \"$0\"";

/// One browser for all tests, which take turns: starting it takes longer than most of them.
static SHARED: LazyLock<Option<Mutex<Chromium>>> =
    LazyLock::new(|| Chromium::start().map(Mutex::new));

/// A running browser with one tab.
pub(crate) struct Chromium {
    requests: ChildStdin,
    messages: Receiver<Value>,
    /// What the browser said without being asked.
    events: Vec<Value>,
    tab: Option<String>,
    asked: u64,
}

impl Chromium {
    /// The browser, once the others are done with it; none where none is installed.
    ///
    /// # Panics
    /// On CI, which installs one.
    pub(crate) fn wait() -> Option<MutexGuard<'static, Self>> {
        if SHARED.is_none() {
            assert!(env::var_os("CI").is_none(), "CI must have a Chromium");
            eprintln!("skipped: there is no Chromium on this machine");
        }
        let shared = SHARED.as_ref()?;
        // A test that failed leaves a browser that works.
        Some(shared.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn start() -> Option<Self> {
        let program = program()?;
        let profile = tempfile::tempdir().expect("there is room for a profile");
        let mut child = Command::new("sh")
            .args(["-c", START])
            .arg(profile.keep())
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--remote-debugging-pipe",
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser can be started");
        let requests = child.stdin.take().expect("it is a pipe");
        let messages = listen(child);
        let mut browser = Self {
            requests,
            messages,
            events: Vec::new(),
            tab: None,
            asked: 0,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", attach);
        browser.tab = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Asks the browser for something and waits for its answer.
    #[track_caller]
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let mut request = json!({"id": self.asked, "method": method});
        request["params"] = params;
        if let Some(tab) = &self.tab {
            request["sessionId"] = json!(tab);
        }
        let mut bytes = request.to_string().into_bytes();
        bytes.push(0);
        let sent = self.requests.write_all(&bytes);
        sent.expect("the browser listens");
        loop {
            let mut message = self.next(method);
            if message["id"] != json!(self.asked) {
                self.events.push(message);
                continue;
            }
            assert!(message["error"].is_null(), "{method}: {}", message["error"]);
            return message["result"].take();
        }
    }

    /// Waits until the browser says that something happened.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, event: &str) {
        while !self.events.iter().any(|seen| seen["method"] == event) {
            let message = self.next(event);
            self.events.push(message);
        }
    }

    #[track_caller]
    fn next(&mut self, wanted: &str) -> Value {
        let message = self.messages.recv_timeout(PATIENCE);
        message.unwrap_or_else(|error| panic!("no answer to {wanted}: {error}"))
    }

    /// What the browser said without being asked since this was called last.
    pub(crate) fn take_events(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.events)
    }
}

/// Reads messages, which end with a zero byte, until the browser ends.
fn listen(mut child: Child) -> Receiver<Value> {
    let (sender, messages) = mpsc::channel();
    thread::spawn(move || {
        let answers = child.stdout.take().expect("it is a pipe");
        for message in BufReader::new(answers).split(0) {
            let Ok(message) = message else { break };
            let message = serde_json::from_slice(&message).expect("the browser speaks JSON");
            if sender.send(message).is_err() {
                break;
            }
        }
        // How it ended is of no interest: a test that waits for it fails by itself.
        let _ = child.wait();
    });
    messages
}
