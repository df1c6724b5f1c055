//! How much the values of a register tell of what an action does.

use rustc_hash::FxHashMap;

use super::history::{History, Sighting};
use super::register::{Register, Step, arrives};
use crate::model::ScreenId;

/// How many outcomes of an action are told apart, the rarest ones together.
pub(super) const KINDS: usize = 5;
/// After how many times counters are at their start again.
pub(super) const TURNS: [u8; 3] = [1, 2, 3];
/// How many values a counter has at most.
const COUNTED: usize = 3;
/// How many values any register has at most.
pub(super) const VALUES: usize = 16;

/// How often each outcome came with each value of a register.
pub(super) type Cells = [[u32; KINDS]; VALUES];

/// All sightings as of one value.
pub(super) fn untold_apart(seen: &[Sighting]) -> Cells {
    let mut cells = Cells::default();
    for sighting in seen {
        cells[0][sighting.kind] += 1;
    }
    cells
}

pub(super) fn cells(register: &Register, seen: &[Sighting], history: &History) -> Cells {
    let mut cells = Cells::default();
    for sighting in seen {
        let steps = sighting.steps.iter();
        let value = steps.fold(0, |value, &step| {
            register.after(value, history.steps[step as usize])
        });
        cells[usize::from(value)][sighting.kind] += 1;
    }
    cells
}

/// How often the outcome was another than the usual one of its value.
pub(super) fn exceptions(cells: &Cells) -> u32 {
    let others = |cell: &[u32; KINDS]| {
        let usual = cell.iter().max().copied().unwrap_or(0);
        cell.iter().sum::<u32>() - usual
    };
    cells.iter().map(others).sum()
}

/// The logarithm of how likely the outcomes are once the values are known, less what as many values would tell by
/// chance.
pub(super) fn told(cells: &Cells) -> f64 {
    let mut told = 0.0;
    let mut kinds = [0; KINDS];
    let mut n_values = 0.0_f64;
    for cell in cells {
        let times: u32 = cell.iter().sum();
        if times == 0 {
            continue;
        }
        n_values += 1.0;
        for (all, &seen) in kinds.iter_mut().zip(cell) {
            *all += seen;
            if seen > 0 {
                told += f64::from(seen) * (f64::from(seen) / f64::from(times)).ln();
            }
        }
    }
    let all: u32 = kinds.iter().sum();
    let n_kinds = kinds.iter().filter(|times| **times > 0).count() as f64;
    let free = (n_values - 1.0).max(0.0) * (n_kinds - 1.0).max(0.0);
    told - 0.5 * free * f64::from(all.max(1)).ln()
}

/// For each step the outcomes by how often it was taken since a screen was last arrived at, for each turn.
pub(super) fn counted(
    seen: &[Sighting],
    reset: Option<ScreenId>,
    history: &History,
) -> Vec<(u32, [Cells; TURNS.len()])> {
    let mut tables: FxHashMap<u32, [[[u32; KINDS]; COUNTED]; TURNS.len()]> = FxHashMap::default();
    let mut times: FxHashMap<u32, u32> = FxHashMap::default();
    for sighting in seen {
        let arrived = |step: &u32| arrives(history.steps[*step as usize], reset);
        let first = sighting.steps.iter().rposition(arrived).unwrap_or(0);
        times.clear();
        for &step in &sighting.steps[first..] {
            *times.entry(step).or_default() += 1;
        }
        for (&step, &times) in &times {
            let tables = tables.entry(step).or_default();
            for (turn, table) in TURNS.into_iter().zip(tables) {
                let value = if turn == 1 {
                    1
                } else {
                    times % u32::from(turn)
                };
                table[value as usize][sighting.kind] += 1;
            }
        }
    }
    let [all, ..] = untold_apart(seen);
    let mut tables: Vec<_> = tables.into_iter().collect();
    tables.sort_unstable_by_key(|(step, _)| *step);
    let whole = |table: [[u32; KINDS]; COUNTED]| {
        let mut cells = Cells::default();
        cells[..COUNTED].copy_from_slice(&table);
        // All others never took the step.
        for (kind, all) in all.iter().enumerate() {
            cells[0][kind] += all - table.iter().map(|cell| cell[kind]).sum::<u32>();
        }
        cells
    };
    let tables = tables.into_iter();
    tables
        .map(|(step, tables)| (step, tables.map(whole)))
        .collect()
}

/// The last of as few of these steps as tell as much as all of them.
pub(super) fn last_of(steps: Vec<Step>, seen: &[Sighting], history: &History) -> (f64, Register) {
    let measured = |steps: Vec<Step>| {
        let register = Register::Last(steps);
        (told(&cells(&register, seen, history)), register)
    };
    let mut steps = steps;
    let mut best = measured(steps.clone());
    loop {
        let fewer = (0..steps.len()).map(|without| {
            let mut fewer = steps.clone();
            fewer.remove(without);
            (measured(fewer.clone()), fewer)
        });
        let fewer = fewer.max_by(|(one, _), (other, _)| one.0.total_cmp(&other.0));
        match fewer {
            Some((measured, fewer)) if measured.0 > best.0 => (best, steps) = (measured, fewer),
            _ => return best,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_tell_outcomes_apart_tell_more_than_those_that_do_not() {
        let mut apart = Cells::default();
        (apart[0][0], apart[1][1]) = (12, 8);
        let mut mixed = Cells::default();
        (mixed[0], mixed[1]) = ([6, 4, 0, 0, 0], [6, 4, 0, 0, 0]);
        let mut together = Cells::default();
        together[0] = [12, 8, 0, 0, 0];
        assert!(told(&apart) > told(&together) + 10.0);
        assert!(told(&mixed) < told(&together), "more values have a price");
        assert_eq!((exceptions(&apart), exceptions(&mixed)), (0, 8));
    }
}
