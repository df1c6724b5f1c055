//! The plan of a random app: its tree of screens, its parts with modes, and what each action does.

use super::super::handler::{self, Goals, portion};
use super::super::splitmix::SplitMix;
use super::AppShape;

const MAX_DEPTH: usize = 4;
const MAX_SECTIONS: usize = 12;
const GOALS: Goals<Goal> = Goals {
    stay: Goal::Stay,
    crash: Goal::Crash,
    screen: Goal::Screen,
};

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

/// What one action does on one screen; hidden outcomes are those of a mode other than the first.
type Handler = handler::Handler<Goal, usize>;
type Handlers = handler::Handlers<Goal, usize>;
type Outcome = handler::Outcome<Goal>;

/// The plan of an app.
pub(super) struct Layout {
    pub(super) names: Vec<String>,
    pub(super) handlers: Handlers,
    parents: Vec<usize>,
    /// For each screen the first screen of the part it belongs to, and how many modes that has.
    parts: Vec<Option<(usize, usize)>>,
}

/// Draws a plan.
pub(super) fn draw(shape: &AppShape, random: &mut SplitMix) -> Layout {
    let parents = tree(shape.screens.max(1), random);
    let mut layout = Layout {
        names: Vec::new(),
        handlers: Handlers::new(),
        parts: vec![None; parents.len()],
        parents,
    };
    layout.names = (0..layout.parents.len())
        .map(|screen| layout.name(screen))
        .collect();
    layout.add_navigation(random);
    let Layout {
        handlers, names, ..
    } = &mut layout;
    handlers.add_faults(shape, names, &GOALS, random);
    layout.add_modes(shape.hidden, random);
    let screens = layout.names.len();
    let handlers = &mut layout.handlers;
    handlers.add_rare_outcomes(shape.flaky, screens, &GOALS, random);
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

    fn add_navigation(&mut self, random: &mut SplitMix) {
        let screens = self.parents.len();
        for screen in 0..screens {
            if screen > 0 {
                let parent = self.parents[screen];
                self.handlers
                    .add(parent, format!("tap:item{screen}"), Goal::Screen(screen));
                self.handlers.add(screen, "back", Goal::Screen(parent));
            }
            self.handlers.add_small(screen, &Goal::Stay, random);
            if screen > 0 && random.chance(0.15) {
                self.handlers.add(screen, "tap:home", Goal::Screen(0));
                for link in 0..=random.below(3) {
                    self.handlers.add(
                        screen,
                        format!("tap:menu{link}"),
                        Goal::Screen(random.below(screens)),
                    );
                }
            }
        }
    }

    /// Gives parts of the app modes, and makes a share of all actions depend on them.
    fn add_modes(&mut self, share: f64, random: &mut SplitMix) {
        let wanted = portion(share, self.handlers.all.len());
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
                self.handlers.add(first, "tap:mode", Goal::NextMode);
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
        (0..self.handlers.all.len())
            .filter(|at| free(&self.handlers.all[*at]))
            .collect()
    }

    fn make_dependent(&mut self, handler: usize, random: &mut SplitMix) {
        let Handler { screen, usual, .. } = self.handlers.all[handler].clone();
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
                ..self.handlers.outcome(goal)
            };
            self.handlers.all[handler].hidden.push((mode, outcome));
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
