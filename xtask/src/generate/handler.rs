//! What actions do on screens: usually, when hidden state has it otherwise, and rarely.

use super::draft::Move;
use super::random_app::AppShape;
use super::splitmix::SplitMix;

const RARE_WEIGHTS: [f64; 4] = [0.05, 0.1, 0.15, 0.3];
const SMALL_ACTIONS: [&str; 4] = ["scroll:down", "type:text", "tap:refresh", "tap:select"];

/// One thing an action can do; all outcomes with one slot cover the same elements.
#[derive(Debug, Clone)]
pub(super) struct Outcome<G> {
    pub(super) goal: G,
    pub(super) slot: usize,
    pub(super) weight: Option<f64>,
    pub(super) fault: Option<String>,
}

/// What one action does on one screen.
#[derive(Debug, Clone)]
pub(super) struct Handler<G, W> {
    pub(super) screen: usize,
    pub(super) action: String,
    pub(super) usual: Outcome<G>,
    /// What it does instead, and when; the first that holds counts.
    pub(super) hidden: Vec<(W, Outcome<G>)>,
    rare: Option<Outcome<G>>,
}

impl<G, W> Handler<G, W> {
    /// What it may do in a state that some of the conditions hold in.
    pub(super) fn outcomes(&self, holds: impl Fn(&W) -> bool) -> impl Iterator<Item = &Outcome<G>> {
        let main = self.hidden.iter().find(|(when, _)| holds(when));
        let main = main.map_or(&self.usual, |(_, outcome)| outcome);
        std::iter::once(main).chain(&self.rare)
    }

    /// An outcome of this handler as an edge to the given state.
    pub(super) fn step<S>(&self, outcome: &Outcome<G>, to: Option<S>) -> Move<S> {
        Move {
            action: self.action.clone(),
            to,
            slot: outcome.slot,
            weight: outcome.weight,
            fault: outcome.fault.clone(),
        }
    }
}

/// All handlers of an app.
pub(super) struct Handlers<G, W> {
    pub(super) all: Vec<Handler<G, W>>,
    slots: usize,
}

/// The goals that every kind of app has.
pub(super) struct Goals<G> {
    pub(super) stay: G,
    pub(super) crash: G,
    pub(super) screen: fn(usize) -> G,
}

impl<G: Clone + PartialEq, W> Handlers<G, W> {
    pub(super) const fn new() -> Self {
        Self {
            all: Vec::new(),
            slots: 0,
        }
    }

    pub(super) fn add(
        &mut self,
        screen: usize,
        action: impl Into<String>,
        goal: G,
    ) -> &mut Handler<G, W> {
        let usual = self.outcome(goal);
        self.all.push(Handler {
            screen,
            action: action.into(),
            usual,
            hidden: Vec::new(),
            rare: None,
        });
        self.all.last_mut().expect("one was just added")
    }

    pub(super) fn outcome(&mut self, goal: G) -> Outcome<G> {
        self.slots += 1;
        Outcome {
            goal,
            slot: self.slots - 1,
            weight: None,
            fault: None,
        }
    }

    pub(super) fn of(&self, screen: usize) -> impl Iterator<Item = &Handler<G, W>> {
        self.all
            .iter()
            .filter(move |handler| handler.screen == screen)
    }

    /// Gives a screen one to three actions that stay on it.
    pub(super) fn add_small(&mut self, screen: usize, stay: &G, random: &mut SplitMix) {
        for action in SMALL_ACTIONS.into_iter().take(1 + random.below(3)) {
            self.add(screen, action, stay.clone());
        }
    }

    pub(super) fn add_faults(
        &mut self,
        shape: &AppShape,
        names: &[String],
        goals: &Goals<G>,
        random: &mut SplitMix,
    ) {
        for number in 0..shape.faults + shape.crashes {
            // The later of two draws: rather deep than near the start.
            let screen = random.below(names.len()).max(random.below(names.len()));
            let (verb, goal, exception) = if number < shape.faults {
                ("sync", &goals.stay, "java.io.IOException")
            } else {
                ("export", &goals.crash, "java.lang.NullPointerException")
            };
            let fault = format!("{exception} at {}.{verb}{number}", names[screen]);
            let handler = self.add(screen, format!("tap:{verb}{number}"), goal.clone());
            handler.usual.fault = Some(fault);
        }
    }

    /// Gives a share of all actions a second, less likely outcome.
    pub(super) fn add_rare_outcomes(
        &mut self,
        share: f64,
        screens: usize,
        goals: &Goals<G>,
        random: &mut SplitMix,
    ) {
        let mut chosen: Vec<usize> = (0..self.all.len()).collect();
        random.shuffle(&mut chosen);
        chosen.truncate(portion(share, self.all.len()));
        for at in chosen {
            let other = random.below(screens);
            let usual = &self.all[at].usual.goal;
            // What usually stays must go somewhere, or the two outcomes would look alike.
            let goal = if *usual != goals.stay && random.chance(0.5) {
                goals.stay.clone()
            } else {
                (goals.screen)(other)
            };
            let weight = *random.pick(&RARE_WEIGHTS);
            let rare = Outcome {
                weight: Some(weight),
                ..self.outcome(goal)
            };
            let handler = &mut self.all[at];
            handler.rare = Some(rare);
            handler.usual.weight = Some(1.0 - weight);
            for (_, outcome) in &mut handler.hidden {
                outcome.weight = Some(1.0 - weight);
            }
        }
    }
}

/// How many of `len` things a share is, rounded; at least one if the share is not zero.
pub(super) fn portion(share: f64, len: usize) -> usize {
    let len = u32::try_from(len).unwrap_or(u32::MAX);
    let below = |at: &u32| (f64::from(*at) + 0.5) / f64::from(len) < share;
    (0..len).filter(below).count().max(usize::from(share > 0.0))
}
