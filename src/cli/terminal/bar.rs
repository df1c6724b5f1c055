//! One bar for the phase at hand, which appears only if the phase takes a moment.

use std::{fmt, time::Duration};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::view::{View, phase_text};
use crate::model::RunEvent;
use crate::report::human_seconds;

/// Phases that take less are over before one could read their name.
const PATIENCE: Duration = Duration::from_millis(300);
const TICK: Duration = Duration::from_millis(250);
const WIDTH: usize = 12;

/// The bar of the phase at hand, if there is one.
#[derive(Default)]
pub(super) struct Bar {
    bar: Option<ProgressBar>,
}

impl Bar {
    pub(super) fn show(&mut self, event: &RunEvent, view: &View, notice: Option<String>) {
        if let Some(notice) = notice {
            self.print(&notice);
        }
        if let RunEvent::PhaseStarted { .. } = event {
            self.clear();
            self.bar = Some(start(view));
            return;
        }
        let Some(bar) = &self.bar else { return };
        bar.set_position(view.done as u64);
        // The message is drawn as soon as it is set, so it has to wait as the bar does.
        if bar.elapsed() >= PATIENCE {
            bar.set_message(message(view, bar.eta()));
        }
    }

    pub(super) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn print(&self, line: &str) {
        use std::io::Write;
        // A notice that cannot be written must not stop the work it is about.
        let write = || drop(writeln!(std::io::stderr(), "{line}"));
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

fn start(view: &View) -> ProgressBar {
    let phase = view.phase.map_or("working", phase_text);
    let total = view.total;
    let line = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        if state.elapsed() >= PATIENCE {
            let position = state.pos() as usize;
            // The buffer of the bar is memory: writing to it cannot go wrong.
            let _ = out.write_str(&bar_text(phase, position, total));
        }
    };
    let style = ProgressStyle::with_template("{line}{wide_msg}")
        .expect("the template is a constant")
        .with_key("line", line);
    let length = total.map(|total| total as u64);
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    bar.set_style(style);
    // Ticks let the bar appear even while a device takes its time and nothing is reported.
    bar.enable_steady_tick(TICK);
    bar
}

/// The part of the line that is never cut; the message behind it gives way to a narrow window.
fn bar_text(phase: &str, done: usize, total: Option<usize>) -> String {
    let Some(total) = total.filter(|total| *total > 0) else {
        return format!("{phase}  ");
    };
    let filled = (done * WIDTH / total).min(WIDTH);
    let (full, empty) = ("━".repeat(filled), "─".repeat(WIDTH - filled));
    format!("{phase} {full}{empty} {done} of {total}  ")
}

/// How long it will take, and what was spent so far.
fn message(view: &View, eta: Duration) -> String {
    let is_under_way = view.done > 0 && view.total.is_some_and(|total| view.done < total);
    let left = is_under_way.then(|| format!("{} left", human_seconds(eta.as_secs_f64())));
    let spending = Some(view.spending()).filter(|text| !text.is_empty());
    left.into_iter()
        .chain(spending)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{View, bar_text, message};
    use crate::model::RunEvent;

    #[test]
    fn the_bar_fills_with_the_work_that_is_done() {
        let bar = |done, total| bar_text("working", done, Some(total));
        assert_eq!(bar(0, 4), "working ──────────── 0 of 4  ");
        assert_eq!(bar(2, 4), "working ━━━━━━────── 2 of 4  ");
        assert_eq!(bar(5, 4), "working ━━━━━━━━━━━━ 5 of 4  ");
    }

    #[test]
    fn work_of_unknown_length_gets_no_bar() {
        assert_eq!(bar_text("working", 3, None), "working  ");
        assert_eq!(bar_text("working", 0, Some(0)), "working  ");
    }

    #[test]
    fn the_time_left_is_guessed_only_while_work_is_under_way() {
        let rejected = RunEvent::CandidateDecided { accepted: false };
        let check = |total, done, expect: &str| {
            let mut view = View::default();
            view.fold(&rejected, 0);
            (view.total, view.done) = (total, done);
            assert_eq!(message(&view, Duration::from_secs(90)), expect);
        };
        check(Some(4), 2, "1 min 30 s left, 1 candidate rejected");
        check(Some(4), 0, "1 candidate rejected");
        check(Some(4), 4, "1 candidate rejected");
        check(None, 2, "1 candidate rejected");
    }
}
