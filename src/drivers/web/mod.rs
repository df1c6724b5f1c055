//! Web apps in a local Chromium, which is spoken to in its debugging protocol.
//!
//! A clean start is a new context of the browser: storage, cookies, cache, service workers and
//! permissions are gone, and the browser goes on. Screens come from the accessibility tree,
//! coverage from V8, and what an app takes from chance or from the clock is pinned, so that a step
//! shows the same on every try.
#![expect(
    clippy::disallowed_methods,
    reason = "a page that hangs is seen by the clock, and a folder is served by a thread"
)]

mod act;
mod blocks;
mod browser;
mod chromium;
mod coverage;
mod dom;
mod fault;
mod find;
mod gate;
mod keys;
mod link;
mod look;
mod offers;
mod plan;
mod rest;
mod serve;
mod site;
mod start;
mod tab;
mod tokens;
mod tree;
mod visitor;
mod wire;
mod worker;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use chromium::Chromium;
pub use link::{Answer, Asked, Event, Link};
pub use plan::WebSetup;
pub use serve::Server;

pub(super) use act::{FILL, SELECT};
pub(super) use chromium::FLAGS;
pub(super) use fault::exception;
pub(super) use plan::Plan;
pub(super) use visitor::{Host, Visitor};
pub(super) use wire::{LONGEST, WRITING, Wire, is_slow};

use site::place;
pub(super) use site::{host, join, page};

use super::{DeviceUrl, OpenError, Setup};
use crate::model::sha256;
use crate::replay::{Driver, DriverError, Fleet};

/// What stands between a folder that is served and the page in it that is opened.
const INNER: &str = "/./";

/// Opens browsers on the site behind a URL.
pub(super) fn open(url: &DeviceUrl, n_open: usize, setup: &Setup) -> Result<Fleet, OpenError> {
    let count = url.count()?;
    let is_page = is_address(url);
    if !is_page {
        url.allow(&["count", "page"])?;
    }
    let Some(program) = Chromium::find(&setup.web.chromium) else {
        return Err(url.wrong(
            "there is no Chromium; install one, or name it with --set web.chromium=PATH".to_owned(),
        ));
    };
    let site = if is_page {
        page_of(url)
    } else {
        let page = url.option("page").map(|page| format!("{INNER}{page}"));
        format!("{}{}", url.rest, page.unwrap_or_default())
    };
    let (page, server, identity) = site_of(&site).map_err(|reason| url.wrong(reason))?;
    let plan = Plan {
        url: page,
        setup: setup.web.clone(),
    };
    let device = |number| -> Box<dyn Driver> {
        let host = Local {
            program: program.clone(),
            chromium: None,
            _server: server.clone(),
        };
        let name = format!("web-{}", n_open + number);
        Box::new(Visitor::new(name, plan.clone(), Box::new(host), setup))
    };
    Ok(Fleet {
        kind: "web",
        sha256: plan.digest(&identity, setup),
        costs: None,
        actions: None,
        untold: None,
        devices: (1..=count).map(device).collect(),
    })
}

impl Plan {
    /// Stands for the site and everything that decides what it shows.
    pub(crate) fn digest(&self, identity: &str, setup: &Setup) -> String {
        let WebSetup {
            allow_hosts,
            pin_clock,
            pin_random,
            step,
            width,
            height,
            ..
        } = &self.setup;
        let shown = format!("{allow_hosts:?} {pin_clock} {pin_random} {step:?} {width} {height}");
        let screens = setup.digest();
        sha256(format!("web\n{identity}\n{shown}\n{screens}\n").as_bytes())
    }
}

/// The page that a start opens: its address, or its path where a folder is served.
pub(super) fn opened(url: &DeviceUrl) -> String {
    let path = Path::new(&url.rest);
    if is_address(url) {
        return page_of(url);
    }
    let name = path.file_name().filter(|_| path.is_file());
    let name = name.and_then(|name| name.to_str());
    let page = url.option("page").or(name).unwrap_or_default();
    format!("/{}", page.trim_start_matches('/'))
}

