//! Reductions in processes of their own, so that a panic or a hang costs one row and CPU time is that of one reduction.
#![expect(
    clippy::disallowed_methods,
    reason = "a bench measures time and gives up on what hangs"
)]

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::case::Material;
use super::options::Options;

/// The hidden task that a reduction runs as.
pub const TASK: &str = "bench-reduce";
const TICKS_PER_SECOND: f64 = 100.0;
const POLL: Duration = Duration::from_millis(20);
/// Every file of a result.
const FILES: [&str; 5] = [
    "suite.jsonl",
    "report.json",
    "report.md",
    "report.html",
    "junit.xml",
];

/// Carries `bench-reduce FILE ARGS…` out: reduces, then writes the CPU seconds of this process into FILE.
#[must_use]
pub fn reduce_here(mut words: impl Iterator<Item = OsString>) -> ExitCode {
    let file = words.next();
    let code = reduce_suite::cli::xtask(words);
    if let (Some(file), Some(seconds)) = (file, cpu_seconds()) {
        // Without the file the bench takes the time by the clock.
        let _ = fs::write(file, seconds.to_string());
    }
    code
}

/// CPU time of this process and its threads, dead ones included, where the system tells it.
fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program is in brackets and may hold anything; user and system time are fields 14 and 15.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut ticks = rest.split_whitespace().skip(11).map(str::parse::<f64>);
    Some((ticks.next()?.ok()? + ticks.next()?.ok()?) / TICKS_PER_SECOND)
}

/// A folder with an app and its suite; it goes away with this value unless it is to be kept.
pub(super) struct Lab {
    folder: PathBuf,
    patience: Duration,
    keep: bool,
}

/// What a reduction left.
pub(super) struct Reduced {
    pub(super) report: Value,
    pub(super) suite: String,
    pub(super) own_seconds: f64,
    /// All files of the result, for comparison.
    pub(super) files: Vec<Vec<u8>>,
}

impl Lab {
    pub(super) fn new(
        folder: PathBuf,
        material: &Material,
        options: &Options,
    ) -> Result<Self, String> {
        let lab = Self {
            folder,
            patience: Duration::from_secs(options.patience),
            keep: options.keep.is_some(),
        };
        let write = |name: &str, text: &str| {
            let path = lab.folder.join(name);
            fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
        };
        fs::create_dir_all(&lab.folder)
            .map_err(|error| format!("{}: {error}", lab.folder.display()))?;
        write("app.json", &material.app_text)?;
        write("suite.jsonl", &material.suite)?;
        // Without it the project's own settings would be found further up.
        write("settings.toml", "")?;
        Ok(lab)
    }

    /// Reduces on so many simulated devices.
    pub(super) fn reduce(
        &self,
        strategy: &str,
        devices: usize,
        seed: u64,
        settings: &[String],
    ) -> Result<Reduced, String> {
        let out = self.folder.join(format!("{strategy}-{devices}"));
        let own = self.folder.join(format!("{strategy}-{devices}.cpu"));
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.current_dir(&self.folder).arg(TASK).arg(&own);
        command.args(["suite.jsonl", "--config", "settings.toml", "--quiet"]);
        command.args(["--strategy", strategy, "--seed", &seed.to_string()]);
        command.arg("--device");
        command.arg(format!("sim:app.json?count={devices}"));
        command.arg("--out").arg(&out);
        for setting in settings {
            command.args(["--set", setting]);
        }
        let clock = Instant::now();
        let ended = self.run(&mut command)?;
        let wall = clock.elapsed().as_secs_f64();
        if !matches!(ended.code(), Some(0 | 1)) {
            return Err(self.last_words(ended));
        }
        let own = fs::read_to_string(own).ok();
        let own = own.and_then(|text| text.parse().ok());
        Reduced::read(&out, own.unwrap_or(wall))
    }

    fn run(&self, command: &mut Command) -> Result<ExitStatus, String> {
        let errors = fs::File::create(self.errors()).map_err(|error| error.to_string())?;
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let child = command.stderr(errors).spawn();
        wait(
            &mut child.map_err(|error| error.to_string())?,
            self.patience,
        )
    }

    fn errors(&self) -> PathBuf {
        self.folder.join("errors.txt")
    }

    /// What a reduction that failed said about it.
    fn last_words(&self, ended: ExitStatus) -> String {
        let text = fs::read_to_string(self.errors()).unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().take(60).collect();
        format!("{ended}: {}", words.join(" "))
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        if self.keep {
            return;
        }
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            let _ = writeln!(
                std::io::stderr(),
                "{}: {error}; it can be deleted",
                self.folder.display()
            );
        }
    }
}

fn wait(child: &mut Child, patience: Duration) -> Result<ExitStatus, String> {
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if started.elapsed() < patience => thread::sleep(POLL),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it took longer than {} s", patience.as_secs()));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

impl Reduced {
    fn read(out: &Path, own_seconds: f64) -> Result<Self, String> {
        let read = |name: &&str| {
            let path = out.join(name);
            fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let files: Vec<Vec<u8>> = FILES.iter().map(read).collect::<Result<_, _>>()?;
        let suite = String::from_utf8(files[0].clone()).map_err(|error| error.to_string())?;
        let report = serde_json::from_slice(&files[1]).map_err(|error| error.to_string())?;
        Ok(Self {
            report,
            suite,
            own_seconds,
            files,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_of_this_process_grows_with_work() {
        if let Some(before) = cpu_seconds() {
            let mut sum = 0_u64;
            while cpu_seconds().unwrap() < before + 0.03 {
                sum = (0..100_000_u64).fold(sum, |sum, at| sum.wrapping_mul(31) ^ at);
            }
            assert!(cpu_seconds().unwrap() > before);
        }
    }

    #[test]
    fn what_hangs_is_given_up() {
        let mut command = Command::new("sleep");
        let mut child = command.arg("60").spawn().unwrap();
        let error = wait(&mut child, Duration::ZERO).unwrap_err();
        assert_eq!(error, "it took longer than 0 s");
    }
}
