//! Web apps by the commands of the standard alone, where no debugging protocol gets through: screens,
//! dialogs, windows and faults, and no coverage.
//!
//! Every start is a new session. Screens come from a script that reads the page, so they are other
//! screens than those of an accessibility tree, and suites of the one are not replayed by the other.

mod act;
mod gestures;
mod page;
mod talk;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use page::Page;
use talk::{Said, Talk};

use super::client::End;
use super::host;
use crate::abstraction::{Abstraction, Lens};
use crate::drivers::Setup;
use crate::drivers::web::{self, Plan, Server};
use crate::model::act::Act;
use crate::model::window::Window;
use crate::replay::{Aim, Driver, DriverError, Reaction, Sight, Start};

/// What cannot be told this way, for whoever reads the result.
pub(super) const UNTOLD: &str = "by W3C commands alone (cdp=none): no coverage of code, the clock and what \
                                 happens before a page has loaded are not pinned, frames are not looked \
                                 into, faults while loading are missed";
/// Pages that browsers show instead of those that do not open.
const ERRORS: [&str; 2] = ["chrome-error:", "about:neterror"];
/// How often a page that goes elsewhere meanwhile is looked at.
const LOOKS: usize = 5;

/// A device that visits a site.
pub(super) struct Plain {
    pub(super) name: String,
    pub(super) plan: Plan,
    pub(super) end: End,
    pub(super) browser: String,
    session: Option<String>,
    /// The windows from the first to the one in front.
    windows: Vec<String>,
    seen: Page,
    aim: Option<Aim>,
    faults: Vec<String>,
    seed: u64,
    dead: bool,
    abstraction: &'static Abstraction,
    lens: Lens,
    _server: Option<Arc<Server>>,
}

impl Plain {
    pub(super) fn new(
        name: String,
        mut plan: Plan,
        (end, browser): (End, String),
        server: Option<Arc<Server>>,
        setup: &Setup,
    ) -> Self {
        // A script comes too late to pin what the page has begun with.
        plan.setup.pin_clock = false;
        Self {
            name,
            plan,
            end,
            browser,
            session: None,
            windows: Vec::new(),
            seen: Page::default(),
            aim: None,
            faults: Vec::new(),
            seed: 0,
            dead: false,
            abstraction: setup.abstraction,
            lens: setup.lens.clone(),
            _server: server,
        }
    }

