//! Waiting until a page is at rest, with a limit and a reason.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::browser::{Browser, Halt};

/// How long a script may take to end after it was told to.
const ENDING: Duration = Duration::from_secs(2);
/// How long a page that wants to go elsewhere may take to set out.
const SETTING_OUT: Duration = Duration::from_millis(300);
/// What is kept of the page's time for what arrives while it passes.
const AFTERWARDS: Duration = Duration::from_millis(50);
/// How often a page may go elsewhere in all the time that it has to come to rest.
const RESTLESS: u64 = 5;

/// How far a page is on its way to rest. How much of its time passes does not depend on how often it
/// is asked, because what is loaded meanwhile comes sooner or later by the real clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Something was loaded, and no time passes until all of it is there.
    Arriving,
    /// Most of the time passes.
    Passing,
    /// Something happened meanwhile, and gets the rest of the time.
    Afterwards,
}

impl Phase {
    /// What comes then; none when the page is at rest.
    fn next(self, is_new: bool) -> Option<Self> {
        match (self, is_new) {
            (Self::Arriving, true) => Some(Self::Arriving),
            (Self::Arriving, false) => Some(Self::Passing),
            (Self::Passing | Self::Afterwards, true) => Some(Self::Afterwards),
            (Self::Passing | Self::Afterwards, false) => None,
        }
    }

    /// The moment up to which time passes, of the present one and that of the end.
    fn until(self, now: u64, goal: u64) -> u64 {
        match self {
            Self::Arriving => now,
            Self::Passing => now.max(goal.saturating_sub(AFTERWARDS.as_millis() as u64)),
            Self::Afterwards => goal,
        }
    }
}

/// A page at rest.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// How many elements it has.
    pub(super) elements: u64,
    /// Whether more of it is seen by scrolling.
    pub(super) scrolls: bool,
    /// Whether it goes elsewhere again and again.
    pub(super) moves: bool,
    /// Why it is not at rest, although its time is up.
    pub(super) why: Option<String>,
}

impl Rest {
    /// A page that never stays.
    fn moving() -> Self {
        Self {
            moves: true,
            why: Some("it never stays on a page".to_owned()),
            ..Self::default()
        }
    }
}

impl Browser {
    /// Waits until the page in front and its workers are at rest.
    pub(super) fn rest(&mut self, limit: Duration) -> Result<Rest, Halt> {
        let since = Instant::now();
        let goal = self.now + self.plan.setup.step.as_millis() as u64;
        let tab = self.front()?;
        let before = tab.arrivals;
        let mut phase = if tab.news == tab.rested {
            Phase::Passing
        } else {
            Phase::Arriving
        };
        loop {
            let why = self.still(since, limit)?;
            let (front, news) = {
                let tab = self.front()?;
                (tab.session.clone(), tab.news)
            };
            let end = phase.until(self.now, goal);
            let late = since.elapsed() > limit;
            let said = match self.pass(end) {
                Ok(said) => said,
                // It went elsewhere meanwhile.
                Err(Halt::Refused(_)) if !late => {
                    self.hear(Duration::from_millis(5))?;
                    phase = Phase::Arriving;
                    continue;
                }
                Err(Halt::Refused(_)) => return Ok(Rest::moving()),
                Err(halt) => return Err(halt),
            };
            if late && self.front()?.arrivals > before + RESTLESS {
                return Ok(Rest::moving());
            }
            let stir = self.rest_workers(end, said["born"].as_i64().unwrap_or_default())?;
            let tab = self.front()?;
            if tab.dialog.is_some() {
                return Err(Halt::Dialog);
            }
            let is_new = tab.session != front || tab.news != news || stir.stirred;
            if let Some(next) = phase.next(is_new && !late) {
                phase = next;
                continue;
            }
            self.now = goal;
            if let Some(tab) = self.tabs.last_mut() {
                tab.rested = tab.news;
            }
            let own = said["why"].as_str().filter(|why| !why.is_empty());
            return Ok(Rest {
                elements: said["elements"].as_u64().unwrap_or_default(),
                scrolls: said["scrolls"] == true,
                moves: false,
                why: why.or(stir.why).or(own).map(str::to_owned),
            });
        }
    }

    /// Lets the page's time pass until a moment; what the page says then.
    fn pass(&mut self, end: u64) -> Result<Value, Halt> {
        let question =
            json!({"expression": self.plan.rest(end), "returnByValue": true, "awaitPromise": true});
        let patience = self.plan.setup.quiet + ENDING;
        let mut answer = self.call("Runtime.evaluate", question, patience)?;
        while self.hear(Duration::ZERO)? {}
        Ok(answer["result"]["value"].take())
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
