//! The plan of a grid app: tabs, lists below lists, details, dialogs, and what each action does.

use super::super::handler::{self, Goals};
use super::super::random_app::AppShape;
use super::super::splitmix::SplitMix;

const DEEPEST_LIST: usize = 4;
const MOST_TABS: usize = 5;
/// A detail is opened from at most so many stacks, so that the number of states stays near that of screens.
const MOST_STACKS: usize = 12;
const GOALS: Goals<Goal> = Goals {
    stay: Goal::Stay,
    crash: Goal::Crash,
    screen: Goal::Place,
};

/// What an action does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// It opens a screen on top of this one.
    Open(usize),
    /// It goes back by so many screens.
    Back(usize),
    /// It goes to a screen in its own place, as a tab or a deep link does.
    Place(usize),
    /// Nothing that is seen.
    Stay,
    /// It ends the app.
    Crash,
}

/// What a screen is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tab,
    List,
    Detail,
    Dialog,
    /// It has no way out.
    End,
}

/// What one action does on one screen; hidden outcomes are told apart by the screen that they go back to.
pub(super) type Handler = handler::Handler<Goal, usize>;
type Handlers = handler::Handlers<Goal, usize>;

/// The plan of an app.
pub(super) struct Layout {
    pub(super) names: Vec<String>,
    pub(super) handlers: Handlers,
    kinds: Vec<Kind>,
    /// The screen below which each screen has its place; a tab has its own.
    parents: Vec<usize>,
    /// How many stacks each screen may be on top of.
    stacks: Vec<usize>,
}

/// Draws a plan.
pub(super) fn draw(shape: &AppShape, random: &mut SplitMix) -> Layout {
    let screens = shape.screens.max(1);
    let mut layout = Layout {
        names: Vec::with_capacity(screens),
        handlers: Handlers::new(),
        kinds: Vec::with_capacity(screens),
        parents: Vec::with_capacity(screens),
        stacks: vec![1; screens],
    };
    let tabs = screens.div_ceil(8).min(MOST_TABS);
    for tab in 0..tabs {
        layout.place(Kind::Tab, tab);
    }
    while layout.names.len() < screens {
        layout.add_screen(random);
    }
    layout.add_ways(tabs, random);
    let Layout {
        handlers, names, ..
    } = &mut layout;
    handlers.add_faults(shape, names, &GOALS, random);
    layout.add_links(shape.hidden, random);
    let handlers = &mut layout.handlers;
    handlers.add_rare_outcomes(shape.flaky, screens, &GOALS, random);
    layout
}

impl Layout {
    fn place(&mut self, kind: Kind, parent: usize) {
        self.names.push(format!("{kind:?}{}", self.names.len()));
        self.kinds.push(kind);
        self.parents.push(parent);
    }

    fn add_screen(&mut self, random: &mut SplitMix) {
        let kind = match random.below(100) {
            0..35 => Kind::List,
            35..75 => Kind::Detail,
            75..95 => Kind::Dialog,
            _ => Kind::End,
        };
        let fits = |screen: &usize| match (kind, self.kinds[*screen]) {
            (Kind::List, Kind::List) => self.way(*screen).len() <= DEEPEST_LIST,
            (Kind::List | Kind::Detail | Kind::End, Kind::Tab)
            | (Kind::Detail | Kind::Dialog | Kind::End, Kind::List)
            | (Kind::Dialog, Kind::Detail) => true,
            _ => false,
        };
        let places: Vec<usize> = (0..self.names.len()).filter(fits).collect();
        if places.is_empty() {
            return;
        }
        // The later of two draws: rather deep than near the start.
        let at = random.below(places.len()).max(random.below(places.len()));
        self.place(kind, places[at]);
    }

    /// The stack of a screen in its own place.
    pub(super) fn way(&self, screen: usize) -> Vec<usize> {
        let mut way = vec![screen];
        let mut at = screen;
        while self.parents[at] != at {
            at = self.parents[at];
            way.push(at);
        }
        way.reverse();
        way
    }

