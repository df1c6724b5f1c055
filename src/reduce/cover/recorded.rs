//! Recorded traces as a cover problem: a trace is a set, and costs the device time of its replay.
//!
//! Traces that cover the same are one set, the cheapest of them, or as many as elements are
//! wanted; so a suite of repetitions takes no more room than what it repeats. One walk over the
//! steps, four bytes for each element of a trace.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::instance::Instance;
use crate::model::{Costs, ElementId, Kind, Names, Suite, TraceIdx};

/// A cover problem whose sets are traces.
#[derive(Debug)]
pub struct Recorded {
    /// The problem; its elements are those of the names.
    pub instance: Instance,
    traces: Vec<TraceIdx>,
}

impl Recorded {
    /// The trace that a set stands for.
    #[must_use]
    pub fn trace(&self, set: u32) -> TraceIdx {
        self.traces[set as usize]
    }
}

/// The problem of covering all recorded elements of these kinds `demand` times by whole traces.
#[must_use]
pub fn traces_of(
    suite: &Suite,
    names: &Names,
    kinds: &[Kind],
    costs: Costs,
    demand: u32,
) -> Recorded {
    let n_elements = names.n_elements();
    let wanted = (0..n_elements).map(|e| kinds.contains(&names.kind(ElementId::new(e))));
    let mut walk = Walk {
        suite,
        names,
        is_wanted: wanted.collect(),
        seen_in: vec![0; n_elements],
        n_seen: 0,
    };
    let mut sets = Sets {
        instance: Instance::new(n_elements, demand),
        traces: Vec::new(),
        twins: FxHashMap::default(),
        demand,
    };
    let mut elements = Vec::new();
    for (trace, _) in suite.traces() {
        walk.elements_of(trace, &mut elements);
        let cost = costs.micros(1, suite.steps(trace).len());
        sets.add(trace, cost, &elements);
    }
    Recorded {
        instance: sets.instance,
        traces: sets.traces,
    }
}

struct Walk<'s> {
    suite: &'s Suite,
    names: &'s Names,
    is_wanted: Vec<bool>,
    /// The last trace that each element was met in, counted from one.
    seen_in: Vec<u32>,
    n_seen: u32,
}

impl Walk<'_> {
    fn elements_of(&mut self, trace: TraceIdx, elements: &mut Vec<u32>) {
        elements.clear();
        self.n_seen += 1;
        let (suite, names) = (self.suite, self.names);
        let head = suite.trace(trace);
        let mut note = |element: ElementId| {
            let at = element.index();
            if self.is_wanted[at] && self.seen_in[at] != self.n_seen {
                self.seen_in[at] = self.n_seen;
                elements.push(at as u32);
            }
        };
        note(names.screen_element(head.launch_screen));
        let launch = suite.recorded(head.launch_covers).iter();
        launch.for_each(|&e| note(e));
        for step in suite.steps(trace) {
            note(names.screen_element(step.screen));
            let covers = suite.recorded(step.covers).iter();
            covers.for_each(|&e| note(e));
            step.fault.into_iter().for_each(&mut note);
        }
        elements.sort_unstable();
    }
}

struct Sets {
    instance: Instance,
    traces: Vec<TraceIdx>,
    /// By the hash of its elements: the first set of that kind, how many there are, and the
    /// highest cost of those that are needed at most.
    twins: FxHashMap<u64, (u32, u32, u64)>,
    demand: u32,
}

impl Sets {
    fn add(&mut self, trace: TraceIdx, cost: u64, elements: &[u32]) {
        if elements.is_empty() {
            return;
        }
        let hash = FxBuildHasher.hash_one(elements);
        let next = self.traces.len() as u32;
        let twin = self.twins.entry(hash).or_insert((next, 0, 0));
        let (first, n_twins, most) = twin;
        let is_twin = *first == next || self.instance.set(*first as usize) == elements;
        if is_twin && *n_twins >= self.demand {
            if cost >= *most {
                return;
            }
            if self.demand == 1 {
                *most = cost;
                self.instance.reprice(*first as usize, cost);
                self.traces[*first as usize] = trace;
                return;
            }
        }
        if is_twin {
            *n_twins += 1;
            *most = cost.max(*most);
        }
        self.instance.push(cost, elements.iter().copied());
        self.traces.push(trace);
    }
}
