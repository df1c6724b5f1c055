//! Browsers that a WebDriver end gives and takes back, spoken to in their debugging protocol.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{End, Session};
use super::grid::{self, Room};
use super::socket::Socket;
use super::way::{self, Way};
use crate::drivers::web::{FLAGS, Host, Link, Plan, Server};
use crate::replay::DriverError;

/// How long a grid may take to start a browser.
const OPENING: Duration = Duration::from_secs(60);
/// How long room for a session is waited for.
const WAITING: Duration = Duration::from_secs(10);
/// How long to wait before a grid is asked again.
const PAUSE: Duration = Duration::from_millis(250);
/// How long anything else may take.
const ANSWERING: Duration = Duration::from_secs(10);

/// Browsers of a WebDriver end.
pub(super) struct Remote {
    pub(super) end: End,
    pub(super) browser: String,
    pub(super) way: Way,
    pub(super) session: Option<String>,
    pub(super) _server: Option<Arc<Server>>,
}

impl Host for Remote {
    fn connect(&mut self, plan: &Plan) -> Result<Link, DriverError> {
        let session = session(&self.end, &self.browser, plan)?;
        self.session = Some(session.id.clone());
        let address = self.address(&session)?;
        let socket = Socket::connect(&address).map_err(|error| {
            DriverError::Unwell(format!("no debugging protocol at {address}: {error}"))
        })?;
        Ok(Link::new(Box::new(socket)))
    }

    fn end(&mut self) {
        if let Some(session) = self.session.take() {
            // A session whose node is gone cannot be ended, and need not be.
            let _ = self.end.close(&session, ANSWERING);
        }
    }
}

impl Remote {
    /// Where the debugging protocol of a session is spoken.
    fn address(&self, session: &Session) -> Result<String, DriverError> {
        let direct = || self.direct(session);
        let by_hub = || way::by_hub(&self.end.base, &session.can);
        let address = match self.way {
            Way::Auto if way::is_here(&self.end.base) => direct().or_else(by_hub),
            Way::Direct => direct(),
            Way::Auto | Way::Hub => by_hub(),
            Way::None => None,
        };
        let browser = session.can["browserName"].as_str().unwrap_or("the browser");
        address.ok_or_else(|| DriverError::Unwell(self.way.missing(browser, &self.end.base)))
    }

    /// The browser's own address, where it can be reached from here.
    fn direct(&self, session: &Session) -> Option<String> {
        let own = session.can["goog:chromeOptions"]["debuggerAddress"].as_str()?;
        // The browser listens on one of the addresses that this name stands for.
        let own = own.replace("localhost", "127.0.0.1");
        let version = format!("http://{own}/json/version");
        let version: Value = self.end.get(&version, ANSWERING).ok()?;
        let address = version["webSocketDebuggerUrl"].as_str()?;
        Some(address.replace("localhost", "127.0.0.1"))
    }
}

/// Opens a session with a new browser for a site.
pub(super) fn session(end: &End, browser: &str, plan: &Plan) -> Result<Session, DriverError> {
    let mut flags: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
    flags.extend(plan.flags());
    let mut options = json!({"args": flags});
    if !plan.names_no_browser() {
        options["binary"] = json!(plan.setup.chromium);
    }
    let mut wanted = json!({"browserName": browser, "unhandledPromptBehavior": "ignore"});
    match browser {
        "firefox" => wanted["moz:firefoxOptions"] = json!({"args": ["-headless"]}),
        "MicrosoftEdge" | "msedge" => wanted["ms:edgeOptions"] = options,
        "chrome" | "chromium" => wanted["goog:chromeOptions"] = options,
        _ => {}
    }
    await_room(end, browser)?;
    end.open(&wanted, OPENING)
}

/// Waits until there is room for a session. One that is asked for earlier would stand in line at
/// the hub and take up a slot when nobody waits for it any more.
fn await_room(end: &End, browser: &str) -> Result<(), DriverError> {
    let since = Instant::now();
    loop {
        let status = format!("{}/status", end.base);
        let status = end.get(&status, ANSWERING)?;
        let room = grid::room(&status, browser);
        let why = match room {
            Some(Room::Unknown | Room::Slots { free: 1.., .. }) => return Ok(()),
            None => {
                let base = &end.base;
                return Err(DriverError::Unwell(format!(
                    "{base} is no WebDriver end: it does not tell its status at {base}/status"
                )));
            }
            Some(Room::Others(others)) => {
                return Err(DriverError::Unwell(format!(
                    "no node of the grid has {}; they have {} (&browser=NAME asks for another one)",
                    browser,
                    others.join(", ")
                )));
            }
            Some(Room::NoNodes) => "the grid has no node that is up".to_owned(),
            Some(Room::Slots { all, .. }) => format!(
                "the grid has no free slot for {browser} ({all} are taken or lost); a smaller count= leaves \
                 some, more nodes make some"
            ),
        };
        if since.elapsed() > WAITING {
            return Err(DriverError::Unwell(why));
        }
        thread::sleep(PAUSE);
    }
}
