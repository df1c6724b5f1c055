//! The apps of the bench: which generator, recorder, size, share of flaky actions and seed.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::generate::random_app::AppShape;
use crate::generate::record::{self, Recorder};
use crate::generate::{Generator, app_model};

const MEAN_STEPS: usize = 17;
/// The shares of hidden actions, in turn by seed.
const HIDDEN: [f64; 5] = [0.06, 0.04, 0.08, 0.05, 0.07];

/// One app with one suite.
#[derive(Clone, Copy)]
pub(super) struct Case {
    pub(super) generator: Generator,
    pub(super) recorder: (&'static str, Recorder),
    pub(super) traces: usize,
    pub(super) flaky: f64,
    pub(super) seed: u64,
}

/// What a case is called in tables and files.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Label {
    pub(super) generator: String,
    pub(super) recorder: String,
    pub(super) traces: usize,
    pub(super) flaky: f64,
    pub(super) seed: u64,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            generator,
            recorder,
            traces,
            flaky,
            seed,
        } = self;
        write!(f, "{generator} {recorder} {traces} {flaky} {seed}")
    }
}

/// An app and a suite recorded on it.
pub(super) struct Material {
    pub(super) app: Value,
    pub(super) app_text: String,
    pub(super) suite: String,
}

impl Case {
    pub(super) fn label(&self) -> Label {
        Label {
            generator: self.generator.0.to_owned(),
            recorder: self.recorder.0.to_owned(),
            traces: self.traces,
            flaky: self.flaky,
            seed: self.seed,
        }
    }

    /// Draws the app and records its suite; the same case always gives the same bytes.
    pub(super) fn material(&self) -> Result<Material, String> {
        let app = (self.generator.1)(&self.shape(), self.seed);
        let app_text = app_model::text(&app).map_err(|error| error.to_string())?;
        let (_, recorder) = self.recorder;
        let lines = record::suite_by(recorder, &app, self.seed, self.traces, MEAN_STEPS);
        let suite = lines.into_iter().map(|line| line + "\n").collect();
        Ok(Material {
            app,
            app_text,
            suite,
        })
    }

    /// Screens grow like the square root of the traces and branches with them: 800 traces have 90 screens and 2,000
    /// branches.
    fn shape(&self) -> AppShape {
        let square = 81 * self.traces / 8;
        let side = (0..square).take_while(|side| side * side < square).count();
        let turn = usize::try_from(self.seed % 5).unwrap_or_default();
        AppShape {
            screens: side.div_ceil(5) * 5,
            branches: self.traces * 5 / 2,
            hidden: HIDDEN[(turn + 4) % 5],
            flaky: self.flaky,
            faults: 3,
            crashes: 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::GENERATORS;

    fn case(generator: Generator, traces: usize, seed: u64) -> Case {
        Case {
            generator,
            recorder: Recorder::CHOICES[0],
            traces,
            flaky: 0.02,
            seed,
        }
    }

    #[test]
    fn sizes_are_those_of_the_bench_of_reducing() {
        let shape = |traces| {
            let shape = case(GENERATORS[0], traces, 1).shape();
            (shape.screens, shape.branches)
        };
        let sizes = [200, 400, 800, 1600, 3200].map(shape);
        assert_eq!(
            sizes,
            [(45, 500), (65, 1000), (90, 2000), (130, 4000), (180, 8000)]
        );
    }

    #[test]
    fn the_same_case_gives_the_same_bytes_for_every_generator() {
        for generator in GENERATORS {
            let bytes = |seed| {
                let material = case(generator, 40, seed).material().unwrap();
                (material.app_text, material.suite)
            };
            assert_eq!(bytes(3), bytes(3), "{}", generator.0);
            assert_ne!(bytes(3), bytes(4), "{}", generator.0);
        }
    }
}
