//! Crashes in a log: the exception and the first place of the app it went through.

/// What is known of a crash while its lines are read.
#[derive(Debug, Default)]
pub(in crate::import) struct Crash {
    exception: Option<String>,
    frames: Vec<String>,
}

/// A stack longer than this says nothing more.
const MOST_FRAMES: usize = 60;

impl Crash {
    /// A crash of which an exception is known already.
    pub(in crate::import) fn of(exception: &str) -> Self {
        Self {
            exception: Some(class(exception)),
            frames: Vec::new(),
        }
    }

    /// What stands behind the mark of a crash: the process, and the whole stack in some logs.
    pub(in crate::import) fn after_mark(text: &str) -> Self {
        match text.split_once("//") {
            Some((_, stack)) => Self::joined(stack),
            None => Self::default(),
        }
    }

    /// A crash as one line, with `$$` between the lines of its stack.
    pub(in crate::import) fn joined(text: &str) -> Self {
        let mut crash = Self::default();
        for part in text.split("$$") {
            crash.line(part);
        }
        crash
    }

    /// Another line of it.
    pub(in crate::import) fn line(&mut self, text: &str) {
        let text = text.trim().trim_start_matches("//").trim();
        let text = text.strip_prefix("Short Msg:").map_or(text, str::trim);
        if let Some(frame) = text.strip_prefix("at ") {
            if self.frames.len() < MOST_FRAMES {
                let end = frame.find('(').unwrap_or(frame.len());
                self.frames.push(frame[..end].to_owned());
            }
        } else if self.exception.is_none() && looks_like_exception(text) {
            self.exception = Some(class(text));
        }
    }

    /// The signature: the class of the exception and the first frame that is not of the system.
    pub(in crate::import) fn signature(&self) -> String {
        let exception = self.exception.as_deref().unwrap_or("crash");
        let own = self.frames.iter().find(|frame| !is_of_the_system(frame));
        match own.or_else(|| self.frames.first()) {
            Some(frame) => format!("{exception} at {frame}"),
            None => exception.to_owned(),
        }
    }
}

fn is_of_the_system(frame: &str) -> bool {
    let roots = [
        "android.",
        "java.",
        "javax.",
        "com.android.",
        "dalvik.",
        "libcore.",
        "sun.",
        "kotlin.",
    ];
    roots.iter().any(|root| frame.starts_with(root))
}

fn class(text: &str) -> String {
    let end = text
        .find(|c: char| c == ':' || c.is_whitespace())
        .unwrap_or(text.len());
    text[..end].to_owned()
}

fn looks_like_exception(text: &str) -> bool {
    let class = class(text);
    class.contains('.')
        && class
            .chars()
            .all(|c| c.is_alphanumeric() || "._$".contains(c))
}

#[cfg(test)]
mod tests {
    use super::Crash;

    #[test]
    fn a_signature_is_the_exception_and_the_first_frame_of_the_app() {
        let text = "// java.lang.RuntimeException: Unable to start$$ \tat android.app.X.y(X.java:1)\
                    $$ \tat net.app.Total.pay(Total.java:17)$$ Caused by: java.lang.Error";
        let expect = "java.lang.RuntimeException at net.app.Total.pay";
        assert_eq!(Crash::joined(text).signature(), expect);
    }

    #[test]
    fn a_crash_that_says_nothing_is_a_crash() {
        assert_eq!(Crash::joined("// ").signature(), "crash");
        assert_eq!(Crash::of("a.B: c").signature(), "a.B");
    }
}
