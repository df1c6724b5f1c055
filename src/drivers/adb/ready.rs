//! Making a device ready: reachable, booted, awake, unlocked, without animations, with the app.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::hand::KEYBOARD;
use super::link::Link;
use super::look::FULL;
use super::words::quoted;
use crate::drivers::setup::Android;
use crate::replay::DriverError;

/// How long to wait between two looks for a device that is not there.
const AGAIN: Duration = Duration::from_millis(100);
/// Settings of animations, which are off while we work.
const SCALES: [&str; 3] = [
    "window_animation_scale",
    "transition_animation_scale",
    "animator_duration_scale",
];
/// Where the user's own values wait until they are put back, even by another process.
const SAVED: &str = "reduce_suite_saved";

/// What the user had before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Before {
    scales: Vec<String>,
    keyboard: String,
    /// Whether the keyboard for tests is there and chosen.
    pub(super) has_keyboard: bool,
}

/// Waits until a device answers and has booted.
pub(super) fn wait(link: &mut Link, limit: Duration) -> Result<(), DriverError> {
    let since = Instant::now();
    loop {
        let last = match booted(link) {
            Ok(true) => return Ok(()),
            Ok(false) => DriverError::Unwell("it has not booted yet".to_owned()),
            Err(error) => error,
        };
        if since.elapsed() > limit {
            return Err(last);
        }
        thread::sleep(AGAIN);
        // A server of this machine that was stopped is started again.
        let _ = link.server().start();
        // Devices by network that were cut off come back when they are asked to.
        let serial = link.serial().to_owned();
        let listed = link.server().devices().unwrap_or_default();
        if !listed
            .iter()
            .any(|device| device.serial == serial && device.is_ready)
        {
            link.server().connect(&serial);
        }
    }
}

fn booted(link: &mut Link) -> Result<bool, DriverError> {
    let output = link.run("getprop sys.boot_completed")?;
    Ok(output.text().trim() == "1")
}

/// What the window manager says of the lock, in the words of several versions of Android.
const LOCK: &str = "dumpsys window | grep -e mDreamingLockscreen= -e mShowingLockscreen= \
                    -e isKeyguardShowing= -e isStatusBarKeyguard=";

fn is_locked(text: &str) -> bool {
    let names = [
        "Lockscreen=true",
        "isKeyguardShowing=true",
        "isStatusBarKeyguard=true",
    ];
    names.iter().any(|name| text.contains(name))
}

/// Wakes a device that sleeps and opens its lock.
pub(super) fn wake(link: &mut Link) -> Result<(), DriverError> {
    let state = link.run_parts(&["dumpsys power | grep mWakefulness=", LOCK])?;
    let is_awake = state.parts[0].contains("Awake");
    if is_awake && !is_locked(&state.text()) {
        return Ok(());
    }
    link.run("input keyevent 224; wm dismiss-keyguard")?;
    if is_locked(&link.run(LOCK)?.text()) {
        let why = "it is locked; take its PIN away or unlock it by hand";
        return Err(DriverError::Unwell(why.to_owned()));
    }
    Ok(())
}

/// Turns animations off, and chooses the keyboard for tests where there is one.
pub(super) fn prepare(link: &mut Link) -> Result<Before, DriverError> {
    let get = |name: &&str| format!("settings get global {name}");
    let mut scripts: Vec<String> = SCALES.iter().map(get).collect();
    scripts.push(get(&SAVED));
    scripts.push("settings get secure default_input_method".to_owned());
    scripts.push("pm path com.android.adbkeyboard".to_owned());
    let scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
    let output = link.run_parts(&scripts)?;
    let value = |at: usize| {
        output
            .parts
            .get(at)
            .map_or("", |text| text.trim())
            .to_owned()
    };
    // An earlier run that could not put things back has left a note.
    let saved = value(3);
    let saved: Vec<&str> = saved.split('|').collect();
    let before = match saved[..] {
        [a, b, c, keyboard] => Before {
            scales: [a, b, c].map(str::to_owned).to_vec(),
            keyboard: keyboard.to_owned(),
            has_keyboard: value(5).contains("package:"),
        },
        _ => Before {
            scales: (0..3).map(value).collect(),
            keyboard: value(4),
            has_keyboard: value(5).contains("package:"),
        },
    };
    let note = format!("{}|{}", before.scales.join("|"), before.keyboard);
    let mut script = vec![format!("settings put global {SAVED} {}", quoted(&note))];
    script.extend(SCALES.map(|name| format!("settings put global {name} 0")));
    if before.has_keyboard {
        script.push(format!("ime enable {KEYBOARD}; ime set {KEYBOARD}"));
    }
    link.run(&script.join("; "))?;
    Ok(before)
}

