//! `junit.xml`: the promises as test cases, for the CI systems that show those.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::certainty::{expensive, posterior, weakest};
use super::facts::{bound_sentence, kind_of, listed, sorted_kinds};
use super::number::counted;
use super::text::short;
use super::{Gone, Renderer, Report, Shown, Validated};

pub(super) const RENDERER: Renderer = Renderer {
    name: "junit",
    file: "junit.xml",
    render,
};

/// How many lost elements a failure names.
const NAMED: usize = 20;

fn render(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let report = shown.report;
    let mut document = quick_junit::Report::new("reduce-suite");
    document.add_test_suites([coverage_suite(report), trace_suite(shown)]);
    document.serialize(out).map_err(io::Error::other)
}

/// One case for each kind that was promised, or that something was lost of.
fn coverage_suite(report: &Report) -> TestSuite {
    let mut suite = TestSuite::new("coverage");
    let promised = report.preserve.iter().map(String::as_str);
    let lost = report.lost.iter().map(|gone| kind_of(&gone.element));
    for kind in sorted_kinds(promised.chain(lost)) {
        let status = kind_status(report, kind);
        suite.add_test_case(case("coverage", kind, status));
    }
    if !report.preserved && report.lost.is_empty() {
        let status = failure("unconfirmed", "the promised coverage was not shown");
        suite.add_test_case(case("coverage", "preserved", status));
    }
    let facts = [
        ("bound", bound_sentence(report)),
        ("expensive", expensive(report, NAMED, short)),
    ];
    for (name, fact) in facts {
        fact.map(|fact| suite.add_property((name, fact.as_str())));
    }
    suite
}

fn kind_status(report: &Report, kind: &str) -> TestCaseStatus {
    let of_kind = |gone: &&Gone| kind_of(&gone.element) == kind;
    let lost: Vec<&Gone> = report.lost.iter().filter(of_kind).collect();
    if lost.is_empty() {
        return TestCaseStatus::success();
    }
    let names = lost.iter().map(|gone| gone.element.as_str());
    let lines = lost.iter().take(NAMED);
    let lines = lines.map(|gone| format!("{}: {}", short(&gone.element), short(&gone.why)));
    let mut status = failure(
        "lost",
        &format!(
            "{} not covered any more: {}",
            counted(lost.len(), "element"),
            listed(names, NAMED, short)
        ),
    );
    status.set_description(lines.collect::<Vec<_>>().join("\n"));
    status
}

/// One case for each trace of the output.
fn trace_suite(shown: &Shown) -> TestSuite {
    let report = shown.report;
    let times = times(shown);
    let mut suite = TestSuite::new("traces");
    let traces = report.validation.traces.iter();
    suite.add_test_cases(traces.map(|trace| {
        let mut case = case("traces", &trace.trace, trace_status(trace));
        times.get(&*trace.trace).map(|&time| case.set_time(time));
        let told = posterior(trace, report);
        case.set_system_out(if trace.flaky {
            format!("flaky: {told}")
        } else {
            told
        });
        case
    }));
    suite.add_test_cases(report.restored.iter().map(|restored| {
        let mut status = TestCaseStatus::skipped();
        let (trace, why) = (short(&restored.trace), short(&restored.why));
        status.set_message(format!(
            "{trace} was put back by hand, not validated: {why}"
        ));
        let mut case = case("traces", &restored.name, status);
        times.get(&*restored.name).map(|&time| case.set_time(time));
        case
    }));
    if let Some(fact) = weakest(report) {
        suite.add_property(("reliable", fact.as_str()));
    }
    suite
}

/// Device time of one replay of each trace, where that can be told.
fn times<'a>(shown: &Shown<'a>) -> BTreeMap<&'a str, Duration> {
    let cost = shown.report.subject.cost;
    let strips = shown.strips.iter().filter_map(|strip| {
        let seconds = cost?.seconds(strip.steps.len());
        let time = Duration::try_from_secs_f64(seconds).ok()?;
        Some((strip.id.as_str(), time))
    });
    strips.collect()
}

fn trace_status(trace: &Validated) -> TestCaseStatus {
    match trace.diverged {
        0 => TestCaseStatus::success(),
        diverged => failure(
            "diverged",
            &format!("diverged in {diverged} of {} runs", trace.runs),
        ),
    }
}

/// A case whose name has no character that XML forbids.
fn case(suite: &str, name: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(short(name), status);
    case.set_classname(format!("reduce-suite.{suite}"));
    case
}

fn failure(kind: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(kind).set_message(message);
    status
}

#[cfg(test)]
mod tests {
    use super::RENDERER;
    use crate::report::Gone;
    use crate::report::sample::{broken, hostile, rendered, sample};

    #[test]
    fn junit_shows_one_case_per_promised_kind_and_per_trace() {
        insta::assert_snapshot!(rendered(&RENDERER, &sample()));
    }

    #[test]
    fn junit_fails_what_was_lost_and_what_diverged() {
        insta::assert_snapshot!(rendered(&RENDERER, &broken()));
    }

    #[test]
    fn hostile_names_stay_well_formed_xml() {
        let text = rendered(&RENDERER, &hostile());
        let forbidden = |c: char| {
            c.is_control() && c != '\n' || c == '\u{fffe}' || c == '\u{ffff}' || c == '\u{202e}'
        };
        assert_eq!(text.find(forbidden), None);
        insta::assert_snapshot!(text);
    }

    #[test]
    fn a_failure_names_no_more_than_twenty_elements() {
        let mut report = sample();
        report.preserved = false;
        let gone = |idx| Gone {
            element: format!("b{idx}"),
            why: "never shown".to_owned(),
        };
        report.lost = (0..30).map(gone).collect();
        let text = rendered(&RENDERER, &report);
        assert!(text.contains("b19 and 10 more"), "{text}");
        assert!(!text.contains("b20"), "{text}");
    }

    #[test]
    fn an_unconfirmed_promise_is_a_failure_even_if_nothing_is_named() {
        let mut report = sample();
        report.preserved = false;
        assert!(rendered(&RENDERER, &report).contains("was not shown"));
    }
}
