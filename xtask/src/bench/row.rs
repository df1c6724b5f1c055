//! One app in figures: both strategies and how they compare.

use serde::Serialize;

use super::case::Label;
use super::judge::Figures;

/// What a strategy gave, or why there is nothing.
pub(super) type Attempt = Result<Figures, String>;

/// One app.
pub(super) struct Row {
    pub(super) label: Label,
    /// The strategy to compare with.
    pub(super) base: Attempt,
    /// The strategy that is judged; none where only one was asked for.
    pub(super) best: Option<Attempt>,
    /// Whether eight devices gave the same files as one; none where that was not asked for.
    pub(super) same_on_eight: Option<Result<bool, String>>,
}

/// The figures that medians and targets are made of; none where something is missing.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(super) struct Derived {
    pub(super) base_seconds: Option<f64>,
    pub(super) best_seconds: Option<f64>,
    pub(super) suite_ratio: Option<f64>,
    pub(super) bound: Option<f64>,
    pub(super) gap: Option<f64>,
    /// What no suite is below, and what it is of the suite to compare with.
    pub(super) floor: Option<f64>,
    pub(super) floor_ratio: Option<f64>,
    /// How many elements the judged suite covers for each of the other.
    pub(super) elements_ratio: Option<f64>,
    pub(super) base_reducing: Option<f64>,
    pub(super) best_reducing: Option<f64>,
    pub(super) reducing_ratio: Option<f64>,
    pub(super) own_seconds: Option<f64>,
    pub(super) speed_up: Option<f64>,
    pub(super) unmarked: Option<f64>,
    pub(super) violations: Option<f64>,
}

impl Row {
    /// The strategy that is judged: the second, or the only one.
    pub(super) fn judged(&self) -> &Attempt {
        self.best.as_ref().unwrap_or(&self.base)
    }

    /// What went wrong, one sentence each.
    pub(super) fn errors(&self) -> Vec<&str> {
        let attempts = [Some(&self.base), self.best.as_ref()];
        let attempts = attempts.into_iter().flatten();
        let eight = self.same_on_eight.as_ref().and_then(|it| it.as_ref().err());
        attempts
            .filter_map(|attempt| attempt.as_ref().err())
            .chain(eight)
            .map(String::as_str)
            .collect()
    }

    pub(super) fn derived(&self) -> Derived {
        let base = self.base.as_ref().ok();
        let best = self.best.as_ref().and_then(|best| best.as_ref().ok());
        let judged = self.judged().as_ref().ok();
        let base_seconds = base.map(|it| it.seconds);
        let best_seconds = best.map(|it| it.seconds);
        let base_reducing = base.map(Figures::without_stabilizing);
        let best_reducing = best.map(|it| it.reducing);
        Derived {
            base_seconds,
            best_seconds,
            suite_ratio: ratio(best_seconds, base_seconds),
            bound: judged.map(|it| it.bound),
            gap: judged.map(|it| it.gap),
            floor: judged.map(|it| it.floor),
            floor_ratio: ratio(best.map(|it| it.floor), base_seconds),
            elements_ratio: ratio(best.map(|it| it.elements), base.map(|it| it.elements)),
            base_reducing,
            best_reducing,
            reducing_ratio: ratio(best_reducing, base_reducing),
            own_seconds: judged.map(|it| it.own_seconds),
            speed_up: judged.and_then(Figures::speed_up),
            unmarked: judged.map(|it| it.reliability.unmarked as f64),
            violations: judged.map(|it| it.violations.len() as f64),
        }
    }
}

/// One figure as a multiple of another.
fn ratio(of: Option<f64>, to: Option<f64>) -> Option<f64> {
    let to = to.filter(|to| *to > 0.0)?;
    Some(of? / to)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::judge::Reliability;
    use super::*;

    pub(in super::super) fn figures(seconds: f64, reducing: f64, stabilizing: f64) -> Figures {
        Figures {
            input_steps: 13_000.0,
            seconds,
            traces: 10.0,
            steps: 100.0,
            bound: 100.0,
            gap: seconds / 100.0 - 1.0,
            floor: 110.0,
            elements: 50.0,
            reducing,
            stabilizing,
            own_seconds: 2.0,
            elapsed: [("1".to_owned(), 70.0), ("8".to_owned(), 10.0)].into(),
            reliability: Reliability {
                unmarked: 0,
                marked: 1,
                marks: 1,
            },
            observed: 0,
            violations: Vec::new(),
        }
    }

    pub(in super::super) fn row(generator: &str, flaky: f64, base: Figures, best: Figures) -> Row {
        Row {
            label: Label {
                generator: generator.to_owned(),
                recorder: "curious".to_owned(),
                traces: 800,
                flaky,
                seed: 1,
            },
            base: Ok(base),
            best: Some(Ok(best)),
            same_on_eight: None,
        }
    }

    #[test]
    fn ratios_leave_only_the_stabilising_of_the_base_aside() {
        let row = row(
            "random",
            0.0,
            figures(300.0, 1000.0, 600.0),
            figures(150.0, 100.0, 60.0),
        );
        let derived = row.derived();
        assert_eq!(derived.suite_ratio, Some(0.5));
        assert_eq!(derived.reducing_ratio, Some(0.25));
        assert_eq!(derived.gap, Some(0.5));
        assert_eq!(derived.floor_ratio, Some(110.0 / 300.0));
        assert_eq!(derived.elements_ratio, Some(1.0));
        assert_eq!(derived.speed_up, Some(7.0));
    }

    #[test]
    fn a_row_without_figures_has_errors_and_no_ratios() {
        let mut row = row(
            "random",
            0.0,
            figures(300.0, 1000.0, 600.0),
            figures(150.0, 100.0, 60.0),
        );
        row.best = Some(Err("it broke".to_owned()));
        let derived = row.derived();
        assert_eq!(derived.suite_ratio, None);
        assert_eq!(derived.gap, None);
        assert_eq!(derived.base_seconds, Some(300.0));
        assert_eq!(row.errors(), ["it broke"]);
        row.best = None;
        assert_eq!(row.derived().suite_ratio, None);
        assert_eq!(row.derived().gap, Some(2.0));
    }
}
