//! The plan of a random app: its tree of screens, its parts with modes, and what each action does.

use super::super::splitmix::SplitMix;
use super::AppShape;

const MAX_DEPTH: usize = 4;
const MAX_SECTIONS: usize = 12;
const SMALL_ACTIONS: [&str; 4] = ["scroll:down", "type:text", "tap:refresh", "tap:select"];
const RARE_WEIGHTS: [f64; 4] = [0.05, 0.1, 0.15, 0.3];

/// Where an action leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// To another screen, in the same mode if it belongs to the same part.
    Screen(usize),
    /// Nowhere.
    Stay,
    /// To the next mode of this part, behind the same screen.
    NextMode,
    /// To the end of the app.
    Crash,
}

/// One thing an action can do; all outcomes with one slot cover the same elements.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    pub(super) goal: Goal,
    pub(super) slot: usize,
    pub(super) weight: Option<f64>,
    pub(super) fault: Option<String>,
}

/// What one action does on one screen.
#[derive(Debug, Clone)]
pub(super) struct Handler {
    pub(super) screen: usize,
    pub(super) action: String,
    pub(super) usual: Outcome,
    /// What it does instead in a mode other than the first.
    hidden: Vec<(usize, Outcome)>,
    rare: Option<Outcome>,
}

impl Handler {
    pub(super) fn outcomes(&self, mode: usize) -> impl Iterator<Item = &Outcome> {
        let main = self
            .hidden
            .iter()
            .find(|(at, _)| *at == mode)
            .map_or(&self.usual, |(_, outcome)| outcome);
        std::iter::once(main).chain(&self.rare)
    }
}

/// The plan of an app.
pub(super) struct Layout {
    pub(super) names: Vec<String>,
    pub(super) handlers: Vec<Handler>,
    parents: Vec<usize>,
    /// For each screen the first screen of the part it belongs to, and how many modes that has.
    parts: Vec<Option<(usize, usize)>>,
    slots: usize,
}

/// Draws a plan.
pub(super) fn draw(shape: &AppShape, random: &mut SplitMix) -> Layout {
    let parents = tree(shape.screens.max(1), random);
    let mut layout = Layout {
        names: Vec::new(),
        handlers: Vec::new(),
        parts: vec![None; parents.len()],
        parents,
        slots: 0,
    };
    layout.names = (0..layout.parents.len())
        .map(|screen| layout.name(screen))
        .collect();
    layout.add_navigation(random);
    layout.add_faults(shape, random);
    layout.add_modes(shape.hidden, random);
    layout.add_rare_outcomes(shape.flaky, random);
    layout
}

/// The parent of each screen; the home screen is its own.
fn tree(screens: usize, random: &mut SplitMix) -> Vec<usize> {
    let sections = (1..=MAX_SECTIONS)
        .take_while(|side| side * side < screens)
        .count();
    let mut parents = vec![0; screens];
    let mut depths = vec![0; screens];
    for screen in 1..screens {
        if screen > sections {
            let open: Vec<usize> = (1..screen)
                .filter(|other| depths[*other] < MAX_DEPTH)
                .collect();
            parents[screen] = *random.pick(&open);
        }
        depths[screen] = depths[parents[screen]] + 1;
    }
    parents
}

impl Layout {
    fn name(&self, screen: usize) -> String {
        let leaf = !self.parents.iter().skip(1).any(|parent| *parent == screen);
        match screen {
            0 => "Home".to_owned(),
            _ if self.parents[screen] == 0 => format!("Section{screen}"),
            _ if leaf => format!("Page{screen}"),
            _ => format!("List{screen}"),
        }
    }

    fn add(&mut self, screen: usize, action: impl Into<String>, goal: Goal) -> &mut Handler {
        let usual = self.outcome(goal);
        self.handlers.push(Handler {
            screen,
            action: action.into(),
            usual,
            hidden: Vec::new(),
            rare: None,
        });
        self.handlers.last_mut().expect("one was just added")
    }

    fn outcome(&mut self, goal: Goal) -> Outcome {
        self.slots += 1;
        Outcome {
            goal,
            slot: self.slots - 1,
            weight: None,
            fault: None,
        }
    }

    fn add_navigation(&mut self, random: &mut SplitMix) {
        let screens = self.parents.len();
        for screen in 0..screens {
            if screen > 0 {
                let parent = self.parents[screen];
                self.add(parent, format!("tap:item{screen}"), Goal::Screen(screen));
                self.add(screen, "back", Goal::Screen(parent));
            }
            for action in SMALL_ACTIONS.into_iter().take(1 + random.below(3)) {
                self.add(screen, action, Goal::Stay);
            }
            if screen > 0 && random.chance(0.15) {
                self.add(screen, "tap:home", Goal::Screen(0));
                for link in 0..=random.below(3) {
                    self.add(
                        screen,
                        format!("tap:menu{link}"),
                        Goal::Screen(random.below(screens)),
                    );
                }
            }
        }
    }

