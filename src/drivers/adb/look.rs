//! One look at a device: the window, the activity at the front, the keyboard, the process, the log.

use super::log::{Position, Told};
use super::words::quoted;
use crate::import::dump;
use crate::model::window::Window;
use crate::replay::DriverError;

/// Where dumps go on the device.
const DUMP: &str = "/data/local/tmp/reduce-suite.xml";

/// What a device showed.
#[derive(Debug, Clone)]
pub(super) struct Look {
    /// The window, or why there is none.
    pub(super) window: Result<Window, String>,
    /// The window that gets the input, as the system names it.
    pub(super) focus: String,
    /// The app at the front.
    pub(super) front: String,
    /// Whether the app's process runs.
    pub(super) is_running: bool,
    /// What the log has told since the last look.
    pub(super) told: Told,
}

/// The scripts of a look, whose outputs [`read`] takes apart.
pub(super) fn scripts(package: &str, log: &str) -> [String; 7] {
    [
        format!("rm -f {DUMP}; uiautomator dump {DUMP} 2>&1"),
        format!("cat {DUMP} 2>/dev/null; rm -f {DUMP}"),
        "dumpsys activity activities 2>/dev/null | grep ResumedActivity".to_owned(),
        "dumpsys window 2>/dev/null | grep mCurrentFocus".to_owned(),
        "dumpsys input_method 2>/dev/null | grep mInputShown".to_owned(),
        format!("pidof {}", quoted(package)),
        format!("{log} 2>/dev/null"),
    ]
}

/// Takes the outputs of a look apart.
pub(super) fn read(
    parts: &[String],
    package: &str,
    tag: &str,
    position: &mut Position,
) -> Result<Look, DriverError> {
    let [told, xml, resumed, focus, keyboard, pid, log] = parts else {
        return Err(DriverError::Lost);
    };
    if told.contains("No space left") || told.contains("ENOSPC") {
        return Err(DriverError::Unwell(FULL.to_owned()));
    }
    let (front, activity) = resumed.lines().find_map(component).unwrap_or_default();
    let window = match dump::window(xml.trim()) {
        Ok(window) if activity.is_empty() => Err(no_activity(&window)),
        Ok(window) => Ok(Window {
            activity: activity_name(&front, &activity, package),
            keyboard: keyboard.contains("mInputShown=true"),
            ..window
        }),
        Err(_) if !told.contains("dumped to") => Err(first_line(told)),
        Err(reason) => Err(format!("the window dump cannot be read: {reason}")),
    };
    Ok(Look {
        window,
        focus: focus.lines().find_map(focused).unwrap_or_default(),
        front,
        is_running: !pid.trim().is_empty(),
        told: position.read(log, tag, package)?,
    })
}

/// What is said of a device without room for files.
pub(super) const FULL: &str = "no space is left on the device";

fn no_activity(_: &Window) -> String {
    "no activity is at the front".to_owned()
}

fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    format!("uiautomator: {}", line.unwrap_or("no answer"))
}

/// The name of an activity: without the package of the app under test, with any other one.
fn activity_name(front: &str, activity: &str, package: &str) -> String {
    if front == package {
        activity.to_owned()
    } else {
        format!("{front}/{activity}")
    }
}

/// Package and activity of `…ActivityRecord{HASH u0 PACKAGE/ACTIVITY t12}`.
fn component(line: &str) -> Option<(String, String)> {
    let (_, record) = line.split_once("ActivityRecord{")?;
    let record = record.trim_end().trim_end_matches('}');
    let (_, rest) = record.split_once(" u")?;
    let (_, component) = rest.split_once(' ')?;
    let component = match component.rsplit_once(" t") {
        Some((name, task)) if task.starts_with(|c: char| c.is_ascii_digit()) => name,
        _ => component,
    };
    let (package, activity) = component.split_once('/')?;
    let activity = activity.strip_prefix(package).unwrap_or(activity);
    let activity = activity.strip_prefix('.').unwrap_or(activity);
    Some((package.to_owned(), activity.to_owned()))
}

/// The name in `mCurrentFocus=Window{HASH u0 NAME}`.
fn focused(line: &str) -> Option<String> {
    let (_, window) = line.split_once("Window{")?;
    let (_, rest) = window.split_once(" u")?;
    let (_, name) = rest.split_once(' ')?;
    Some(name.trim_end().trim_end_matches('}').to_owned())
}

#[cfg(test)]
mod tests {
    use super::{component, focused};

    #[track_caller]
    fn check(line: &str, expect: Option<(&str, &str)>) {
        let found = component(line);
        let found = found
            .as_ref()
            .map(|(package, activity)| (&**package, &**activity));
        assert_eq!(found, expect, "{line}");
    }

    #[test]
    fn the_activity_at_the_front_is_found_on_every_android() {
        check(
            "    mResumedActivity: ActivityRecord{5e1f u0 a.b/.Home t12}",
            Some(("a.b", "Home")),
        );
        check(
            "  topResumedActivity=ActivityRecord{5e u10 a.b/a.b.ui.Home t7 d0}",
            Some(("a.b", "ui.Home")),
        );
        check(
            "  ResumedActivity: ActivityRecord{5e u0 a.b/c.d.Home t7}",
            Some(("a.b", "c.d.Home")),
        );
        check(
            "  ResumedActivity: ActivityRecord{5e u0 a.b/.My Screen t7}",
            Some(("a.b", "My Screen")),
        );
        check("  mResumedActivity: null", None);
    }

    #[test]
    fn the_focus_is_the_name_of_a_window() {
        let line = "  mCurrentFocus=Window{3c u0 Application Not Responding: a.b}";
        assert_eq!(
            focused(line).as_deref(),
            Some("Application Not Responding: a.b")
        );
        assert_eq!(focused("mCurrentFocus=null"), None);
    }
}
