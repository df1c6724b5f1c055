//! The far end of a W3C WebDriver: requests with a deadline each.

use std::time::Duration;

use serde_json::{Value, json};

use crate::replay::DriverError;

/// What ends of Selenium Grid want to be told.
const JSON: &str = "application/json; charset=utf-8";

/// A WebDriver end.
pub(super) struct End {
    base: String,
    agent: ureq::Agent,
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

    /// Opens a session; its id and what it can do.
    pub(super) fn open(&self, wanted: &Value, limit: Duration) -> Result<Session, DriverError> {
        let request = json!({"capabilities": {"alwaysMatch": wanted}});
        let request = self
            .agent
            .post(format!("{}/session", self.base))
            .config()
            .timeout_global(Some(limit))
            .build()
            .header("content-type", JSON)
            .send(request.to_string());
        let mut answer = said(request, limit)?;
        let id = answer["sessionId"].as_str().unwrap_or_default().to_owned();
        let can = answer["capabilities"].take();
        if id.is_empty() {
            return Err(DriverError::Unwell("no session was opened".to_owned()));
        }
        Ok(Session { id, can })
    }

    /// Ends a session.
    pub(super) fn close(&self, session: &str, limit: Duration) -> Result<(), DriverError> {
        let request = self
            .agent
            .delete(format!("{}/session/{session}", self.base))
            .config()
            .timeout_global(Some(limit))
            .build()
            .call();
        said(request, limit).map(|_| ())
    }

    /// What is at an address, as JSON.
    pub(super) fn get(&self, url: &str, limit: Duration) -> Result<Value, DriverError> {
        let request = self
            .agent
            .get(url)
            .config()
            .timeout_global(Some(limit))
            .build()
            .call();
        let mut answer = request.map_err(|error| trouble(&error, limit))?;
        let text = answer.body_mut().read_to_string();
        let text = text.map_err(|error| trouble(&error, limit))?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }
}

/// A session of a browser.
pub(super) struct Session {
    pub(super) id: String,
    pub(super) can: Value,
}

/// What an end says, or what it complains about.
fn said(
    answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    limit: Duration,
) -> Result<Value, DriverError> {
    let mut answer = answer.map_err(|error| trouble(&error, limit))?;
    let text = answer.body_mut().read_to_string();
    let text = text.map_err(|error| trouble(&error, limit))?;
    let mut said: Value = serde_json::from_str(&text).unwrap_or_default();
    let said = said["value"].take();
    if answer.status().is_success() {
        return Ok(said);
    }
    let complaint = said["message"].as_str().unwrap_or(&text);
    let complaint: String = complaint
        .lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(300)
        .collect();
    Err(DriverError::Unwell(format!(
        "the WebDriver end says {}: {complaint}",
        answer.status().as_u16()
    )))
}

fn trouble(error: &ureq::Error, limit: Duration) -> DriverError {
    match error {
        ureq::Error::Timeout(_) => DriverError::TimedOut(limit),
        error => DriverError::Unwell(format!("the WebDriver end cannot be reached: {error}")),
    }
}
