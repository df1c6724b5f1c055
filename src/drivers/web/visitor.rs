//! The driver of pages: a browser that is got from somewhere, and got anew when it is lost.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde_json::json;

use super::act::Done;
use super::browser::{Browser, Halt};
use super::link::Link;
use super::plan::Plan;
use crate::abstraction::{Abstraction, Lens};
use crate::drivers::Setup;
use crate::model::act::Act;
use crate::model::window::Window;
use crate::replay::{Driver, DriverError, Reaction, Sight, Start};

/// How long a new tab may take to set out for its page.
const SETTING_OUT: Duration = Duration::from_secs(4);
/// How many new tabs are tried.
const TRIES: u32 = 3;
/// What a browser says of a page whose process has gone wrong by itself.
const CRASHED: &str = "crashed";
/// The most crashes that are remembered.
const MOST_CRASHES: usize = 1000;

/// Where browsers come from.
pub(crate) trait Host: Send {
    /// A browser that works, started if need be.
    fn connect(&mut self, plan: &Plan) -> Result<Link, DriverError>;
    /// Ends the browser, so that the next one is another one.
    fn end(&mut self);
}

/// A device that visits a site.
pub(crate) struct Visitor {
    name: String,
    plan: Plan,
    host: Box<dyn Host>,
    browser: Option<Browser>,
    /// What was done since the last start.
    path: Vec<String>,
    /// After what a page has crashed.
    crashes: HashSet<Vec<String>>,
    abstraction: &'static Abstraction,
    lens: Lens,
}

impl Visitor {
    /// A device that gets its browsers from a host.
    pub(crate) fn new(name: String, plan: Plan, host: Box<dyn Host>, setup: &Setup) -> Self {
        Self {
            name,
            plan,
            host,
            browser: None,
            path: Vec::new(),
            crashes: HashSet::new(),
            abstraction: setup.abstraction,
            lens: setup.lens.clone(),
        }
    }

    fn browser(&mut self) -> Result<&mut Browser, DriverError> {
        if self.browser.is_none() {
            self.host.end();
            let link = self.host.connect(&self.plan)?;
            self.browser = Some(Browser::new(link, self.plan.clone())?);
        }
        self.browser.as_mut().ok_or(DriverError::Lost)
    }

    /// Passes a result on; a browser in trouble is not used again.
    fn judge<T>(&mut self, result: Result<T, DriverError>) -> Result<T, DriverError> {
        if result.is_err() {
            let crash = self.browser.as_ref().and_then(|it| it.crash.as_deref());
            if crash == Some(CRASHED) && self.crashes.len() < MOST_CRASHES {
                self.crashes.insert(self.path.clone());
            }
            self.browser = None;
            self.host.end();
        }
        result
    }

    fn sight(&mut self, since: Instant) -> Result<Sight, DriverError> {
        let (abstraction, lens) = (self.abstraction, self.lens.clone());
        let crashes = self.crashes.contains(&self.path);
        let browser = self.browser()?;
        browser.crashes = crashes;
        let covers = browser.view()?;
        let screen = abstraction.screen(&browser.seen.window, &lens);
        let mut faults: Vec<String> = browser.faults.drain(..).collect();
        let fault = (!faults.is_empty()).then(|| faults.remove(0));
        let more = faults.into_iter().map(|fault| format!("fault:{fault}"));
        Ok(Sight {
            screen,
            covers: covers.into_iter().chain(more).collect(),
            fault,
            micros: since.elapsed().as_micros() as u64,
            aim: browser.aim.take(),
        })
    }

    fn begin(&mut self, start: Start) -> Result<Sight, DriverError> {
        let since = Instant::now();
        self.path.clear();
        let browser = self.browser()?;
        let mut tries = 1;
        loop {
            browser.renew(start.seed.0)?;
            if browser.arrive()? {
                break;
            }
            // Now and then a new tab never sets out.
            if tries == TRIES {
                return Err(DriverError::SlowStart(SETTING_OUT * TRIES));
            }
            tries += 1;
        }
        self.sight(since)
    }

    fn go(&mut self, action: &str) -> Result<Reaction, DriverError> {
        let since = Instant::now();
        let refused = |since: Instant| Reaction::NotEnabled {
            micros: since.elapsed().as_micros() as u64,
        };
        let Some(browser) = &mut self.browser else {
            return Err(DriverError::Lost);
        };
        if browser.dead {
            return Ok(Reaction::Dead);
        }
        let Ok(act) = Act::parse(action) else {
            return Ok(refused(since));
        };
        self.path.push(action.to_owned());
        match browser.attempt(&act)? {
            Done::NotEnabled => Ok(refused(since)),
            Done::Done => self.sight(since).map(Reaction::Sight),
        }
    }
}

