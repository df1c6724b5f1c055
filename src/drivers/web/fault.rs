//! Faults of pages: uncaught exceptions and errors on the console, with signatures that stay the
//! same from run to run.

use serde_json::Value;

use super::place;

/// The longest signature, in characters.
const LONGEST: usize = 200;

/// The signature of an uncaught exception (`Runtime.exceptionThrown`).
pub(crate) fn exception(params: &Value, host: &str) -> String {
    let details = &params["exceptionDetails"];
    let thrown = &details["exception"];
    let said = thrown["description"].as_str();
    // What is thrown need not be an error.
    let said = said.or(thrown["value"].as_str()).map(str::to_owned);
    let said = said.unwrap_or_else(|| match &thrown["value"] {
        Value::Null => details["text"].as_str().unwrap_or("thrown").to_owned(),
        value => value.to_string(),
    });
    let frames = &details["stackTrace"]["callFrames"];
    let at = frames[0].as_object().map_or_else(
        || location(details, "", host),
        |frame| {
            let function = frame["functionName"].as_str().unwrap_or_default();
            location(&frames[0], function, host)
        },
    );
    signature(&said, &at)
}

/// The signature of an error on the console (`Runtime.consoleAPICalled`); none where it is no
/// error.
pub(super) fn console(params: &Value, host: &str) -> Option<String> {
    if !matches!(params["type"].as_str(), Some("error" | "assert")) {
        return None;
    }
    let words = params["args"].as_array().into_iter().flatten().map(|arg| {
        let text = arg["value"].as_str().or(arg["description"].as_str());
        text.map_or_else(|| arg["value"].to_string(), first_line)
    });
    let said = words.collect::<Vec<_>>().join(" ");
    let frame = &params["stackTrace"]["callFrames"][0];
    let function = frame["functionName"].as_str().unwrap_or_default();
    let said = format!("console: {said}");
    Some(signature(&said, &location(frame, function, host)))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

fn location(place_of: &Value, function: &str, host: &str) -> String {
    let Some(url) = place_of["url"].as_str().filter(|url| !url.is_empty()) else {
        return function.to_owned();
    };
    let line = place_of["lineNumber"].as_u64().unwrap_or_default() + 1;
    let file = place(url, host);
    if function.is_empty() {
        format!("{file}:{line}")
    } else {
        format!("{function} {file}:{line}")
    }
}

fn signature(said: &str, at: &str) -> String {
    let said = steady(&first_line(said));
    let whole = if at.is_empty() {
        said
    } else {
        format!("{said} at {at}")
    };
    whole.chars().take(LONGEST).collect()
}

/// A text without what changes from run to run: long numbers and ids of hexadecimal digits.
fn steady(text: &str) -> String {
    let mut steady = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            continue;
        }
        let digits = word.chars().filter(char::is_ascii_digit).count();
        let is_hex = word.len() >= 8 && digits > 0 && word.chars().all(|c| c.is_ascii_hexdigit());
        let is_number = word.len() >= 4 && digits == word.len();
        steady.push_str(if is_hex || is_number { "…" } else { &word });
        word.clear();
        if c != '\0' {
            steady.push(if c.is_control() { ' ' } else { c });
        }
    }
    steady
}
