//! What the terminal knows about a run: events folded into a few numbers and their wording.

use crate::model::{Limit, Phase, RunEvent, Usage};
use crate::report::{growth_line, human_seconds, visible};

/// How many notices of one kind are shown unless more is asked for.
const MOST_NOTICES: usize = 5;

/// How many bars the line of growing coverage has.
const LINE_WIDTH: usize = 16;

/// The numbers behind a line of progress.
#[derive(Debug, Default)]
pub(super) struct View {
    pub(super) phase: Option<Phase>,
    pub(super) total: Option<usize>,
    pub(super) done: usize,
    n_runs: usize,
    /// How many elements exploring had covered after each session.
    elements: Vec<usize>,
    screens: usize,
    usage: Usage,
    n_rejected: usize,
    n_devices_out: usize,
    n_limits_hit: usize,
}

impl View {
    /// Takes the event in; some are worth a line of their own.
    pub(super) fn fold(&mut self, event: &RunEvent, verbose: u8) -> Option<String> {
        match event {
            RunEvent::PhaseStarted { phase, total } => {
                self.phase = Some(*phase);
                self.total = *total;
                self.done = 0;
            }
            RunEvent::Progress { done } => self.done = *done,
            RunEvent::Grown { elements, screens } => {
                self.elements.push(*elements);
                self.screens = *screens;
            }
            RunEvent::RunUsed { usage, .. } => {
                self.n_runs += 1;
                self.usage += *usage;
            }
            RunEvent::CandidateDecided { accepted } => self.n_rejected += usize::from(!accepted),
            RunEvent::Untold { what } => return Some(format!("these devices tell less: {what}")),
            RunEvent::DeviceOut { device, reason } => {
                self.n_devices_out += 1;
                let line = || format!("device {} is out: {}", visible(device), visible(reason));
                return notice(self.n_devices_out, verbose, line);
            }
            RunEvent::LimitHit {
                phase,
                trace,
                limit,
            } => {
                self.n_limits_hit += 1;
                let trace = trace.map(|trace| trace.index() + 1);
                let line = || limit_text(*phase, trace, *limit);
                return notice(self.n_limits_hit, verbose, line);
            }
        }
        None
    }

    /// How far the phase is, such as "12 of 40"; empty while nothing can be said.
    pub(super) fn position(&self) -> String {
        match (self.total, self.done) {
            (Some(total), done) => format!("{done} of {total}"),
            (None, 0) => String::new(),
            (None, done) => format!("{done} done"),
        }
    }

    /// What was spent so far, such as "120 runs, 2 h of device time, 3 candidates rejected".
    pub(super) fn spending(&self) -> String {
        let mut parts = Vec::new();
        if let Some(&elements) = self.elements.last() {
            let line = growth_line(&self.elements, LINE_WIDTH);
            parts.push(format!("{line} {} covered", count(elements, "element")));
            parts.push(count(self.screens, "screen"));
        }
        if self.n_runs > 0 {
            parts.push(count(self.n_runs, "run"));
            let time = human_seconds(self.usage.seconds());
            parts.push(format!("{time} of device time"));
        }
        if self.n_rejected > 0 {
            parts.push(format!("{} rejected", count(self.n_rejected, "candidate")));
        }
        parts.join(", ")
    }
}

/// A phase in plain words.
pub(super) fn phase_text(phase: Phase) -> &'static str {
    match phase {
        Phase::Stabilize => "replaying the recorded traces",
        Phase::Traces => "dropping traces that add nothing",
        Phase::Loops => "cutting loops out of traces",
        Phase::Splice => "joining pieces of traces",
        Phase::Settle => "repeating until nothing changes",
        Phase::Validate => "replaying the result",
        Phase::Minimize => "taking events out",
        Phase::Explore => "exploring",
    }
}

