//! The gate that requests of a page pass: where they may go, and scripts one after the other.
//!
//! An app that loads many scripts at once does things in the order of their arrival, which is another
//! one every time. Here each script sets out when the one before it is there.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::browser::Browser;
use crate::replay::DriverError;

/// How long other scripts wait for one.
const PATIENCE: Duration = Duration::from_secs(1);

/// Requests that wait for each other.
#[derive(Debug, Default)]
pub(super) struct Gate {
    /// Those that wait, by the browser's numbers for the stop and for the request.
    waiting: VecDeque<(String, String)>,
    /// The request that is on its way, and since when.
    passing: Option<(String, Instant)>,
}

impl Gate {
    /// A request has ended.
    pub(super) fn ended(&mut self, request: &str) {
        if self.passing.as_ref().is_some_and(|(id, _)| id == request) {
            self.passing = None;
        }
    }

    /// The stop of the request that may set out now.
    fn next(&mut self) -> Option<String> {
        let is_taken = self
            .passing
            .as_ref()
            .is_some_and(|(_, since)| since.elapsed() < PATIENCE);
        if is_taken {
            return None;
        }
        let (stop, request) = self.waiting.pop_front()?;
        self.passing = Some((request, Instant::now()));
        Some(stop)
    }
}

impl Browser {
    /// Lets a page be gone to, or stays where it is.
    pub(super) fn guard(&mut self, session: &str, params: &Value) -> Result<(), DriverError> {
        let id = &params["requestId"];
        let url = params["request"]["url"].as_str().unwrap_or_default();
        if params["resourceType"] != "Document" {
            let text = |key: &str| params[key].as_str().unwrap_or_default().to_owned();
            let tab = self.tabs.iter_mut().find(|tab| tab.session == session);
            if let Some(tab) = tab {
                let request = (text("requestId"), text("networkId"));
                tab.gate.waiting.push_back(request);
            }
            return self.admit();
        }
        if self.plan.allows(url) {
            let go = json!({"requestId": id});
            self.link.tell(Some(session), "Fetch.continueRequest", go)?;
        } else {
            // "No content" leaves the page as it is.
            let stay = json!({"requestId": id, "responseCode": 204});
            self.link
                .tell(Some(session), "Fetch.fulfillRequest", stay)?;
            // A tab that was opened for nothing else is of no use.
            let tab = self.tabs.iter().skip(1).find(|tab| tab.session == session);
            if let Some(tab) = tab.filter(|tab| tab.url == "about:blank") {
                let target = json!({"targetId": tab.target});
                self.link.tell(None, "Target.closeTarget", target)?;
            }
        }
        Ok(())
    }

    /// Lets the requests set out whose turn it is.
    pub(super) fn admit(&mut self) -> Result<(), DriverError> {
        for tab in &mut self.tabs {
            if let Some(stop) = tab.gate.next() {
                let go = json!({"requestId": stop});
                self.link
                    .tell(Some(&tab.session), "Fetch.continueRequest", go)?;
            }
        }
        Ok(())
    }
}
