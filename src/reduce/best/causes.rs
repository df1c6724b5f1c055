//! Causes: which earlier steps decide what an action does where its screen does not tell.
//!
//! An action that does different things on one screen is looked at together with all that went before. If how often
//! some step was taken, or by which step its screen was last entered, tells what it did much better than chance would,
//! that becomes a register: steps set it, and the action obeys it. A screen with another value in a register that
//! matters there is another place, whether anything else was seen to differ or not; and what is known of an action
//! holds wherever its register is the same. So one switch in the settings is one thing to learn, not one for each
//! screen behind it. A mistake makes a plan fail once, and the failure is evidence.
//!
//! Costs one look at the steps before every contested action for each screen that might make it forget, and that again
//! only when what was found no longer holds or much more was seen.

mod history;
mod register;
mod told;

use rustc_hash::{FxHashMap, FxHashSet};

use super::chance::Chance;
use crate::model::{ActionId, ScreenId};
use crate::reduce::Evidence;
use crate::reduce::evidence::Node;
use history::{Contested, History, Sighting, step_to};
use register::{Register, arrives};
use told::{TURNS, VALUES, cells, counted, exceptions, last_of, told};

pub(super) use register::Step;

/// The values of all registers that matter in a place.
pub(super) type Signature = u128;

/// The room of a register in a signature.
const BITS: usize = VALUES.ilog2() as usize;
const MASK: Signature = (1 << BITS) - 1;
/// How many registers there are at most.
const REGISTERS: usize = Signature::BITS as usize / BITS;
/// Among how many steps the last may count.
const ENTRIES: usize = VALUES - 2;
/// Registers that tell less than the best one by more than this are not looked at further, nor more than so many.
const NEARLY: f64 = 5.0;
const OFFERS: usize = 100;
/// Only where no more than one of so many actions is contested one step may decide: an app that keeps what was typed
/// has as many states as histories, and among so many something seems to decide by accident.
const FEW: usize = 5;
/// More evidence than this is not looked through.
const LARGE: usize = 1_000_000;
/// How many steps are looked at each time to find what makes actions forget; then only what lasts is looked for.
const LOOKS: usize = 20_000_000;

/// All registers and what they decide.
#[derive(Debug, Clone, Default)]
pub(super) struct Causes {
    registers: Vec<Register>,
    /// The register that each action obeys.
    decided: FxHashMap<(ScreenId, ActionId), usize>,
    /// The registers that matter on each screen.
    live: FxHashMap<ScreenId, Signature>,
}

/// What was found out about actions so far.
#[derive(Default)]
pub(super) struct Memory(FxHashMap<(ScreenId, ActionId), Found>);

/// What decides an action, if anything does.
#[derive(Clone)]
struct Found {
    register: Option<Register>,
    /// How often the action was seen by then, and how often it did not obey.
    seen: usize,
    exceptions: u32,
}

impl Found {
    fn new(register: Option<Register>, seen: &[Sighting], history: &History) -> Self {
        let mut found = Self {
            register,
            seen: seen.len(),
            exceptions: 0,
        };
        found.exceptions = found.count_exceptions(seen, history);
        found
    }

    fn count_exceptions(&self, seen: &[Sighting], history: &History) -> u32 {
        let register = self.register.as_ref();
        register.map_or(0, |register| exceptions(&cells(register, seen, history)))
    }

    /// Whether it is not worth looking for again.
    fn holds(&self, seen: &[Sighting], history: &History) -> bool {
        seen.len() <= self.seen * 5 / 4 + 1
            && self.count_exceptions(seen, history) <= self.exceptions
    }
}

impl Causes {
    /// Finds what decides the contested actions.
    pub(super) fn find(
        evidence: &Evidence,
        covers: &[u32],
        (pairs, chance): (&FxHashSet<(ScreenId, ActionId)>, &Chance),
        memory: &mut Memory,
    ) -> Self {
        let mut causes = Self::default();
        if evidence.len() > LARGE || pairs.is_empty() {
            return causes;
        }
        let history = History::new(evidence);
        if pairs.len() * FEW > history.n_actions() {
            return causes;
        }
        let mut contested = history.contested(covers, pairs);
        // What is told least of at first can be told most of.
        contested.sort_by(|one, other| one.untold.total_cmp(&other.untold));
        let mut looks = LOOKS;
        for action in &contested {
            let Contested { pair, seen, .. } = action;
            let known = memory.0.get(pair).filter(|it| it.holds(seen, &history));
            let found = known.cloned().unwrap_or_else(|| {
                let by_chance = chance.of(pair.0, pair.1);
                let odds = (by_chance / (1.0 - by_chance)).ln();
                let offers = causes.offers(action, &history, &mut looks);
                let register = likeliest(offers, seen, &history, odds);
                Found::new(register, seen, &history)
            });
            memory.0.insert(*pair, found.clone());
            causes.decide(*pair, found.register);
        }
        causes.find_live(&contested, &history);
        causes
    }

    /// Makes an action obey a register.
    fn decide(&mut self, pair: (ScreenId, ActionId), register: Option<Register>) {
        let Some(register) = register else {
            return;
        };
        let known = self.registers.iter().position(|it| *it == register);
        let number = known.unwrap_or(self.registers.len());
        if number < REGISTERS {
            if known.is_none() {
                self.registers.push(register);
            }
            self.decided.insert(pair, number);
        }
    }

