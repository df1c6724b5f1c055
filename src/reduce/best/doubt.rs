//! How sure it is that a trace replays, from everything that was seen of each of its steps.
//!
//! A step is left to chance with the share of actions that chance was seen to decide in this app
//! (`Machine::chance`), more likely where the same action did different things, and then goes
//! another way in one of a few shares of runs, each as likely as the others. Every sighting that
//! went the usual way, in recordings, sessions and runs of any trace, makes that less likely: the
//! estimate is pooled over all traces that share a step.

use super::machine::Machine;
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
            // Hidden state that explains all that was seen may have been chance all the same.
            let contested = arc.is_some_and(|arc| arc.contested > 0);
            let chance = if contested {
                (CONTESTED * machine.chance).min(0.5)
            } else {
                machine.chance
            };
            let shares = shares(seen, otherwise, chance);
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
    use super::{RARE, shares};

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
