//! The reduced traces as reports show them: strips of screens, read from `suite.jsonl`.

use serde::Deserialize;
use serde_json::Value;

use super::Fragment;

/// A reduced trace as a strip of screens.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Strip {
    /// Its name.
    pub id: String,
    /// What the launch shows.
    pub launch: Frame,
    /// What each step does and shows.
    pub steps: Vec<Frame>,
    /// Where its steps come from.
    #[serde(default)]
    pub from: Vec<Fragment>,
}

/// One screen of a strip and how it was reached.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Frame {
    /// The action that led there; null at the launch.
    #[serde(default)]
    pub action: Value,
    /// The screen.
    pub screen: String,
    /// What was covered on the way.
    #[serde(default)]
    pub covers: Vec<Value>,
    /// The exception that was raised.
    #[serde(default)]
    pub fault: Option<String>,
}

/// The strips of a native suite.
///
/// # Errors
/// If a line is no trace; the number of the line comes with the reason.
pub fn strips(suite: &[u8]) -> Result<Vec<Strip>, (usize, serde_json::Error)> {
    let lines = suite.split(|&byte| byte == b'\n').zip(1..);
    lines
        .filter(|(line, _)| !line.trim_ascii().is_empty())
        .map(|(line, number)| serde_json::from_slice(line).map_err(|error| (number, error)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::strips;

    #[test]
    fn strips_hold_what_a_suite_says_and_ignore_what_they_do_not_know() {
        let suite = br#"
{"id":"r1","launch":{"screen":"Home","covers":["b0"]},"steps":[{"action":{"x":1},"covers":[7],"screen":"Menu","fault":"E","dump":"d"}],"from":[{"trace":"t1","first":0,"last":0}],"extra":1}
{"id":"r2","launch":{"screen":"Home"},"steps":[]}
"#;
        let strips = strips(suite).unwrap();
        assert_eq!(strips.len(), 2);
        assert_eq!(strips[0].steps[0].action, serde_json::json!({"x": 1}));
        assert_eq!(strips[0].from[0].trace.as_deref(), Some("t1"));
        assert!(strips[1].from.is_empty());
    }

    #[test]
    fn a_line_that_is_no_trace_is_named() {
        assert_eq!(strips(b"\n{}\n").unwrap_err().0, 2);
    }
}
