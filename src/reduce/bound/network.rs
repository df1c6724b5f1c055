//! The network that walks flow through: arcs between screens, and demands on them.

use crate::model::ElementId;

/// A launch or a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arc {
    /// The screen before, or the place that launches leave from, which is behind all screens.
    pub(super) from: u32,
    /// The screen after.
    pub(super) to: u32,
    /// The least time it takes.
    pub(super) micros: u64,
}

/// Lists of small numbers, one behind the other.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Default for Rows {
    fn default() -> Self {
        Self {
            starts: vec![0],
            entries: Vec::new(),
        }
    }
}

impl Rows {
    /// Adds a row.
    pub(super) fn push(&mut self, row: impl IntoIterator<Item = u32>) {
        self.entries.extend(row);
        self.starts.push(self.entries.len() as u32);
    }

    /// One row.
    pub(super) fn row(&self, row: usize) -> &[u32] {
        &self.entries[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// All rows.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|row| self.row(row))
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many entries there are in all rows.
    pub(super) fn n_entries(&self) -> usize {
        self.entries.len()
    }

    /// Which rows have each entry; entries are below `n`.
    pub(super) fn transposed(&self, n: usize) -> Self {
        grouped(n, || {
            let rows = (0_u32..).zip(self.iter());
            rows.flat_map(|(row, entries)| entries.iter().map(move |&entry| (entry, row)))
        })
    }
}

/// Values by their key, in the order they come; keys are below `n`.
pub(super) fn grouped<I: Iterator<Item = (u32, u32)>>(n: usize, pairs: impl Fn() -> I) -> Rows {
    let mut starts = vec![0_u32; n + 1];
    for (key, _) in pairs() {
        starts[key as usize + 1] += 1;
    }
    for key in 0..n {
        starts[key + 1] += starts[key];
    }
    let mut entries = vec![0; starts[n] as usize];
    for (key, value) in pairs() {
        entries[starts[key as usize] as usize] = value;
        starts[key as usize] += 1;
    }
    // Each start has moved to the next one.
    starts.rotate_right(1);
    starts[0] = 0;
    Rows { starts, entries }
}

/// Arcs, and sets of arcs of which every suite that covers the goal walks at least one.
#[derive(Debug, Clone)]
pub(super) struct Network {
    /// How many places there are; the last is the one that launches leave from.
    pub(super) n_places: usize,
    /// The arcs.
    pub(super) arcs: Vec<Arc>,
    /// The demands that each arc meets.
    pub(super) meets: Rows,
    /// The arcs that meet each demand.
    pub(super) met_by: Rows,
    /// The element behind each demand; demands behind the last follow from how walks go.
    elements: Vec<ElementId>,
}

impl Network {
    /// A network whose demands are those of `elements`, met by the arcs of `met_by`.
    pub(super) fn new(
        n_screens: usize,
        arcs: Vec<Arc>,
        elements: Vec<ElementId>,
        met_by: Rows,
    ) -> Self {
        let mut network = Self {
            n_places: n_screens + 1,
            meets: Rows::default(),
            arcs,
            met_by,
            elements,
        };
        let launches: Vec<_> = network.launches().collect();
        network.demand([launches]);
        network
    }

    /// The place that launches leave from.
    pub(super) fn nowhere(&self) -> u32 {
        (self.n_places - 1) as u32
    }

    /// The arcs that are launches.
    pub(super) fn launches(&self) -> impl Iterator<Item = u32> {
        let arcs = (0_u32..).zip(&self.arcs);
        arcs.filter(|(_, arc)| arc.from == self.nowhere())
            .map(|(index, _)| index)
    }

    /// Adds demands: of each set of arcs one must be walked.
    pub(super) fn demand(&mut self, demands: impl IntoIterator<Item = Vec<u32>>) {
        for arcs in demands {
            self.met_by.push(arcs);
        }
        self.meets = self.met_by.transposed(self.arcs.len());
    }

    /// How many demands there are.
    pub(super) fn n_demands(&self) -> usize {
        self.met_by.len()
    }

    /// The element behind each demand, where one is.
    pub(super) fn elements(&self) -> impl Iterator<Item = Option<ElementId>> {
        let rest = std::iter::repeat(None);
        self.elements.iter().copied().map(Some).chain(rest)
    }

    /// The arcs that leave each place.
    pub(super) fn leaving(&self) -> Rows {
        let arcs = (0_u32..).zip(&self.arcs);
        grouped(self.n_places, || {
            arcs.clone().map(|(index, arc)| (arc.from, index))
        })
    }

    /// The greatest time that all arcs take a multiple of.
    pub(super) fn unit(&self) -> u64 {
        let micros = self.arcs.iter().map(|arc| arc.micros);
        micros.fold(0, greatest_common_divisor)
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
