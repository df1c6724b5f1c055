//! Makes a cover problem smaller without changing its optimum.
//!
//! - An element that only as many sets hold as it is wanted forces these sets.
//! - An element goes when another one, wanted at least as often, is held by some of its sets
//!   only: who covers that one covers it.
//! - A set goes when as many others as any of its elements is wanted hold all of it and cost no
//!   more: either one of them can take its place, or it is not needed beside them.
//!
//! Repeated until nothing changes. The work is counted, so that no chain of consequences takes
//! for ever; beyond a bound the rest is left out, which makes the problem larger than need be and
//! never wrong.

use rustc_hash::FxHashMap;

use super::matrix::{Lists, Matrix};

/// How many steps all tests of inclusion may take, and all pairs that passes copy.
const MAX_WORK: usize = 50_000_000;

/// A smaller problem, and the labels of sets that every optimum may have.
pub(super) struct Shrunk {
    pub(super) forced: Vec<u32>,
    pub(super) cost: u64,
    pub(super) core: Matrix,
}

/// Shrinks until nothing changes.
pub(super) fn shrink(matrix: Matrix) -> Shrunk {
    let mut shrunk = Shrunk {
        forced: Vec::new(),
        cost: 0,
        core: merge_equal_elements(matrix),
    };
    let mut work = 0;
    loop {
        force(&mut shrunk);
        work += shrunk.core.n_pairs();
        let n_elements = shrunk.core.n_elements();
        shrunk.core = drop_elements(shrunk.core, &mut work);
        let dropped_elements = shrunk.core.n_elements() < n_elements;
        let n_sets = shrunk.core.n_sets();
        shrunk.core = drop_sets(shrunk.core, &mut work);
        if shrunk.core.n_sets() == n_sets && !dropped_elements {
            return shrunk;
        }
    }
}

/// Takes all sets that must be taken.
fn force(shrunk: &mut Shrunk) {
    loop {
        let core = &shrunk.core;
        let mut is_forced = vec![false; core.n_sets()];
        for (sets, &demand) in core.elements.iter().zip(&core.demands) {
            if sets.len() <= demand as usize {
                for &set in sets {
                    is_forced[set as usize] = true;
                }
            }
        }
        let forced: Vec<u32> = (0..core.n_sets() as u32)
            .filter(|&set| is_forced[set as usize])
            .collect();
        if forced.is_empty() {
            return;
        }
        shrunk.forced.extend(core.labels_of(&forced));
        shrunk.cost = shrunk.cost.saturating_add(core.cost_of(&forced));
        let rest = core.under(&forced, &[]);
        shrunk.core = rest.expect("whoever takes sets only helps");
    }
}

/// Leaves one of the elements that the same sets hold.
fn merge_equal_elements(mut matrix: Matrix) -> Matrix {
    let mut seen: FxHashMap<&[u32], u32> = FxHashMap::default();
    let mut demands = matrix.demands.clone();
    for (element, sets) in (0..).zip(matrix.elements.iter()) {
        let first = *seen.entry(sets).or_insert(element);
        if first != element {
            let (first, element) = (first as usize, element as usize);
            demands[first] = demands[first].max(demands[element]);
            demands[element] = 0;
            matrix.guesses[first] = matrix.guesses[first].saturating_add(matrix.guesses[element]);
        }
    }
    matrix.keep(|_| true, &demands)
}

/// Drops elements that are covered whenever another one is.
fn drop_elements(mut matrix: Matrix, work: &mut usize) -> Matrix {
    let mut demands = matrix.demands.clone();
    for element in 0..matrix.n_elements() as u32 {
        let at = element as usize;
        let sets = matrix.elements.get(element);
        if demands[at] == 0 || *work > MAX_WORK {
            continue;
        }
        // Whatever holds all of these sets is an element of the smallest one.
        for &other in matrix.sets.get(sets[0]) {
            let other_at = other as usize;
            let is_candidate = other != element
                && demands[other_at] > 0
                && demands[other_at] <= demands[at]
                && matrix.elements.get(other).len() >= sets.len();
            *work += 1;
            if is_candidate && is_subset(sets, matrix.elements.get(other), work) {
                demands[other_at] = 0;
                matrix.guesses[at] = matrix.guesses[at].saturating_add(matrix.guesses[other_at]);
            }
        }
    }
    matrix.keep(|_| true, &demands)
}

