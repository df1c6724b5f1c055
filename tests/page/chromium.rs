//! A headless Chromium, spoken to by the client of web devices.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::env;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reduce_suite::drivers::web::{self, Link};
use serde_json::{Value, json};

/// How long a single answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// One browser for all tests, which take turns: starting it takes longer than most of them.
static SHARED: LazyLock<Option<Mutex<Chromium>>> =
    LazyLock::new(|| Chromium::start().map(Mutex::new));

/// A running browser with one tab.
pub(crate) struct Chromium {
    link: Link,
    /// What the browser said without being asked.
    events: Vec<Value>,
    tab: Option<String>,
    _process: web::Chromium,
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
        let program = web::Chromium::find("auto")?;
        let started = web::Chromium::start(&program, &["about:blank".to_owned()]);
        let (process, link) = started.expect("the browser can be started");
        let mut browser = Self {
            link,
            events: Vec::new(),
            tab: None,
            _process: process,
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
        let tab = self.tab.clone();
        let answer = self.link.call(tab.as_deref(), method, params, PATIENCE);
        self.gather();
        let answer = answer.unwrap_or_else(|error| panic!("no answer to {method}: {error}"));
        answer.unwrap_or_else(|reason| panic!("{method}: {reason}"))
    }

    fn gather(&mut self) {
        while let Some(event) = self.link.event() {
            let event = json!({"method": event.method, "params": event.params});
            self.events.push(event);
        }
    }

    /// Waits until the browser says that something happened.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, event: &str) {
        while !self.events.iter().any(|seen| seen["method"] == event) {
            let heard = self.link.listen(PATIENCE);
            assert_eq!(heard, Ok(true), "nothing is heard of {event}");
            self.gather();
        }
    }

    /// What the browser said without being asked since this was called last.
    pub(crate) fn take_events(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.events)
    }
}
