//! The settings of devices: what a user says about all of them, whatever their URLs say.

use std::path::PathBuf;
use std::time::Duration;

use super::web::WebSetup;
use crate::abstraction::{Abstraction, Lens};
use crate::model::sha256;

/// How devices look at apps.
#[derive(Debug, Clone)]
pub struct Setup {
    /// What counts as the same screen, where devices show windows.
    pub abstraction: &'static Abstraction,
    /// Whether a device may know better what counts as the same screen.
    pub is_abstraction_open: bool,
    /// What is not looked at.
    pub lens: Lens,
    /// How pages are visited.
    pub web: WebSetup,
    /// What concerns Android alone.
    pub android: Android,
}

/// What concerns Android alone. `config/default.toml` explains it.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Android {
    pub package: Option<String>,
    pub activity: Option<String>,
    pub apk: Option<PathBuf>,
    pub snapshot: Option<String>,
    pub wipe: Vec<String>,
    pub grant: Vec<String>,
    pub coverage_tag: Option<String>,
    pub jacoco: Option<Jacoco>,
    pub stable: Duration,
    pub command: Duration,
    pub boot: Duration,
}

/// How an app tells what its `JaCoCo` agent saw.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "config/default.toml is their documentation")]
pub struct Jacoco {
    pub broadcast: String,
    pub file: String,
    pub classes: Vec<PathBuf>,
}

impl Setup {
    /// Stands for everything that decides what a screen is called: runs that were made under
    /// other names are of no use.
    #[must_use]
    pub fn digest(&self) -> String {
        let name = self.abstraction.name;
        let (tag, jacoco) = (&self.android.coverage_tag, &self.android.jacoco);
        sha256(format!("{name} {:?} {tag:?} {jacoco:?}", self.lens).as_bytes())
    }
}
