//! How likely events of each sort are needed, learnt from sequences that were shortened before.

use crate::model::ScreenId;

/// How many sorts of events there are: those that stay on their screen, lead to one seen before,
/// lead to a new one, and those of which nothing is known.
const SORTS: usize = 4;

/// Events of each sort that were looked at and that were needed.
#[derive(Debug, Clone, PartialEq)]
pub struct Prior {
    needed: [f64; SORTS],
    seen: [f64; SORTS],
}

impl Default for Prior {
    /// Weighs as much as twenty events of each sort.
    fn default() -> Self {
        Self {
            needed: [1.0, 2.0, 4.0, 2.0],
            seen: [20.0; SORTS],
        }
    }
}

impl Prior {
    /// The chance of each event to be needed, by the screens around the events.
    #[must_use]
    pub fn chances(&self, n_events: usize, screens: &[ScreenId]) -> Vec<f64> {
        let sorts = sorts(n_events, screens).into_iter();
        sorts
            .map(|sort| self.needed[sort] / self.seen[sort])
            .collect()
    }

    /// Takes in which events of a sequence turned out to be needed.
    pub fn learn(&mut self, n_events: usize, screens: &[ScreenId], needed: &[u32]) {
        for (event, sort) in sorts(n_events, screens).into_iter().enumerate() {
            self.seen[sort] += 1.0;
            if needed.binary_search(&(event as u32)).is_ok() {
                self.needed[sort] += 1.0;
            }
        }
    }
}

fn sorts(n_events: usize, screens: &[ScreenId]) -> Vec<usize> {
    if screens.len() != n_events + 1 {
        return vec![SORTS - 1; n_events];
    }
    let mut seen: rustc_hash::FxHashSet<ScreenId> = [screens[0]].into_iter().collect();
    let pairs = screens.windows(2);
    let sort = |pair: &[ScreenId]| match (pair[0] == pair[1], seen.insert(pair[1])) {
        (true, _) => 0,
        (false, false) => 1,
        (false, true) => 2,
    };
    pairs.map(sort).collect()
}

#[cfg(test)]
mod tests {
    use super::Prior;
    use crate::model::ScreenId;

    #[test]
    fn events_that_were_needed_before_are_expected_again() {
        let screens: Vec<_> = [0, 0, 1, 0].map(ScreenId::new).into();
        let mut prior = Prior::default();
        let before = prior.chances(3, &screens);
        prior.learn(3, &screens, &[1]);
        let after = prior.chances(3, &screens);
        assert!(after[0] < before[0] && after[1] > before[1] && after[2] < before[2]);
    }
}
