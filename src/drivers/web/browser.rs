//! A browser that visits one site: it listens, answers what cannot wait, and keeps the tabs.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::coverage::Library;
use super::fault;
use super::link::{Answer, Asked, Event, Link};
use super::plan::Plan;
use super::tab::Tab;
use super::tree::Seen;
use crate::replay::{Aim, DriverError};

/// How long the browser itself may take to answer, whatever its pages do.
pub(super) const ALIVE: Duration = Duration::from_secs(10);
/// The most faults that are kept of one step.
const MOST_FAULTS: usize = 20;

/// Why waiting for a page ended without what was waited for.
#[derive(Debug)]
pub(super) enum Halt {
    /// The browser is in trouble.
    Device(DriverError),
    /// A dialog is open, and the page stands still until it is closed.
    Dialog,
    /// The page does not answer.
    Silent,
    /// The tab has crashed or is gone.
    Gone,
    /// The browser has something against the question.
    Refused(String),
}

impl From<DriverError> for Halt {
    fn from(error: DriverError) -> Self {
        Self::Device(error)
    }
}

/// A browser on one site.
pub(crate) struct Browser {
    pub(super) link: Link,
    pub(super) plan: Plan,
    /// The present clean start.
    pub(super) context: Option<String>,
    /// The empty tab of this start, which opens the others.
    pub(super) opener: String,
    pub(super) tabs: Vec<Tab>,
    /// How a tab of this start has crashed.
    pub(super) crash: Option<String>,
    /// Whether one has crashed before after the same steps.
    pub(super) crashes: bool,
    pub(super) faults: VecDeque<String>,
    /// What was seen last.
    pub(super) seen: Seen,
    /// Whether the page can be scrolled and gone back from.
    pub(super) ways: Ways,
    /// The scripts of the site.
    pub(super) library: Library,
    pub(super) seed: u64,
    /// The page's clock.
    pub(super) now: u64,
    /// What the last action named, and what was found for it.
    pub(super) aim: Option<Aim>,
    /// Why the page was not at rest when it was seen last.
    pub(super) remark: Option<String>,
    /// Whether the app is beyond help.
    pub(super) dead: bool,
}

/// What can be done to a page as a whole.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ways {
    pub(super) back: bool,
    pub(super) scroll: bool,
}

impl Browser {
    /// Takes a browser over.
    pub(crate) fn new(link: Link, plan: Plan) -> Result<Self, DriverError> {
        let mut browser = Self {
            link,
            plan,
            context: None,
            opener: String::new(),
            tabs: Vec::new(),
            crash: None,
            crashes: false,
            faults: VecDeque::new(),
            seen: Seen::default(),
            ways: Ways::default(),
            library: Library::default(),
            seed: 0,
            now: 0,
            aim: None,
            remark: None,
            dead: false,
        };
        let pages = json!([{"type": "page"}, {"exclude": true}]);
        let attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": pages});
        browser.root("Target.setAutoAttach", attach)?;
        browser.root(
            "Target.setDiscoverTargets",
            json!({"discover": true, "filter": pages}),
        )?;
        Ok(browser)
    }

    /// Asks the browser itself.
    pub(super) fn root(&mut self, method: &str, params: Value) -> Result<Value, DriverError> {
        let answer = self.link.call(None, method, params, ALIVE)?;
        answer.map_err(|reason| DriverError::Unwell(format!("{method}: {reason}")))
    }

    /// The tab in front.
    pub(super) fn front(&self) -> Result<&Tab, Halt> {
        match &self.crash {
            Some(_) => Err(Halt::Gone),
            None => self.tabs.last().ok_or(Halt::Gone),
        }
    }

