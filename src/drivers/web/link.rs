//! The debugging protocol of Chromium as plain JSON: questions, answers, and what the browser
//! says without being asked.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::wire::Wire;
use crate::replay::DriverError;

/// The browser did something.
#[derive(Debug)]
pub struct Event {
    /// The tab that it is about; none for the browser as a whole.
    pub session: Option<String>,
    /// What happened: `Page.loadEventFired`.
    pub method: String,
    /// More about it.
    pub params: Value,
}

/// The answer to a question, or what the browser has against it.
pub type Answer = Result<Value, String>;

/// A question that was asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Asked(u64);

/// The way to one browser.
pub struct Link {
    wire: Box<dyn Wire>,
    last: u64,
    open: HashSet<u64>,
    answers: HashMap<u64, Answer>,
    events: VecDeque<Event>,
}

impl Link {
    pub(crate) fn new(wire: Box<dyn Wire>) -> Self {
        Self {
            wire,
            last: 0,
            open: HashSet::new(),
            answers: HashMap::new(),
            events: VecDeque::new(),
        }
    }

    /// Asks a question, for [`Link::poll`] to answer.
    pub fn ask(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> Result<Asked, DriverError> {
        self.open.insert(self.last + 1);
        self.tell(session, method, params)
    }

    /// Asks for something whose answer is of no interest.
    pub fn tell(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> Result<Asked, DriverError> {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method});
        message["params"] = params;
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        let sent = self.wire.send(&message.to_string());
        sent.map_err(|_| DriverError::Lost)?;
        Ok(Asked(self.last))
    }

    /// Gives up on an answer.
    pub fn forget(&mut self, asked: Asked) {
        self.open.remove(&asked.0);
        self.answers.remove(&asked.0);
    }

    /// The answer to a question, if it is there.
    pub fn poll(&mut self, asked: Asked) -> Option<Answer> {
        let answer = self.answers.remove(&asked.0)?;
        self.open.remove(&asked.0);
        Some(answer)
    }

    /// What happened next, if it was said already.
    pub fn event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Takes in one message; false when none came in time.
    pub fn listen(&mut self, limit: Duration) -> Result<bool, DriverError> {
        let message = self.wire.receive(limit).map_err(|_| DriverError::Lost)?;
        let Some(message) = message else {
            return Ok(false);
        };
        // What is no JSON object is nothing that we asked for.
        let Ok(Value::Object(mut message)) = serde_json::from_slice(&message) else {
            return Ok(true);
        };
        let mut take = |key: &str| message.remove(key).unwrap_or_default();
        if let Some(id) = take("id").as_u64() {
            if self.open.contains(&id) {
                let answer = match take("error") {
                    Value::Null => Ok(take("result")),
                    error => Err(error["message"].as_str().unwrap_or("refused").to_owned()),
                };
                self.answers.insert(id, answer);
            }
        } else if let Value::String(method) = take("method") {
            let session = take("sessionId").as_str().map(str::to_owned);
            let params = take("params");
            self.events.push_back(Event {
                session,
                method,
                params,
            });
        }
        Ok(true)
    }

    /// Asks a question and waits for the answer; events stay for later.
    pub fn call(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
        limit: Duration,
    ) -> Result<Answer, DriverError> {
        let asked = self.ask(session, method, params)?;
        let since = Instant::now();
        loop {
            if let Some(answer) = self.poll(asked) {
                return Ok(answer);
            }
            let left = limit.saturating_sub(since.elapsed());
            if left.is_zero() || !self.listen(left)? && since.elapsed() >= limit {
                self.forget(asked);
                return Err(DriverError::TimedOut(limit));
            }
        }
    }
}
