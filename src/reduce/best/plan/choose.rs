//! Which items are walked: all that alone cover something, and the best for their price for the
//! rest.
//!
//! What is chosen is always a cover (of what can be covered) whose circulation is cheapest for
//! the choice and hangs together. The choice itself is a good one, not the best one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use super::flow::{Circulation, Price, Scratch};
use super::network::FAR;
use super::problem::Problem;

/// How many links are tried to make one circulation hang together.
const LINKS: usize = 2000;

/// A choice and its circulation.
#[derive(Clone)]
pub(super) struct Choice<'p> {
    pub(super) problem: &'p Problem,
    pub(super) state: Chosen,
    pub(super) scratch: Scratch,
    pub(super) essential: Vec<bool>,
    /// Elements that essential items leave open, one of those that the very same items cover.
    loose: Vec<u32>,
    /// The numbers in `loose` of what each item covers of them.
    covers: Vec<Vec<u32>>,
}

/// What is chosen.
#[derive(Clone)]
pub(super) struct Chosen {
    pub(super) circulation: Circulation,
    pub(super) items: Vec<bool>,
    /// Arcs that are walked to make the circulation hang together.
    pub(super) links: Vec<usize>,
    /// How many items and links need each arc.
    holds: Vec<u32>,
    extra: i64,
}

impl Chosen {
    pub(super) fn cost(&self) -> i64 {
        self.circulation.cost + self.extra
    }
}

impl<'p> Choice<'p> {
    pub(super) fn new(problem: &'p Problem) -> Self {
        let mut essential = vec![false; problem.items.len()];
        for items in &problem.covering {
            if let [only] = items[..] {
                essential[only as usize] = true;
            }
        }
        let mut choice = Self {
            problem,
            state: Chosen {
                circulation: Circulation::new(&problem.network),
                items: vec![false; problem.items.len()],
                links: Vec::new(),
                holds: vec![0; problem.network.arcs.len()],
                extra: 0,
            },
            scratch: Scratch::default(),
            essential,
            loose: Vec::new(),
            covers: vec![Vec::new(); problem.items.len()],
        };
        for item in 0..problem.items.len() {
            if choice.essential[item] {
                choice.choose(item);
            }
        }
        choice.find_loose();
        choice
    }

    fn find_loose(&mut self) {
        let covering = &self.problem.covering;
        let mut known: FxHashSet<&[u32]> = FxHashSet::default();
        for (element, items) in covering.iter().enumerate() {
            let open = !items.iter().any(|&item| self.state.items[item as usize]);
            if !items.is_empty() && open && known.insert(items) {
                let number = self.loose.len() as u32;
                self.loose.push(element as u32);
                for &item in items {
                    self.covers[item as usize].push(number);
                }
            }
        }
    }

    fn hold(&mut self, arc: usize) -> bool {
        let network = &self.problem.network;
        let state = &mut self.state;
        if state.holds[arc] == 0 && !state.circulation.require(network, arc, &mut self.scratch) {
            return false;
        }
        state.holds[arc] += 1;
        true
    }

    pub(super) fn let_go(&mut self, arc: usize) {
        let network = &self.problem.network;
        let state = &mut self.state;
        state.holds[arc] -= 1;
        if state.holds[arc] == 0 {
            state.circulation.release(network, arc, &mut self.scratch);
        }
    }

    fn choose(&mut self, item: usize) {
        let problem = self.problem;
        if self.hold(problem.items[item].arc) {
            self.state.items[item] = true;
            self.state.extra += problem.items[item].extra;
        }
    }

    pub(super) fn drop_item(&mut self, item: usize) {
        let problem = self.problem;
        self.state.items[item] = false;
        self.state.extra -= problem.items[item].extra;
        self.let_go(problem.items[item].arc);
    }

    /// Whether what an item covers is covered as things stand.
    pub(super) fn is_active(&self, item: usize) -> bool {
        let entry = &self.problem.items[item];
        self.state.items[item]
            || (entry.stays.is_none() && self.state.circulation.flow[entry.arc] > 0)
    }