    /// Asks the tab in front.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Result<Asked, Halt> {
        let session = self.front()?.session.clone();
        Ok(self.link.ask(Some(&session), method, params)?)
    }

    /// Tells the tab in front.
    pub(super) fn tell(&mut self, method: &str, params: Value) -> Result<(), Halt> {
        let session = self.front()?.session.clone();
        self.link.tell(Some(&session), method, params)?;
        Ok(())
    }

    /// Asks the tab in front and waits for the answer.
    pub(super) fn call(
        &mut self,
        method: &str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, Halt> {
        let asked = self.ask(method, params)?;
        let mut answers = self.wait(&[asked], limit)?;
        answers
            .pop()
            .unwrap_or(Ok(Value::Null))
            .map_err(Halt::Refused)
    }

    /// Waits for answers of the tab in front.
    pub(super) fn wait(&mut self, asked: &[Asked], limit: Duration) -> Result<Vec<Answer>, Halt> {
        let since = Instant::now();
        let mut answers: Vec<Option<Answer>> = asked.iter().map(|_| None).collect();
        let front = self.front()?.session.clone();
        loop {
            for (asked, answer) in asked.iter().zip(&mut answers) {
                if answer.is_none() {
                    *answer = self.link.poll(*asked);
                }
            }
            if answers.iter().all(Option::is_some) {
                return Ok(answers.into_iter().flatten().collect());
            }
            let halt = match self.tabs.iter().find(|tab| tab.session == front) {
                _ if self.crash.is_some() => Some(Halt::Gone),
                None => Some(Halt::Refused("the tab was closed".to_owned())),
                Some(tab) if tab.dialog.is_some() => Some(Halt::Dialog),
                Some(_) if since.elapsed() > limit => Some(Halt::Silent),
                Some(_) => None,
            };
            if let Some(halt) = halt {
                for asked in asked {
                    self.link.forget(*asked);
                }
                return Err(halt);
            }
            let left = limit.saturating_sub(since.elapsed());
            self.hear(left.clamp(Duration::from_millis(1), Duration::from_millis(250)))?;
        }
    }

    /// Takes in one message and all that it leads to; false when none came in time.
    pub(super) fn hear(&mut self, limit: Duration) -> Result<bool, DriverError> {
        let heard = self.link.listen(limit)?;
        while let Some(event) = self.link.event() {
            self.notice(&event)?;
        }
        self.admit()?;
        Ok(heard)
    }

    fn notice(&mut self, event: &Event) -> Result<(), DriverError> {
        if self.notice_worker(event)? {
            return Ok(());
        }
        let Event {
            session,
            method,
            params,
        } = event;
        let text = |key: &str| params[key].as_str().unwrap_or_default();
        match &**method {
            "Target.attachedToTarget" => return self.attach(params),
            "Target.detachedFromTarget" => {
                self.tabs.retain(|tab| tab.session != text("sessionId"));
                return Ok(());
            }
            "Target.targetCrashed"
                if self.tabs.iter().any(|tab| tab.target == text("targetId")) =>
            {
                self.crash = Some(text("status").to_owned());
                return Ok(());
            }
            _ => {}
        }
        let tab = self
            .tabs
            .iter()
            .position(|tab| Some(&tab.session) == session.as_ref());
        let Some(tab) = tab else { return Ok(()) };
        match &**method {
            "Fetch.requestPaused" => {
                let session = self.tabs[tab].session.clone();
                return self.guard(&session, params);
            }
            "Runtime.exceptionThrown" => {
                let fault = fault::exception(params, self.plan.host());
                self.fail(fault);
            }
            "Runtime.consoleAPICalled" => {
                if let Some(fault) = fault::console(params, self.plan.host()) {
                    self.fail(fault);
                }
            }
            "Debugger.scriptParsed" => {
                let host = self.plan.host();
                self.tabs[tab].scripts.parsed(params, host);
            }
            // A dialog stands in front of everything, and so does the page that asks.
            "Page.javascriptDialogOpening" => {
                self.tabs[tab].notice(method, params);
                let asking = self.tabs.remove(tab);
                self.tabs.push(asking);
            }
            _ => self.tabs[tab].notice(method, params),
        }
        Ok(())
    }

    /// Keeps a fault for the next sight.
    pub(super) fn fail(&mut self, fault: String) {
        if self.faults.len() < MOST_FAULTS && !self.faults.contains(&fault) {
            self.faults.push_back(fault);
        }
    }

    /// Takes in a new tab, which waits until it is told to go on.
    fn attach(&mut self, params: &Value) -> Result<(), DriverError> {
        let session = params["sessionId"].as_str().unwrap_or_default();
        let info = &params["targetInfo"];
        let is_ours =
            self.context.is_some() && info["browserContextId"].as_str() == self.context.as_deref();
        if !is_ours || info["type"] != "page" {
            self.link
                .tell(Some(session), "Runtime.runIfWaitingForDebugger", json!({}))?;
            let leave = json!({"sessionId": session});
            self.link.tell(None, "Target.detachFromTarget", leave)?;
            return Ok(());
        }
        if info["targetId"] == *self.opener {
            return self.open_first(session);
        }
        let mut tab = Tab::new(session, info["targetId"].as_str().unwrap_or_default());
        let script = json!({"source": self.script(), "runImmediately": true});
        let workers = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
            "filter": [{"type": "worker"}, {"exclude": true}]});
        let count = json!({"callCount": true, "detailed": true, "allowTriggeredUpdates": false});
        let guarded =
            ["Document", "Script"].map(|kind| json!({"urlPattern": "*", "resourceType": kind}));
        let size = json!({
            "width": self.plan.setup.width, "height": self.plan.setup.height,
            "deviceScaleFactor": 1, "mobile": false,
        });
        let asked = self.link.ask(
            Some(session),
            "Page.addScriptToEvaluateOnNewDocument",
            script,
        )?;
        tab.pinned = Some(asked);
        for (method, params) in [
            ("Page.enable", json!({})),
            ("Runtime.enable", json!({})),
            ("Network.enable", json!({})),
            ("Profiler.enable", json!({})),
            ("Profiler.startPreciseCoverage", count),
            // For the texts of scripts; ending it would take the counts of blocks along.
            ("Debugger.enable", json!({})),
            ("Debugger.setSkipAllPauses", json!({"skip": true})),
            (
                "Page.setInterceptFileChooserDialog",
                json!({"enabled": true, "cancel": true}),
            ),
            ("Emulation.setDeviceMetricsOverride", size),
            (
                "Emulation.setFocusEmulationEnabled",
                json!({"enabled": true}),
            ),
            ("Target.setAutoAttach", workers),
            ("Fetch.enable", json!({"patterns": guarded})),
            ("Runtime.runIfWaitingForDebugger", json!({})),
        ] {
            self.link.tell(Some(session), method, params)?;
        }
        self.tabs.push(tab);
        Ok(())
    }

    /// The script that pins what pages and workers take from chance and from the clock.
    pub(super) fn script(&self) -> String {
        self.plan.script(self.seed, self.now)
    }

    /// Puts the present moment into the script for the pages to come.
    pub(super) fn pin(&mut self) -> Result<(), Halt> {
        if !self.plan.setup.pin_clock {
            return Ok(());
        }
        let script = json!({"source": self.script()});
        let asked = self.ask("Page.addScriptToEvaluateOnNewDocument", script)?;
        let Some(tab) = self.tabs.last_mut() else {
            return Ok(());
        };
        let before = tab.pinned.replace(asked);
        if let Some(Ok(old)) = before.and_then(|before| self.link.poll(before)) {
            self.tell("Page.removeScriptToEvaluateOnNewDocument", old)?;
        }
        Ok(())
    }

    /// Whether the browser itself answers, although a page does not.
    pub(super) fn check(&mut self) -> Result<(), DriverError> {
        self.root("Browser.getVersion", json!({})).map(|_| ())
    }
}
