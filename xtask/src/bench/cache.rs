//! Figures kept from one bench to the next, since only one of two strategies changes while it is tuned.

use std::fs;
use std::path::PathBuf;

use reduce_suite::config::DEFAULTS;
use reduce_suite::model::sha256;

use super::case::{Case, Material};
use super::judge::Figures;
use super::options::Options;

/// Raised when the figures themselves change.
const VERSION: u32 = 3;

/// Where figures are kept, unless they are not.
pub(super) struct Cache(Option<PathBuf>);

impl Cache {
    pub(super) const fn new(folder: Option<PathBuf>) -> Self {
        Self(folder)
    }

    /// The name of the figures of a strategy for an app: a digest of all that they depend on but the program.
    pub(super) fn key(
        strategy: &str,
        case: &Case,
        material: &Material,
        options: &Options,
    ) -> String {
        let parts = [
            VERSION.to_string(),
            strategy.to_owned(),
            case.seed.to_string(),
            options.runs.to_string(),
            sha256(material.app_text.as_bytes()),
            sha256(material.suite.as_bytes()),
            sha256(DEFAULTS.as_bytes()),
        ];
        sha256(parts.join("\n").as_bytes())
    }

    pub(super) fn get(&self, key: &str) -> Option<Figures> {
        let text = fs::read(self.file(key)?).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Keeps figures; where that does not work, the next bench takes longer.
    pub(super) fn put(&self, key: &str, figures: &Figures) {
        if let (Some(file), Some(folder), Ok(text)) =
            (self.file(key), &self.0, serde_json::to_vec(figures))
        {
            let aside = file.with_extension(format!("{}.aside", std::process::id()));
            let _ = fs::create_dir_all(folder)
                .and_then(|()| fs::write(&aside, text))
                .and_then(|()| fs::rename(&aside, &file));
        }
    }

    fn file(&self, key: &str) -> Option<PathBuf> {
        self.0
            .as_ref()
            .map(|folder| folder.join(format!("{key}.json")))
    }
}
