//! The native suite: JSON Lines, one trace a line.

use std::borrow::Cow;

use serde_json::error::Category;

use super::lines::{self, LineFault};
use super::wire::WireTrace;
use super::{Importer, Limits, PLAIN};
use crate::model::action::message;

pub(super) const IMPORTER: Importer = Importer {
    name: "jsonl",
    extensions: &["jsonl", "jsonl.zst", "ndjson"],
    read: |source, collector| {
        lines::read(source, collector, &|line, _, limits| {
            parse_line(line, limits)
        })
    },
    ..PLAIN
};

/// The trace on a line that is not blank.
pub(super) fn parse_line<'a>(
    line: &'a str,
    limits: &Limits,
) -> Result<Option<WireTrace<'a>>, LineFault> {
    let trace: WireTrace = serde_json::from_str(line).map_err(|error| fault(line, &error))?;
    check_names(&trace, line, limits)?;
    Ok(Some(trace))
}

fn fault(line: &str, error: &serde_json::Error) -> LineFault {
    if let Some(offset) = line.find('\0') {
        return LineFault {
            offset,
            reason: "a NUL byte".into(),
            advice: "save the file as UTF-8, or record it again if it was cut off",
        };
    }
    let advice = match error.classify() {
        Category::Eof => "write each trace whole on a line of its own",
        Category::Syntax | Category::Io => "each line must be one JSON object",
        Category::Data => {
            "a trace has `id`, `launch` with `screen`, and `steps` with `action` and `screen`"
        }
    };
    LineFault {
        offset: json_offset(line, error),
        reason: message(error),
        advice,
    }
}

