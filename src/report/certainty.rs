//! What reports for people say about certainty: how sure each trace is, and what others would cost.

use super::facts::listed;
use super::number::{at_least, percent};
use super::{Choice, Report, Validated, human_seconds};

/// How often a trace replayed and how often it will, as far as can be told.
pub(super) fn posterior(trace: &Validated, report: &Report) -> String {
    posterior_at(trace, report.validation.confidence)
}

/// The same at a confidence.
pub(super) fn posterior_at(trace: &Validated, confidence: Option<f64>) -> String {
    let replayed = trace.runs.saturating_sub(trace.diverged);
    let told = format!("replayed in {replayed} of {} runs", trace.runs);
    match (trace.replays_at_least, confidence) {
        (Some(least), Some(confidence)) => format!(
            "{told}; at least {} of runs at {} confidence",
            at_least(least),
            percent(confidence, 1.0)
        ),
        _ => told,
    }
}

/// The posterior of the trace that is known least of, and what is left for the whole suite.
pub(super) fn weakest(report: &Report) -> Option<String> {
    let traces = report.validation.traces.iter();
    let least = traces.filter_map(|trace| trace.replays_at_least);
    let least = least.min_by(f64::total_cmp)?;
    let confidence = report.validation.confidence?;
    let each = format!(
        "each trace replays in at least {} of runs at {} confidence",
        at_least(least),
        percent(confidence, 1.0)
    );
    Some(match report.validation.suite_risk {
        Some(risk) => format!(
            "{each}; the runs leave a chance of {} that the whole suite does not",
            percent(risk, 1.0)
        ),
        None => each,
    })
}

/// The traces that may go another way more often than was asked for.
pub(super) fn flaky(report: &Report) -> Vec<&Validated> {
    let traces = report.validation.traces.iter();
    traces.filter(|trace| trace.flaky).collect()
}

/// How long the work on devices takes by the clock, where that is known.
pub(super) fn elapsed(report: &Report) -> Option<String> {
    let on = |devices: u32| report.device.elapsed.get(&devices);
    let (one, eight) = (on(1)?, on(8)?);
    let (one, eight) = (human_seconds(*one), human_seconds(*eight));
    Some(format!(
        "By the clock it takes {one} on 1 device and {eight} on 8."
    ))
}

/// The elements that are expensive to cover, the first few with their device time.
pub(super) fn expensive(report: &Report, cap: usize, show: fn(&str) -> String) -> Option<String> {
    let all = &report.bound.expensive;
    let first: Vec<String> = all
        .iter()
        .take(cap)
        .map(|one| format!("{} ({})", show(&one.element), human_seconds(one.seconds)))
        .collect();
    // The names are spelt already; what is left is to count those that have no room.
    let names = first
        .iter()
        .map(String::as_str)
        .chain(std::iter::repeat_n("", all.len() - first.len()));
    let names: Vec<&str> = names.collect();
    (!all.is_empty()).then(|| listed(names.into_iter(), cap, str::to_owned))
}

/// A row of the table of size against risk.
#[derive(Debug, PartialEq)]
pub(super) struct Row<'a> {
    /// The setting; none: the suite as it is.
    pub(super) choice: Option<&'a Choice>,
    pub(super) traces: usize,
    pub(super) steps: usize,
    pub(super) seconds: f64,
    pub(super) suite_risk: Option<f64>,
}

impl Row<'_> {
    /// The risk in figures.
    pub(super) fn risk(&self) -> String {
        let risk = self.suite_risk;
        risk.map_or_else(|| "–".to_owned(), |risk| percent(risk, 1.0))
    }

    /// Whether it is worth saying that the figures are an estimate.
    pub(super) fn note(&self) -> &'static str {
        match self.choice {
            Some(choice) if !choice.tried => " (estimate)",
            _ => "",
        }
    }
}

/// The suite as it is beside what other settings would give; no choices, no rows.
pub(super) fn choices(report: &Report) -> Vec<Row<'_>> {
    if report.choices.is_empty() {
        return Vec::new();
    }
    let this = Row {
        choice: None,
        traces: report.output.traces,
        steps: report.output.steps,
        seconds: report.output.seconds,
        suite_risk: report.validation.suite_risk,
    };
    // What shipped is among the choices of a reducer, and is the first row already.
    let size = (this.traces, this.steps);
    let others = report.choices.iter();
    let others = others.filter(|choice| !(choice.tried && (choice.traces, choice.steps) == size));
    let others = others.map(|choice| Row {
        choice: Some(choice),
        traces: choice.traces,
        steps: choice.steps,
        seconds: choice.seconds,
        suite_risk: choice.suite_risk,
    });
    [this].into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::{choices, elapsed, expensive, posterior, weakest};
    use crate::report::sample::{old, sample};
    use crate::report::text::short;

    #[test]
    fn a_posterior_tells_runs_and_what_they_promise() {
        let report = sample();
        let told = |index: usize| posterior(&report.validation.traces[index], &report);
        assert_eq!(
            told(0),
            "replayed in 10 of 10 runs; at least 99.3 % of runs at 95 % confidence"
        );
        assert_eq!(
            told(6),
            "replayed in 30 of 30 runs; at least 94.8 % of runs at 95 % confidence"
        );
    }

    #[test]
    fn the_weakest_trace_speaks_for_all() {
        let told = weakest(&sample()).unwrap();
        assert!(told.contains("at least 94.8 %"), "{told}");
        assert!(told.contains("a chance of 1.1 %"), "{told}");
    }

    #[test]
    fn what_an_old_report_does_not_know_is_not_told() {
        let report = old();
        let told = posterior(&report.validation.traces[0], &report);
        assert_eq!(told, "replayed in 10 of 10 runs");
        assert_eq!(weakest(&report), None);
        assert_eq!(elapsed(&report), None);
        assert_eq!(expensive(&report, 3, short), None);
        assert_eq!(choices(&report), []);
    }

    #[test]
    fn expensive_elements_are_named_until_there_is_no_room() {
        let report = sample();
        let told = |cap| expensive(&report, cap, short).unwrap();
        assert_eq!(told(1), "screen:Checkout (1 min 58 s) and 3 more");
        assert!(told(4).ends_with(", b7 (12 s)"), "{}", told(4));
    }

    #[test]
    fn other_settings_are_compared_with_the_suite_as_it_is() {
        let report = sample();
        let rows = choices(&report);
        assert_eq!((rows[0].traces, rows[0].note()), (9, ""));
        assert_eq!((rows[1].traces, rows[1].note()), (17, " (estimate)"));
        assert_eq!((rows[2].traces, rows[2].note()), (18, ""));
        assert_eq!(rows[0].risk(), "1.1 %");
        assert_eq!(rows[3].risk(), "–");
    }
}
