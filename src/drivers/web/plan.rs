//! What a browser is to do with a site: where it starts, what it may reach, what is pinned.

use std::time::Duration;

use serde_json::json;

use super::chromium::AUTO;
use super::site;

/// The settings of pages.
#[derive(Debug, Clone, PartialEq)]
pub struct WebSetup {
    /// The browser to start: a path or a name on the `PATH`; `auto` is whichever is installed.
    pub chromium: String,
    /// Hosts besides that of the page which it may reach.
    pub allow_hosts: Vec<String>,
    /// Whether the page's clock stands still between steps and starts at the same moment.
    pub pin_clock: bool,
    /// Whether chance is drawn from the seed of the run.
    pub pin_random: bool,
    /// How much of the page's time passes after an action where the clock is pinned.
    pub step: Duration,
    /// How long nothing may change before a page is at rest, where the clock is not pinned.
    pub calm: Duration,
    /// How long a page may take to come to rest.
    pub quiet: Duration,
    /// How long a page may take to come up.
    pub load: Duration,
    /// The most elements of a page that is looked at.
    pub max_elements: u64,
    /// The size of the window.
    pub width: u32,
    /// The size of the window.
    pub height: u32,
}

/// The moment at which a pinned clock starts: noon of a Wednesday that is nobody's holiday, in
/// milliseconds.
const MORNING: u64 = 1_715_774_400_000;

/// A site and how it is visited.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) url: String,
    pub(crate) setup: WebSetup,
}

impl Plan {
    /// Whether any browser will do.
    pub(crate) fn names_no_browser(&self) -> bool {
        self.setup.chromium == AUTO
    }

    /// The host of the site.
    pub(super) fn host(&self) -> &str {
        site::host(&self.url)
    }

    /// Whether a page may be gone to.
    pub(crate) fn allows(&self, url: &str) -> bool {
        if !url.starts_with("http://") && !url.starts_with("https://") {
            return url.starts_with("about:")
                || url.starts_with("data:")
                || url.starts_with("blob:");
        }
        let host = site::host(url);
        site::authority(url) == site::authority(&self.url)
            || self.setup.allow_hosts.iter().any(|known| known == host)
    }

    /// What a browser is told on its command line: hosts that it may not reach do not exist.
    pub(crate) fn flags(&self) -> Vec<String> {
        let mut rules = format!("MAP * ~NOTFOUND , EXCLUDE {}", self.host());
        for host in &self.setup.allow_hosts {
            rules.push_str(" , EXCLUDE ");
            rules.push_str(host);
        }
        vec![
            format!("--host-resolver-rules={rules}"),
            format!("--window-size={},{}", self.setup.width, self.setup.height),
        ]
    }

    /// The script that goes before everything else on a page.
    pub(crate) fn script(&self, seed: u64, now: u64) -> String {
        let plan = json!({
            "clock": self.setup.pin_clock,
            "random": self.setup.pin_random,
            "seed": seed as u32,
            "now": now,
        });
        format!("({})({plan});", include_str!("page.js").trim_end())
    }

    /// The first moment of a run.
    pub(super) fn morning() -> u64 {
        MORNING
    }

    /// Asks a page to say when it has run what has arrived.
    pub(super) fn calm() -> &'static str {
        "globalThis[Symbol.for('reduce-suite')]?.calm()"
    }

    /// Asks a page or a worker to come to rest at a moment of its clock.
    pub(crate) fn rest(&self, end: u64) -> String {
        let Self { setup, .. } = self;
        format!(
            "globalThis[Symbol.for('reduce-suite')]?.rest({end}, {}, {})",
            setup.calm.as_millis(),
            setup.quiet.as_millis(),
        )
    }
}