    fn talk(&self) -> Result<Talk<'_>, DriverError> {
        Ok(Talk {
            end: &self.end,
            session: self.session.as_deref().ok_or(DriverError::Lost)?,
            limit: self.plan.setup.quiet,
        })
    }

    fn close(&mut self) {
        if let Some(session) = self.session.take() {
            // A session whose node is gone cannot be ended, and need not be.
            let _ = self.end.close(&session, Duration::from_secs(10));
        }
    }

    fn begin(&mut self, start: Start) -> Result<Sight, DriverError> {
        let since = Instant::now();
        self.close();
        let session = host::session(&self.end, &self.browser, &self.plan)?;
        self.session = Some(session.id);
        self.faults.clear();
        (self.seed, self.dead, self.aim) = (start.seed.0, false, None);
        let (quiet, load) = (self.plan.setup.quiet, self.plan.setup.load);
        let script = (quiet + Duration::from_secs(5)).as_millis() as u64;
        let limits = json!({"script": script, "pageLoad": load.as_millis() as u64});
        let talk = self.talk()?;
        talk.tell("POST", "/timeouts", &limits)?;
        let windows = talk.windows()?;
        let opened = talk.tell("POST", "/url", &json!({"url": self.plan.url}));
        opened.map_err(|error| self.unopened(&error.to_string()))?;
        self.windows = windows;
        let sight = self.sight(since)?;
        let page = &self.seen.window.activity;
        if ERRORS.iter().any(|start| page.starts_with(start)) {
            return Err(self.unopened("the browser shows an error"));
        }
        Ok(sight)
    }

    fn unopened(&self, why: &str) -> DriverError {
        let url = &self.plan.url;
        DriverError::Unwell(format!(
            "{url} does not open: {why}; is the server running?"
        ))
    }

    /// Looks at the page in front once it is at rest.
    fn sight(&mut self, since: Instant) -> Result<Sight, DriverError> {
        for _ in 0..LOOKS {
            if self.look()? {
                break;
            }
        }
        let mut faults = std::mem::take(&mut self.faults);
        let fault = (!faults.is_empty()).then(|| faults.remove(0));
        Ok(Sight {
            screen: self.abstraction.screen(&self.seen.window, &self.lens),
            covers: faults
                .into_iter()
                .map(|fault| format!("fault:{fault}"))
                .collect(),
            fault,
            micros: since.elapsed().as_micros() as u64,
            aim: self.aim.take(),
        })
    }

    /// One look; false when the page went elsewhere meanwhile.
    fn look(&mut self) -> Result<bool, DriverError> {
        let talk = self.talk()?;
        let activity = self.seen.window.activity.clone();
        if let Some(message) = talk.dialog()? {
            self.seen = Page::dialog(&message, activity);
            return Ok(true);
        }
        let open = talk.windows()?;
        let Some(front) = front(&self.windows, &open) else {
            self.dead = true;
            self.seen = Page::read(
                &json!({"widgets": [{"class": "page", "description": "(closed)"}]}),
                activity,
            );
            return Ok(true);
        };
        if self.windows.last() != Some(&front) {
            talk.tell("POST", "/window", &json!({"handle": front}))?;
        }
        let ours = self.plan.script(self.seed, 0);
        let listen = include_str!("listen.js");
        let prepared = talk.run(&format!("{ours}\n{listen}"), &json!([]))?;
        let rested = talk.wait(&self.plan.rest(0))?;
        let most = json!([self.plan.setup.max_elements]);
        let read = talk.run(include_str!("read.js"), &most)?;
        self.windows
            .retain(|window| open.contains(window) && *window != front);
        self.windows.push(front);
        match (prepared, rested, read) {
            (Said::Value(_), Said::Value(_), Said::Value(said)) => {
                let url = said["url"].as_str().unwrap_or_default();
                self.seen = Page::read(&said, web::page(url));
                self.seen.back |= self.windows.len() > 1;
                let faults = said["faults"].as_array().into_iter().flatten();
                let host = web::host(&self.plan.url);
                self.faults
                    .extend(faults.map(|fault| signature(fault, host)));
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// The window that comes to the front: one that is new, else the last one that is still there.
fn front(known: &[String], open: &[String]) -> Option<String> {
    let new = open.iter().rev().find(|window| !known.contains(window));
    let last = known.iter().rev().find(|window| open.contains(window));
    new.or(last).cloned()
}

/// The signature of a fault, as the debugging protocol would lead to it.
fn signature(fault: &Value, host: &str) -> String {
    let line = fault["line"].as_u64().unwrap_or(1).saturating_sub(1);
    let frame = json!({"functionName": fault["name"], "url": fault["url"], "lineNumber": line});
    let thrown = json!({"description": fault["said"]});
    let details = json!({"exception": thrown, "stackTrace": {"callFrames": [frame]}});
    web::exception(&json!({"exceptionDetails": details}), host)
}

impl Driver for Plain {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&mut self, start: Start) -> Result<Sight, DriverError> {
        let sight = self.begin(start);
        if sight.is_err() {
            self.close();
        }
        sight
    }

    fn perform(&mut self, action: &str) -> Result<Reaction, DriverError> {
        if self.dead {
            return Ok(Reaction::Dead);
        }
        let since = Instant::now();
        let done = Act::parse(action).map_or(Ok(false), |act| self.act(&act));
        let reaction = done.and_then(|done| {
            if done {
                return self.sight(since).map(Reaction::Sight);
            }
            let micros = since.elapsed().as_micros() as u64;
            Ok(Reaction::NotEnabled { micros })
        });
        if reaction.is_err() {
            self.close();
        }
        reaction
    }

    fn offers(&mut self) -> Result<Vec<String>, DriverError> {
        Ok(if self.dead {
            Vec::new()
        } else {
            self.seen.offers()
        })
    }

    fn window(&self) -> Option<&Window> {
        Some(&self.seen.window)
    }

    fn probe(&mut self) -> Result<Vec<String>, DriverError> {
        let widgets = self.seen.window.widgets.len();
        Ok(vec![
            format!("{} on {}", self.browser, self.plan.url),
            format!("{widgets} widgets, {} offers", self.seen.offers().len()),
            UNTOLD.to_owned(),
        ])
    }

    fn is_alive(&mut self) -> Result<bool, DriverError> {
        Ok(self.session.is_some() && !self.dead)
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        self.close();
    }
}
