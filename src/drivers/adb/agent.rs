//! Coverage by the `JaCoCo` agent inside the app: a broadcast makes the app write a file, which
//! is read, and what is new in it was covered by the step.

use std::path::Path;
use std::{fs, io};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::link::Link;
use super::words::quoted;
use crate::coverage::jacoco::{Classes, Dump, read};
use crate::drivers::Jacoco;
use crate::replay::DriverError;

/// Folders deeper than this hold no classes.
const DEEPEST: usize = 64;

/// An agent of which one run is followed.
pub(super) struct Agent {
    how: Jacoco,
    classes: Classes,
    known: Dump,
}

impl Agent {
    /// Reads the class files; the reason if that cannot be done.
    pub(super) fn new(how: &Jacoco) -> Result<Self, String> {
        let mut classes = Classes::default();
        for folder in &how.classes {
            let added = add_classes(&mut classes, folder, 0);
            added.map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        Ok(Self {
            how: how.clone(),
            classes,
            known: Dump::default(),
        })
    }

    /// A new process knows nothing.
    pub(super) fn started(&mut self, link: &mut Link) -> Result<(), DriverError> {
        self.known = Dump::default();
        link.run(&format!("rm -f {}", quoted(&self.how.file)))
            .map(drop)
    }

    /// What was covered since the last time.
    pub(super) fn covers(
        &mut self,
        link: &mut Link,
        package: &str,
    ) -> Result<Vec<String>, DriverError> {
        let Jacoco {
            broadcast, file, ..
        } = &self.how;
        let (package, broadcast, file) = (quoted(package), quoted(broadcast), quoted(file));
        let output = link.run_parts(&[
            &format!("am broadcast -a {broadcast} -p {package} 2>&1"),
            // Files inside the app's own folder can be read by the app alone.
            &format!("base64 {file} 2>/dev/null || run-as {package} base64 {file} 2>/dev/null"),
        ])?;
        let unwell = |reason: String| {
            let file = &self.how.file;
            DriverError::Unwell(format!("no coverage from JaCoCo in {file}: {reason}"))
        };
        let text: String = output.parts[1..].concat();
        let text: String = text.split_whitespace().collect();
        if text.is_empty() {
            let told = output.parts[0]
                .lines()
                .last()
                .unwrap_or("")
                .trim()
                .to_owned();
            return Err(unwell(format!("the app has not written it ({told})")));
        }
        let bytes = STANDARD
            .decode(text)
            .map_err(|error| unwell(error.to_string()))?;
        let dump = read(&bytes).map_err(unwell)?;
        let new = dump.since(&self.known);
        self.known = dump;
        Ok(new.elements(&self.classes).into_iter().collect())
    }
}

fn add_classes(classes: &mut Classes, path: &Path, depth: usize) -> io::Result<()> {
    if path.is_dir() && depth < DEEPEST {
        let mut inside: Vec<_> = fs::read_dir(path)?.collect::<Result<_, _>>()?;
        inside.sort_by_key(fs::DirEntry::file_name);
        return inside
            .iter()
            .try_for_each(|entry| add_classes(classes, &entry.path(), depth + 1));
    }
    if path
        .extension()
        .is_some_and(|extension| extension == "class")
    {
        let added = classes.add(&fs::read(path)?);
        return added.map_err(|reason| io::Error::other(format!("{}: {reason}", path.display())));
    }
    Ok(())
}
