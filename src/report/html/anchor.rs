//! Where on the page a trace is told about, so that its name can be a link.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::text::html;
use crate::report::{Fragment, Shown};

/// The places of reduced and of recorded traces.
pub(super) struct Anchors<'a> {
    reduced: BTreeMap<&'a str, usize>,
    recorded: BTreeMap<&'a str, usize>,
}

impl<'a> Anchors<'a> {
    /// The places of all traces that the page tells about.
    ///
    /// They are numbered, because a name that an app provided is no good name for a place.
    pub(super) fn new(shown: &Shown<'a>) -> Self {
        let report = shown.report;
        let validated = report.validation.traces.iter().map(|t| t.trace.as_str());
        let strips = shown.strips.iter().map(|strip| strip.id.as_str());
        let mut reduced = BTreeMap::new();
        for name in strips.chain(validated) {
            let next = reduced.len() + 1;
            reduced.entry(name).or_insert(next);
        }
        let removed = report.removed.iter().map(|gone| gone.trace.as_str());
        let mut recorded = BTreeMap::new();
        for name in origins(shown).into_keys().chain(removed) {
            let next = recorded.len() + 1;
            recorded.entry(name).or_insert(next);
        }
        Self { reduced, recorded }
    }

    /// The id of what is told about a reduced trace.
    pub(super) fn reduced_id(&self, name: &str) -> Option<String> {
        Some(format!("r-{}", self.reduced.get(name)?))
    }

    /// The id of what is told about a recorded trace.
    pub(super) fn recorded_id(&self, name: &str) -> Option<String> {
        Some(format!("t-{}", self.recorded.get(name)?))
    }

    /// The name of a reduced trace, as a link where there is something to go to.
    pub(super) fn to_reduced(&self, name: &str) -> String {
        link(self.reduced_id(name), name)
    }

    /// The name of a recorded trace, as a link where there is something to go to.
    pub(super) fn to_recorded(&self, name: &str) -> String {
        link(self.recorded_id(name), name)
    }
}

fn link(id: Option<String>, name: &str) -> String {
    let name = html(name);
    match id {
        Some(id) => format!("<a href=\"#{id}\">{name}</a>"),
        None => format!("<code>{name}</code>"),
    }
}

/// Recorded traces that the output has pieces of, each with its pieces and the reduced traces
/// that have them; in the order of their length and name, which is that of numbered names.
///
/// A trace that covers for removed ones, but neither is removed nor has a piece in the output, has
/// given its launch alone.
pub(super) fn origins<'a>(shown: &Shown<'a>) -> Origins<'a> {
    let report = shown.report;
    let mut fragments: Vec<(&'a str, &'a [Fragment])> = Vec::new();
    if shown.strips.is_empty() {
        let traces = report.certificate.traces.iter();
        fragments.extend(traces.map(|t| (t.trace.as_str(), t.fragments.as_slice())));
    } else {
        let strips = shown.strips.iter();
        fragments.extend(strips.map(|strip| (strip.id.as_str(), strip.from.as_slice())));
    }
    let mut origins = Origins::default();
    for (reduced, pieces) in fragments {
        for piece in pieces {
            if let Some(trace) = &piece.trace {
                let pieces = origins.0.entry(Numbered(trace)).or_default();
                pieces.insert((piece.first, piece.last, reduced));
            }
        }
    }
    let gone: BTreeSet<&str> = report.removed.iter().map(|r| r.trace.as_str()).collect();
    let covering = report
        .removed
        .iter()
        .flat_map(|removed| &removed.covered_by);
    for trace in covering.filter(|trace| !gone.contains(trace.as_str())) {
        origins.0.entry(Numbered(trace)).or_default();
    }
    origins
}

/// A name in the order of numbered names: t2 comes before t10.
#[derive(PartialEq, Eq)]
pub(super) struct Numbered<'a>(&'a str);

impl Ord for Numbered<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.0.len(), self.0).cmp(&(other.0.len(), other.0))
    }
}

impl PartialOrd for Numbered<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A piece of a recorded trace: its first and last step, and the reduced trace that has it.
pub(super) type Piece<'a> = (u32, u32, &'a str);

/// Recorded traces and the pieces that are kept of them.
#[derive(Default)]
pub(super) struct Origins<'a>(BTreeMap<Numbered<'a>, BTreeSet<Piece<'a>>>);

impl<'a> Origins<'a> {
    /// The traces with their pieces.
    pub(super) fn into_rows(self) -> Vec<(&'a str, BTreeSet<Piece<'a>>)> {
        let rows = self.0.into_iter();
        rows.map(|(name, pieces)| (name.0, pieces)).collect()
    }

    fn into_keys(self) -> impl Iterator<Item = &'a str> {
        self.0.into_keys().map(|name| name.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Anchors, origins};
    use crate::report::Shown;
    use crate::report::sample::{sample, strips};

    #[test]
    fn names_become_links_to_numbered_places_only_where_there_is_one() {
        let (report, strips) = (sample(), strips());
        let anchors = Anchors::new(&Shown {
            report: &report,
            strips: &strips,
        });
        assert_eq!(anchors.to_reduced("r1"), "<a href=\"#r-1\">r1</a>");
        assert_eq!(anchors.to_recorded("t9"), "<a href=\"#t-4\">t9</a>");
        assert_eq!(anchors.to_recorded("t7"), "<a href=\"#t-5\">t7</a>");
        assert_eq!(anchors.to_recorded("<b>"), "<code>&lt;b&gt;</code>");
    }

    #[test]
    fn an_origin_knows_its_pieces_and_who_has_them() {
        let (report, strips) = (sample(), strips());
        let shown = Shown {
            report: &report,
            strips: &strips,
        };
        let rows = origins(&shown).into_rows();
        let told: Vec<_> = rows.iter().map(|(name, pieces)| (*name, pieces)).collect();
        let names: Vec<&str> = told.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["r1", "t1", "t2", "t9"]);
        assert_eq!(told[3].1.iter().next(), Some(&(5, 5, "r1")));
        assert!(told[2].1.is_empty(), "it has given its launch alone");
    }
}
