//! Web apps through any W3C WebDriver end that passes on Chromium's debugging protocol:
//! chromedriver, or Selenium Grid with its nodes.
//!
//! The end gives and takes back browsers; all else is what [`web`] does. A session that
//! breaks is the device's trouble, and the next one may be on another node.
#![expect(
    clippy::disallowed_methods,
    reason = "room on a grid is waited for by the clock"
)]

mod client;
mod grid;
mod host;
mod plain;
mod socket;
mod way;

use client::End;
use host::Remote;
use plain::Plain;
use way::Way;

use super::web::{self, Plan, Visitor};
use super::{DeviceUrl, OpenError, Setup};
use crate::replay::{Driver, Fleet};

/// Opens browsers behind a WebDriver end on the site that the URL names.
pub(super) fn open(url: &DeviceUrl, n_open: usize, setup: &Setup) -> Result<Fleet, OpenError> {
    url.allow(&["url", "count", "browser", "cdp"])?;
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
    if server.is_some() && !way::is_here(end) {
        let reason = "a folder is served on this machine alone, where browsers of another one do not \
                      get; serve it where they do, and name its address with ?url=http://HOST/PATH";
        return Err(url.wrong(reason.to_owned()));
    }
    let plan = Plan {
        url: page,
        setup: setup.web.clone(),
    };
    let browser = url.option("browser").unwrap_or("chrome").to_owned();
    let way = Way::of(url)?;
    let sha256 = match way {
        // What a script makes of a page has names of its own.
        Way::None => plan.digest(&format!("{identity} by W3C commands"), setup),
        _ => plan.digest(&identity, setup),
    };
    let device = |number| -> Box<dyn Driver> {
        let name = format!("webdriver-{}", n_open + number);
        if way == Way::None {
            let far = (End::new(end), browser.clone());
            return Box::new(Plain::new(name, plan.clone(), far, server.clone(), setup));
        }
        let host = Remote {
            end: End::new(end),
            browser: browser.clone(),
            way,
            session: None,
            _server: server.clone(),
        };
        Box::new(Visitor::new(name, plan.clone(), Box::new(host), setup))
    };
    Ok(Fleet {
        kind: "webdriver",
        sha256,
        costs: None,
        actions: None,
        untold: (way == Way::None).then_some(plain::UNTOLD),
        devices: (1..=url.count()?).map(device).collect(),
    })
}