    /// Registers with how much more they tell than is known without, less what choosing among so many tells by chance;
    /// those that decide other actions are few.
    fn offers(
        &self,
        Contested { pair, seen, untold }: &Contested,
        history: &History,
        looks: &mut usize,
    ) -> Vec<(f64, Register)> {
        let mut steps: Vec<u32> = seen.iter().flat_map(|it| it.steps.clone()).collect();
        steps.sort_unstable();
        steps.dedup();
        let taken = steps.iter().map(|&step| history.steps[step as usize]);
        let mut screens: Vec<ScreenId> = taken.clone().map(|(_, _, to)| to).collect();
        screens.sort_unstable();
        screens.dedup();
        let mut offers = Vec::new();
        for register in &self.registers {
            let told = told(&cells(register, seen, history));
            let known = self.registers.len() as f64;
            offers.push((told - untold - known.ln(), register.clone()));
        }
        let entries: Vec<Step> = taken.filter(|&step| arrives(step, Some(pair.0))).collect();
        if (2..=ENTRIES).contains(&entries.len()) {
            let some = entries.len() as f64;
            let (told, register) = last_of(entries, seen, history);
            offers.push((told - untold - some, register));
        }
        let counters = steps.len() * TURNS.len() * screens.len();
        let least = untold + (counters.max(1) as f64).ln();
        let mut most = f64::NEG_INFINITY;
        let n_steps: usize = seen.iter().map(|it| it.steps.len()).sum();
        let resets = screens.iter().copied().map(Some);
        for reset in [None].into_iter().chain(resets) {
            if reset.is_some() && *looks < n_steps {
                break;
            }
            *looks = looks.saturating_sub(n_steps);
            for (step, tables) in counted(seen, reset, history) {
                let step = history.steps[step as usize];
                for (turn, table) in TURNS.into_iter().zip(&tables) {
                    let gain = told(table) - least;
                    most = most.max(gain);
                    if gain > most - NEARLY {
                        offers.push((gain, Register::Count { step, turn, reset }));
                    }
                }
            }
        }
        offers
    }

    /// Finds where each register matters: on the screens between where it was set and an action that obeyed it. What
    /// nothing else changes matters everywhere.
    fn find_live(&mut self, contested: &[Contested], history: &History) {
        for (number, register) in self.registers.iter().enumerate() {
            for (_, _, to) in history.steps.iter().filter(|_| register.is_lasting()) {
                *self.live.entry(*to).or_default() |= MASK << (BITS * number);
            }
        }
        for Contested { pair, seen, .. } in contested {
            let Some(&number) = self.decided.get(pair) else {
                continue;
            };
            let since_set = |sighting| self.registers[number].since_set(sighting, history);
            for screen in seen.iter().flat_map(since_set).chain([pair.0]) {
                *self.live.entry(screen).or_default() |= MASK << (BITS * number);
            }
        }
    }

    /// The signature behind a step.
    pub(super) fn after(&self, signature: Signature, step: Step) -> Signature {
        let live = self.live.get(&step.2).copied().unwrap_or(0);
        let registers = self.registers.iter().enumerate();
        let after = registers.map(|(number, register)| {
            let value = register.after(value(signature, number), step);
            Signature::from(value) << (BITS * number)
        });
        after.sum::<Signature>() & live
    }

    /// The signature of each node; nothing where no register tells any apart.
    pub(super) fn signatures(&self, evidence: &Evidence) -> Vec<Signature> {
        if self.registers.is_empty() {
            return Vec::new();
        }
        let mut signatures = vec![0; evidence.len()];
        for node in 0..evidence.len() {
            let prefix = evidence.prefix(node as Node);
            let step = step_to(evidence, node as Node);
            if let (Some((before, _)), Some(step)) = (prefix.step, step) {
                signatures[node] = self.after(signatures[before as usize], step);
            }
        }
        signatures
    }

    /// What decides an action in a place; the same everywhere if nothing does.
    pub(super) fn deciding(&self, screen: ScreenId, action: ActionId, signature: Signature) -> u8 {
        let register = self.decided.get(&(screen, action));
        register.map_or(0, |&number| value(signature, number))
    }

    /// Whether it is known what decides an action.
    pub(super) fn is_decided(&self, screen: ScreenId, action: ActionId) -> bool {
        self.decided.contains_key(&(screen, action))
    }
}

/// The register that tells most of what an action does: one that matters on few screens rather than on many. None if
/// chance is likelier, which `odds` tell; where chance has a part in any case, they do not count.
fn likeliest(
    mut offers: Vec<(f64, Register)>,
    seen: &[Sighting],
    history: &History,
    odds: f64,
) -> Option<Register> {
    let most = offers.iter().map(|(gain, _)| *gain);
    let most = most.max_by(f64::total_cmp)?;
    offers.retain(|(gain, _)| *gain > most - NEARLY);
    offers.sort_by(|one, other| other.0.total_cmp(&one.0));
    offers.truncate(OFFERS);
    let mut best = (0.0, None);
    for (gain, register) in offers {
        let certain = exceptions(&cells(&register, seen, history)) == 0;
        let gain = gain - (register.area(seen, history) as f64).ln();
        let gain = if certain { gain - odds } else { gain };
        if gain > best.0 {
            best = (gain, Some(register));
        }
    }
    best.1
}

fn value(signature: Signature, register: usize) -> u8 {
    ((signature >> (BITS * register)) & MASK) as u8
}

#[cfg(test)]
mod tests;
