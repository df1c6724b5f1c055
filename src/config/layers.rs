//! The options of all layers laid over each other, each with the place that set it.

use std::{fs, path::Path};

use indexmap::IndexMap;
use toml::Value;

use super::{
    ConfigError, Origin, paths, suggest,
    written::{self, Written},
};

/// The defaults: every option with its comment.
pub const DEFAULTS: &str = include_str!("../../config/default.toml");

/// The value that holds for an option.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The value, as TOML writes it.
    pub value: Value,
    /// Where it came from.
    pub origin: Origin,
}

/// Every option by its dotted key, in the order of `config/default.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings(IndexMap<String, Setting>);

impl Settings {
    /// The lowest layer, which decides what options there are.
    pub(super) fn defaults() -> Self {
        let written = written::parse(DEFAULTS).expect("the tests read the embedded defaults");
        let settings = written.into_iter().map(|one| {
            let origin = Origin::Default;
            let value = one.value;
            (one.key, Setting { value, origin })
        });
        Self(settings.collect())
    }

    /// Lays the project file at `path` over what holds so far.
    pub(super) fn apply_file(
        &mut self,
        path: &Path,
        current_dir: &Path,
    ) -> Result<(), ConfigError> {
        let unreadable = |source| ConfigError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let text = fs::read_to_string(current_dir.join(path)).map_err(unreadable)?;
        let written = written::parse(&text).map_err(|misspelt| ConfigError::Syntax {
            path: path.to_owned(),
            line: misspelt.line,
            reason: misspelt.reason,
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for mut one in written {
            one.value =
                paths::rebase(&one.key, one.value, folder, current_dir).ok_or_else(|| {
                    ConfigError::FolderName {
                        path: path.to_owned(),
                    }
                })?;
            let line = one.line;
            let path = path.to_owned();
            self.set(one, Origin::File { path, line })?;
        }
        Ok(())
    }

    /// Lays one setting of the command line over what holds so far.
    pub(super) fn apply_override(&mut self, key: &str, value: &Value) -> Result<(), ConfigError> {
        for one in written::flatten(key, value) {
            self.set(one, Origin::CommandLine)?;
        }
        Ok(())
    }

    /// What holds for an option that exists.
    pub(super) fn get(&self, key: &str) -> &Setting {
        &self.0[key]
    }

    /// Every option with what holds for it.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Setting)> {
        self.0.iter().map(|(key, setting)| (key.as_str(), setting))
    }

    fn set(&mut self, written: Written, origin: Origin) -> Result<(), ConfigError> {
        let Written { key, value, .. } = written;
        if let Some(setting) = self.0.get_mut(&key) {
            *setting = Setting { value, origin };
            return Ok(());
        }
        let prefix = format!("{key}.");
        let Some(member) = self.0.keys().find(|option| option.starts_with(&prefix)) else {
            let suggestions = suggest::suggest(&key, self.0.keys().map(String::as_str));
            return Err(ConfigError::UnknownKey {
                key,
                origin,
                suggestions,
            });
        };
        // Only an empty table gets here: one with options in it has been taken apart.
        if value.is_table() {
            return Ok(());
        }
        Err(ConfigError::Group {
            member: member.clone(),
            key,
            origin,
        })
    }
}
