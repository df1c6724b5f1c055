//! Waiting for a process to get somewhere, with a deadline because a hang is a failure too.

#![expect(
    clippy::disallowed_methods,
    reason = "a deadline is a time on the clock"
)]

use std::fs;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use super::support::{RUNS, Ran};

const DEADLINE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(1);

/// Waits until something holds.
#[track_caller]
pub(crate) fn until(mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !holds() {
        assert!(Instant::now() < deadline, "waited for {DEADLINE:?}");
        thread::sleep(POLL);
    }
}

/// Waits until the journal below an output folder has so many bytes or the process has ended.
#[track_caller]
pub(crate) fn until_journal(child: &mut Child, out: &Path, bytes: u64) {
    let journal = out.join(RUNS);
    until(|| {
        let len = fs::metadata(&journal).map_or(0, |file| file.len());
        len >= bytes || child.try_wait().expect("it is our child").is_some()
    });
}

/// Waits until the journal has not grown for a while, as when its only device is silent.
#[track_caller]
pub(crate) fn until_journal_rests(out: &Path) {
    const REST: Duration = Duration::from_millis(300);
    let journal = out.join(RUNS);
    let (mut known, mut since) = (0, Instant::now());
    until(|| {
        let len = fs::metadata(&journal).map_or(0, |file| file.len());
        if len != known {
            (known, since) = (len, Instant::now());
        }
        known > 0 && since.elapsed() >= REST
    });
}

/// Presses Ctrl-C.
#[cfg(unix)]
pub(crate) fn interrupt(child: &Child) {
    let pid = child.id().to_string();
    let status = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(status.expect("there is a kill command").success());
}

/// Waits for the end of a process, and ends it if it does not come.
#[track_caller]
pub(crate) fn status(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + DEADLINE;
    loop {
        if let Some(status) = child.try_wait().expect("it is our child") {
            return status;
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("a process was still running after {DEADLINE:?}");
        }
        thread::sleep(POLL);
    }
}

/// What a process has to say once it has ended.
#[track_caller]
pub(crate) fn end(mut child: Child) -> Ran {
    status(&mut child);
    Ran::of(child.wait_with_output().expect("its output can be read"))
}
