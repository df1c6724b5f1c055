//! Web apps through any W3C WebDriver end that passes on Chromium's debugging protocol:
//! chromedriver, or Selenium Grid with its nodes.
//!
//! The end gives and takes back browsers; all else is what [`web`] does. A session that
//! breaks is the device's trouble, and the next one may be on another node.

mod client;
mod socket;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use client::{End, Session};
use socket::Socket;

use super::web::{self, FLAGS, Host, Link, Plan, Server, Visitor};
use super::{DeviceUrl, OpenError, Setup};
use crate::replay::{Driver, DriverError, Fleet};

/// How long a grid may take to find a browser.
const OPENING: Duration = Duration::from_secs(60);
/// How long a hub may take to pass a message on.
const PACE: Duration = Duration::from_millis(30);
/// How long anything else may take.
const ANSWERING: Duration = Duration::from_secs(10);

/// Opens browsers behind a WebDriver end on the site that the URL names.
pub(super) fn open(url: &DeviceUrl, n_open: usize, setup: &Setup) -> Result<Fleet, OpenError> {
    url.allow(&["url", "count", "browser"])?;
    let end = &url.rest;
    if !end.starts_with("http://") {
        let reason = "it looks like webdriver:http://HOST:4444?url=http://HOST/PATH";
        return Err(url.wrong(reason.to_owned()));
    }
    let Some(page) = url.option("url").filter(|page| !page.is_empty()) else {
        let reason = "it needs ?url=, the page to open; its own & is written %26";
        return Err(url.wrong(reason.to_owned()));
    };
    let (page, server, identity) = web::site_of(page).map_err(|reason| url.wrong(reason))?;
    let plan = Plan {
        url: page,
        setup: setup.web.clone(),
    };
    let browser = url.option("browser").unwrap_or("chrome").to_owned();
    let device = |number| -> Box<dyn Driver> {
        let host = Remote {
            end: End::new(end),
            base: end.clone(),
            browser: browser.clone(),
            session: None,
            _server: server.clone(),
        };
        let name = format!("webdriver-{}", n_open + number);
        Box::new(Visitor::new(name, plan.clone(), Box::new(host), setup))
    };
    Ok(Fleet {
        kind: "webdriver",
        sha256: plan.digest(&identity, setup),
        costs: None,
        actions: None,
        devices: (1..=url.count()?).map(device).collect(),
    })
}

/// Browsers of a WebDriver end.
struct Remote {
    end: End,
    base: String,
    browser: String,
    session: Option<String>,
    _server: Option<Arc<Server>>,
}

impl Host for Remote {
    fn connect(&mut self, plan: &Plan) -> Result<Link, DriverError> {
        let mut flags: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
        flags.extend(plan.flags());
        let mut options = json!({"args": flags});
        if !plan.names_no_browser() {
            options["binary"] = json!(plan.setup.chromium);
        }
        let wanted = json!({"browserName": self.browser, "goog:chromeOptions": options});
        let session = self.end.open(&wanted, OPENING)?;
        self.session = Some(session.id.clone());
        let address = self.address(&session)?;
        let socket = Socket::connect(&address).map_err(|error| {
            DriverError::Unwell(format!("no debugging protocol at {address}: {error}"))
        })?;
        let is_passed_on = address.contains("/se/");
        let pace = if is_passed_on { PACE } else { Duration::ZERO };
        Ok(Link::paced(Box::new(socket), pace))
    }

    fn end(&mut self) {
        if let Some(session) = self.session.take() {
            // A session whose node is gone cannot be ended, and need not be.
            let _ = self.end.close(&session, ANSWERING);
        }
    }
}

impl Remote {
    /// Whether the end is on this machine, so that its browsers can be spoken to directly.
    fn is_here(&self) -> bool {
        let hosts = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
        hosts.iter().any(|host| self.base.starts_with(host))
    }

    /// Where the debugging protocol of a session is spoken.
    fn address(&self, session: &Session) -> Result<String, DriverError> {
        let direct = &session.can["goog:chromeOptions"]["debuggerAddress"];
        if let Some(direct) = direct.as_str().filter(|_| self.is_here()) {
            // The browser listens on one of the addresses that this name stands for.
            let direct = direct.replace("localhost", "127.0.0.1");
            let version = format!("http://{direct}/json/version");
            let version: Value = self.end.get(&version, ANSWERING).unwrap_or_default();
            if let Some(address) = version["webSocketDebuggerUrl"].as_str() {
                return Ok(address.replace("localhost", "127.0.0.1"));
            }
        }
        if let Some(passed_on) = session.can["se:cdp"].as_str() {
            // A hub may know itself by a name that is of no use here.
            let path = passed_on.splitn(4, '/').nth(3).unwrap_or_default();
            let authority = self.base.trim_start_matches("http://");
            let authority = authority.split('/').next().unwrap_or_default();
            return Ok(format!("ws://{authority}/{path}"));
        }
        let browser = session.can["browserName"].as_str().unwrap_or("the browser");
        Err(DriverError::Unwell(format!(
            "{browser} behind {} does not pass on the debugging protocol of Chromium (neither se:cdp \
             nor a debugger address): without it neither coverage nor faults nor accessibility trees \
             can be measured there; use a Chromium behind chromedriver or Selenium Grid 4",
            self.base
        )))
    }
}
