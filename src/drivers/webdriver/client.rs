//! The far end of a W3C WebDriver: requests with a deadline each.

use std::time::Duration;

use serde_json::{Value, json};
use ureq::http::Request;

use crate::replay::DriverError;

/// What ends of Selenium Grid want to be told.
const JSON: &str = "application/json; charset=utf-8";
/// The most of a complaint that is passed on, in characters.
const LONGEST: usize = 300;

/// A WebDriver end.
pub(super) struct End {
    pub(super) base: String,
    agent: ureq::Agent,
}

/// Why a request came to nothing.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The end answered that it cannot be done, by one of the words of the standard.
    Said { word: String, message: String },
    /// The end did not answer.
    Silent(DriverError),
}

impl From<Refusal> for DriverError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Said { message, .. } => Self::Unwell(message),
            Refusal::Silent(error) => error,
        }
    }
}

impl End {
    pub(super) fn new(base: &str) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .proxy(None)
            .build();
        Self {
            base: base.trim_end_matches('/').to_owned(),
            agent: config.into(),
        }
    }

    /// Asks the end for something; the value of its answer.
    pub(super) fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        limit: Duration,
    ) -> Result<Value, Refusal> {
        let url = format!("{}{path}", self.base);
        let (status, text) = self.fetch(method, &url, body, limit)?;
        let mut said: Value = serde_json::from_str(&text).unwrap_or_default();
        let said = said["value"].take();
        if (200..300).contains(&status) {
            return Ok(said);
        }
        let complaint = said["message"].as_str().unwrap_or(&text);
        let complaint = complaint.lines().next().unwrap_or_default();
        let complaint: String = complaint.chars().take(LONGEST).collect();
        Err(Refusal::Said {
            word: said["error"].as_str().unwrap_or_default().to_owned(),
            message: format!("the WebDriver end says {status}: {complaint}"),
        })
    }

    /// Opens a session; its id and what it can do.
    pub(super) fn open(&self, wanted: &Value, limit: Duration) -> Result<Session, DriverError> {
        let request = json!({"capabilities": {"alwaysMatch": wanted}});
        let mut answer = self.ask("POST", "/session", Some(&request), limit)?;
        let id = answer["sessionId"].as_str().unwrap_or_default().to_owned();
        let can = answer["capabilities"].take();
        if id.is_empty() {
            return Err(DriverError::Unwell("no session was opened".to_owned()));
        }
        Ok(Session { id, can })
    }

    /// Ends a session.
    pub(super) fn close(&self, session: &str, limit: Duration) -> Result<(), DriverError> {
        self.ask("DELETE", &format!("/session/{session}"), None, limit)?;
        Ok(())
    }

    /// What is at an address, as JSON.
    pub(super) fn get(&self, url: &str, limit: Duration) -> Result<Value, DriverError> {
        let (_, text) = self.fetch("GET", url, None, limit)?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }

    fn fetch(
        &self,
        method: &str,
        url: &str,
        body: Option<&Value>,
        limit: Duration,
    ) -> Result<(u16, String), Refusal> {
        let trouble = |error: &ureq::Error| Refusal::Silent(self.trouble(error, limit));
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = Request::builder()
            .method(method)
            .uri(url)
            .header("content-type", JSON)
            .body(body)
            .map_err(|error| Refusal::Silent(DriverError::Unwell(format!("{url}: {error}"))))?;
        let request = self.agent.configure_request(request);
        let request = request.timeout_global(Some(limit)).build();
        let mut answer = self.agent.run(request).map_err(|error| trouble(&error))?;
        let text = answer.body_mut().read_to_string();
        let text = text.map_err(|error| trouble(&error))?;
        Ok((answer.status().as_u16(), text))
    }

    fn trouble(&self, error: &ureq::Error, limit: Duration) -> DriverError {
        match error {
            ureq::Error::Timeout(_) => DriverError::TimedOut(limit),
            error => DriverError::Unwell(format!(
                "the WebDriver end {} cannot be reached ({error}); is chromedriver or the hub running?",
                self.base
            )),
        }
    }
}

/// A session of a browser.
pub(super) struct Session {
    pub(super) id: String,
    pub(super) can: Value,
}
