//! Waiting until a page is at rest, with a limit and a reason.

use std::time::{Duration, Instant};

use serde_json::json;

use super::browser::{Browser, Halt};

/// How long a script may take to end after it was told to.
const ENDING: Duration = Duration::from_secs(2);
/// How long a page that wants to go elsewhere may take to set out.
const SETTING_OUT: Duration = Duration::from_millis(300);
/// What a page gets to do with what has arrived.
const AFTERWARDS: Duration = Duration::from_millis(50);

/// A page at rest.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// How many elements it has.
    pub(super) elements: u64,
    /// Whether more of it is seen by scrolling.
    pub(super) scrolls: bool,
    /// Why it is not at rest, although its time is up.
    pub(super) why: Option<String>,
}

impl Browser {
    /// Waits until the page in front is at rest.
    pub(super) fn rest(&mut self, limit: Duration) -> Result<Rest, Halt> {
        let since = Instant::now();
        let mut step = self.plan.setup.step;
        loop {
            let why = self.still(since, limit)?;
            let (front, news) = {
                let tab = self.front()?;
                (tab.session.clone(), tab.news)
            };
            let question = json!({"expression": self.plan.rest(step), "returnByValue": true, "awaitPromise": true});
            let patience = self.plan.setup.quiet + ENDING;
            let late = since.elapsed() > limit;
            let answer = match self.call("Runtime.evaluate", question, patience) {
                Ok(answer) => answer,
                // It went elsewhere meanwhile.
                Err(Halt::Refused(_)) if !late => {
                    self.hear(Duration::from_millis(5))?;
                    continue;
                }
                Err(Halt::Refused(_)) => {
                    return Ok(Rest {
                        why: Some("it never stays on a page".to_owned()),
                        ..Rest::default()
                    });
                }
                Err(halt) => return Err(halt),
            };
            let said = &answer["result"]["value"];
            if let Some(now) = said["now"].as_u64() {
                self.now = self.now.max(now);
            }
            while self.hear(Duration::ZERO)? {}
            let tab = self.front()?;
            if tab.dialog.is_some() {
                return Err(Halt::Dialog);
            }
            let is_new = tab.session != front || tab.news != news && tab.busy().is_some();
            if is_new && !late {
                step = AFTERWARDS.min(self.plan.setup.step);
                continue;
            }
            let own = said["why"].as_str().filter(|why| !why.is_empty());
            return Ok(Rest {
                elements: said["elements"].as_u64().unwrap_or_default(),
                scrolls: said["scrolls"] == true,
                why: why.or(own).map(str::to_owned),
            });
        }
    }

    /// Waits until nothing is loading; the reason if something still is.
    fn still(&mut self, since: Instant, limit: Duration) -> Result<Option<&'static str>, Halt> {
        let began = Instant::now();
        loop {
            while self.hear(Duration::ZERO)? {}
            let tab = self.front()?;
            if tab.dialog.is_some() {
                return Err(Halt::Dialog);
            }
            let Some(why) = tab.busy() else {
                return Ok(None);
            };
            if since.elapsed() > limit {
                if let Some(tab) = self.tabs.last_mut() {
                    tab.give_up();
                }
                return Ok(Some(why));
            }
            if began.elapsed() > SETTING_OUT
                && let Some(tab) = self.tabs.last_mut()
            {
                tab.leaving = false;
            }
            self.hear(Duration::from_millis(20))?;
        }
    }

    /// Ends the script that keeps a page from answering; false when even that is of no use.
    pub(super) fn free(&mut self) -> Result<bool, Halt> {
        self.check()?;
        self.tell("Runtime.terminateExecution", json!({}))?;
        let question = json!({"expression": "1", "returnByValue": true});
        match self.call("Runtime.evaluate", question, ENDING) {
            Ok(_) | Err(Halt::Dialog | Halt::Refused(_)) => Ok(true),
            Err(Halt::Silent) => Ok(false),
            Err(halt) => Err(halt),
        }
    }
}
