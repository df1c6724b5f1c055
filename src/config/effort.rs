//! What exploring may cost as people write it: `1000steps`, `50traces`, `30m`, or several of them.

use std::time::Duration;

use super::time;
use crate::explore::Limits;

/// The limits that `text` says, if it says any.
pub(super) fn parse(text: &str) -> Option<Limits> {
    let mut limits = Limits::default();
    for part in text.split(',').map(str::trim) {
        let count = |unit: &str| {
            let digits = part.strip_suffix(unit)?.trim_end();
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| is_number)
        };
        let place = if let Some(steps) = count("steps").or_else(|| count("step")) {
            limits.steps.replace(steps)
        } else if let Some(traces) = count("traces").or_else(|| count("trace")) {
            limits.traces.replace(traces)
        } else {
            let micros = u64::try_from(time::parse(part)?.as_micros()).ok()?;
            limits.micros.replace(micros)
        };
        // Saying one thing twice is a mistake.
        if place.is_some() {
            return None;
        }
    }
    Some(limits)
}

/// The limits as [`parse`] reads them.
pub(super) fn write(limits: Limits) -> String {
    let Limits {
        steps,
        traces,
        micros,
    } = limits;
    let parts = [
        steps.map(|steps| format!("{steps}steps")),
        traces.map(|traces| format!("{traces}traces")),
        micros.map(|micros| time::write(Duration::from_micros(micros))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{parse, write};
    use crate::explore::Limits;

    #[track_caller]
    fn check(text: &str, expect: Option<(Option<u64>, Option<u64>, Option<u64>)>) {
        let expect = expect.map(|(steps, traces, micros)| Limits {
            steps,
            traces,
            micros,
        });
        assert_eq!(parse(text), expect, "{text}");
    }

    #[test]
    fn limits_are_steps_traces_and_device_time() {
        check("1000steps", Some((Some(1000), None, None)));
        check("0 steps", Some((Some(0), None, None)));
        check("1 trace, 90s", Some((None, Some(1), Some(90_000_000))));
        let all = "5steps, 2traces, 1h";
        check(all, Some((Some(5), Some(2), Some(3_600_000_000))));
        assert_eq!(parse(all).map(write).as_deref(), Some(all));
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        for text in [
            "",
            "1000",
            "steps",
            "+1steps",
            "-1steps",
            "1steps,2steps",
            "1h,1h",
            "1steps,",
        ] {
            check(text, None);
        }
    }
}
