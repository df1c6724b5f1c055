//! What exploring gave: `explore.json`, the page `explore.html`, and a few lines for the terminal.

mod page;

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::number::{counted, grouped};
use super::{Device, Side, human_seconds, visible};

pub use page::write_page;

/// What exploring gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExploreReport {
    /// Version of the format.
    pub version: u32,
    /// Name and version of the tool.
    pub tool: String,
    /// The seed.
    pub seed: u64,
    /// How sessions chose what to do.
    pub strategy: String,
    /// Why it ended.
    pub ended: String,
    /// The suite that was written.
    pub suite: Side,
    /// What was spent on devices.
    pub device: Device,
    /// How many different screens were seen.
    pub screens: usize,
    /// How many actions of those that screens offer were done there.
    pub actions: Actions,
    /// How coverage grew, session by session.
    pub growth: Vec<GrowthPoint>,
    /// Faults, each with the first place that raised it.
    pub faults: Vec<FaultPlace>,
    /// What was offered and left alone, by screen.
    pub denied: Vec<DeniedAction>,
    /// Recordings that were walked, and how far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub followed: Vec<FollowedTrace>,
}

/// Actions that screens offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actions {
    /// Pairs of a screen and an action that it offers.
    pub offered: usize,
    /// How many of them were done.
    pub done: usize,
}

/// How far coverage had grown after a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrowthPoint {
    /// Sessions so far.
    pub traces: usize,
    /// Steps so far.
    pub steps: u64,
    /// Elements covered so far, screens included.
    pub elements: usize,
    /// Screens seen so far.
    pub screens: usize,
}

/// A fault and where it was raised first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultPlace {
    /// Its signature.
    pub fault: String,
    /// The trace.
    pub trace: String,
    /// The step, or none for the launch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// An action that was offered and left alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeniedAction {
    /// The screen that offers it.
    pub screen: String,
    /// The action.
    pub action: String,
}

/// A recording that was walked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowedTrace {
    /// Its name.
    pub trace: String,
    /// How many of its steps were done.
    pub done: usize,
    /// How many it has.
    pub of: usize,
    /// The action that could not be done, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stuck_at: Option<String>,
}

/// How many faults and recordings are listed for people.
const LISTED: usize = 10;

/// The result in a few lines.
#[must_use]
pub fn explore_summary(report: &ExploreReport, folder: &str) -> String {
    let ExploreReport {
        suite,
        actions,
        growth,
        ..
    } = report;
    let elements = growth.last().map_or(0, |last| last.elements);
    let mut text = format!(
        "{} of {} steps cover {} on {} ({} of device time); ended: {}\n",
        counted(suite.traces, "trace"),
        grouped(suite.steps as u64),
        counted(elements, "element"),
        counted(report.screens, "screen"),
        human_seconds(report.device.seconds),
        visible(&report.ended),
    );
    let _ = writeln!(text, "growing: {}", sparkline(growth));
    let _ = writeln!(
        text,
        "{} of {} actions that screens offer were done there",
        grouped(actions.done as u64),
        grouped(actions.offered as u64)
    );
    if !report.denied.is_empty() {
        let denied = counted(report.denied.len(), "dangerous action");
        let _ = writeln!(text, "{denied} left alone; explore.json names them");
    }
    for followed in report
        .followed
        .iter()
        .filter(|one| one.done < one.of)
        .take(LISTED)
    {
        let FollowedTrace { done, of, .. } = followed;
        let stuck = followed.stuck_at.as_deref().unwrap_or("the app ended");
        let (trace, stuck) = (visible(&followed.trace), visible(stuck));
        let _ = writeln!(
            text,
            "recording {trace}: {done} of {of} steps, then {stuck}"
        );
    }
    for fault in report.faults.iter().take(LISTED) {
        let (fault, trace) = (visible(&fault.fault), visible(&fault.trace));
        let _ = writeln!(text, "fault in {trace}: {fault}");
    }
    if report.faults.len() > LISTED {
        let _ = writeln!(text, "… and {} more faults", report.faults.len() - LISTED);
    }
    let _ = writeln!(text, "files: {folder}");
    text
}

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const WIDTH: usize = 40;

/// Coverage over steps as a line of bars, each as high as its share of all that was found.
fn sparkline(growth: &[GrowthPoint]) -> String {
    let Some(last) = growth.last() else {
        return String::new();
    };
    let bars = (1..=WIDTH as u64).map(|at| {
        let steps = last.steps * at / WIDTH as u64;
        let reached = growth.iter().rev().find(|point| point.steps <= steps);
        bar(reached.map_or(0, |point| point.elements), last.elements)
    });
    bars.collect()
}

/// Figures that grow as a short line of bars, for a line of progress.
#[must_use]
pub fn growth_line(figures: &[usize], width: usize) -> String {
    let Some(&last) = figures.last() else {
        return String::new();
    };
    let width = width.min(figures.len());
    let places = (1..=width).map(|at| figures.len() * at / width - 1);
    places.map(|place| bar(figures[place], last)).collect()
}

fn bar(part: usize, whole: usize) -> char {
    let level = part * (BARS.len() - 1) / whole.max(1);
    BARS[level.min(BARS.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::{GrowthPoint, growth_line, sparkline};

    #[test]
    fn a_line_of_progress_is_no_longer_than_it_may() {
        assert_eq!(growth_line(&[], 5), "");
        assert_eq!(growth_line(&[1, 4, 8], 5), "▁▄█");
        assert_eq!(growth_line(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 5), "▁▃▄▆█");
    }

    fn points(points: &[(u64, usize)]) -> Vec<GrowthPoint> {
        let point = |(at, &(steps, elements)): (usize, &(u64, usize))| GrowthPoint {
            traces: at + 1,
            steps,
            elements,
            screens: 1,
        };
        points.iter().enumerate().map(point).collect()
    }

    #[test]
    fn the_line_rises_with_coverage_and_ends_at_the_top() {
        let line = sparkline(&points(&[(10, 50), (20, 90), (40, 100)]));
        assert_eq!(line.chars().count(), 40);
        assert_eq!(line, "▁▁▁▁▁▁▁▁▁▄▄▄▄▄▄▄▄▄▄▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇█");
        assert_eq!(sparkline(&[]), "");
        assert_eq!(sparkline(&points(&[(0, 0)])), "▁".repeat(40));
    }
}
