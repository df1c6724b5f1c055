//! Shaking a choice: the same again and again with some of it taken out, as long as that makes it
//! cheaper.

use super::choose::Choice;
use crate::model::Seed;

impl Choice<'_> {
    /// Takes parts of the choice out and fills it again, as long as that makes it cheaper and no more nodes are
    /// looked at for it than allowed.
    pub(super) fn improve(&mut self, shakes: usize, looks: u64, seed: Seed) {
        let until = self.scratch.looks.saturating_add(looks);
        let mut order: Vec<usize> = (0..self.problem.items.len()).collect();
        order.retain(|&item| !self.essential[item]);
        for _ in 0..2 {
            let before = self.state.cost();
            for &item in &order {
                if self.scratch.looks >= until {
                    return;
                }
                if self.state.items[item] {
                    self.attempt(&[item], false);
                }
            }
            self.attempt(&[], true);
            if self.state.cost() == before {
                break;
            }
        }
        for shake in 0..shakes as u64 {
            let seed = seed.mix(shake);
            let chosen: Vec<usize> = order
                .iter()
                .copied()
                .filter(|&item| self.state.items[item])
                .collect();
            let links = self.state.links.len();
            if chosen.is_empty() && links == 0 || self.scratch.looks >= until {
                return;
            }
            let size = 2 + (seed.mix(1).0 % 6) as usize;
            let out: Vec<usize> = (0..size)
                .filter(|_| !chosen.is_empty())
                .map(|number| {
                    chosen[(seed.mix(2 + number as u64).0 % chosen.len() as u64) as usize]
                })
                .collect();
            self.attempt(&out, seed.mix(99).0.is_multiple_of(3));
        }
    }

    /// Covers everything by what is needed for it.
    pub(super) fn tidy(&mut self) {
        self.fill();
        self.prune();
    }

    /// Takes items out, and links if asked, fills again, and goes back if that is dearer.
    fn attempt(&mut self, items: &[usize], links: bool) {
        let before = self.state.clone();
        for &item in items {
            if self.state.items[item] {
                self.drop_item(item);
            }
        }
        if links {
            for link in std::mem::take(&mut self.state.links) {
                self.let_go(link);
            }
        }
        self.fill();
        self.prune();
        if self.state.cost() >= before.cost() {
            self.state = before;
        }
    }

    /// Drops chosen actions that stay in their state and cover nothing by themselves any more.
    fn prune(&mut self) {
        for item in 0..self.problem.items.len() {
            let chosen = self.state.items[item] && !self.essential[item];
            if chosen && !self.is_needed(item) {
                self.drop_item(item);
            }
        }
        // What was dropped may have carried the flow that covered or linked something else.
        self.fill();
    }
}