/// Drops sets that others can stand in for.
fn drop_sets(matrix: Matrix, work: &mut usize) -> Matrix {
    let mut is_gone = vec![false; matrix.n_sets()];
    // From the end, so that of equal sets the first one stays.
    for set in (0..matrix.n_sets() as u32).rev() {
        if *work > MAX_WORK {
            break;
        }
        is_gone[set as usize] = has_substitutes(&matrix, set, &is_gone, work);
    }
    if !is_gone.contains(&true) {
        return matrix;
    }
    matrix.keep(|set| !is_gone[set as usize], &matrix.demands)
}

fn has_substitutes(matrix: &Matrix, set: u32, is_gone: &[bool], work: &mut usize) -> bool {
    let elements = matrix.sets.get(set);
    let cost = matrix.costs[set as usize];
    let demands = elements.iter().map(|&e| matrix.demands[e as usize]);
    let mut needed = demands.max().unwrap_or(0);
    // The rarest element comes first, so few sets have to be looked at.
    for &other in matrix.elements.get(elements[0]) {
        *work += 1;
        if other == set || is_gone[other as usize] || matrix.costs[other as usize] > cost {
            continue;
        }
        let theirs = matrix.sets.get(other);
        if theirs.len() >= elements.len() && is_subset(elements, theirs, work) {
            needed -= 1;
            if needed == 0 {
                return true;
            }
        }
    }
    false
}

/// Whether all of one ascending list is in the other.
fn is_subset(small: &[u32], large: &[u32], work: &mut usize) -> bool {
    let mut rest = large;
    for &item in small {
        *work += 1;
        // Usually near the front; where it is not, halving finds it.
        let mut reach = 1;
        while reach < rest.len() && rest[reach - 1] < item {
            reach *= 2;
        }
        let reach = reach.min(rest.len());
        let at = rest[..reach].partition_point(|&other| other < item);
        if rest.get(at) != Some(&item) {
            return false;
        }
        rest = &rest[at + 1..];
    }
    true
}

/// The parts of a problem that have no element in common, in order of their first set.
pub(super) fn components(matrix: Matrix) -> Vec<Matrix> {
    let parts = part_of_each_set(&matrix);
    let n_parts = parts.iter().max().map_or(0, |&last| last + 1);
    if n_parts <= 1 {
        return (matrix.n_sets() > 0)
            .then_some(matrix)
            .into_iter()
            .collect();
    }
    let mut members = vec![Vec::new(); n_parts as usize];
    for (set, &part) in (0_u32..).zip(&parts) {
        members[part as usize].push(set);
    }
    let mut number = vec![0; matrix.n_elements()];
    let parts = members.iter();
    parts.map(|sets| part(&matrix, sets, &mut number)).collect()
}

/// The problem of some sets alone; `number` is room to number elements in.
fn part(matrix: &Matrix, sets: &[u32], number: &mut [u32]) -> Matrix {
    let mut elements: Vec<u32> = sets
        .iter()
        .flat_map(|&set| matrix.sets.get(set))
        .copied()
        .collect();
    elements.sort_unstable();
    elements.dedup();
    for (new, &old) in (0..).zip(&elements) {
        number[old as usize] = new;
    }
    let mut lists = Lists::new();
    for &set in sets {
        lists.push(matrix.sets.get(set).iter().map(|&e| number[e as usize]));
    }
    let of_element = |old: &u32| *old as usize;
    let demands: Vec<u32> = elements
        .iter()
        .map(|e| matrix.demands[of_element(e)])
        .collect();
    let guesses: Vec<i64> = elements
        .iter()
        .map(|e| matrix.guesses[of_element(e)])
        .collect();
    let sets = sets.iter().zip(lists.iter()).map(|(&set, elements)| {
        let at = set as usize;
        (matrix.labels[at], matrix.costs[at], elements)
    });
    Matrix::new(sets, &demands, &guesses)
}

fn part_of_each_set(matrix: &Matrix) -> Vec<u32> {
    let mut part = vec![u32::MAX; matrix.n_sets()];
    let mut seen = vec![false; matrix.n_elements()];
    let mut n_parts = 0;
    let mut stack = Vec::new();
    for first in 0..matrix.n_sets() as u32 {
        if part[first as usize] != u32::MAX {
            continue;
        }
        part[first as usize] = n_parts;
        stack.push(first);
        while let Some(set) = stack.pop() {
            for &element in matrix.sets.get(set) {
                if std::mem::replace(&mut seen[element as usize], true) {
                    continue;
                }
                for &next in matrix.elements.get(element) {
                    if part[next as usize] == u32::MAX {
                        part[next as usize] = n_parts;
                        stack.push(next);
                    }
                }
            }
        }
        n_parts += 1;
    }
    part
}
