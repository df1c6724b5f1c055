//! `JaCoCo`: dumps of its agent (`.exec`, `.ec`), reports in XML, and the probes of class files.
//!
//! A dump says for each class which of its probes were reached. `branch:com/app/Main#12` is the
//! spelling of such a probe, and needs nothing but the dump. With the class file at hand the same
//! probes name methods and lines as well, counted as `JaCoCo` counts them.

mod classes;
mod exec;
mod flow;
mod xml;

pub use classes::{Classes, ProbeNames};
pub use exec::read;
pub use xml::elements as report_elements;

use std::collections::{BTreeMap, BTreeSet};

/// What an agent wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dump {
    /// Who wrote it and when, in the order of the dump.
    pub sessions: Vec<Session>,
    /// What was reached of each class, by the class's id.
    pub classes: BTreeMap<u64, Reached>,
}

/// A stretch of time in which a program was watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its name.
    pub id: String,
    /// When it began, in milliseconds since 1970.
    pub start_millis: i64,
    /// When it was written, likewise.
    pub dump_millis: i64,
}

/// The probes of one class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The class, `com/app/Main`.
    pub name: String,
    /// For each of its probes whether it was reached.
    pub probes: Vec<bool>,
}

impl Dump {
    /// Adds another dump of the same program: a probe that either reached was reached.
    pub fn merge(&mut self, other: &Self) -> Result<(), String> {
        for (&id, reached) in &other.classes {
            self.add(id, reached.clone())?;
        }
        self.sessions.extend(other.sessions.iter().cloned());
        Ok(())
    }

    fn add(&mut self, id: u64, reached: Reached) -> Result<(), String> {
        let Some(known) = self.classes.get_mut(&id) else {
            self.classes.insert(id, reached);
            return Ok(());
        };
        if known.name != reached.name || known.probes.len() != reached.probes.len() {
            return Err(format!(
                "two classes have the id {id:016x}: {} with {} probes and {} with {}",
                known.name,
                known.probes.len(),
                reached.name,
                reached.probes.len()
            ));
        }
        for (known, reached) in known.probes.iter_mut().zip(reached.probes) {
            *known |= reached;
        }
        Ok(())
    }

    /// What was reached since an earlier dump of the same run. Where the agent was reset in
    /// between, and so knows less than before, all that it knows is new.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let mut new = self.clone();
        if earlier.is_in(self) {
            for (id, reached) in &mut new.classes {
                let before = earlier.classes.get(id);
                let before = before.map_or(&[][..], |before| &before.probes);
                for (probe, &was) in reached.probes.iter_mut().zip(before) {
                    *probe &= !was;
                }
            }
        }
        new.classes
            .retain(|_, reached| reached.probes.contains(&true));
        new
    }

    /// Whether all that it reached was reached by another dump too.
    fn is_in(&self, later: &Self) -> bool {
        self.classes.iter().all(|(id, mine)| {
            let theirs = later.classes.get(id).map_or(&[][..], |its| &its.probes);
            let mut probes = mine.probes.iter().enumerate();
            probes.all(|(i, &reached)| !reached || theirs.get(i) == Some(&true))
        })
    }

    /// Every probe that was reached, and the methods and lines behind it where the class is known.
    #[must_use]
    pub fn elements(&self, classes: &Classes) -> BTreeSet<String> {
        let mut ids_of: BTreeMap<&str, usize> = BTreeMap::new();
        for reached in self.classes.values() {
            *ids_of.entry(&reached.name).or_default() += 1;
        }
        let mut elements = BTreeSet::new();
        for (&id, reached) in &self.classes {
            let name = &reached.name;
            // One name for two classes is what two builds or two loaders leave.
            let class = match ids_of.get(&**name) {
                Some(1) | None => name.clone(),
                Some(_) => format!("{name}@{id:016x}"),
            };
            let known = classes.get(id, reached.probes.len());
            for (i, _) in reached.probes.iter().enumerate().filter(|(_, on)| **on) {
                elements.insert(format!("branch:{class}#{i}"));
                elements.extend(known.into_iter().flat_map(|known| known.elements(i)));
            }
        }
        elements
    }
}

#[cfg(test)]
mod tests {
    use super::{Classes, Dump, Reached};

    fn dump(classes: &[(u64, &str, &str)]) -> Dump {
        let mut dump = Dump::default();
        for &(id, name, probes) in classes {
            let reached = Reached {
                name: name.to_owned(),
                probes: probes.bytes().map(|c| c == b'1').collect(),
            };
            dump.add(id, reached).unwrap();
        }
        dump
    }

    #[track_caller]
    fn check(dump: &Dump, expect: &[&str]) {
        let elements = dump.elements(&Classes::default());
        assert_eq!(elements.iter().collect::<Vec<_>>(), expect);
    }

    #[test]
    fn a_delta_holds_what_is_new_and_after_a_reset_everything() {
        let first = dump(&[(1, "a/A", "100"), (2, "a/B", "1")]);
        let second = dump(&[(1, "a/A", "101"), (2, "a/B", "1"), (3, "a/C", "01")]);
        check(&second.since(&first), &["branch:a/A#2", "branch:a/C#1"]);
        check(&second.since(&second), &[]);
        check(&first.since(&second), &["branch:a/A#0", "branch:a/B#0"]);
    }

    #[test]
    fn classes_of_one_name_are_told_apart() {
        let both = dump(&[(1, "A", "1"), (255, "A", "1")]);
        let expect = ["branch:A@0000000000000001#0", "branch:A@00000000000000ff#0"];
        check(&both, &expect);
    }

    #[test]
    fn dumps_of_other_builds_are_not_merged_in_silence() {
        let mut one = dump(&[(1, "A", "10")]);
        one.merge(&dump(&[(1, "A", "01")])).unwrap();
        check(&one, &["branch:A#0", "branch:A#1"]);
        let error = one.merge(&dump(&[(1, "A", "011")])).unwrap_err();
        assert!(error.contains("A with 2 probes and A with 3"), "{error}");
    }
}