/// Where in the line a JSON error is: on the last byte that was looked at.
pub(super) fn json_offset(line: &str, error: &serde_json::Error) -> usize {
    let mut offset = error.column().saturating_sub(1).min(line.len());
    while !line.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Refuses names above the limit.
pub(super) fn check_names(
    trace: &WireTrace<'_>,
    line: &str,
    limits: &Limits,
) -> Result<(), LineFault> {
    // A name that had escapes is a copy; the borrowed one before it is near enough.
    let mut offset = 0;
    for name in trace.names() {
        if let Cow::Borrowed(text) = name {
            offset = (text.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
        }
        if name.len() > limits.max_name_bytes {
            let (len, max) = (name.len(), limits.max_name_bytes);
            return Err(LineFault {
                offset,
                reason: format!("a name of {len} bytes, where {max} are allowed"),
                advice: "shorten it, or raise the limit on names",
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::fs;

    use crate::import::{Limits, Loaded, load};
    use crate::model::StepRef;

    const LIMITS: Limits = Limits {
        max_line_bytes: 1000,
        max_name_bytes: 50,
    };

    fn read(bytes: &[u8]) -> Result<Loaded, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        fs::write(&path, bytes).unwrap();
        let folder = format!("{}/", folder.path().display());
        load(&[path], &LIMITS).map_err(|e| e.to_string().replace(&folder, ""))
    }

    /// Spells out what was loaded, a line for each trace, or what is wrong.
    fn summary(bytes: &[u8]) -> String {
        let Loaded { suite, names, .. } = match read(bytes) {
            Ok(loaded) => loaded,
            Err(error) => return error,
        };
        let list = |id| {
            let ids = suite.recorded(id).iter().map(|&e| names.element_name(e));
            ids.collect::<Vec<_>>().join("+")
        };
        let mut lines = Vec::new();
        for (idx, trace) in suite.traces() {
            let launch = names.screen_name(trace.launch_screen);
            let mut line = format!("{} {launch} {}", trace.id, list(trace.launch_covers));
            for (step, position) in suite.steps(idx).iter().zip(0..) {
                let fields = suite.step_fields(StepRef {
                    trace: idx,
                    step: position,
                });
                let fault = step.fault.map(|fault| names.element_name(fault));
                let action = names.action_text(step.action);
                let screen = names.screen_name(step.screen);
                let covers = list(step.covers);
                let millis = step.millis;
                let _ = write!(
                    line,
                    " | {action} {covers} {screen} {fault:?} {millis:?} {fields:?}"
                );
            }
            lines.push(line + &format!(" {:?} {:?}", trace.launch_fields, trace.fields));
        }
        lines.join("\n")
    }

    #[track_caller]
    fn check(text: impl AsRef<[u8]>, expect: &str) {
        assert_eq!(summary(text.as_ref()), expect);
    }

    /// A trace with these steps.
    fn steps(steps: &str) -> String {
        format!(r#"{{"id":"t","launch":{{"screen":"H"}},"steps":[{steps}]}}"#)
    }

    /// Checks that reading stops at the character behind the `^`.
    #[track_caller]
    fn check_wrong(text: impl AsRef<str>, reason: &str) {
        let (before, behind) = text.as_ref().split_once('^').unwrap();
        let line = before.split('\n').count();
        let column = before.split('\n').next_back().unwrap().chars().count() + 1;
        let error = read([before, behind].concat().as_bytes()).unwrap_err();
        let start = format!("s.jsonl:{line}:{column}: {reason}");
        assert!(error.starts_with(&start), "{error}\nis not\n{start}");
    }

    #[test]
    fn everything_the_format_knows_is_read() {
        check(
            r#"{"id":7,"launch":{"covers":["b0",3,-4],"screen":"H","l":[1]},"source":"x","from":[{}],
"steps":[{"millis":5,"fault":"N","screen":"M","covers":["branch:b1","method:m"],"action":"tap","dump":{"a": 1}}]}"#
                .replace('\n', ""),
            r#"7 H b0+3+-4 | tap b1+method:m M Some("fault:N") Some(5) [("dump", "{\"a\": 1}")] [("l", "[1]")] [("source", "\"x\""), ("from", "[{}]")]"#,
        );
        check(
            steps(
                r#"{"action":{"b":1,"a":"\u00e4"},"screen":"\u0041","fault":null,"millis":null}"#,
            ),
            r#"t H  | {"a":"ä","b":1}  A None None [] [] []"#,
        );
        check(
            steps(r#"{"action":"{}","screen":"M"}"#),
            r#"t H  | "{}"  M None None [] [] []"#,
        );
    }

    #[test]
    fn blank_lines_byte_order_marks_and_line_ends_do_no_harm() {
        let second = steps("").replace("\"t\"", "\"u\"");
        let text = format!("\u{FEFF}\r\n{}\r\n  \n\n{second}", steps(""));
        check(text, "t H  [] []\nu H  [] []");
    }

    #[test]
    fn files_without_traces_are_an_error() {
        for text in ["", "\n \r\n", "\u{FEFF}"] {
            check(
                text,
                "no traces in s.jsonl; remove the file or record it again",
            );
        }
    }

    #[test]
    fn errors_name_line_and_column() {
        check_wrong("\n\n^oops", "expected value");
        check_wrong("^[1]", "invalid type: sequence, expected a trace object");
        check_wrong(r#"{"id":"t"^,"#, "EOF while parsing a value");
        check_wrong(
            r#"{"id":"ä","launch":{"screen":^5},"steps":[]}"#,
            "invalid type: integer `5`, expected a string",
        );
        check_wrong(steps("") + "^x", "trailing characters");
        check_wrong("\n{\"id\":\"^\0\"}", "a NUL byte");
        check_wrong(
            steps(r#"{"action":{"a":[1,^]},"screen":"M"}"#),
            "expected value",
        );
        let error = read(b"\n{\"id\":\"\xff\"}").unwrap_err();
        assert!(
            error.starts_with("s.jsonl:2:8: bytes that are not UTF-8"),
            "{error}"
        );
    }

    #[test]
    fn what_is_missing_or_of_the_wrong_kind_is_named() {
        check_wrong("{^}", "missing field `id`");
        check_wrong(r#"{"id":"t"^}"#, "missing field `launch`");
        check_wrong(r#"{"id":"t","launch":{^}}"#, "missing field `screen`");
        check_wrong(
            r#"{"id":"t","launch":{"screen":""}^}"#,
            "missing field `steps`",
        );
        check_wrong(steps(r#"{"screen":"M"^}"#), "missing field `action`");
        check_wrong(steps(r#"{"action":[^]}"#), "invalid type: sequence");
        check_wrong(
            steps(r#"{"covers":[1.^5]}"#),
            "invalid type: floating point `1.5`, expected a string or a whole number",
        );
        check_wrong(steps(r#"{"millis":429496729^6}"#), "invalid value: integer");
        check_wrong(steps(r#"{"millis":1.^0}"#), "invalid type: floating point");
    }

    #[test]
    fn repeated_fields_and_ids_are_refused() {
        check_wrong(
            steps(r#"{"screen":"M","screen^":"M"}"#),
            "duplicate field `screen`",
        );
        check_wrong(
            steps(r#"{"action":"a","screen":"M","x":1,"y":1,"x":2^}"#),
            "duplicate field `x`",
        );
        check_wrong(
            steps(r#"{"action":{"x":1,"x":2^},"screen":"M"}"#),
            "duplicate field `x`",
        );
        check_wrong(
            steps("") + "\n\n" + &steps("").replace("\"t\"", "\"^t\""),
            "duplicate trace id `t`, first at s.jsonl:1; give",
        );
    }

    #[test]
    fn limits_hold() {
        let long = "x".repeat(51);
        check_wrong(
            steps(&format!(r#"{{"action":"^{long}","screen":"M"}}"#)),
            "a name of 51 bytes, where 50 are allowed",
        );
        let line = " ".repeat(1000) + "^" + &steps("");
        check_wrong(line, "a line of more than 1000 bytes");
        let deep = "[".repeat(300) + &"]".repeat(300);
        let deep = steps(&format!(r#"{{"action":"a","screen":"M","x":{deep}}}"#));
        assert!(read(deep.as_bytes()).is_ok());
    }

    #[test]
    fn ten_problems_are_shown_and_the_rest_counted() {
        let error = read("oops\n".repeat(25).as_bytes()).unwrap_err();
        assert_eq!(error.lines().count(), 11);
        assert!(
            error.contains("s.jsonl:10:1: ") && error.ends_with("\n… and 15 more"),
            "{error}"
        );
    }

    #[test]
    fn problems_quote_the_input_briefly() {
        let wrong = steps(&format!(r#"{{"millis":"{}"}}"#, "x".repeat(700)));
        let error = read(wrong.as_bytes()).unwrap_err();
        assert!(error.chars().count() < 600, "{error}");
    }
}
