//! What a device can tell of the app on it, for people who set it up.

use super::device::AdbDevice;

impl AdbDevice {
    /// Which kinds of coverage work, and how screens are told apart.
    pub(super) fn tells(&mut self) -> Vec<String> {
        let covered = &self.at_start;
        let mut lines = Vec::new();
        lines.push(format!(
            "app {}/{}",
            self.target.package, self.target.activity
        ));
        lines.push(match &self.setup.android.coverage_tag {
            None => "logcat: not asked for (android.coverage_tag is none)".to_owned(),
            Some(tag) if covered.logged == 0 => format!(
                "logcat: no line is tagged {tag}; instrument the app, or name its tag (android.coverage_tag)"
            ),
            Some(tag) => format!("logcat: works, {} elements at the start tagged {tag}", covered.logged),
        });
        lines.push(match (&self.setup.android.jacoco, covered.by_agent) {
            (None, _) => "jacoco: not asked for (android.jacoco_broadcast is none)".to_owned(),
            (Some(_), 0) => "jacoco: the agent answers, and saw nothing at the start".to_owned(),
            (Some(_), count) => format!("jacoco: works, {count} elements at the start"),
        });
        let (widgets, usable) = (self.window.widgets.len(), self.offered().len());
        lines.push(format!(
            "screens: {} ({widgets} widgets, {usable} actions on this one)",
            self.setup.abstraction.name
        ));
        lines
    }
}