/// Puts back what the user had.
pub(super) fn restore(link: &mut Link, before: &Before) -> Result<(), DriverError> {
    let mut script = vec![format!("settings delete global {SAVED}")];
    let put = |name: &str, value: &str| match value {
        "null" | "" => format!("settings delete global {name}"),
        value => format!("settings put global {name} {}", quoted(value)),
    };
    let scales = SCALES.iter().zip(&before.scales);
    script.extend(scales.map(|(name, value)| put(name, value)));
    if before.has_keyboard {
        script.push(match before.keyboard.as_str() {
            "null" | "" => "ime reset".to_owned(),
            keyboard => format!("ime set {}", quoted(keyboard)),
        });
    }
    link.run(&script.join("; ")).map(drop)
}

/// Installs the app's file.
pub(super) fn install(link: &mut Link, apk: &[u8]) -> Result<(), DriverError> {
    const PATH: &str = "/data/local/tmp/reduce-suite.apk";
    link.push(apk.to_vec(), PATH)?;
    let output = link.run(&format!("pm install -r -t -g {PATH} 2>&1; rm -f {PATH}"))?;
    let text = output.text();
    if text.contains("Success") {
        return Ok(());
    }
    let why = text.lines().find(|told| !told.trim().is_empty());
    Err(DriverError::Unwell(format!(
        "the app cannot be installed: {}",
        why.unwrap_or("")
    )))
}

/// Takes everything away that the app ever stored.
pub(super) fn reset(link: &mut Link, package: &str, android: &Android) -> Result<(), DriverError> {
    if let Some(name) = &android.snapshot {
        load_snapshot(link, name)?;
    }
    let package = quoted(package);
    let wipes = android.wipe.iter();
    let mut script: Vec<_> = wipes
        .map(|folder| format!("rm -rf {}", quoted(folder)))
        .collect();
    script.push(format!("am force-stop {package}; pm clear {package} 2>&1"));
    let cleared = link.run(&script.join("; "))?;
    if !cleared.text().contains("Success") {
        if cleared.text().contains("No space left") {
            return Err(DriverError::Unwell(FULL.to_owned()));
        }
        let why = cleared.text().trim().to_owned();
        return Err(DriverError::Unwell(format!(
            "the app's data cannot be wiped: {why}"
        )));
    }
    for permission in &android.grant {
        let output = link.run(&format!("pm grant {package} {} 2>&1", quoted(permission)))?;
        if output.status != 0 {
            let why = output.text().trim().to_owned();
            return Err(DriverError::Unwell(format!(
                "{permission} cannot be granted: {why}"
            )));
        }
    }
    Ok(())
}

/// Lets an emulator load a snapshot, which its console does for adb.
fn load_snapshot(link: &Link, name: &str) -> Result<(), DriverError> {
    let address = link.server().0;
    let loaded = Command::new("adb")
        .args([
            "-H",
            &address.ip().to_string(),
            "-P",
            &address.port().to_string(),
        ])
        .args(["-s", link.serial(), "emu", "avd", "snapshot", "load", name])
        .stdin(Stdio::null())
        .output();
    let told = loaded.map_err(|error| DriverError::Unwell(format!("adb: {error}")))?;
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    if told.status.success() && !text.contains("KO") {
        return Ok(());
    }
    Err(DriverError::Unwell(format!(
        "snapshot {name}: {}",
        text.trim()
    )))
}

/// Makes room on a device that has none left.
pub(super) fn make_room(link: &mut Link) {
    // Whether it helped shows at the next start.
    let _ = link.run("rm -f /data/local/tmp/reduce-suite.*; pm trim-caches 999G");
}