    /// The wanted elements that are not covered, of those that can be.
    pub(super) fn uncovered(&self) -> Vec<u32> {
        let covering = self.problem.covering.iter().enumerate();
        let open = covering.filter(|(_, items)| !items.is_empty() && !self.is_any_active(items));
        open.map(|(element, _)| element as u32).collect()
    }

    fn is_any_active(&self, items: &[u32]) -> bool {
        items.iter().any(|&item| self.is_active(item as usize))
    }

    /// Whether something covers a loose element.
    fn is_covered(&self, loose: u32) -> bool {
        let element = self.loose[loose as usize];
        self.is_any_active(&self.problem.covering[element as usize])
    }

    /// The loose elements that nothing covers.
    fn open(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.loose.len() as u32).filter(|&loose| !self.is_covered(loose))
    }

    /// Whether an item covers something that no other one does as things stand.
    pub(super) fn is_needed(&self, item: usize) -> bool {
        self.covers[item].iter().any(|&loose| {
            let element = self.loose[loose as usize];
            let mut others = self.problem.covering[element as usize].iter();
            !others.any(|&other| other as usize != item && self.is_active(other as usize))
        })
    }

    /// Covers everything that can be covered, and makes it hang together.
    pub(super) fn fill(&mut self) {
        // A new requirement may lead the flow away from what it covered by the way, so one pass
        // is not always enough; chosen items stay covered, so passes come to an end.
        let chosen = |choice: &Self| choice.state.items.iter().filter(|chosen| **chosen).count();
        loop {
            let before = chosen(self);
            if self.open().next().is_some() {
                self.cover();
            }
            self.connect();
            if self.open().next().is_none() || chosen(self) == before {
                break;
            }
        }
    }

    fn cover(&mut self) {
        let mut open = vec![false; self.loose.len()];
        let mut left = 0;
        for loose in self.open() {
            open[loose as usize] = true;
            left += 1;
        }
        let gain = |choice: &Self, item: usize, open: &[bool]| {
            let covers = choice.covers[item].iter();
            let gained = covers.filter(|&&loose| open[loose as usize]).count();
            i64::try_from(gained).unwrap_or(i64::MAX)
        };
        let mut queue = BinaryHeap::new();
        for item in 0..self.problem.items.len() {
            let gain = gain(self, item, &open);
            if gain > 0 {
                queue.push(Reverse((rate(self.least_price(item), gain), item)));
            }
        }
        while left > 0
            && let Some(Reverse((expected, item))) = queue.pop()
        {
            let gain = gain(self, item, &open);
            if gain == 0 {
                continue;
            }
            // What is dearer than the next one by far need not be known exactly yet.
            let next = queue.peek().map(|Reverse((next, _))| *next);
            let far = |next: i64| (2 * next.max(expected) + 1024).saturating_mul(gain) / 1024;
            let limit = next.map_or(FAR, far);
            let now = match self.price(item, limit) {
                Price::Known(price) => rate(price, gain),
                Price::Above => rate(limit, gain),
                Price::NoWay => continue,
            };
            // Prices fall as well as rise while the circulation grows; a rise is what would
            // make a bad choice, so only that sends it back.
            if now > expected && next.is_some_and(|next| next < now) {
                queue.push(Reverse((now, item)));
                continue;
            }
            self.choose(item);
            open.fill(false);
            left = 0;
            for loose in self.open() {
                open[loose as usize] = true;
                left += 1;
            }
        }
    }

    fn price(&mut self, item: usize, limit: i64) -> Price {
        let entry = &self.problem.items[item];
        let circulation = &self.state.circulation;
        if circulation.flow[entry.arc] > 0 {
            return Price::Known(entry.extra);
        }
        let limit = limit - entry.extra;
        match circulation.price(&self.problem.network, entry.arc, limit, &mut self.scratch) {
            Price::Known(way) => Price::Known(way + entry.extra),
            other => other,
        }
    }

    /// What an item costs at least.
    fn least_price(&self, item: usize) -> i64 {
        let entry = &self.problem.items[item];
        let circulation = &self.state.circulation;
        if circulation.flow[entry.arc] > 0 {
            return entry.extra;
        }
        circulation.least_price(&self.problem.network, entry.arc) + entry.extra
    }

    /// Links parts of the circulation that the start does not reach, the nearest first, by the
    /// cheapest way there.
    fn connect(&mut self) {
        for _ in 0..LINKS {
            let part = self.parts();
            let home = part[self.problem.start as usize];
            let network = &self.problem.network;
            let flow = &self.state.circulation.flow;
            let mut stray = vec![false; part.len()];
            for (arc, _) in network.arcs.iter().zip(flow).filter(|(_, flow)| **flow > 0) {
                stray[arc.from as usize] = part[arc.from as usize] != home;
            }
            if !stray.contains(&true) {
                return;
            }
            let at_home = |node: usize| part[node] == home;
            let circulation = &self.state.circulation;
            let open = |arc: usize| circulation.is_open(network, arc);
            let Some(way) = network.nearest(at_home, |node| stray[node], open) else {
                return;
            };
            for arc in way {
                if !self.hold(arc) {
                    return;
                }
                self.state.links.push(arc);
            }
        }
    }

    /// The part of the circulation that each node is in, by the lowest node of it.
    fn parts(&self) -> Vec<u32> {
        let network = &self.problem.network;
        let n_nodes = self.problem.start as usize + 1;
        let mut part: Vec<u32> = (0..n_nodes as u32).collect();
        for (arc, &flow) in network.arcs.iter().zip(&self.state.circulation.flow) {
            if flow > 0 {
                let (one, other) = (root(&mut part, arc.from), root(&mut part, arc.to));
                part[one.max(other) as usize] = one.min(other);
            }
        }
        for node in 0..n_nodes as u32 {
            let root = root(&mut part, node);
            part[node as usize] = root;
        }
        part
    }

    /// Chooses everything that is walked for whatever reason.
    pub(super) fn choose_all_active(&mut self) {
        for item in 0..self.problem.items.len() {
            if !self.state.items[item] && self.is_active(item) {
                self.choose(item);
            }
        }
    }

    /// How many clean starts there are.
    pub(super) fn walks(&self) -> u32 {
        self.state.circulation.flow[self.problem.launch]
    }

    /// The known walks that go on, by their numbers.
    pub(super) fn continued(&self) -> impl Iterator<Item = usize> + '_ {
        let ends = self.problem.ends.iter().enumerate();
        ends.filter(|(_, arc)| self.state.circulation.flow[**arc] > 0)
            .map(|(end, _)| end)
    }

    /// How many steps all walks have.
    pub(super) fn steps(&self) -> usize {
        let problem = self.problem;
        let flow = self.state.circulation.flow.iter();
        let walked = flow.zip(&problem.machine_arc);
        let walked: u32 = walked
            .filter(|(_, arc)| arc.is_some())
            .map(|(flow, _)| *flow)
            .sum();
        walked as usize + self.stays().count()
    }

    /// The chosen actions that stay in their state.
    pub(super) fn stays(&self) -> impl Iterator<Item = usize> + '_ {
        let items = self.problem.items.iter().zip(&self.state.items);
        items
            .filter(|(_, chosen)| **chosen)
            .filter_map(|(item, _)| item.stays)
    }

    /// Asks for one more clean start.
    pub(super) fn add_walk(&mut self) -> bool {
        let network = &self.problem.network;
        let launch = self.problem.launch;
        let circulation = &mut self.state.circulation;
        circulation.require(network, launch, &mut self.scratch)
    }
}

/// What an item costs for each element that it adds, in parts of 1024.
fn rate(price: i64, gain: i64) -> i64 {
    price.saturating_mul(1024) / gain
}

/// The lowest node that a node is joined with.
fn root(part: &mut [u32], mut node: u32) -> u32 {
    while part[node as usize] != node {
        part[node as usize] = part[part[node as usize] as usize];
        node = part[node as usize];
    }
    node
}
