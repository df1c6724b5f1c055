//! Which way the debugging protocol of a browser behind a WebDriver end is spoken.

use serde_json::Value;

use crate::drivers::{DeviceUrl, OpenError};

/// A way to a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// The browser's own address where the end is on this machine, else through the hub.
    Auto,
    /// The browser's own address.
    Direct,
    /// Through the hub of a grid.
    Hub,
    /// Not at all: by the commands of the standard alone.
    None,
}

/// Browsers that have a debugging protocol, by their names in the standard.
const CHROMIUMS: [&str; 4] = ["chrome", "chromium", "MicrosoftEdge", "msedge"];

/// The ways by the words for them.
const WAYS: [(&str, Way); 4] = [
    ("auto", Way::Auto),
    ("direct", Way::Direct),
    ("hub", Way::Hub),
    ("none", Way::None),
];

impl Way {
    /// The way that a URL asks for.
    pub(super) fn of(url: &DeviceUrl) -> Result<Self, OpenError> {
        // Other browsers have no such protocol.
        let browser = url.option("browser").unwrap_or("chrome");
        let usual = if CHROMIUMS.contains(&browser) {
            "auto"
        } else {
            "none"
        };
        let asked = url.option("cdp").unwrap_or(usual);
        let found = WAYS.iter().find(|(word, _)| *word == asked);
        found.map(|(_, way)| *way).ok_or_else(|| {
            let words: Vec<&str> = WAYS.iter().map(|(word, _)| *word).collect();
            url.wrong(format!("cdp={asked} is none of {}", words.join(", ")))
        })
    }

    /// What is to be said where the way leads nowhere.
    pub(super) fn missing(self, browser: &str, base: &str) -> String {
        let sought = match self {
            Self::Auto => "neither se:cdp nor a debugger address that can be reached from here",
            Self::Direct => "no debugger address that can be reached from here",
            Self::Hub => "no se:cdp",
            Self::None => "nobody asked for it",
        };
        format!(
            "{browser} behind {base} does not pass on the debugging protocol of Chromium ({sought}): \
             without it coverage cannot be measured there; use a Chromium behind chromedriver or Selenium \
             Grid 4, or add &cdp=none to go on by W3C commands alone"
        )
    }
}

/// Whether an end is on this machine, so that its browsers can be spoken to directly.
pub(super) fn is_here(base: &str) -> bool {
    let hosts = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
    let rest = hosts.iter().find_map(|host| base.strip_prefix(host));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
}

/// Where a hub passes the debugging protocol of a session on.
pub(super) fn by_hub(base: &str, can: &Value) -> Option<String> {
    let passed_on = can["se:cdp"].as_str()?;
    // A hub may know itself by a name that is of no use here.
    let path = passed_on.splitn(4, '/').nth(3).unwrap_or_default();
    let authority = base.trim_start_matches("http://");
    let authority = authority.split('/').next().unwrap_or_default();
    Some(format!("ws://{authority}/{path}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{by_hub, is_here};

    #[test]
    fn names_that_begin_like_this_machine_are_other_machines() {
        for here in [
            "http://127.0.0.1:4444",
            "http://localhost/wd/hub",
            "http://[::1]",
        ] {
            assert!(is_here(here), "{here}");
        }
        for there in [
            "http://127.0.0.100:1",
            "http://localhost.test",
            "http://hub:4444",
        ] {
            assert!(!is_here(there), "{there}");
        }
    }

    #[test]
    fn a_hub_is_reached_where_it_was_reached_before() {
        let can = json!({"se:cdp": "ws://10.0.0.1:4444/session/1/se/cdp"});
        let address = by_hub("http://127.0.0.1:7/wd/hub", &can);
        assert_eq!(
            address.as_deref(),
            Some("ws://127.0.0.1:7/session/1/se/cdp")
        );
        assert_eq!(by_hub("http://127.0.0.1:7", &json!({})), None);
    }
}
