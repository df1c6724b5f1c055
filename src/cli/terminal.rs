//! Progress on stderr: a bar where someone watches, plain lines where a log is kept.

#![expect(
    clippy::disallowed_methods,
    reason = "progress is shown by the clock; no answer depends on it"
)]

use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

use crate::model::{Observer, RunEvent};

mod bar;
mod view;

use bar::Bar;
use view::{View, phase_text};

/// How often a log gets a line while a phase goes on.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Shows what happens. It writes to stderr only, and errors are not its business.
pub struct Terminal {
    view: View,
    verbose: u8,
    started: Instant,
    output: Output,
}

enum Output {
    Silent,
    Lines(Lines),
    Bar(Bar),
}

/// Progress as lines of a log.
struct Lines {
    log: Box<dyn Write + Send>,
    /// When the last line was written, counted from the start.
    last: Duration,
}

impl Terminal {
    /// Shows progress in the way that suits stderr; nothing if `quiet`.
    #[must_use]
    pub fn new(quiet: bool, verbose: u8) -> Self {
        let output = if quiet {
            Output::Silent
        } else if io::stderr().is_terminal() {
            Output::Bar(Bar::default())
        } else {
            Output::Lines(Lines::new(Box::new(io::stderr())))
        };
        Self {
            view: View::default(),
            verbose,
            started: Instant::now(),
            output,
        }
    }

    /// Removes what is only of interest while work goes on.
    pub fn finish(&mut self) {
        if let Output::Bar(bar) = &mut self.output {
            bar.clear();
        }
    }
}

impl Observer for Terminal {
    fn on(&mut self, event: &RunEvent) {
        let notice = self.view.fold(event, self.verbose);
        let now = self.started.elapsed();
        match &mut self.output {
            Output::Silent => {}
            Output::Lines(lines) => lines.show(event, &self.view, notice, now),
            Output::Bar(bar) => bar.show(event, &self.view, notice),
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Lines {
    fn new(log: Box<dyn Write + Send>) -> Self {
        let last = Duration::ZERO;
        Self { log, last }
    }

    fn show(&mut self, event: &RunEvent, view: &View, notice: Option<String>, now: Duration) {
        if let Some(notice) = notice {
            self.write(&notice);
        }
        let Some(phase) = view.phase.map(phase_text) else {
            return;
        };
        if let RunEvent::PhaseStarted { total, .. } = event {
            let total = total.map_or_else(String::new, |total| format!(" ({total})"));
            self.write(&format!("{phase}{total}"));
            self.last = now;
        } else if now.saturating_sub(self.last) >= LINE_EVERY {
            let parts = [view.position(), view.spending()];
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            self.write(&format!("{phase}: {}", parts.join(", ")));
            self.last = now;
        }
    }

    fn write(&mut self, line: &str) {
        // A log that cannot be written must not stop the work it is about.
        let _ = writeln!(self.log, "{line}");
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Write, sync::mpsc, time::Duration};

    use super::{Lines, View};
    use crate::model::{Phase, RunEvent, Usage};

    struct Sent(mpsc::Sender<String>);

    impl Write for Sent {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let text = String::from_utf8_lossy(bytes).into_owned();
            self.0.send(text).map_err(std::io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// What a log shows of events that come at these times, in milliseconds.
    fn log(events: &[(u64, RunEvent)]) -> String {
        let (sender, receiver) = mpsc::channel();
        let mut lines = Lines::new(Box::new(Sent(sender)));
        let mut view = View::default();
        for (millis, event) in events {
            let notice = view.fold(event, 0);
            lines.show(event, &view, notice, Duration::from_millis(*millis));
        }
        drop(lines);
        receiver.iter().collect()
    }

    fn used() -> RunEvent {
        let usage = Usage {
            launches: 1,
            steps: 2,
            micros: 19_000_000,
        };
        RunEvent::RunUsed {
            usage,
            retries: 0,
            diverged: None,
        }
    }

    #[test]
    fn a_log_gets_a_line_at_each_phase_and_then_one_every_five_seconds() {
        let started = |phase, total| RunEvent::PhaseStarted { phase, total };
        let text = log(&[
            (0, started(Phase::Stabilize, Some(800))),
            (100, used()),
            (4_999, RunEvent::Progress { done: 1 }),
            (5_000, RunEvent::Progress { done: 2 }),
            (9_000, RunEvent::Progress { done: 3 }),
            (9_500, started(Phase::Traces, None)),
            (14_400, used()),
            (14_500, used()),
        ]);
        insta::assert_snapshot!(text, @"
        replaying the recorded traces (800)
        replaying the recorded traces: 2 of 800, 1 run, 19 s of device time
        dropping traces that add nothing
        dropping traces that add nothing: 3 runs, 57 s of device time
        ");
    }

    #[test]
    fn a_device_that_is_out_is_shown_at_once() {
        let out = RunEvent::DeviceOut {
            device: "d1".to_owned(),
            reason: "gone".to_owned(),
        };
        assert_eq!(log(&[(0, out)]), "device d1 is out: gone\n");
    }
}
