//! Layer 4: the devices themselves, one file or folder a kind, opened by URL.

mod adb;
mod setup;
mod simulated;
mod url;
pub mod web;
mod webdriver;

use std::path::PathBuf;

pub use setup::{Android, Jacoco, Setup};
pub use simulated::{App, AppError, calm};
pub use url::DeviceUrl;
pub use web::WebSetup;

use crate::model::act::{Act, Verb};
use crate::replay::Fleet;

/// A kind of device.
pub struct DriverKind {
    /// The scheme of its URLs.
    pub scheme: &'static str,
    /// What a URL looks like, for help texts.
    pub example: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Opens all devices behind a URL; so many are open already, for names of their own.
    pub open: fn(&DeviceUrl, usize, &Setup) -> Result<Fleet, OpenError>,
}

/// All kinds of devices.
#[must_use]
pub fn all() -> &'static [DriverKind] {
    &[
        DriverKind {
            scheme: "sim",
            example: "sim:app.json?count=4",
            about: "the embedded simulated device on an app model",
            open: simulated::open,
        },
        DriverKind {
            scheme: "adb",
            example: "adb://HOST:5037/SERIAL",
            about: "Android devices of an adb server; `adb:` is every device of the local one",
            open: adb::open,
        },
        DriverKind {
            scheme: "web",
            example: "web:http://127.0.0.1:8080/?count=2",
            about: "a web app, or a folder that holds one, in a local Chromium",
            open: web::open,
        },
        DriverKind {
            scheme: "webdriver",
            example: "webdriver:http://127.0.0.1:4444?url=http://127.0.0.1:8080/",
            about: "a web app through chromedriver or Selenium Grid 4",
            open: webdriver::open,
        },
    ]
}

/// Why devices could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL makes no sense.
    #[error("device `{url}`: {reason}")]
    Url {
        /// As given.
        url: String,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// The app model is missing or wrong.
    #[error("app model {path}: {source}", path = path.display())]
    App {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: AppError,
    },
    /// Devices that run different apps were mixed.
    #[error("`{first}` and `{second}` run different apps; their runs cannot be mixed")]
    Mixed {
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
    /// None was given.
    #[error("no device; name one with --device, for instance --device sim:app.json")]
    None,
}

/// What a clean start on a device comes to for whoever replays a trace elsewhere: the page that
/// is opened, by its address or, where a folder is served, by its path.
#[must_use]
pub fn opening(url: &str) -> Option<Act> {
    let url = DeviceUrl::parse(url).ok()?;
    let page = (url.scheme == "web").then(|| web::opened(&url))?;
    Some(Act::plain(Verb::Open(page)))
}

/// Opens the devices behind all URLs as one fleet.
pub fn open(urls: &[String], setup: &Setup) -> Result<Fleet, OpenError> {
    let mut whole: Option<(&String, Fleet)> = None;
    for text in urls {
        let url = DeviceUrl::parse(text)?;
        let Some(kind) = all().iter().find(|kind| kind.scheme == url.scheme) else {
            let known: Vec<_> = all().iter().map(|kind| kind.example).collect();
            return Err(OpenError::Url {
                url: text.clone(),
                reason: format!("unknown kind of device; known are {}", known.join(", ")),
            });
        };
        let n_open = whole.as_ref().map_or(0, |(_, fleet)| fleet.devices.len());
        let fleet = (kind.open)(&url, n_open, setup)?;
        match &mut whole {
            None => whole = Some((text, fleet)),
            Some((first, known)) => {
                if known.sha256 != fleet.sha256 {
                    return Err(OpenError::Mixed {
                        first: (*first).clone(),
                        second: text.clone(),
                    });
                }
                known.devices.extend(fleet.devices);
            }
        }
    }
    whole.map(|(_, fleet)| fleet).ok_or(OpenError::None)
}
