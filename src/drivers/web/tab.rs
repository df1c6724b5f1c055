//! Tabs: what a browser says about a page while nobody asks.

use std::collections::HashSet;

use serde_json::Value;

use super::coverage::Scripts;
use super::gate::Gate;
use super::link::Asked;
use super::worker::Worker;

/// A page in a browser.
#[derive(Debug, Default)]
pub(super) struct Tab {
    /// The browser's name for our talk with it.
    pub(super) session: String,
    pub(super) target: String,
    /// The frame that is the page itself; as the target, it keeps its name for good.
    pub(super) frame: String,
    /// Frames inside it.
    pub(super) frames: Vec<String>,
    pub(super) url: String,
    /// Why its last page did not open.
    pub(super) failure: Option<String>,
    /// What it asks the user in a window of its own.
    pub(super) dialog: Option<Dialog>,
    /// Requests that are not answered yet.
    requests: HashSet<String>,
    /// Frames that are loading.
    loading: HashSet<String>,
    /// Whether it has asked to go elsewhere, and nothing has come of it yet.
    pub(super) leaving: bool,
    /// Grows with everything that is loaded.
    pub(super) news: u64,
    /// How much of that there was when it was at rest last.
    pub(super) rested: u64,
    /// Its requests that are on their way.
    pub(super) gate: Gate,
    /// How often it went to another page.
    pub(super) arrivals: u64,
    /// Its workers.
    pub(super) workers: Vec<Worker>,
    /// How many workers it has made that we have not met yet.
    pub(super) unmet: i64,
    pub(super) scripts: Scripts,
    /// The question that has put our script into it.
    pub(super) pinned: Option<Asked>,
    /// Where its history begins.
    pub(super) first_entry: Option<u64>,
}

/// A dialog that a page has opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub(super) kind: String,
    pub(super) message: String,
    pub(super) default: String,
}

/// Requests that nobody waits for, because they go on for as long as the page does.
const ENDLESS: [&str; 5] = ["WebSocket", "EventSource", "Ping", "Media", "Preflight"];

impl Tab {
    pub(super) fn new(session: &str, target: &str) -> Self {
        Self {
            session: session.to_owned(),
            target: target.to_owned(),
            frame: target.to_owned(),
            url: "about:blank".to_owned(),
            ..Self::default()
        }
    }

    /// Why it is not at rest, as far as the browser tells.
    pub(super) fn busy(&self) -> Option<&'static str> {
        if !self.loading.is_empty() {
            Some("it never stops loading")
        } else if self.leaving {
            Some("it is about to go elsewhere")
        } else if !self.requests.is_empty() {
            Some("a request is not answered")
        } else {
            None
        }
    }

    /// Gives up waiting for what is still open.
    pub(super) fn give_up(&mut self) {
        self.requests.clear();
        self.loading.clear();
        self.leaving = false;
    }

    /// Takes in something that happened.
    pub(super) fn notice(&mut self, method: &str, params: &Value) {
        let text = |key: &str| params[key].as_str().unwrap_or_default().to_owned();
        match method {
            "Network.requestWillBeSent" => {
                let kind = params["type"].as_str().unwrap_or_default();
                let url = params["request"]["url"].as_str().unwrap_or_default();
                if !ENDLESS.contains(&kind) && url.starts_with("http") {
                    self.requests.insert(text("requestId"));
                    self.gate.announce(params);
                }
            }
            "Network.loadingFinished" => {
                self.gate.ended(&text("requestId"));
                self.requests.remove(&text("requestId"));
            }
            "Network.loadingFailed" => {
                if params["type"] == "Document" {
                    self.failure = Some(text("errorText"));
                }
                self.gate.ended(&text("requestId"));
                self.requests.remove(&text("requestId"));
            }
            "Page.frameStartedLoading" => {
                self.leaving &= text("frameId") != self.frame;
                self.loading.insert(text("frameId"));
            }
            "Page.frameStoppedLoading" => {
                self.loading.remove(&text("frameId"));
            }
            "Page.frameRequestedNavigation" => {
                let here = params["disposition"] == "currentTab" && text("frameId") == self.frame;
                self.leaving |= here;
            }
            "Page.frameAttached" => self.frames.push(text("frameId")),
            "Page.frameDetached" => {
                let gone = text("frameId");
                self.frames.retain(|frame| *frame != gone);
                self.loading.remove(&gone);
            }
            "Page.frameNavigated" => self.arrive(&params["frame"]),
            "Page.navigatedWithinDocument" if text("frameId") == self.frame => {
                self.leaving = false;
                self.url = text("url");
                return;
            }
            "Page.javascriptDialogOpening" => {
                self.dialog = Some(Dialog {
                    kind: text("type"),
                    message: text("message"),
                    default: text("defaultPrompt"),
                });
                return;
            }
            "Page.javascriptDialogClosed" => {
                self.dialog = None;
                return;
            }
            _ => return,
        }
        self.news += 1;
    }

    fn arrive(&mut self, frame: &Value) {
        let id = frame["id"].as_str().unwrap_or_default();
        if id != self.frame {
            return;
        }
        let url = frame["url"].as_str().unwrap_or_default();
        let fragment = frame["urlFragment"].as_str().unwrap_or_default();
        self.url = format!("{url}{fragment}");
        if frame["unreachableUrl"].is_null() {
            self.failure = None;
        }
        self.leaving = false;
        self.arrivals += 1;
        self.frames.clear();
        self.requests.clear();
        self.gate.clear();
    }
}
