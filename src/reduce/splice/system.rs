//! The labelled transition system of a set of traces (paper 004, 3.2): screens are nodes, and
//! every step of every trace is an edge that remembers where it comes from.

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::model::{ActionId, Cover, Coverage, ElementId, Names, ScreenId, Script, Suite};
use crate::reduce::Proven;

/// A place in a trace: after `at` steps of trace `trace`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) trace: u32,
    pub(super) at: u32,
}

/// What counts as one fragment before anything is joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::reduce) enum Whole {
    /// Each trace, even where loops were cut out of it: so the paper has it.
    Trace,
    /// What was recorded in one go, so that joined traces are not joined ever further.
    Recording,
}

impl Whole {
    /// Whether a step of a script begins another fragment than the step before it.
    fn is_joined(self, script: &Script, step: usize, suite: &Suite) -> bool {
        let (before, here) = (script.steps[step - 1], script.steps[step]);
        let gap = !here.origin.follows(before.origin);
        here.step().is_some_and(|step| suite.is_joined(step)) || (self == Self::Recording && gap)
    }
}

/// A set of needed elements, packed.
pub(super) type Bits = Vec<u64>;

/// The transition system with the coverage of each step as bits over the needed elements.
pub(super) struct System<'t> {
    pub(super) traces: &'t [Proven],
    graph: DiGraph<ScreenId, Place>,
    places: FxHashMap<ScreenId, Vec<Place>>,
    nodes: FxHashMap<ScreenId, NodeIndex>,
    /// Number of places before each trace.
    offsets: Vec<usize>,
    screens: Vec<ScreenId>,
    actions: Vec<Option<ActionId>>,
    joined: Vec<bool>,
    bits: Vec<Bits>,
    compact: FxHashMap<ElementId, u32>,
    screen_bits: FxHashMap<ScreenId, u32>,
    words: usize,
}

impl<'t> System<'t> {
    pub(super) fn new(
        traces: &'t [Proven],
        needed: &Coverage,
        whole: Whole,
        suite: &Suite,
        names: &Names,
    ) -> Self {
        let compact: FxHashMap<_, _> = needed.iter().zip(0_u32..).collect();
        let mut system = Self {
            traces,
            graph: DiGraph::new(),
            places: FxHashMap::default(),
            nodes: FxHashMap::default(),
            offsets: Vec::with_capacity(traces.len()),
            screens: Vec::new(),
            actions: Vec::new(),
            joined: Vec::new(),
            bits: Vec::new(),
            words: compact.len().div_ceil(64),
            screen_bits: FxHashMap::default(),
            compact,
        };
        for (index, trace) in traces.iter().enumerate() {
            system.add(index as u32, trace, whole, suite, names);
        }
        system.places = system.outgoing();
        system
    }

    fn add(&mut self, index: u32, trace: &Proven, whole: Whole, suite: &Suite, names: &Names) {
        self.offsets.push(self.screens.len());
        let mut before = None;
        for at in 0..trace.covers.len() {
            let screen = trace.screen_at(suite, at);
            let graph = &mut self.graph;
            let node = *self
                .nodes
                .entry(screen)
                .or_insert_with(|| graph.add_node(screen));
            if let Some(before) = before {
                let at = at as u32 - 1;
                self.graph
                    .add_edge(before, node, Place { trace: index, at });
            }
            before = Some(node);
            if let Some(&bit) = self.compact.get(&names.screen_element(screen)) {
                self.screen_bits.insert(screen, bit);
            }
            let step = at.checked_sub(1).map(|i| trace.script.steps[i]);
            let action = step.map(|step| step.action);
            let joined = at > 1 && whole.is_joined(&trace.script, at - 1, suite);
            self.joined.push(joined);
            self.screens.push(screen);
            self.actions.push(action);
            let bits = self.bits_of(&trace.covers[at], screen);
            self.bits.push(bits);
        }
    }

    /// The edges that leave each screen, in order.
    fn outgoing(&self) -> FxHashMap<ScreenId, Vec<Place>> {
        let nodes = self.graph.node_indices();
        let places = nodes.map(|node| {
            let edges = self.graph.edges_directed(node, Direction::Outgoing);
            let mut places: Vec<_> = edges.map(|edge| *edge.weight()).collect();
            places.sort_unstable();
            (self.graph[node], places)
        });
        places.collect()
    }

    /// The needed elements of a cover and a screen.
    fn bits_of(&self, cover: &Cover, screen: ScreenId) -> Bits {
        let mut bits = vec![0; self.words];
        self.add_bits(&mut bits, cover, screen);
        bits
    }

    /// Adds the needed elements of a cover and a screen.
    pub(super) fn add_bits(&self, bits: &mut Bits, cover: &Cover, screen: ScreenId) {
        let found = cover.elements().iter().filter_map(|e| self.compact.get(e));
        for &bit in found.chain(self.screen_bits.get(&screen)) {
            bits[bit as usize / 64] |= 1 << (bit % 64);
        }
    }

    /// The packed form of a set of elements.
    pub(super) fn pack(&self, coverage: &Coverage) -> Bits {
        let mut bits = vec![0; self.words];
        for element in coverage.iter() {
            if let Some(&bit) = self.compact.get(&element) {
                bits[bit as usize / 64] |= 1 << (bit % 64);
            }
        }
        bits
    }

    /// How many places there are.
    pub(super) fn n_places(&self) -> usize {
        self.screens.len()
    }

    /// The number of a place.
    pub(super) fn index(&self, place: Place) -> usize {
        self.offsets[place.trace as usize] + place.at as usize
    }

    /// The screen shown at a place.
    pub(super) fn screen(&self, place: Place) -> ScreenId {
        self.screens[self.index(place)]
    }

    /// The action that led to a place.
    pub(super) fn action(&self, place: Place) -> Option<ActionId> {
        self.actions[self.index(place)]
    }

    /// Whether the step that led to a place begins another fragment of its trace.
    pub(super) fn is_joined(&self, place: Place) -> bool {
        self.joined[self.index(place)]
    }

    /// What the step that led to a place covers.
    pub(super) fn bits(&self, place: Place) -> &Bits {
        &self.bits[self.index(place)]
    }

    /// Number of steps of a trace.
    pub(super) fn len(&self, trace: u32) -> u32 {
        self.traces[trace as usize].n_steps() as u32
    }

    /// All places, other than the ends of traces, that show a screen, in order.
    pub(super) fn places(&self, screen: ScreenId) -> &[Place] {
        self.places.get(&screen).map_or(&[], Vec::as_slice)
    }

    /// All screens, in order of first sight.
    pub(super) fn screens(&self) -> impl Iterator<Item = ScreenId> + '_ {
        self.graph.node_weights().copied()
    }

    /// The first trace with each launch screen.
    pub(super) fn launches(&self) -> Vec<u32> {
        let mut seen = Vec::new();
        let mut launches = Vec::new();
        for trace in 0..self.traces.len() as u32 {
            let screen = self.screen(Place { trace, at: 0 });
            if !seen.contains(&screen) {
                seen.push(screen);
                launches.push(trace);
            }
        }
        launches
    }
}
