//! The gate that requests of a page pass: where they may go, and scripts one after the other.
//!
//! An app that loads many scripts at once does things in the order of their arrival, which is another
//! one every time; and where several modules wait for the same one, a browser goes on with them in no
//! order at all. Here each script sets out when the one before it is there and has been run, and what
//! that one asked for goes before what was asked for earlier, so that never two of them wait for a third.
//! What the page itself names comes before what its scripts want, in the order of the page.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::browser::Browser;
use super::link::Asked;
use super::plan::Plan;
use crate::replay::DriverError;

/// How long other scripts wait for one, and for a page to run it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Requests that wait for each other.
#[derive(Debug, Default)]
pub(super) struct Gate {
    waiting: Vec<Waiting>,
    /// The request that is on its way, and since when.
    passing: Option<(String, Instant)>,
    /// The question that a page answers when it has run what has arrived.
    calm: Option<(Asked, Instant)>,
    /// Whether more was asked for since that question.
    is_stirred: bool,
    /// Scripts that the page has asked for and that have not come to the gate yet.
    announced: HashSet<String>,
    /// Scripts that have come to the gate and not ended yet.
    stopped: HashSet<String>,
    /// Scripts that the text of the page names.
    written: HashSet<String>,
    /// How many requests have set out.
    round: u64,
}

/// A request that waits.
#[derive(Debug)]
struct Waiting {
    /// The browser's numbers for the stop and for the request.
    stop: String,
    request: String,
    /// How many requests had set out when it came.
    round: u64,
}

/// What is to be done next.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    Nothing,
    /// Ask the page to say when it has run what has arrived.
    Ask,
    /// Let the request at this stop go on.
    Go(String),
}

impl Gate {
    /// A request is about to be made.
    pub(super) fn announce(&mut self, params: &Value) {
        let request = params["requestId"].as_str().unwrap_or_default();
        if params["type"] != "Script" {
            return;
        }
        // The news of it may come later than the request itself.
        if !self.stopped.contains(request) {
            self.announced.insert(request.to_owned());
        }
        if params["initiator"]["type"] == "parser" {
            self.written.insert(request.to_owned());
        }
    }

    /// A request stands before the gate; where it is the one that passes, it was sent elsewhere and
    /// may go on.
    fn stop(&mut self, stop: &str, request: &str) -> Next {
        self.announced.remove(request);
        self.stopped.insert(request.to_owned());
        if self.passes(request) {
            return Next::Go(stop.to_owned());
        }
        self.is_stirred = true;
        self.waiting.push(Waiting {
            stop: stop.to_owned(),
            request: request.to_owned(),
            round: self.round,
        });
        Next::Nothing
    }

    /// A request has ended.
    pub(super) fn ended(&mut self, request: &str) {
        self.announced.remove(request);
        self.stopped.remove(request);
        if self.passes(request) {
            self.passing = None;
        }
    }

    fn passes(&self, request: &str) -> bool {
        self.passing.as_ref().is_some_and(|(id, _)| id == request)
    }

    /// The page has gone elsewhere, and what it asked for is of no interest.
    pub(super) fn clear(&mut self) {
        self.announced.clear();
        self.stopped.clear();
        self.written.clear();
    }

    /// What is to be done, given whether questions are answered.
    fn next(&mut self, is_answered: impl FnOnce(Asked) -> bool) -> Next {
        let is_taken = |(_, since): &(String, Instant)| since.elapsed() < PATIENCE;
        if self.waiting.is_empty() || self.passing.as_ref().is_some_and(is_taken) {
            return Next::Nothing;
        }
        let written = |waiting: &Waiting| self.written.contains(&waiting.request);
        if let Some(place) = self.waiting.iter().position(written) {
            return self.go(place);
        }
        let Some((asked, since)) = self.calm else {
            self.is_stirred = false;
            return Next::Ask;
        };
        let is_late = since.elapsed() > PATIENCE;
        if !(is_late || self.announced.is_empty() && is_answered(asked)) {
            return Next::Nothing;
        }
        self.calm = None;
        if self.is_stirred && !is_late {
            self.is_stirred = false;
            return Next::Ask;
        }
        self.announced.clear();
        let newest = self.waiting.iter().map(|waiting| waiting.round).max();
        let place = self.waiting.iter().position(|w| Some(w.round) == newest);
        self.go(place.unwrap_or_default())
    }

    fn go(&mut self, place: usize) -> Next {
        let Waiting { stop, request, .. } = self.waiting.remove(place);
        self.passing = Some((request, Instant::now()));
        self.round += 1;
        Next::Go(stop)
    }
}