    fn add_faults(&mut self, shape: &AppShape, random: &mut SplitMix) {
        for number in 0..shape.faults + shape.crashes {
            // The later of two draws: rather deep than near the start.
            let screen = random
                .below(self.parents.len())
                .max(random.below(self.parents.len()));
            let (action, goal, exception) = if number < shape.faults {
                (
                    format!("tap:sync{number}"),
                    Goal::Stay,
                    "java.io.IOException",
                )
            } else {
                (
                    format!("tap:export{number}"),
                    Goal::Crash,
                    "java.lang.NullPointerException",
                )
            };
            let fault = format!(
                "{exception} at {}.{}",
                self.names[screen],
                &action["tap:".len()..]
            );
            self.add(screen, action, goal).usual.fault = Some(fault);
        }
    }

    /// Gives parts of the app modes, and makes a share of all actions depend on them.
    fn add_modes(&mut self, share: f64, random: &mut SplitMix) {
        let wanted = portion(share, self.handlers.len());
        let mut firsts: Vec<usize> = (0..self.parents.len()).collect();
        random.shuffle(&mut firsts);
        let limit = (self.parents.len() / 8).max(1);
        for first in firsts {
            // Room for four times the wanted actions leaves most of a part alike in all of its modes.
            if self.dependable().len() >= 4 * wanted {
                break;
            }
            let part: Vec<usize> = (0..self.parents.len())
                .filter(|screen| self.is_below(*screen, first))
                .collect();
            if part.len() <= limit && part.iter().all(|screen| self.parts[*screen].is_none()) {
                let modes = 2 + random.below(3);
                for screen in part {
                    self.parts[screen] = Some((first, modes));
                }
                self.add(first, "tap:mode", Goal::NextMode);
            }
        }
        let mut chosen = self.dependable();
        random.shuffle(&mut chosen);
        for handler in chosen.into_iter().take(wanted) {
            self.make_dependent(handler, random);
        }
    }

    /// The actions that can be made to depend on a mode.
    fn dependable(&self) -> Vec<usize> {
        let free = |handler: &Handler| {
            self.parts[handler.screen].is_some()
                && matches!(handler.usual.goal, Goal::Screen(_) | Goal::Stay)
        };
        (0..self.handlers.len())
            .filter(|at| free(&self.handlers[*at]))
            .collect()
    }

    fn make_dependent(&mut self, handler: usize, random: &mut SplitMix) {
        let Handler { screen, usual, .. } = self.handlers[handler].clone();
        let Some((_, modes)) = self.parts[screen] else {
            return;
        };
        for mode in 1..modes {
            // The first hidden mode always differs, the others often do.
            if mode > 1 && random.chance(0.4) {
                continue;
            }
            let goal = match Goal::Screen(random.below(self.parents.len())) {
                Goal::Screen(other) if other != screen && random.chance(0.5) => Goal::Screen(other),
                _ => usual.goal,
            };
            let outcome = Outcome {
                fault: usual.fault.clone(),
                ..self.outcome(goal)
            };
            self.handlers[handler].hidden.push((mode, outcome));
        }
    }

    fn add_rare_outcomes(&mut self, share: f64, random: &mut SplitMix) {
        let mut chosen: Vec<usize> = (0..self.handlers.len()).collect();
        random.shuffle(&mut chosen);
        chosen.truncate(portion(share, self.handlers.len()));
        for at in chosen {
            let other = random.below(self.parents.len());
            let stays = self.handlers[at].usual.goal == Goal::Stay || random.chance(0.5);
            // What usually stays must go somewhere, or the two outcomes would look alike.
            let goal = if stays && self.handlers[at].usual.goal != Goal::Stay {
                Goal::Stay
            } else {
                Goal::Screen(other)
            };
            let weight = *random.pick(&RARE_WEIGHTS);
            let rare = Outcome {
                weight: Some(weight),
                ..self.outcome(goal)
            };
            let handler = &mut self.handlers[at];
            handler.rare = Some(rare);
            handler.usual.weight = Some(1.0 - weight);
            for (_, outcome) in &mut handler.hidden {
                outcome.weight = Some(1.0 - weight);
            }
        }
    }

    /// The screen and mode that `goal` leads to, unless the app ends there.
    pub(super) fn target(&self, screen: usize, mode: usize, goal: Goal) -> Option<(usize, usize)> {
        let part = |screen: usize| self.parts[screen];
        match goal {
            Goal::Crash => None,
            Goal::Stay => Some((screen, mode)),
            Goal::NextMode => Some((
                screen,
                (mode + 1) % part(screen).map_or(1, |(_, modes)| modes),
            )),
            Goal::Screen(other) if part(other).is_some() && part(other) == part(screen) => {
                Some((other, mode))
            }
            Goal::Screen(other) => Some((other, 0)),
        }
    }

    fn is_below(&self, screen: usize, first: usize) -> bool {
        let mut at = screen;
        while at != first && at != 0 {
            at = self.parents[at];
        }
        at == first
    }
}

/// How many of `len` things a share is, rounded; at least one if the share is not zero.
fn portion(share: f64, len: usize) -> usize {
    let len = u32::try_from(len).unwrap_or(u32::MAX);
    let below = |at: &u32| (f64::from(*at) + 0.5) / f64::from(len) < share;
    (0..len).filter(below).count().max(usize::from(share > 0.0))
}
