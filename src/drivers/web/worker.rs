//! Workers of a page: their clocks are pinned as the page's own is, a page is at rest when they are,
//! and what they cover counts.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::browser::{Browser, Halt};
use super::coverage::Scripts;
use super::fault;
use super::link::{Answer, Asked, Event};
use crate::replay::DriverError;

/// How long a worker may take until its script begins.
const BEGINNING: Duration = Duration::from_secs(2);
/// How long a worker at rest may take to say what it has covered.
const COUNTING: Duration = Duration::from_secs(5);

/// A worker of a page.
#[derive(Debug, Default)]
pub(super) struct Worker {
    /// The browser's name for our talk with it.
    session: String,
    scripts: Scripts,
    /// Whether its script was begun.
    has_begun: bool,
    /// How much it has done, as far as it said.
    activity: u64,
    /// Whether it is not asked any more because it once did not answer.
    is_silent: bool,
}

/// What the workers of a page did meanwhile.
#[derive(Debug, Default)]
pub(super) struct Stir {
    /// Whether one of them did something since it was asked last.
    pub(super) stirred: bool,
    /// Why one of them is not at rest.
    pub(super) why: Option<&'static str>,
}

impl Browser {
    /// Takes in what happens to workers; false when it is about something else.
    pub(super) fn notice_worker(&mut self, event: &Event) -> Result<bool, DriverError> {
        let Event {
            session,
            method,
            params,
        } = event;
        let text = |key: &str| params[key].as_str().unwrap_or_default();
        match &**method {
            "Target.attachedToTarget" if params["targetInfo"]["type"] == "worker" => {
                self.attach_worker(session.as_deref(), text("sessionId"))?;
                return Ok(true);
            }
            "Target.detachedFromTarget" => {
                for tab in &mut self.tabs {
                    tab.workers
                        .retain(|worker| worker.session != text("sessionId"));
                }
                return Ok(false);
            }
            _ => {}
        }
        let host = self.plan.host().to_owned();
        let Some(worker) = session.as_ref().and_then(|session| self.worker(session)) else {
            return Ok(false);
        };
        match &**method {
            "Debugger.scriptParsed" => worker.scripts.parsed(params, &host),
            "Debugger.paused" => {
                worker.has_begun = true;
                let session = worker.session.clone();
                self.prepare_worker(&session)?;
            }
            "Runtime.exceptionThrown" => self.fail(fault::exception(params, &host)),
            "Runtime.consoleAPICalled" => {
                if let Some(fault) = fault::console(params, &host) {
                    self.fail(fault);
                }
            }
            _ => {}
        }
        Ok(true)
    }

    fn worker(&mut self, session: &str) -> Option<&mut Worker> {
        let mut workers = self.tabs.iter_mut().flat_map(|tab| &mut tab.workers);
        workers.find(|worker| worker.session == session)
    }

    /// Takes in a new worker, which waits until it is told to go on, and waits again before its script.
    fn attach_worker(&mut self, page: Option<&str>, session: &str) -> Result<(), DriverError> {
        let before = json!({"instrumentation": "beforeScriptExecution"});
        let count = json!({"callCount": true, "detailed": true, "allowTriggeredUpdates": false});
        for (method, params) in [
            ("Runtime.enable", json!({})),
            ("Profiler.enable", json!({})),
            ("Profiler.startPreciseCoverage", count),
            ("Debugger.enable", json!({})),
            ("Debugger.setInstrumentationBreakpoint", before),
            ("Runtime.runIfWaitingForDebugger", json!({})),
        ] {
            self.link.tell(Some(session), method, params)?;
        }
        let tab = self.tabs.iter_mut().find(|tab| Some(&*tab.session) == page);
        if let Some(tab) = tab {
            tab.unmet -= 1;
            tab.workers.push(Worker {
                session: session.to_owned(),
                ..Worker::default()
            });
        }
        Ok(())
    }

    /// Puts our script in front of that of a worker: earlier it has no clock that could be pinned.
    fn prepare_worker(&mut self, session: &str) -> Result<(), DriverError> {
        let script = json!({"expression": self.script()});
        for (method, params) in [
            ("Debugger.setSkipAllPauses", json!({"skip": true})),
            ("Runtime.evaluate", script),
            ("Debugger.resume", json!({})),
        ] {
            self.link.tell(Some(session), method, params)?;
        }
        Ok(())
    }

