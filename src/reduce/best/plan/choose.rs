//! Which items are walked: all that alone cover something, and the best for their price for the
//! rest.
//!
//! What is chosen is always a cover (of what can be covered) whose circulation is cheapest for
//! the choice and hangs together. The choice itself is a good one, not the best one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::flow::{Circulation, FAR, Price, Scratch};
use super::problem::Problem;

/// How many links are tried to make one circulation hang together.
const LINKS: usize = 2000;

/// A choice and its circulation.
pub(super) struct Choice<'p> {
    pub(super) problem: &'p Problem,
    pub(super) state: Chosen,
    scratch: Scratch,
    pub(super) essential: Vec<bool>,
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
        };
        for item in 0..problem.items.len() {
            if choice.essential[item] {
                choice.choose(item);
            }
        }
        choice
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
        let open = covering.filter(|(_, items)| {
            !items.is_empty() && !items.iter().any(|&item| self.is_active(item as usize))
        });
        open.map(|(element, _)| element as u32).collect()
    }

    /// Covers everything that can be covered, and makes it hang together.
    pub(super) fn fill(&mut self) {
        // A new requirement may lead the flow away from what it covered by the way, so one pass
        // is not always enough; chosen items stay covered, so passes come to an end.
        let chosen = |choice: &Self| choice.state.items.iter().filter(|chosen| **chosen).count();
        loop {
            let before = chosen(self);
            if !self.uncovered().is_empty() {
                self.cover();
            }
            self.connect();
            if self.uncovered().is_empty() || chosen(self) == before {
                break;
            }
        }
    }

    fn cover(&mut self) {
        let problem = self.problem;
        let mut open = vec![false; problem.covering.len()];
        let mut left = 0;
        for element in self.uncovered() {
            open[element as usize] = true;
            left += 1;
        }
        let gain = |item: usize, open: &[bool]| {
            let covers = problem.items[item].covers.iter();
            let gained = covers.filter(|&&element| open[element as usize]).count();
            i64::try_from(gained).unwrap_or(i64::MAX)
        };
        let mut queue = BinaryHeap::new();
        for item in 0..problem.items.len() {
            let gain = gain(item, &open);
            if gain > 0 {
                queue.push(Reverse((rate(self.least_price(item), gain), item)));
            }
        }
        while left > 0
            && let Some(Reverse((expected, item))) = queue.pop()
        {
            let gain = gain(item, &open);
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
            let still: Vec<u32> = self.uncovered();
            open.fill(false);
            left = still.len();
            for element in still {
                open[element as usize] = true;
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