fn notice(n_so_far: usize, verbose: u8, line: impl Fn() -> String) -> Option<String> {
    if verbose > 0 || n_so_far <= MOST_NOTICES {
        return Some(line());
    }
    (n_so_far == MOST_NOTICES + 1).then(|| "… (-v shows all of these)".to_owned())
}

fn limit_text(phase: Phase, trace: Option<usize>, limit: Limit) -> String {
    let option = match (phase, limit) {
        (_, Limit::Candidates) => "loops.max_candidates",
        (Phase::Splice, Limit::Work) => "splice.max_work",
        (_, Limit::Work) => "loops.max_work",
        (_, Limit::Repairs) => "the bound on repairs",
    };
    let place = trace.map_or_else(String::new, |trace| format!(", trace {trace}"));
    let phase = phase_text(phase);
    format!("{phase}{place}: the search was cut short by {option}")
}

fn count(n: usize, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::{MOST_NOTICES, View};
    use crate::model::{Limit, Phase, RunEvent, TraceIdx, Usage};

    fn device_out(device: &str) -> RunEvent {
        RunEvent::DeviceOut {
            device: device.to_owned(),
            reason: "silent for 120 s".to_owned(),
        }
    }

    #[test]
    fn what_devices_cannot_tell_is_said_however_little_is_asked_for() {
        let event = RunEvent::Untold {
            what: "no coverage",
        };
        let said = View::default().fold(&event, 0);
        assert_eq!(
            said.as_deref(),
            Some("these devices tell less: no coverage")
        );
    }

    #[test]
    fn a_new_phase_counts_from_zero_but_spending_goes_on() {
        let mut view = View::default();
        let usage = Usage {
            launches: 1,
            steps: 5,
            micros: 45_000_000,
        };
        let used = RunEvent::RunUsed {
            usage,
            retries: 0,
            diverged: None,
        };
        let started = |phase, total| RunEvent::PhaseStarted { phase, total };
        view.fold(&started(Phase::Loops, Some(40)), 0);
        view.fold(&used, 0);
        view.fold(&RunEvent::CandidateDecided { accepted: false }, 0);
        view.fold(&RunEvent::CandidateDecided { accepted: true }, 0);
        view.fold(&RunEvent::Progress { done: 12 }, 0);
        assert_eq!(view.position(), "12 of 40");
        view.fold(&started(Phase::Splice, None), 0);
        view.fold(&used, 0);
        assert_eq!(view.position(), "");
        let expect = "2 runs, 1 min 30 s of device time, 1 candidate rejected";
        assert_eq!(view.spending(), expect);
    }

    #[test]
    fn only_the_first_notices_of_a_kind_are_shown() {
        let shown = |verbose| {
            let mut view = View::default();
            let lines = (0..20).filter_map(|_| view.fold(&device_out("d"), verbose));
            lines.collect::<Vec<_>>()
        };
        let lines = shown(0);
        assert_eq!(lines.len(), MOST_NOTICES + 1);
        assert!(lines[MOST_NOTICES].starts_with('…'));
        assert_eq!(shown(1).len(), 20);
    }

    #[test]
    fn a_device_cannot_steer_the_terminal_by_its_name() {
        let line = View::default().fold(&device_out("x\u{1b}[2J"), 0).unwrap();
        assert_eq!(line, "device x\\u{1b}[2J is out: silent for 120 s");
    }

    #[test]
    fn a_limit_is_named_by_the_option_that_sets_it() {
        let check = |phase, trace, limit, expect: &str| {
            let event = RunEvent::LimitHit {
                phase,
                trace,
                limit,
            };
            assert!(View::default().fold(&event, 0).unwrap().ends_with(expect));
        };
        let trace = Some(TraceIdx::new(6));
        let loops = ", trace 7: the search was cut short by loops.max_work";
        check(Phase::Loops, trace, Limit::Work, loops);
        check(
            Phase::Loops,
            trace,
            Limit::Candidates,
            "loops.max_candidates",
        );
        check(Phase::Splice, None, Limit::Work, "splice.max_work");
    }
}