fn is_address(url: &DeviceUrl) -> bool {
    url.rest.starts_with("http://") || url.rest.starts_with("https://")
}

/// The address of the page: everything but our own options.
fn page_of(url: &DeviceUrl) -> String {
    let own = url.options.iter().filter(|(key, _)| key != "count");
    let pair = |(key, value): &(String, String)| match &**value {
        "" => key.clone(),
        value => format!("{key}={value}"),
    };
    let query = own.map(pair).collect::<Vec<_>>().join("&");
    if query.is_empty() {
        url.rest.clone()
    } else {
        format!("{}?{query}", url.rest)
    }
}

/// The page to open: one that is served somewhere, or a folder or a file, which is served here. Its
/// address, its server, and what stands for it.
pub(super) fn site_of(page: &str) -> Result<(String, Option<Arc<Server>>, String), String> {
    let written = if page.starts_with("http%3A") || page.contains("%26") {
        serve::unescape(page).ok_or_else(|| format!("`{page}` is not escaped as addresses are"))?
    } else {
        page.to_owned()
    };
    if written.starts_with("http://") || written.starts_with("https://") {
        return Ok((written.clone(), None, written));
    }
    let (path, inner) = page.split_once(INNER).unwrap_or((page, ""));
    let path = Path::new(path);
    let (folder, page) = if path.is_dir() {
        (path.to_owned(), inner.trim_start_matches('/'))
    } else if path.is_file() {
        let name = path.file_name().and_then(|name| name.to_str());
        let around = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = around.unwrap_or(Path::new(".")).to_owned();
        (folder, name.unwrap_or_default())
    } else {
        return Err(
            "it is neither http://HOST/PATH nor a folder or a page that is there".to_owned(),
        );
    };
    let unread = |reason: String| format!("{}: {reason}", folder.display());
    let whole = folder
        .canonicalize()
        .map_err(|error| unread(error.to_string()))?;
    if serve::inside(&whole, page).is_none() {
        let missing = if page.is_empty() { "index.html" } else { page };
        return Err(unread(format!(
            "there is no {missing} in it; ?page= names the page to open"
        )));
    }
    let digest = digest(&folder).map_err(unread)?;
    let server = Server::start(&folder).map_err(|error| unread(error.to_string()))?;
    let url = format!("{}/{page}", server.url());
    Ok((url, Some(Arc::new(server)), format!("{digest} /{page}")))
}

/// Stands for everything in a folder.
fn digest(folder: &Path) -> Result<String, String> {
    let mut lines = String::new();
    let walk = walkdir::WalkDir::new(folder).sort_by_file_name();
    for entry in walk {
        let entry = entry.map_err(|error| error.to_string())?;
        if entry.file_type().is_file() {
            let bytes = std::fs::read(entry.path()).map_err(|error| error.to_string())?;
            let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let _ = writeln!(lines, "{}  {}", sha256(&bytes), name.display());
        }
    }
    Ok(sha256(lines.as_bytes()))
}

/// Browsers of this machine.
struct Local {
    program: PathBuf,
    chromium: Option<Chromium>,
    _server: Option<Arc<Server>>,
}

impl Host for Local {
    fn connect(&mut self, plan: &Plan) -> Result<Link, DriverError> {
        let mut flags = plan.flags();
        // The page that is there from the beginning keeps the browser alive between two starts.
        flags.push("about:blank".to_owned());
        let started = Chromium::start(&self.program, &flags);
        let (chromium, link) = started.map_err(|error| {
            DriverError::Unwell(format!(
                "{} does not start: {error}",
                self.program.display()
            ))
        })?;
        self.chromium = Some(chromium);
        Ok(link)
    }

    fn end(&mut self) {
        self.chromium = None;
    }
}
