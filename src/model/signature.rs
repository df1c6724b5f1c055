//! Faults by signature: the class of an exception and the top frames of the app, without line numbers.

use std::fmt;

/// So many frames of the app tell a fault from others.
const FRAMES: usize = 3;
/// No more lines of one fault are looked at.
const MOST_LINES: usize = 10_000;
/// Frames of these are not the app's.
const PLATFORM: [&str; 11] = [
    "android.",
    "androidx.",
    "com.android.",
    "com.google.android.",
    "dalvik.",
    "java.",
    "javax.",
    "jdk.",
    "kotlin.",
    "kotlinx.",
    "libcore.",
];

/// What tells one fault from another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature {
    /// The class of the exception; where one caused another, of the one behind all.
    class: String,
    /// The first frames of the app, innermost first.
    frames: Vec<String>,
}

impl Signature {
    /// Reads a fault as suites and logs write it: a class, maybe with a message behind a colon
    /// and with frames behind `at`, each on a line of its own or all on one.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut signature = Self {
            class: String::new(),
            frames: Vec::new(),
        };
        for line in text.lines().take(MOST_LINES) {
            let line = line.trim_start_matches("E AndroidRuntime:").trim();
            signature.read(line);
        }
        signature.frames.truncate(FRAMES);
        signature
    }

    fn read(&mut self, line: &str) {
        if let Some(frame) = line.strip_prefix("at ") {
            self.add_frames(frame);
        } else if let Some(cause) = line.strip_prefix("Caused by:") {
            self.frames.clear();
            self.begin(cause.trim());
        } else if self.class.is_empty() {
            self.begin(line);
        }
    }

    /// Takes a line in that names a class.
    fn begin(&mut self, line: &str) {
        let (head, frames) = line.split_once(" at ").unwrap_or((line, ""));
        let class = head.split(": ").next().unwrap_or(head);
        class
            .trim()
            .trim_end_matches(':')
            .clone_into(&mut self.class);
        self.add_frames(frames);
    }

    fn add_frames(&mut self, frames: &str) {
        for frame in frames.split(" at ") {
            let frame = frame.split('(').next().unwrap_or(frame).trim();
            let frame = without_line(frame);
            // Messages have words behind `at`, too; a frame names a class and a method.
            let is_frame = frame.contains('.') && !frame.contains(char::is_whitespace);
            let is_platform = PLATFORM.iter().any(|prefix| frame.starts_with(prefix));
            if is_frame && !is_platform && self.frames.len() < FRAMES {
                self.frames.push(frame.to_owned());
            }
        }
    }

    /// Whether a fault is the one that is asked for: of the same class, which may be given
    /// without its package, and with the frames that are asked for on top.
    #[must_use]
    pub fn is_met_by(&self, fault: &Self) -> bool {
        let same_class = self.class == fault.class
            || (!self.class.contains('.')
                && fault.class.rsplit('.').next() == Some(self.class.as_str()));
        same_class && fault.frames.starts_with(&self.frames)
    }
}

/// A frame without `:123` at its end.
fn without_line(frame: &str) -> &str {
    match frame.rsplit_once(':') {
        Some((name, line)) if line.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => frame,
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class)?;
        self.frames
            .iter()
            .try_for_each(|frame| write!(f, " at {frame}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Signature;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        let signature = Signature::parse(text);
        assert_eq!(signature.to_string(), expect);
        assert_eq!(
            Signature::parse(expect),
            signature,
            "it reads what it writes"
        );
    }

    const STACK: &str = "java.lang.RuntimeException: cannot deliver: java.lang.Error: no
\tat android.app.ActivityThread.deliver(ActivityThread.java:4089)
\tat org.demo.Outer.run(Outer.java:3)
Caused by: java.lang.NullPointerException: on a null object
\tat java.util.Objects.requireNonNull(Objects.java:203)
\tat org.demo.Main.onResult(Main.java:1573)
\tat org.demo.Main$Inner.call(Main.java:12)
\tat android.app.Activity.dispatch(Activity.java:6932)
\tat org.demo.A.a(Unknown Source)
\tat org.demo.B.b(B.java:1)
\t... 9 more";

    #[test]
    fn the_cause_behind_all_and_the_frames_of_the_app_are_the_signature() {
        check(
            STACK,
            "java.lang.NullPointerException at org.demo.Main.onResult at org.demo.Main$Inner.call \
             at org.demo.A.a",
        );
    }

    #[test]
    fn short_forms_are_understood() {
        check("NullPointerException", "NullPointerException");
        check("NPE at Cart.pay:17", "NPE at Cart.pay");
        check("java.lang.Error: 7 of 9", "java.lang.Error");
        check("", "");
    }

    #[test]
    fn line_numbers_and_messages_make_no_difference() {
        let other = STACK.replace("1573", "99").replace("on a null object", "x");
        assert_eq!(Signature::parse(STACK), Signature::parse(&other));
    }

    #[test]
    fn a_fault_is_met_by_class_and_top_frames() {
        let fault = Signature::parse(STACK);
        let is_met = |text| Signature::parse(text).is_met_by(&fault);
        assert!(is_met("NullPointerException"));
        assert!(is_met(
            "java.lang.NullPointerException at org.demo.Main.onResult:5"
        ));
        assert!(!is_met("java.lang.NullPointerException at org.demo.A.a"));
        assert!(!is_met("org.other.NullPointerException"));
        assert!(!is_met("RuntimeException"));
    }
}
