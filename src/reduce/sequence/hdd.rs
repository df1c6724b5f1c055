//! `hdd`: delta debugging level by level on the tree of screens (`SimplyDroid`; Jiang et al., 2017).
//!
//! An event that opens a screen is the parent of all that happens until that screen is left for
//! one that was open before. Taking it out takes all of that out, and leaves a sequence that
//! comes by the same screens otherwise.

use super::Recording;
use super::ddmin::ddmin;
use super::lab::Lab;
use super::minimal::{best, settle};
use crate::model::{ScreenId, Stop};

/// Shortens the best candidate.
pub(super) fn reduce(lab: &mut Lab, recording: &Recording) -> Result<(), Stop> {
    let known = lab.screens().len() == best(lab).len() + 1;
    let screens = if known {
        lab.screens().to_vec()
    } else {
        recording.screens.clone()
    };
    let parents = parents(lab.n_events(), &screens);
    let depths = depths(&parents);
    let deepest = depths.iter().copied().max().unwrap_or(0);
    for depth in 0..=deepest {
        let (fixed, groups) = level(&best(lab), &parents, &depths, depth);
        ddmin(lab, fixed, groups)?;
    }
    settle(lab)
}

/// The event that opened the screen each event happens on.
fn parents(n_events: usize, screens: &[ScreenId]) -> Vec<Option<u32>> {
    let mut open: Vec<(Option<ScreenId>, Option<u32>)> = vec![(screens.first().copied(), None)];
    let mut parents = Vec::with_capacity(n_events);
    for event in 0..n_events as u32 {
        parents.push(open.last().and_then(|(_, opener)| *opener));
        let screen = screens.get(event as usize + 1).copied();
        let Some(screen) = screen else { continue };
        match open.iter().position(|(known, _)| *known == Some(screen)) {
            Some(at) => open.truncate(at + 1),
            None => open.push((Some(screen), Some(event))),
        }
    }
    parents
}

fn depths(parents: &[Option<u32>]) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(parents.len());
    for parent in parents {
        depths.push(parent.map_or(0, |parent| depths[parent as usize] + 1));
    }
    depths
}

/// The events above a level, and each event on it with all that happens below it.
fn level(
    events: &[u32],
    parents: &[Option<u32>],
    depths: &[usize],
    depth: usize,
) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut fixed = Vec::new();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut group_of = rustc_hash::FxHashMap::default();
    for &event in events {
        if depths[event as usize] < depth {
            fixed.push(event);
            continue;
        }
        let mut top = event;
        while depths[top as usize] > depth {
            top = parents[top as usize].unwrap_or(event);
        }
        let group = *group_of.entry(top).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(event);
    }
    (fixed, groups)
}

#[cfg(test)]
mod tests {
    use super::{depths, level, parents};
    use crate::model::ScreenId;

    #[test]
    fn what_happens_on_a_screen_goes_with_the_event_that_opened_it() {
        // Home, menu, options, back to menu, back home, list.
        let screens: Vec<_> = [0, 1, 2, 1, 0, 3].map(ScreenId::new).into();
        let parents = parents(5, &screens);
        assert_eq!(parents, [None, Some(0), Some(1), Some(0), None]);
        let depths = depths(&parents);
        let all: Vec<u32> = (0..5).collect();
        let (fixed, groups) = level(&all, &parents, &depths, 0);
        assert_eq!((fixed.len(), groups), (0, vec![vec![0, 1, 2, 3], vec![4]]));
        let (fixed, groups) = level(&all, &parents, &depths, 1);
        assert_eq!((fixed, groups), (vec![0, 4], vec![vec![1, 2], vec![3]]));
    }
}
