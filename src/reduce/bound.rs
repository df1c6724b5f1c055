//! A lower bound on the device time of any suite that covers the same elements by walks of
//! recorded transitions.
//!
//! Elements whose covering transitions do not overlap need a step each, and the farthest
//! element needs as many steps as the shortest way to it has; at least one launch is needed.
//! Both counts are valid for every suite made of these transitions; the larger one is used.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Proven;
use crate::model::{ActionId, Costs, Coverage, ElementId, Names, ScreenId, Suite};

type Transition = (ScreenId, ActionId, ScreenId);

/// Device time in microseconds that no suite covering `goal` can be below.
#[must_use]
pub fn lower_bound(
    suite: &Suite,
    shipped: &[&Proven],
    goal: &Coverage,
    costs: Costs,
    names: &Names,
) -> u64 {
    let known = Transitions::new(suite, shipped, goal, names);
    if goal.is_empty() {
        return 0;
    }
    let steps = known.packing().max(known.farthest());
    let quickest = suite
        .traces()
        .flat_map(|(trace, _)| suite.steps(trace))
        .filter_map(|step| step.millis)
        .map(|millis| u64::from(millis) * 1000)
        .fold(costs.action_micros, u64::min);
    costs.restart_micros + quickest * steps as u64
}

/// Which transitions cover which element of the goal.
#[derive(Default)]
struct Transitions {
    index: FxHashMap<Transition, usize>,
    list: Vec<Transition>,
    by_element: FxHashMap<ElementId, FxHashSet<usize>>,
    launches: Vec<ScreenId>,
    at_launch: Coverage,
}

impl Transitions {
    fn new(suite: &Suite, shipped: &[&Proven], goal: &Coverage, names: &Names) -> Self {
        let mut known = Self::default();
        for (trace, head) in suite.traces() {
            known.launch(head.launch_screen, names);
            known.at_launch.extend(suite.cover(head.launch_covers));
            let mut from = head.launch_screen;
            for step in suite.steps(trace) {
                let cover = suite.step_cover(step);
                known.add(
                    (from, step.action, step.screen),
                    cover.elements(),
                    goal,
                    names,
                );
                from = step.screen;
            }
        }
        // Runs may show more at a transition than any recording of it does.
        for trace in shipped {
            known.at_launch.extend(&trace.covers[0]);
            for (index, step) in trace.script.steps.iter().enumerate() {
                let from = trace.screen_at(suite, index);
                let transition = (from, step.action, step.screen);
                known.add(transition, trace.covers[index + 1].elements(), goal, names);
            }
        }
        known
    }

    fn launch(&mut self, screen: ScreenId, names: &Names) {
        if !self.launches.contains(&screen) {
            self.launches.push(screen);
            self.at_launch.insert(names.screen_element(screen));
        }
    }

    fn add(&mut self, at: Transition, covers: &[ElementId], goal: &Coverage, names: &Names) {
        let index = *self.index.entry(at).or_insert_with(|| {
            self.list.push(at);
            self.list.len() - 1
        });
        let screen = names.screen_element(at.2);
        for &element in covers.iter().chain([&screen]) {
            if goal.contains(element) {
                self.by_element.entry(element).or_default().insert(index);
            }
        }
    }

    fn open_elements(&self) -> impl Iterator<Item = (&ElementId, &FxHashSet<usize>)> {
        let open = |element: &ElementId| !self.at_launch.contains(*element);
        self.by_element.iter().filter(move |(e, _)| open(e))
    }

    /// How many elements can be picked so that no transition covers two of them.
    fn packing(&self) -> usize {
        let mut elements: Vec<_> = self.open_elements().collect();
        elements.sort_unstable_by_key(|(element, covering)| (covering.len(), **element));
        let mut used = vec![false; self.list.len()];
        let mut picked = 0;
        for (_, covering) in elements {
            if covering.iter().all(|&transition| !used[transition]) {
                for &transition in covering {
                    used[transition] = true;
                }
                picked += 1;
            }
        }
        picked
    }

    /// The most steps that the shortest way to an element has.
    fn farthest(&self) -> usize {
        let mut from: FxHashMap<ScreenId, Vec<ScreenId>> = FxHashMap::default();
        for &(source, _, target) in &self.list {
            from.entry(source).or_default().push(target);
        }
        let mut distance: FxHashMap<ScreenId, usize> =
            self.launches.iter().map(|&screen| (screen, 0)).collect();
        let mut queue: VecDeque<_> = self.launches.iter().copied().collect();
        while let Some(screen) = queue.pop_front() {
            for &target in from.get(&screen).into_iter().flatten() {
                if !distance.contains_key(&target) {
                    distance.insert(target, distance[&screen] + 1);
                    queue.push_back(target);
                }
            }
        }
        let nearest = |covering: &FxHashSet<usize>| {
            let sources = covering.iter().map(|&transition| self.list[transition].0);
            let steps = sources.filter_map(|source| distance.get(&source));
            steps.min().map_or(0, |steps| steps + 1)
        };
        let farthest = self.open_elements().map(|(_, covering)| nearest(covering));
        farthest.max().unwrap_or(0)
    }
}
