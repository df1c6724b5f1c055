//! What is still covered of the promised elements, and by whom.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use fixedbitset::FixedBitSet;

use super::reduced::{Reduced, ReducedTrace};
use super::{Case, Findings};
use crate::model::{ElementId, TraceIdx};

/// Who is said to cover something.
#[derive(Clone, Copy)]
pub(super) enum By {
    /// Reduced traces.
    Reduced,
    /// Kept steps of original traces.
    Origin,
}

/// Who covers each promised element.
pub(super) struct Still<'a> {
    reduced: Coverers<'a>,
    origins: Coverers<'a>,
    /// The last place that each element was looked at for.
    looked_at: Vec<u32>,
    places: u32,
}

/// For each element the numbers of those that cover it.
struct Coverers<'a> {
    numbers: HashMap<&'a str, usize>,
    of: Vec<Option<FixedBitSet>>,
}

impl<'a> Coverers<'a> {
    fn new(n_elements: usize) -> Self {
        Self {
            numbers: HashMap::new(),
            of: vec![None; n_elements],
        }
    }

    fn add(&mut self, element: ElementId, name: &'a str) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(name).or_insert(next);
        self.of[element.index()]
            .get_or_insert_default()
            .grow_and_insert(number);
    }
}

impl<'a> Still<'a> {
    pub(super) fn new(case: &Case<'a>, reduced: &'a Reduced<'a>) -> Self {
        let names = case.original.names;
        let recorded = case.original.suite.coverage(names);
        let is_promised = |element: &ElementId| {
            let kind = names.kind(*element).name();
            case.report.preserve.iter().any(|promised| promised == kind)
        };
        let promised = recorded.iter().filter(is_promised);
        let ids = promised.map(|e| (names.element_name(e), e));
        let ids: HashMap<&str, ElementId> = ids.collect();
        let certified = &case.report.certificate.traces;
        let launches = certified
            .iter()
            .map(|c| (c.trace.as_str(), c.launch.as_str()));
        let launches: HashMap<&str, &str> = launches.collect();
        let mut still = Self {
            reduced: Coverers::new(names.n_elements()),
            origins: Coverers::new(names.n_elements()),
            looked_at: vec![0; names.n_elements()],
            places: 0,
        };
        for trace in &reduced.traces {
            let launch = launches.get(trace.id).copied().unwrap_or_default();
            for (position, origin) in origins(trace, launch).enumerate() {
                let (_, screen, covers) = &trace.lines[position];
                let screen = format!("screen:{screen}");
                for name in covers.iter().copied().chain([screen.as_str()]) {
                    if let Some(&element) = ids.get(name) {
                        still.reduced.add(element, trace.id);
                        still.origins.add(element, origin);
                    }
                }
            }
        }
        still
    }

    /// Whether those named, and each of them, cover what these positions of an original trace
    /// recorded and the reduced suite covers; 0 is the launch.
    pub(super) fn check(
        &mut self,
        case: &Case,
        (idx, positions): (TraceIdx, RangeInclusive<usize>),
        (by, named, here): (By, &[String], &str),
        findings: &mut Findings,
    ) {
        let coverers = match by {
            By::Reduced => &self.reduced,
            By::Origin => &self.origins,
        };
        let mut said = FixedBitSet::with_capacity(coverers.numbers.len());
        for name in named {
            match coverers.numbers.get(name.as_str()) {
                None => findings.wrong(here, format!("{name} covers nothing of it")),
                Some(&number) if said.put(number) => {
                    findings.wrong(here, format!("{name} is named twice"));
                }
                Some(_) => {}
            }
        }
        self.places += 1;
        let mut useful = FixedBitSet::with_capacity(coverers.numbers.len());
        for position in positions {
            for_elements_at(case, idx, position, |element| {
                let place = &mut self.looked_at[element.index()];
                if std::mem::replace(place, self.places) == self.places {
                    return;
                }
                let Some(covering) = &coverers.of[element.index()] else {
                    return;
                };
                if covering.is_disjoint(&said) {
                    let name = case.original.names.element_name(element);
                    findings.wrong_element(name, here, "nothing that is said to cover it now does");
                }
                useful.union_with(covering);
            });
        }
        for name in named {
            let number = coverers.numbers.get(name.as_str());
            if number.is_some_and(|&number| !useful.contains(number)) {
                findings.wrong(here, format!("{name} covers nothing of it"));
            }
        }
    }
}

/// Shows what a position of an original trace covers.
fn for_elements_at(case: &Case, idx: TraceIdx, position: usize, mut show: impl FnMut(ElementId)) {
    let (suite, names) = (case.original.suite, case.original.names);
    let (screen, covers, fault) = match position.checked_sub(1) {
        None => {
            let trace = suite.trace(idx);
            (trace.launch_screen, trace.launch_covers, None)
        }
        Some(step) => {
            let step = &suite.steps(idx)[step];
            (step.screen, step.covers, step.fault)
        }
    };
    let elements = suite.cover(covers).elements().iter().copied();
    let screen = names.screen_element(screen);
    elements.chain(fault).chain([screen]).for_each(&mut show);
}

/// The original trace behind the launch and then each step of a reduced trace; steps that were
/// only observed go with the launch.
fn origins<'a>(trace: &'a ReducedTrace, launch: &'a str) -> impl Iterator<Item = &'a str> {
    let fragments = trace.fragments.iter().flat_map(move |fragment| {
        let origin = fragment.trace.as_deref().unwrap_or(launch);
        // Lengths that do not fit are told elsewhere.
        let len = (fragment.last as usize + 1).saturating_sub(fragment.first as usize);
        std::iter::repeat_n(origin, len)
    });
    let behind = std::iter::repeat(launch);
    std::iter::once(launch)
        .chain(fragments)
        .chain(behind)
        .take(trace.lines.len())
}
