//! Where the screens of the map stand: columns by distance from the launch, neighbours side by side.

use std::collections::{BTreeMap, VecDeque};

use crate::report::System;

/// Width of a screen's box.
pub(super) const WIDTH: f64 = 144.0;
/// Height of a screen's box.
pub(super) const HEIGHT: f64 = 26.0;
/// From one box to the one below.
const ROW: f64 = 40.0;
/// From one column to the next of the same distance.
const COLUMN: f64 = 168.0;
/// What lies between columns of different distance besides.
const GAP: f64 = 56.0;
const MARGIN: f64 = 24.0;

/// The most screens that are drawn; more would be no picture any more.
const MOST: usize = 400;

/// How often columns are sorted by their neighbours.
const SWEEPS: usize = 12;

/// A drawn map.
#[derive(Debug, PartialEq)]
pub(super) struct Layout {
    /// The drawn screens by index, each with the upper left corner of its box.
    pub(super) places: BTreeMap<usize, (f64, f64)>,
    /// The transitions between two drawn screens, by their ends; each with their indices.
    pub(super) edges: BTreeMap<(usize, usize), Vec<usize>>,
    /// Size of the whole.
    pub(super) size: (f64, f64),
}

/// Lays a system out: the same system, the same picture.
pub(super) fn layout(system: &System) -> Layout {
    let drawn = drawn(system);
    let edges = edges(system, &drawn);
    let mut layers = layers(system, &drawn, &edges);
    untangle(&mut layers, &edges);
    let (places, size) = place(&layers, drawn.len());
    Layout {
        places,
        edges,
        size,
    }
}

/// The screens that are drawn: launch screens, then those that the output shows most.
fn drawn(system: &System) -> Vec<usize> {
    let mut all: Vec<usize> = (0..system.screens.len()).collect();
    all.sort_by_key(|&idx| {
        let screen = &system.screens[idx];
        let often = std::cmp::Reverse((screen.launch, screen.kept, screen.seen));
        (often, idx)
    });
    all.truncate(MOST);
    all.sort_unstable();
    all
}

fn edges(system: &System, drawn: &[usize]) -> BTreeMap<(usize, usize), Vec<usize>> {
    let mut edges: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    let is_drawn = |idx: usize| drawn.binary_search(&idx).is_ok();
    for (idx, one) in system.transitions.iter().enumerate() {
        if is_drawn(one.from) && is_drawn(one.to) {
            edges.entry((one.from, one.to)).or_default().push(idx);
        }
    }
    edges
}

/// The screens by their distance from a launch; those that nothing leads to come last.
fn layers(
    system: &System,
    drawn: &[usize],
    edges: &BTreeMap<(usize, usize), Vec<usize>>,
) -> Vec<Vec<usize>> {
    let mut after: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(from, to) in edges.keys() {
        after.entry(from).or_default().push(to);
    }
    let launches = drawn.iter().filter(|&&idx| system.screens[idx].launch);
    let mut distance: BTreeMap<usize, usize> = launches.map(|&idx| (idx, 0)).collect();
    let mut queue: VecDeque<usize> = distance.keys().copied().collect();
    while let Some(idx) = queue.pop_front() {
        let next = distance[&idx] + 1;
        for &to in after.get(&idx).map_or(&[][..], Vec::as_slice) {
            distance.entry(to).or_insert_with(|| {
                queue.push_back(to);
                next
            });
        }
    }
    let deepest = distance.values().max().map_or(0, |deepest| deepest + 1);
    let mut layers = vec![Vec::new(); deepest + 1];
    for &idx in drawn {
        layers[distance.get(&idx).copied().unwrap_or(deepest)].push(idx);
    }
    layers.retain(|layer| !layer.is_empty());
    layers
}

/// Sorts each layer by where its neighbours in other layers are, again and again.
fn untangle(layers: &mut [Vec<usize>], edges: &BTreeMap<(usize, usize), Vec<usize>>) {
    let mut beside: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(from, to) in edges.keys().filter(|(from, to)| from != to) {
        beside.entry(from).or_default().push(to);
        beside.entry(to).or_default().push(from);
    }
    let mut height: BTreeMap<usize, f64> = BTreeMap::new();
    for layer in layers.iter() {
        height.extend(heights(layer));
    }
    for _ in 0..SWEEPS {
        for layer in layers.iter_mut() {
            let middle = |idx: usize| {
                let all = beside.get(&idx).map_or(&[][..], Vec::as_slice);
                let sum: f64 = all.iter().map(|other| height[other]).sum();
                if all.is_empty() {
                    height[&idx]
                } else {
                    sum / all.len() as f64
                }
            };
            let mut sorted: Vec<(f64, usize)> =
                layer.iter().map(|&idx| (middle(idx), idx)).collect();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            *layer = sorted.into_iter().map(|(_, idx)| idx).collect();
            height.extend(heights(layer));
        }
    }
}

/// Where the screens of a layer are between its top at 0 and its bottom at 1.
fn heights(layer: &[usize]) -> impl Iterator<Item = (usize, f64)> {
    let parts = layer.len() as f64;
    let height = move |place: usize| (place as f64 + 0.5) / parts;
    let places = layer.iter().enumerate();
    places.map(move |(place, &idx)| (idx, height(place)))
}