impl Driver for Visitor {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&mut self, start: Start) -> Result<Sight, DriverError> {
        let sight = self.begin(start);
        self.judge(sight)
    }

    fn perform(&mut self, action: &str) -> Result<Reaction, DriverError> {
        let reaction = self.go(action);
        self.judge(reaction)
    }

    fn offers(&mut self) -> Result<Vec<String>, DriverError> {
        let offers = self.browser.as_ref().map(Browser::offers);
        offers.ok_or(DriverError::Lost)
    }

    fn window(&self) -> Option<&Window> {
        self.browser.as_ref().map(|browser| &browser.seen.window)
    }

    fn probe(&mut self) -> Result<Vec<String>, DriverError> {
        let browser = self.browser()?;
        let version = browser.root("Browser.getVersion", json!({}))?;
        let product = version["product"].as_str().unwrap_or("a browser");
        let widgets = browser.seen.window.widgets.len();
        let mut lines = vec![
            format!("{product} on {}", browser.plan.url),
            format!("{widgets} widgets, {} offers", browser.offers().len()),
        ];
        lines.push(match browser.library.len() {
            0 => {
                "no script with an address: screens and faults are all there is to cover".to_owned()
            }
            scripts => format!("coverage by blocks of {scripts} scripts"),
        });
        let remark = browser.remark.as_ref();
        lines.extend(remark.map(|why| format!("not at rest in time: {why}")));
        Ok(lines)
    }

    fn is_alive(&mut self) -> Result<bool, DriverError> {
        Ok(self.browser.as_ref().is_some_and(|browser| !browser.dead))
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        self.browser = None;
        self.host.end();
    }
}

impl Browser {
    /// Waits until the first page of the site is there; false when the tab does not set out.
    fn arrive(&mut self) -> Result<bool, DriverError> {
        let (since, limit) = (Instant::now(), self.plan.setup.load);
        loop {
            let Ok(tab) = self.front() else {
                return Err(DriverError::Lost);
            };
            // A page may open a dialog before it is there.
            if tab.dialog.is_some() {
                return Ok(true);
            }
            if tab.url != "about:blank" {
                let failure = tab.failure.as_ref().map(|failure| {
                    let url = &self.plan.url;
                    format!("{url} does not open: {failure}; is the server running?")
                });
                return failure.map_or(Ok(true), |failure| Err(DriverError::Unwell(failure)));
            }
            if since.elapsed() > SETTING_OUT && tab.busy().is_none() {
                return Ok(false);
            }
            if since.elapsed() > limit {
                self.check()?;
                return Err(DriverError::SlowStart(limit));
            }
            self.hear(Duration::from_millis(50))?;
        }
    }

    /// Does something; a page that hangs over it is freed.
    fn attempt(&mut self, act: &Act) -> Result<Done, DriverError> {
        match self.act(act) {
            Ok(done) => Ok(done),
            Err(Halt::Device(error)) => Err(error),
            Err(Halt::Silent) => {
                self.hang()?;
                Ok(Done::Done)
            }
            // What it has come to is to be seen.
            Err(Halt::Dialog | Halt::Gone | Halt::Refused(_)) => Ok(Done::Done),
        }
    }

    /// Waits until the page is at rest, and looks at it; what was covered since the last look.
    fn view(&mut self) -> Result<Vec<String>, DriverError> {
        let limit = self.plan.setup.quiet;
        // A page may hang once more after it was freed; then nothing helps.
        for _ in 0..2 {
            if self.dead {
                break;
            }
            let looked = self.rest(limit).and_then(|rest| {
                self.remark.clone_from(&rest.why);
                self.look(&rest)
            });
            match looked {
                Ok(covers) => return Ok(covers),
                Err(Halt::Device(error)) => return Err(error),
                Err(Halt::Dialog) => {
                    let dialog = self.tabs.last().and_then(|tab| tab.dialog.clone());
                    if let Some(dialog) = dialog {
                        self.see_dialog(&dialog);
                    }
                    return Ok(Vec::new());
                }
                Err(Halt::Silent) => self.hang()?,
                Err(Halt::Refused(_)) => {}
                Err(Halt::Gone) => {
                    self.bury()?;
                    return Ok(Vec::new());
                }
            }
        }
        self.fail("hang: the page does not answer".to_owned());
        self.remark = Some("it does not answer".to_owned());
        self.dead = true;
        self.see_nothing("(does not answer)");
        Ok(Vec::new())
    }

    /// A page does not answer: ends its script, if the browser is all right.
    fn hang(&mut self) -> Result<(), DriverError> {
        self.fail("hang: a script does not end".to_owned());
        match self.free() {
            Ok(true) | Err(Halt::Dialog | Halt::Refused(_) | Halt::Silent) => Ok(()),
            Ok(false) => {
                self.dead = true;
                Ok(())
            }
            Err(Halt::Gone) => self.bury(),
            Err(Halt::Device(error)) => Err(error),
        }
    }

    /// A page is gone: the app has closed or ruined it, or the browser has lost it.
    fn bury(&mut self) -> Result<(), DriverError> {
        match self.crash.as_deref() {
            None => {}
            // Whoever ended the process, it was not the app.
            Some("killed" | "abnormal" | "failed to launch") => return Err(DriverError::Lost),
            // Once may be the browser's fault. Twice after the same steps is what the app does.
            Some(CRASHED) if !self.crashes => return Err(DriverError::Lost),
            Some(how) => self.fail(format!("crash: {how}")),
        }
        self.dead = true;
        self.see_nothing("(closed)");
        Ok(())
    }
}
