//! How sure it is that a trace replays, from everything that was seen of each of its steps.
//!
//! A step is left to chance with the share of actions that chance was seen to decide in this app
//! (`Machine::chance`), more likely where the same action did different things, nearly certainly where it
//! did so after the very same steps, and then goes another way in one of a few shares of runs, each as
//! likely as the others. Every sighting that went the usual way, in recordings, sessions and runs of any
//! trace, makes that less likely: the estimate is pooled over all traces that share a step.

use super::machine::{Arc, Machine};
use crate::model::Script;

/// How often the less likely outcome of a step left to chance comes.
const RARE: [f64; 5] = [0.02, 0.05, 0.1, 0.2, 0.4];

/// How much likelier an action is left to chance that was seen to do different things on its
/// screen: about half of those left to chance were, and one in twenty of the others.
const CONTESTED: f64 = 10.0;

/// What is to be feared of a trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Doubt {
    /// The share of runs that is expected to go another way.
    pub(super) risk: f64,
    /// The chance that no step goes another way in a larger share of runs than each of `RARE`;
    /// first, than in none.
    holds: [f64; RARE.len() + 1],
}

impl Doubt {
    /// The doubt that is left about a script; what the machine does not know counts as never
    /// seen.
    pub(super) fn of(script: &Script, machine: &Machine) -> Self {
        let mut replays = 1.0;
        let mut holds = [1.0; RARE.len() + 1];
        let mut state = Some(machine.launch);
        for step in &script.steps {
            let arc = state.and_then(|state| machine.step(state, step.action, step.screen));
            let arc = arc.map(|arc| &machine.arcs[arc]);
            state = arc.map(|arc| arc.to);
            let (seen, otherwise) = arc.map_or((0, 0), |arc| (arc.seen, arc.otherwise));
            let shares = shares(seen, otherwise, chance(arc, machine));
            let risk: f64 = shares
                .iter()
                .zip(RARE)
                .map(|(share, rare)| share * rare)
                .sum();
            replays *= 1.0 - risk;
            for (level, holds) in holds.iter_mut().enumerate() {
                *holds *= 1.0 - shares[level.min(RARE.len())..].iter().sum::<f64>();
            }
        }
        Self {
            risk: 1.0 - replays,
            holds,
        }
    }

    /// The share of runs in which it replays at least, with this confidence; nothing above
    /// `most` is claimed.
    pub(super) fn replays_at_least(&self, confidence: f64, most: f64) -> f64 {
        let level = self.holds.iter().position(|&holds| holds >= confidence);
        match level {
            Some(0) => most,
            Some(level) => (1.0 - RARE[level - 1]).min(most),
            None => 1.0 - RARE[RARE.len() - 1],
        }
    }
}

/// How likely a step is left to chance before its own sightings are counted.
fn chance(arc: Option<&Arc>, machine: &Machine) -> f64 {
    match arc {
        // Hidden state that explains all that was seen may have been chance all the same.
        Some(arc) if arc.contested > 0 => arc.chance.max((CONTESTED * arc.chance).min(0.5)),
        Some(arc) => arc.chance,
        None => machine.chance,
    }
}

/// How likely a step goes another way in each share of runs, after what was seen of it.
fn shares(seen: u32, otherwise: u32, chance: f64) -> [f64; RARE.len()] {
    let weight = |rare: f64| {
        let usual = (1.0 - rare).powf(f64::from(seen));
        chance / RARE.len() as f64 * usual * rare.powf(f64::from(otherwise))
    };
    let weights = RARE.map(weight);
    let surely = if otherwise == 0 { 1.0 - chance } else { 0.0 };
    let all: f64 = weights.iter().sum::<f64>() + surely;
    weights.map(|weight| if all > 0.0 { weight / all } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::{RARE, chance, shares};
    use crate::model::{Cover, Names};
    use crate::reduce::best::machine::{Arc, Machine};

    #[test]
    fn what_did_different_things_is_doubted_more_and_known_chance_most() {
        let mut names = Names::default();
        let mut arc = Arc {
            from: 0,
            action: names.action("tap"),
            screen: names.screen("Home"),
            to: 0,
            seen: 20,
            otherwise: 0,
            contested: 0,
            chance: 0.02,
            weak: false,
            cover: Cover::default(),
        };
        let machine = Machine {
            chance: 0.02,
            ..Machine::default()
        };
        let doubt = |arc: &Arc| -> f64 {
            let shares = shares(arc.seen, arc.otherwise, chance(Some(arc), &machine));
            shares.iter().sum()
        };
        let plain = doubt(&arc);
        arc.contested = 3;
        let contested = doubt(&arc);
        arc.chance = 0.95;
        let known = doubt(&arc);
        assert!(plain < 0.02 && contested > 5.0 * plain && known > 2.0 * contested);
    }

    #[test]
    fn every_sighting_makes_a_step_surer_and_one_odd_one_makes_it_doubtful() {
        let doubt = |seen, otherwise| -> f64 { shares(seen, otherwise, 0.02).iter().sum() };
        assert!((doubt(0, 0) - 0.02).abs() < 1e-12);
        assert!(doubt(10, 0) < doubt(3, 0) && doubt(100, 0) < 0.002);
        assert!((doubt(100, 1) - 1.0).abs() < 1e-9);
        let [often, ..] = RARE;
        assert!(shares(100, 1, 0.02)[0] > 0.2 && often < 0.05);
    }
}
