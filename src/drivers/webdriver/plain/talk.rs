//! A session by the commands of the standard alone.

use std::time::Duration;

use serde_json::{Value, json};

use crate::drivers::webdriver::client::{End, Refusal};
use crate::replay::DriverError;

/// How long a command may take that waits for nothing.
const ANSWERING: Duration = Duration::from_secs(30);

/// A session that is open.
pub(super) struct Talk<'a> {
    pub(super) end: &'a End,
    pub(super) session: &'a str,
    /// How long a script or a page may take.
    pub(super) limit: Duration,
}

/// What came of a command.
#[derive(Debug)]
pub(super) enum Said {
    Value(Value),
    /// A dialog is open.
    Dialog,
    /// The window that was spoken to is gone.
    NoWindow,
    /// It cannot be done, or not now.
    Refused,
}

impl Talk<'_> {
    /// Sends a command; what the page has against it is no trouble of the device.
    pub(super) fn tell(&self, method: &str, path: &str, body: &Value) -> Result<Said, DriverError> {
        let path = format!("/session/{}{path}", self.session);
        let body = (method == "POST").then_some(body);
        match self.end.ask(method, &path, body, ANSWERING + self.limit) {
            Ok(value) => Ok(Said::Value(value)),
            Err(Refusal::Said { word, message }) => match &*word {
                "unexpected alert open" => Ok(Said::Dialog),
                "no such window" => Ok(Said::NoWindow),
                "javascript error"
                | "stale element reference"
                | "no such element"
                | "script timeout"
                | "no such alert"
                | "move target out of bounds"
                | "element not interactable"
                | "detached shadow root"
                | "timeout"
                | "unsupported operation" => Ok(Said::Refused),
                // The session or its node is gone, or the end does not know the command.
                _ => Err(DriverError::Unwell(message)),
            },
            Err(Refusal::Silent(error)) => Err(error),
        }
    }

    /// Runs a script in the page and waits for what it says.
    pub(super) fn run(&self, script: &str, args: &Value) -> Result<Said, DriverError> {
        let body = json!({"script": script, "args": args});
        self.tell("POST", "/execute/sync", &body)
    }

    /// Waits for what an expression promises.
    pub(super) fn wait(&self, promise: &str) -> Result<Said, DriverError> {
        let script = format!(
            "const done = arguments[arguments.length - 1]; \
             Promise.resolve({promise}).then(done, () => done(null));"
        );
        let body = json!({"script": script, "args": []});
        self.tell("POST", "/execute/async", &body)
    }

    /// What a dialog says, if one is open.
    pub(super) fn dialog(&self) -> Result<Option<String>, DriverError> {
        match self.tell("GET", "/alert/text", &Value::Null)? {
            Said::Value(text) => Ok(Some(text.as_str().unwrap_or_default().to_owned())),
            _ => Ok(None),
        }
    }

    /// The windows that are open, by the end's names for them.
    pub(super) fn windows(&self) -> Result<Vec<String>, DriverError> {
        let Said::Value(windows) = self.tell("GET", "/window/handles", &Value::Null)? else {
            return Ok(Vec::new());
        };
        let windows = windows.as_array().cloned().unwrap_or_default();
        let names = windows.iter().filter_map(Value::as_str);
        Ok(names.map(str::to_owned).collect())
    }
}
