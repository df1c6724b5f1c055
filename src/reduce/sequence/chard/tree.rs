//! The hierarchy tree of windows (Definition 5.2, Algorithm 1): which events were done in which
//! window, how far each window is from the start, and the shortest way to the last event.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::events::{Recording, View};

/// A window with what was done in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// How many transitions it is away from the start, by the shortest way.
    pub level: usize,
    /// The window.
    pub view: View,
    /// The events done in it, in order.
    pub events: Vec<usize>,
}

/// The windows of a sequence, in the order in which they were first shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The windows.
    pub nodes: Vec<Node>,
    /// Each event that led to another window, with the event that came next.
    pub transitions: Vec<(usize, usize)>,
}

/// The tree of some events of a recording, given in order.
#[must_use]
pub fn tree(recording: &Recording, kept: &[usize]) -> Tree {
    let levels = levels(recording, kept);
    let mut nodes = vec![node(recording.launch, &levels)];
    let mut index: FxHashMap<View, usize> = [(recording.launch, 0)].into_iter().collect();
    for &event in kept {
        let view = recording.events[event].before;
        let at = *index.entry(view).or_insert_with(|| {
            nodes.push(node(view, &levels));
            nodes.len() - 1
        });
        nodes[at].events.push(event);
    }
    let pairs = kept.windows(2);
    let transitions = pairs.filter(|pair| recording.events[pair[0]].moves());
    Tree {
        transitions: transitions.map(|pair| (pair[0], pair[1])).collect(),
        nodes,
    }
}

fn node(view: View, levels: &FxHashMap<View, (usize, Option<usize>)>) -> Node {
    Node {
        // What no transition leads to was reached in a way that is not recorded.
        level: levels.get(&view).map_or(usize::MAX, |&(level, _)| level),
        view,
        events: Vec::new(),
    }
}

/// For each window its distance from the start and the event that leads there.
fn levels(recording: &Recording, kept: &[usize]) -> FxHashMap<View, (usize, Option<usize>)> {
    let mut ways: FxHashMap<View, Vec<usize>> = FxHashMap::default();
    for &event in kept {
        if recording.events[event].moves() {
            ways.entry(recording.events[event].before)
                .or_default()
                .push(event);
        }
    }
    let mut levels: FxHashMap<View, (usize, Option<usize>)> = FxHashMap::default();
    levels.insert(recording.launch, (0, None));
    let mut open = VecDeque::from([recording.launch]);
    while let Some(view) = open.pop_front() {
        let (level, _) = levels[&view];
        for &event in ways.get(&view).into_iter().flatten() {
            let next = recording.events[event].after;
            if let std::collections::hash_map::Entry::Vacant(entry) = levels.entry(next) {
                entry.insert((level + 1, Some(event)));
                open.push_back(next);
            }
        }
    }
    levels
}

/// The fewest transitions from the start to the window of the last event, and that event.
#[must_use]
pub fn shortest(recording: &Recording, kept: &[usize]) -> Option<Vec<usize>> {
    let (&last, body) = kept.split_last()?;
    let levels = levels(recording, body);
    let mut way = vec![last];
    let mut view = recording.events[last].before;
    while let (_, Some(event)) = *levels.get(&view)? {
        way.push(event);
        view = recording.events[event].before;
    }
    way.reverse();
    Some(way)
}
