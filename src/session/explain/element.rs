//! What became of an element: who covered it before, who covers it now, which step is its witness.

use std::collections::BTreeMap;

use super::Facts;
use crate::import::Loaded;
use crate::model::Kind;
use crate::report::{ElementStory, Sighting};
use crate::session::JobError;
use crate::session::places::places;

impl Facts<'_> {
    pub(super) fn element(&self, name: &str) -> Result<ElementStory, JobError> {
        let known = self.known();
        let Some(element) = Self::spelling(name, &known) else {
            let names = known.keys().copied();
            return Err(Self::unknown(
                "neither suite has an element",
                name,
                names,
                "",
            ));
        };
        let kind = known[element.as_str()];
        let state = self.state(&element, kind, None);
        Ok(ElementStory {
            kind: kind.name().to_owned(),
            fate: state.fate,
            why: state.why,
            witness: state.witness,
            before: self.original.map(|loaded| sightings(loaded, &element)),
            after: sightings(&self.reduction.suite, &element),
            note: self.note.clone(),
            element,
        })
    }

    /// Every element of both suites and of the report, with its kind.
    fn known(&self) -> BTreeMap<&str, Kind> {
        let gone = self.gone.lost.keys().chain(self.gone.unstable.keys());
        let mut known: BTreeMap<&str, Kind> = gone.map(|&name| (name, kind_of(name))).collect();
        let suites = self.original.into_iter().chain([&self.reduction.suite]);
        for Loaded { suite, names, .. } in suites {
            let elements = suite.coverage(names);
            let elements: Vec<_> = elements.iter().collect();
            known.extend(
                elements
                    .iter()
                    .map(|&e| (names.element_name(e), names.kind(e))),
            );
        }
        known
    }
}

/// The kind of an element in its one spelling.
fn kind_of(element: &str) -> Kind {
    let prefix = element.split_once(':').map_or("", |(prefix, _)| prefix);
    Kind::parse(prefix).unwrap_or(Kind::Branch)
}

/// Where a suite covers an element.
fn sightings(loaded: &Loaded, element: &str) -> Vec<Sighting> {
    let Loaded { suite, names, .. } = loaded;
    let mut sightings = Vec::new();
    let covered = suite.coverage(names);
    let Some(id) = covered.iter().find(|&id| names.element_name(id) == element) else {
        return sightings;
    };
    for (idx, trace) in suite.traces() {
        let shown = places(suite, names, idx).filter(|(_, elements)| elements.contains(&id));
        let steps: Vec<Option<u32>> = shown.map(|(step, _)| step).collect();
        if !steps.is_empty() {
            sightings.push(Sighting {
                trace: trace.id.to_string(),
                steps,
            });
        }
    }
    sightings
}