impl Browser {
    /// Lets a page be gone to, or stays where it is.
    pub(super) fn guard(&mut self, session: &str, params: &Value) -> Result<(), DriverError> {
        let text = |key: &str| params[key].as_str().unwrap_or_default();
        let url = params["request"]["url"].as_str().unwrap_or_default();
        if params["resourceType"] != "Document" {
            let tab = self.tabs.iter_mut().find(|tab| tab.session == session);
            let next = tab.map(|tab| tab.gate.stop(text("requestId"), text("networkId")));
            return match next {
                Some(Next::Go(stop)) => self.let_go(session, &stop),
                _ => self.admit(),
            };
        }
        if self.plan.allows(url) {
            self.let_go(session, text("requestId"))?;
        } else {
            // "No content" leaves the page as it is.
            let stay = json!({"requestId": text("requestId"), "responseCode": 204});
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
        for place in 0..self.tabs.len() {
            let link = &mut self.link;
            let tab = &mut self.tabs[place];
            let session = tab.session.clone();
            match tab.gate.next(|asked| link.poll(asked).is_some()) {
                Next::Nothing => {}
                Next::Go(stop) => self.let_go(&session, &stop)?,
                Next::Ask => {
                    let question = json!({"expression": Plan::calm(), "awaitPromise": true});
                    let asked = link.ask(Some(&session), "Runtime.evaluate", question)?;
                    tab.gate.calm = Some((asked, Instant::now()));
                }
            }
        }
        Ok(())
    }

    fn let_go(&mut self, session: &str, stop: &str) -> Result<(), DriverError> {
        let go = json!({"requestId": stop});
        self.link.tell(Some(session), "Fetch.continueRequest", go)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use serde_json::json;

    use super::{Gate, Next};
    use crate::drivers::web::link::Asked;

    /// Asks for scripts, in this order.
    fn want(gate: &mut Gate, by: &str, scripts: &[&str]) {
        for script in scripts {
            let initiator = json!({"type": by});
            gate.announce(&json!({"requestId": script, "type": "Script", "initiator": initiator}));
        }
        for script in scripts {
            assert_eq!(gate.stop(script, script), Next::Nothing);
        }
    }

    /// The script that sets out when the page is calm.
    fn sent(gate: &mut Gate) -> Option<String> {
        loop {
            match gate.next(|_| true) {
                Next::Nothing => return None,
                Next::Ask => gate.calm = Some((Asked::default(), Instant::now())),
                Next::Go(stop) => return Some(stop),
            }
        }
    }

    #[track_caller]
    fn check(gate: &mut Gate, expect: &str) {
        assert_eq!(sent(gate).as_deref(), Some(expect));
        assert_eq!(sent(gate), None, "one at a time");
    }

    #[test]
    fn what_a_script_needs_goes_before_what_was_asked_for_earlier() {
        let mut gate = Gate::default();
        want(&mut gate, "script", &["pen", "brush"]);
        check(&mut gate, "pen");
        want(&mut gate, "script", &["shared", "word"]);
        gate.ended("pen");
        check(&mut gate, "shared");
        gate.ended("shared");
        check(&mut gate, "word");
        gate.ended("word");
        check(&mut gate, "brush");
    }

    #[test]
    fn what_the_page_names_goes_first_and_in_its_order() {
        let mut gate = Gate::default();
        want(&mut gate, "script", &["later"]);
        want(&mut gate, "parser", &["one", "two"]);
        for expect in ["one", "two", "later"] {
            check(&mut gate, expect);
            gate.ended(expect);
        }
    }

    #[test]
    fn a_script_that_is_about_to_come_is_waited_for() {
        let mut gate = Gate::default();
        gate.announce(&json!({"requestId": "slow", "type": "Script"}));
        want(&mut gate, "script", &["quick"]);
        assert_eq!(sent(&mut gate), None);
        assert_eq!(gate.stop("slow", "slow"), Next::Nothing);
        check(&mut gate, "quick");
    }

    #[test]
    fn news_of_a_script_that_stands_before_the_gate_already_keeps_nobody_waiting() {
        let mut gate = Gate::default();
        assert_eq!(gate.stop("early", "early"), Next::Nothing);
        gate.announce(&json!({"requestId": "early", "type": "Script"}));
        check(&mut gate, "early");
    }

    #[test]
    fn a_script_that_was_sent_elsewhere_goes_on() {
        let mut gate = Gate::default();
        want(&mut gate, "script", &["moved"]);
        check(&mut gate, "moved");
        let again = gate.stop("moved again", "moved");
        assert_eq!(again, Next::Go("moved again".to_owned()));
    }
}
