//! Settings: the embedded defaults, a project file and the command line, laid over each other.

use std::path::{Path, PathBuf};

mod effort;
mod error;
mod layers;
mod origin;
mod paths;
mod print;
mod reader;
mod share;
mod suggest;
#[cfg(test)]
mod tests;
mod time;
mod values;
mod written;

pub use error::ConfigError;
pub use layers::{DEFAULTS, Setting, Settings};
pub use origin::Origin;
pub use print::print_config;
pub use share::parse as parse_share;
pub use values::{
    Android, Budget, Certify, Config, Cost, Cover, Explore, Load, Loops, Minimize, Replay, Retry,
    Screen, Settle, Slack, Splice, UnknownActions, Walk, Web,
};

/// Where a project file is looked for, in the current folder and then in those above it.
pub const PROJECT_FILE: &str = "config/reduce-suite.toml";

/// What lies over the defaults.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layers {
    /// The project file; where none is named, the nearest [`PROJECT_FILE`], if there is one.
    pub file: Option<PathBuf>,
    /// What the command line sets: dotted keys and values, later ones over earlier ones.
    pub overrides: Vec<(String, toml::Value)>,
}

/// The settings that hold, and where they came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// The settings, ready to use.
    pub config: Config,
    /// The same as they were written, with the origin of each.
    pub settings: Settings,
    /// The project file that was used.
    pub file: Option<PathBuf>,
}

/// Lays the layers over each other and checks the result.
///
/// `current_dir` is the folder that paths of the command line start in.
pub fn resolve(layers: &Layers, current_dir: &Path) -> Result<Resolved, ConfigError> {
    let file = layers.file.clone().or_else(|| project_file(current_dir));
    let mut settings = Settings::defaults();
    if let Some(file) = &file {
        settings.apply_file(file, current_dir)?;
    }
    for (key, value) in &layers.overrides {
        settings.apply_override(key, value)?;
    }
    let config = reader::read(&settings)?;
    Ok(Resolved {
        config,
        settings,
        file,
    })
}

/// The nearest project file, relative to `current_dir` so that messages stay short.
fn project_file(current_dir: &Path) -> Option<PathBuf> {
    let mut climb = PathBuf::new();
    for folder in current_dir.ancestors() {
        if folder.join(PROJECT_FILE).is_file() {
            return Some(climb.join(PROJECT_FILE));
        }
        climb.push("..");
    }
    None
}