    /// Tabs, ways down and back, and what stays on a screen.
    fn add_ways(&mut self, tabs: usize, random: &mut SplitMix) {
        for screen in 0..self.names.len() {
            let kind = self.kinds[screen];
            if kind == Kind::Tab {
                for tab in (0..tabs).filter(|tab| *tab != screen) {
                    self.handlers
                        .add(screen, format!("tap:tab{tab}"), Goal::Place(tab));
                }
            } else {
                let open = format!("tap:item{screen}");
                self.handlers
                    .add(self.parents[screen], open, Goal::Open(screen));
            }
            match kind {
                Kind::Tab | Kind::End => {}
                Kind::List | Kind::Detail => {
                    self.handlers.add(screen, "back", Goal::Back(1));
                }
                Kind::Dialog => {
                    self.handlers.add(screen, "tap:cancel", Goal::Back(1));
                    if random.chance(0.5) {
                        self.handlers.add(screen, "tap:ok", Goal::Back(2));
                    }
                }
            }
            if kind != Kind::Dialog || random.chance(0.3) {
                self.handlers.add_small(screen, &Goal::Stay, random);
            }
        }
    }

    /// Opens details from elsewhere, until a share of all actions depends on what lies below its screen.
    fn add_links(&mut self, share: f64, random: &mut SplitMix) {
        let shared = |screen: &usize| self.kinds[*screen] == Kind::Detail;
        let mut details: Vec<usize> = (0..self.names.len()).filter(shared).collect();
        random.shuffle(&mut details);
        let mut hidden = 0;
        for (at, &detail) in details.iter().enumerate() {
            if hidden as f64 >= share * self.handlers.all.len() as f64 {
                break;
            }
            for _ in 0..=random.below(3) {
                // Details open only details that come later, or stacks would grow for ever.
                let from = match details[..at] {
                    [.., _] if random.chance(0.3) => *random.pick(&details[..at]),
                    _ => self.origin(random),
                };
                self.link(from, detail);
            }
            hidden += self.hide(detail);
        }
    }

    /// A list or tab.
    fn origin(&self, random: &mut SplitMix) -> usize {
        let open = |screen: &usize| matches!(self.kinds[*screen], Kind::List | Kind::Tab);
        let origins: Vec<usize> = (0..self.names.len()).filter(open).collect();
        *random.pick(&origins)
    }

    fn link(&mut self, from: usize, detail: usize) {
        let known = self.handlers.of(from);
        let mut goals = known.map(|handler| handler.usual.goal);
        let stacks = self.stacks[detail] + self.stacks[from];
        if goals.any(|goal| goal == Goal::Open(detail)) || stacks > MOST_STACKS {
            return;
        }
        drop(goals);
        self.stacks[detail] = stacks;
        self.handlers
            .add(from, format!("tap:related{detail}"), Goal::Open(detail));
    }

    /// Gives the ways back from a detail and its dialogs an outcome for each screen they may lead to, and tells how
    /// many ways depend on that now.
    fn hide(&mut self, detail: usize) -> usize {
        let mut origins: Vec<usize> = (0..self.names.len())
            .filter(|screen| {
                let mut opened = self.handlers.of(*screen);
                opened.any(|handler| handler.usual.goal == Goal::Open(detail))
            })
            .collect();
        origins.retain(|screen| *screen != self.parents[detail]);
        if origins.is_empty() {
            return 0;
        }
        let leads_below = |handler: &Handler| match handler.usual.goal {
            Goal::Back(1) => handler.screen == detail,
            Goal::Back(2) => self.parents[handler.screen] == detail,
            _ => false,
        };
        let ways: Vec<usize> = (0..self.handlers.all.len())
            .filter(|at| leads_below(&self.handlers.all[*at]))
            .collect();
        for &at in &ways {
            for &origin in &origins {
                let goal = self.handlers.all[at].usual.goal;
                let outcome = self.handlers.outcome(goal);
                self.handlers.all[at].hidden.push((origin, outcome));
            }
        }
        ways.len()
    }
}
