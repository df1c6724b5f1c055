//! All transitions that are known, each once: where it leads, what it costs at least, and which
//! lists of elements were seen at it.

use rustc_hash::FxHashMap;

use super::super::Proven;
use super::network::Arc;
use crate::model::{ActionId, Costs, Cover, CoverId, ElementId, Names, ScreenId, Suite};

/// What was seen once: a launch (neither screen before nor action) or a step.
struct Sight<'a> {
    from: Option<(ScreenId, ActionId)>,
    to: ScreenId,
    millis: Option<u32>,
    covers: Seen<'a>,
    fault: Option<ElementId>,
}

/// A list of elements: one of the suite, or one that runs showed.
enum Seen<'a> {
    Recorded(CoverId),
    Shown(&'a Cover),
}

/// Every launch and step of the recordings and of what ships, in order.
fn for_each_sight<'a>(suite: &Suite, shipped: &[&'a Proven], mut visit: impl FnMut(Sight<'a>)) {
    for (trace, head) in suite.traces() {
        let mut sight = Sight {
            from: None,
            to: head.launch_screen,
            millis: None,
            covers: Seen::Recorded(head.launch_covers),
            fault: None,
        };
        for step in suite.steps(trace) {
            let next = Sight {
                from: Some((sight.to, step.action)),
                to: step.screen,
                millis: step.millis,
                covers: Seen::Recorded(step.covers),
                fault: step.fault,
            };
            visit(std::mem::replace(&mut sight, next));
        }
        visit(sight);
    }
    // Runs may show more at a transition than any recording of it does.
    for trace in shipped {
        for (position, cover) in trace.covers.iter().enumerate() {
            let before = position.checked_sub(1);
            let action = |step: usize| trace.script.steps[step].action;
            visit(Sight {
                from: before.map(|step| (trace.screen_at(suite, step), action(step))),
                to: trace.screen_at(suite, position),
                millis: None,
                covers: Seen::Shown(cover),
                fault: None,
            });
        }
    }
}

/// Transitions with the lists seen at them.
pub(super) struct Gathered<'a> {
    suite: &'a Suite,
    pub(super) n_screens: usize,
    /// Launches and transitions in order of first sight; all launches leave from one place that
    /// is no screen.
    pub(super) arcs: Vec<Arc>,
    /// Arc and list, sorted, each pair once.
    pairs: Vec<(u32, u32)>,
    n_recorded: u32,
    shown: Vec<Cover>,
}

impl Gathered<'_> {
    /// The lists seen at each arc, arc by arc; some arcs have none.
    pub(super) fn lists(
        &self,
    ) -> impl Iterator<Item = (usize, impl Iterator<Item = &[ElementId]>)> {
        let by_arc = self.pairs.chunk_by(|a, b| a.0 == b.0);
        by_arc.map(|pairs| {
            let lists = pairs.iter().map(|&(_, list)| self.list(list));
            (pairs[0].0 as usize, lists)
        })
    }

    fn list(&self, list: u32) -> &[ElementId] {
        match list.checked_sub(self.n_recorded) {
            None => self.suite.recorded(CoverId::new(list as usize)),
            Some(shown) => self.shown[shown as usize].elements(),
        }
    }
}

/// One pass over all that is known.
pub(super) fn gather<'a>(
    suite: &'a Suite,
    shipped: &[&Proven],
    costs: Costs,
    names: &Names,
) -> Gathered<'a> {
    let mut gathering = Gathering::new(suite, costs, names);
    for_each_sight(suite, shipped, |sight| gathering.add(&sight));
    gathering.tidy();
    Gathered {
        suite,
        n_screens: names.n_screens(),
        arcs: gathering.arcs,
        pairs: gathering.pairs,
        n_recorded: gathering.n_recorded,
        shown: gathering.shown,
    }
}

struct Gathering {
    costs: Costs,
    nowhere: u32,
    index: FxHashMap<(u32, u32, u32), u32>,
    arcs: Vec<Arc>,
    /// The list last seen at each arc, so that repeats cost no room.
    last: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    tidy_at: usize,
    n_recorded: u32,
    shown: Vec<Cover>,
    faults: FxHashMap<ElementId, u32>,
}

/// Pairs are sorted and repeats dropped when there are this many, and then when they doubled.
const FIRST_TIDY: usize = 1 << 20;

impl Gathering {
    fn new(suite: &Suite, costs: Costs, names: &Names) -> Self {
        Self {
            costs,
            nowhere: names.n_screens() as u32,
            index: FxHashMap::default(),
            arcs: Vec::new(),
            last: Vec::new(),
            pairs: Vec::new(),
            tidy_at: FIRST_TIDY,
            n_recorded: suite.n_covers() as u32,
            shown: Vec::new(),
            faults: FxHashMap::default(),
        }
    }

    fn add(&mut self, sight: &Sight) {
        let arc = self.arc(sight);
        let list = match sight.covers {
            Seen::Recorded(cover) => cover.index() as u32,
            Seen::Shown(cover) => self.extra(cover.clone()),
        };
        if self.last[arc as usize] != list {
            self.last[arc as usize] = list;
            self.pairs.push((arc, list));
        }
        if let Some(fault) = sight.fault {
            let list = match self.faults.get(&fault) {
                Some(&list) => list,
                None => self.extra([fault].into_iter().collect()),
            };
            self.faults.insert(fault, list);
            self.pairs.push((arc, list));
        }
        if self.pairs.len() >= self.tidy_at {
            self.tidy();
        }
    }

    fn arc(&mut self, sight: &Sight) -> u32 {
        let to = sight.to.index() as u32;
        let (from, action, micros) = match sight.from {
            None => (self.nowhere, 0, self.costs.restart_micros),
            Some((from, action)) => {
                let recorded = sight.millis.map(|millis| u64::from(millis) * 1000);
                let usual = self.costs.action_micros;
                let micros = recorded.map_or(usual, |recorded| recorded.min(usual));
                (from.index() as u32, action.index() as u32, micros)
            }
        };
        let next = self.arcs.len() as u32;
        let arc = *self.index.entry((from, action, to)).or_insert(next);
        if arc == next {
            self.arcs.push(Arc { from, to, micros });
            self.last.push(u32::MAX);
        }
        let least = &mut self.arcs[arc as usize].micros;
        *least = micros.min(*least);
        arc
    }

    fn extra(&mut self, cover: Cover) -> u32 {
        self.shown.push(cover);
        self.n_recorded + (self.shown.len() - 1) as u32
    }

    fn tidy(&mut self) {
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.tidy_at = FIRST_TIDY.max(2 * self.pairs.len());
    }
}
