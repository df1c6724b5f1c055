//! One bar for the phase at hand, which appears only if the phase takes a moment.

use std::{fmt, time::Duration};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::{
    text::duration_text,
    view::{View, phase_text},
};
use crate::model::RunEvent;

/// Phases that take less are over before one could read their name.
const PATIENCE: Duration = Duration::from_millis(300);
const TICK: Duration = Duration::from_millis(250);
const WIDTH: usize = 24;

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
            bar.set_message(view.spending());
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
            let eta = state.eta().as_secs_f64();
            // The buffer of the bar is memory: writing to it cannot go wrong.
            let _ = out.write_str(&bar_text(phase, position, total, eta));
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

/// The part of the line that belongs to the phase; what was spent stands behind it.
fn bar_text(phase: &str, done: usize, total: Option<usize>, eta_seconds: f64) -> String {
    let Some(total) = total.filter(|total| *total > 0) else {
        return format!("{phase}  ");
    };
    let filled = (done * WIDTH / total).min(WIDTH);
    let (full, empty) = ("━".repeat(filled), "─".repeat(WIDTH - filled));
    let eta = if done > 0 && done < total {
        format!("about {} left, ", duration_text(eta_seconds))
    } else {
        String::new()
    };
    format!("{phase} {full}{empty} {done} of {total}  {eta}")
}

#[cfg(test)]
mod tests {
    use super::bar_text;

    #[test]
    fn the_bar_fills_with_the_work_that_is_done() {
        let bar = |done, total| bar_text("working", done, total, 90.0);
        assert_eq!(bar(0, Some(4)), "working ──────────────────────── 0 of 4  ");
        let half = "working ━━━━━━━━━━━━──────────── 2 of 4  about 1 min 30 s left, ";
        assert_eq!(bar(2, Some(4)), half);
        assert_eq!(bar(5, Some(4)), "working ━━━━━━━━━━━━━━━━━━━━━━━━ 5 of 4  ");
    }

    #[test]
    fn work_of_unknown_length_gets_no_bar() {
        assert_eq!(bar_text("working", 3, None, 0.0), "working  ");
        assert_eq!(bar_text("working", 0, Some(0), 0.0), "working  ");
    }
}