    /// The workers of the page in front that answer.
    fn workers(&self) -> Result<Vec<String>, Halt> {
        let workers = self.front()?.workers.iter();
        let answering = workers.filter(|worker| !worker.is_silent);
        Ok(answering.map(|worker| worker.session.clone()).collect())
    }

    /// Waits until the workers that the page in front has made are known.
    fn meet(&mut self, born: i64) -> Result<(), Halt> {
        if let Some(tab) = self.tabs.last_mut() {
            tab.unmet += born;
        }
        let since = Instant::now();
        while self.front()?.unmet > 0 && since.elapsed() < BEGINNING {
            self.hear(Duration::from_millis(5))?;
        }
        if let Some(tab) = self.tabs.last_mut() {
            tab.unmet = tab.unmet.min(0);
        }
        Ok(())
    }

    /// Lets the workers of the page in front, some of them new, come to rest at a moment of its clock.
    pub(super) fn rest_workers(&mut self, end: u64, born: i64) -> Result<Stir, Halt> {
        let mut stir = Stir::default();
        self.meet(born)?;
        for session in self.workers()? {
            let since = Instant::now();
            while self
                .worker(&session)
                .is_some_and(|worker| !worker.has_begun)
                && since.elapsed() < BEGINNING
            {
                self.hear(Duration::from_millis(5))?;
            }
            let question = json!({"expression": self.plan.rest(end), "returnByValue": true, "awaitPromise": true});
            let asked = self
                .link
                .ask(Some(&session), "Runtime.evaluate", question)?;
            let answer = self.answer_of(&session, asked, self.plan.setup.quiet + COUNTING)?;
            let Some(worker) = self.worker(&session) else {
                stir.stirred = true;
                continue;
            };
            let Some(answer) = answer else {
                worker.is_silent = true;
                stir.why = Some("a worker does not answer");
                continue;
            };
            let activity = answer.unwrap_or_default()["result"]["value"]["activity"]
                .as_u64()
                .unwrap_or(worker.activity);
            stir.stirred |= activity != worker.activity;
            worker.activity = activity;
        }
        Ok(stir)
    }

    /// What the workers of the page in front have covered since they were asked last.
    pub(super) fn worker_covers(&mut self) -> Result<BTreeSet<String>, Halt> {
        let mut covers = BTreeSet::new();
        for session in self.workers()? {
            let asked = self
                .link
                .ask(Some(&session), "Profiler.takePreciseCoverage", json!({}))?;
            let Some(Ok(report)) = self.answer_of(&session, asked, COUNTING)? else {
                continue;
            };
            self.learn_worker(&session, &report)?;
            let tab = self.front()?;
            let worker = tab.workers.iter().find(|worker| worker.session == session);
            covers.extend(worker.map_or_else(BTreeSet::new, |worker| {
                worker.scripts.covered(&report, &self.library)
            }));
        }
        Ok(covers)
    }

    /// Reads scripts of a worker that were not seen before.
    fn learn_worker(&mut self, session: &str, report: &Value) -> Result<(), Halt> {
        let tab = self.front()?;
        let worker = tab.workers.iter().find(|worker| worker.session == session);
        let unknown = worker.map(|worker| worker.scripts.unknown(report, &self.library));
        for (id, name) in unknown.unwrap_or_default() {
            let question = json!({"scriptId": id});
            let asked = self
                .link
                .ask(Some(session), "Debugger.getScriptSource", question)?;
            if let Some(Ok(text)) = self.answer_of(session, asked, COUNTING)? {
                let text = text["scriptSource"].as_str().unwrap_or_default();
                self.library.learn(name, text);
            }
        }
        Ok(())
    }

    /// The answer of a worker; none when it is gone or takes too long.
    fn answer_of(
        &mut self,
        session: &str,
        asked: Asked,
        limit: Duration,
    ) -> Result<Option<Answer>, Halt> {
        let since = Instant::now();
        loop {
            if let Some(answer) = self.link.poll(asked) {
                return Ok(Some(answer));
            }
            let is_over = since.elapsed() > limit || self.worker(session).is_none();
            let has_dialog = self.front()?.dialog.is_some();
            if is_over || has_dialog {
                self.link.forget(asked);
                return if has_dialog {
                    Err(Halt::Dialog)
                } else {
                    Ok(None)
                };
            }
            self.hear(Duration::from_millis(20))?;
        }
    }
}
