//! What each abstraction makes of windows, and how many different screens they are under each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Serialize;

use super::{JobError, setup};
use crate::abstraction::{self, Abstraction};
use crate::config::Config;
use crate::import::windows::windows;
use crate::report::VERSION;

/// What was found in dumps.
#[derive(Debug, Clone, Serialize)]
pub struct Inspection {
    /// Version of the format.
    pub version: u32,
    /// The windows, in path order.
    pub windows: Vec<InspectedWindow>,
    /// Under each abstraction, coarse ones first.
    pub screens: Vec<DistinctScreens>,
    /// What could not be read, and why.
    pub unusable: Vec<UnusableWindow>,
}

/// A window and its screens.
#[derive(Debug, Clone, Serialize)]
pub struct InspectedWindow {
    /// The file, and which step of it where it has many.
    pub place: String,
    /// The app it belongs to.
    pub package: String,
    /// The activity, where the file tells.
    pub activity: String,
    /// How many widgets it has.
    pub widgets: usize,
    /// How many of them take anything.
    pub actionable: usize,
    /// Its name under each abstraction.
    pub screens: BTreeMap<&'static str, String>,
    /// Everything that the abstraction of `lines` looks at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<String>>,
}

/// How many different screens there are under an abstraction.
#[derive(Debug, Clone, Serialize)]
pub struct DistinctScreens {
    /// Its name.
    pub abstraction: &'static str,
    /// What it looks at.
    pub about: &'static str,
    /// How many.
    pub distinct: usize,
}

/// Something that holds no window.
#[derive(Debug, Clone, Serialize)]
pub struct UnusableWindow {
    /// The file, and which step of it where it has many.
    pub place: String,
    /// Why.
    pub why: String,
}

/// The names of all abstractions.
#[must_use]
pub fn abstractions() -> Vec<&'static str> {
    abstraction::all().iter().map(|one| one.name).collect()
}

/// Looks at the windows of files and folders; `lines` names the abstraction that shows all it sees.
pub fn inspect(
    config: &Config,
    paths: &[PathBuf],
    lines: Option<&str>,
) -> Result<Inspection, JobError> {
    let lens = setup(config).lens;
    let shown = lines.map(named).transpose()?;
    let mut inspection = Inspection {
        version: VERSION,
        windows: Vec::new(),
        screens: Vec::new(),
        unusable: Vec::new(),
    };
    let mut distinct: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for found in windows(paths)? {
        let window = match found.window {
            Ok(window) => window,
            Err(why) => {
                let place = found.place;
                inspection.unusable.push(UnusableWindow { place, why });
                continue;
            }
        };
        let screens = abstraction::all()
            .iter()
            .map(|one| (one.name, one.screen(&window, &lens)));
        let screens: BTreeMap<_, _> = screens.collect();
        for (name, screen) in &screens {
            distinct.entry(name).or_default().insert(screen.clone());
        }
        let takes = |takes: &&crate::model::window::Widget| takes.takes.anything();
        inspection.windows.push(InspectedWindow {
            place: found.place,
            widgets: window.widgets.len(),
            actionable: window.widgets.iter().filter(takes).count(),
            screens,
            lines: shown.map(|shown| shown.looks_at(&window, &lens)),
            package: window.package,
            activity: window.activity,
        });
    }
    if inspection.windows.is_empty() {
        return Err(JobError::Unfit(nothing(&inspection.unusable)));
    }
    let screens = abstraction::all().iter().map(|one| DistinctScreens {
        abstraction: one.name,
        about: one.about,
        distinct: distinct.get(one.name).map_or(0, BTreeSet::len),
    });
    inspection.screens = screens.collect();
    Ok(inspection)
}

/// The abstraction of a name.
pub(super) fn named(name: &str) -> Result<&'static Abstraction, JobError> {
    abstraction::find(name).ok_or_else(|| {
        let known = abstractions().join(", ");
        JobError::Unfit(format!(
            "no abstraction is called `{name}`; there are {known}"
        ))
    })
}

fn nothing(unusable: &[UnusableWindow]) -> String {
    let reasons = unusable
        .iter()
        .take(5)
        .map(|one| format!("{}: {}", one.place, one.why));
    let reasons: Vec<_> = reasons.collect();
    format!(
        "no window could be read; give what `adb shell uiautomator dump` wrote\n{}",
        reasons.join("\n")
    )
}