type Places = (BTreeMap<usize, (f64, f64)>, (f64, f64));

/// Puts layers into columns, and large layers into several.
fn place(layers: &[Vec<usize>], drawn: usize) -> Places {
    let rows = most_rows(drawn);
    let tallest = layers.iter().map(|layer| column_len(layer.len(), rows));
    let tallest = tallest.max().unwrap_or(1) as f64;
    let mut places = BTreeMap::new();
    let mut left = MARGIN;
    for layer in layers {
        let len = column_len(layer.len(), rows);
        // Neighbours in the order of the layer stay at the same height.
        let columns = layer.len().div_ceil(len.max(1)).max(1);
        for (place, &idx) in layer.iter().enumerate() {
            let (row, column) = (place / columns, place % columns);
            let top = MARGIN + (tallest - len as f64) * ROW / 2.0;
            let at = (left + column as f64 * COLUMN, top + row as f64 * ROW);
            places.insert(idx, at);
        }
        left += columns as f64 * COLUMN + GAP;
    }
    let width = (left - GAP - COLUMN + WIDTH + MARGIN).max(WIDTH + 2.0 * MARGIN);
    (
        places,
        (width, (tallest - 1.0) * ROW + HEIGHT + 2.0 * MARGIN),
    )
}

/// How many rows make a map of that many screens half as wide again as high, or twice.
fn most_rows(drawn: usize) -> usize {
    let rows = (drawn as f64 * 4.0).sqrt().ceil();
    #[expect(clippy::cast_sign_loss, reason = "a root is not negative")]
    let rows = rows as usize;
    rows.max(3)
}

/// How long the columns of a layer are when they are equally long.
fn column_len(layer: usize, rows: usize) -> usize {
    let columns = layer.div_ceil(rows).max(1);
    layer.div_ceil(columns)
}

#[cfg(test)]
mod tests {
    use super::{HEIGHT, Layout, MOST, WIDTH, layout};
    use crate::report::{Screen, System, Transition};

    /// Screens 0 to n, of which the first is the launch, and these transitions.
    fn system(screens: usize, hops: &[(usize, usize)]) -> System {
        let screen = |idx: usize| Screen {
            name: format!("S{idx}"),
            seen: 1,
            kept: usize::from(idx.is_multiple_of(2)),
            launch: idx == 0,
        };
        let hop = |&(from, to): &(usize, usize)| Transition {
            from,
            to,
            action: "tap".to_owned(),
            seen: 1,
            kept: 0,
        };
        System {
            screens: (0..screens).map(screen).collect(),
            transitions: hops.iter().map(hop).collect(),
            left_out: 0,
        }
    }

    /// Every box is inside and none lies on another.
    fn check(layout: &Layout) {
        let boxes: Vec<_> = layout.places.values().collect();
        for (idx, a) in boxes.iter().enumerate() {
            assert!(a.0 >= 0.0 && a.0 + WIDTH <= layout.size.0, "{a:?}");
            assert!(a.1 >= 0.0 && a.1 + HEIGHT <= layout.size.1, "{a:?}");
            for b in &boxes[..idx] {
                let apart = (a.0 - b.0).abs() >= WIDTH || (a.1 - b.1).abs() >= HEIGHT;
                assert!(apart, "{a:?} {b:?}");
            }
        }
    }

    /// A web of so many screens with three ways out of each.
    fn web(screens: usize) -> System {
        let ways = |idx: usize| [(idx * 7 + 1) % screens, (idx * 3 + 2) % screens, idx / 2];
        let hops = (0..screens).flat_map(|idx| ways(idx).map(|to| (idx, to)));
        system(screens, &hops.collect::<Vec<_>>())
    }

    #[test]
    fn a_chain_goes_from_left_to_right() {
        let layout = layout(&system(3, &[(0, 1), (1, 2), (2, 0), (1, 1)]));
        check(&layout);
        let x = |idx: usize| layout.places[&idx].0;
        assert!(x(0) < x(1) && x(1) < x(2));
        assert_eq!(layout.edges.len(), 4);
    }

    #[test]
    fn boxes_never_overlap_and_the_picture_keeps_its_shape() {
        for screens in [0, 1, 2, 17, 90, 300] {
            let layout = layout(&web(screens));
            check(&layout);
            assert_eq!(layout.places.len(), screens);
            if screens > 50 {
                let shape = layout.size.0 / layout.size.1;
                assert!((1.2..4.0).contains(&shape), "{screens}: {shape}");
            }
        }
    }

    #[test]
    fn neighbours_come_to_lie_side_by_side() {
        let layout = layout(&system(5, &[(0, 1), (0, 2), (1, 4), (2, 3)]));
        let y = |idx: usize| layout.places[&idx].1;
        assert!((y(1) - y(4)).abs() < 1.0 && (y(2) - y(3)).abs() < 1.0);
    }

    #[test]
    fn the_same_system_gives_the_same_picture() {
        assert_eq!(layout(&web(120)), layout(&web(120)));
    }

    #[test]
    fn too_many_screens_leave_those_that_are_kept() {
        let layout = layout(&web(2 * MOST));
        check(&layout);
        assert_eq!(layout.places.len(), MOST);
        assert!(layout.places.keys().all(|idx| idx.is_multiple_of(2)));
    }
}
