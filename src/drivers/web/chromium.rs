//! A local headless Chromium: found, started, ended, and its profile removed whatever happens.

use std::env;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use super::link::Link;
use super::wire::Pipe;

/// Where packages put the browser itself, which some of them hide behind a shell script.
const PACKAGED: &str = "/usr/lib/chromium/chromium";
/// Stands for whichever browser is installed.
pub(crate) const AUTO: &str = "auto";
/// What it is called on the `PATH`.
const SPELLINGS: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// How a browser is started for tests: nothing that it does by itself gets in the way.
pub(crate) const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-hang-monitor",
    "--disable-popup-blocking",
    "--disable-sync",
    "--disable-site-isolation-trials",
    "--disable-smooth-scrolling",
    // The pages behind the address bar take longer to start than most apps.
    "--disable-features=IsolateOrigins,site-per-process,Translate,BackForwardCache,MediaRouter,OptimizationHints,HttpsUpgrades,\
     WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    "--force-color-profile=srgb",
    "--password-store=basic",
    "--use-mock-keychain",
    "--metrics-recording-only",
];

/// Starts the browser with its third and fourth descriptor as the two ends of the debugging pipe.
/// It ends when nobody is left at the other end, and then its profile is removed, so neither
/// stays behind even when this program is killed.
const START: &str =
    "\"$@\" --user-data-dir=\"$0\" 3<&0 4>&1 </dev/null >/dev/null 2>&1; rm -rf \"$0\"";

/// A running browser; dropping it ends it.
pub struct Chromium {
    shell: Child,
    profile: PathBuf,
}

impl Chromium {
    /// The browser that is named; `auto` is whichever is installed.
    #[must_use]
    pub fn find(named: &str) -> Option<PathBuf> {
        if named != AUTO {
            let path = PathBuf::from(named);
            return if named.contains('/') {
                path.is_file().then_some(path)
            } else {
                on_path(&[named])
            };
        }
        let packaged = PathBuf::from(PACKAGED);
        if packaged.is_file() {
            return Some(packaged);
        }
        on_path(&SPELLINGS)
    }

    /// Starts a browser with flags besides the usual ones, and the way to it.
    pub fn start(program: &Path, flags: &[String]) -> io::Result<(Self, Link)> {
        let folder = tempfile::Builder::new()
            .prefix("reduce-suite-web-")
            .tempdir()?;
        let (ours, theirs) = UnixStream::pair()?;
        let theirs = OwnedFd::from(theirs);
        let mut command = Command::new("sh");
        command
            .args(["-c", START])
            .arg(folder.path())
            .arg(program)
            .args(FLAGS)
            .args(flags)
            .arg("--remote-debugging-pipe")
            .stdin(Stdio::from(theirs.try_clone()?))
            .stdout(Stdio::from(theirs))
            .stderr(Stdio::null())
            // A group of its own: an interrupt at the terminal is for us, and all of it can be ended.
            .process_group(0);
        let link = Link::new(Box::new(Pipe::new(ours)?));
        let shell = command.spawn()?;
        let profile = folder.keep();
        Ok((Self { shell, profile }, link))
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let group = format!("-{}", self.shell.id());
        let end = Command::new("sh")
            .args(["-c", "kill -KILL -- \"$0\"", &group])
            .stderr(Stdio::null())
            .status();
        // Nothing is left to do about a browser that cannot even be killed.
        let _ = end.and_then(|_| self.shell.wait());
        // Processes that are about to die may still write.
        for _ in 0..50 {
            if fs::remove_dir_all(&self.profile).is_ok() || !self.profile.exists() {
                break;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

fn on_path(names: &[&str]) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    let paths = env::split_paths(&folders);
    paths
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .find(|path| path.is_file())
}
