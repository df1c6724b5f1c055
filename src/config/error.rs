//! What can be wrong with a setting, said with the place it was written in.

use std::{io, path::PathBuf};

use super::Origin;

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The project file could not be read.
    #[error("{}: the project file cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The project file is no TOML.
    #[error("{}:{line}: {reason}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// No option has that name.
    #[error("{origin}: there is no option `{key}`{}", did_you_mean(suggestions))]
    UnknownKey {
        /// The name as it was written.
        key: String,
        /// Where it was written.
        origin: Origin,
        /// The options that may have been meant, the likeliest first.
        suggestions: Vec<String>,
    },
    /// The name of a group of options was given a value.
    #[error("{origin}: `{key}` is a group of options, of which `{member}` is one")]
    Group {
        /// The group.
        key: String,
        /// Where it was written.
        origin: Origin,
        /// An option of the group.
        member: String,
    },
    /// The option cannot have that value.
    #[error("{origin}: `{key}` is {given}, but it must be {allowed}")]
    Value {
        /// The option.
        key: String,
        /// Where it was written.
        origin: Origin,
        /// What was written.
        given: String,
        /// What may be written.
        allowed: String,
    },
    /// Paths in the file are relative to a folder that cannot be written as text.
    #[error("{}: the name of the file's folder is not valid UTF-8", path.display())]
    FolderName {
        /// The file.
        path: PathBuf,
    },
}

fn did_you_mean(suggestions: &[String]) -> String {
    if suggestions.is_empty() {
        return String::new();
    }
    format!("; did you mean `{}`?", suggestions.join("` or `"))
}
