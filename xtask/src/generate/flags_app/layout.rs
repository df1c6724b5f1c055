//! The plan of an app with flags: hubs, pages, wizards, and what each action does.

use super::super::handler::{self, Goals, Outcome, portion};
use super::super::random_app::AppShape;
use super::super::splitmix::SplitMix;

/// Flags that settings and the login toggle; only they open gates, so that every gate can be opened.
const TOGGLED: usize = 3;
/// All flags; finished wizards set the others.
const FLAGS: usize = 5;
/// Home, Settings, Account, Cart.
const FIXED: [&str; 4] = ["Home", "Settings", "Account", "Cart"];
const LONGEST_WIZARD: usize = 8;
const GOALS: Goals<Goal> = Goals {
    stay: Goal::Stay,
    crash: Goal::Crash,
    screen: Goal::Screen,
};

/// What an action does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// It goes to another screen.
    Screen(usize),
    /// Nothing that is seen.
    Stay,
    /// It switches a flag.
    Toggle(usize),
    /// It unsets a flag.
    Clear(usize),
    /// It sets a flag and goes to another screen.
    Finish(usize, usize),
    /// It fills in the form of the wizard.
    Fill,
    /// It ends the app.
    Crash,
    /// It is not offered.
    Absent,
}

/// When a hidden outcome holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// While a flag is set.
    Flag(usize),
    /// While the form of the wizard is filled in.
    Filled,
}

impl When {
    pub(super) fn holds(self, flags: u8, filled: bool) -> bool {
        match self {
            Self::Flag(flag) => flags & (1 << flag) != 0,
            Self::Filled => filled,
        }
    }
}

type Handlers = handler::Handlers<Goal, When>;

/// The plan of an app.
pub(super) struct Layout {
    pub(super) names: Vec<String>,
    pub(super) handlers: Handlers,
    /// For each screen the wizard that it belongs to.
    pub(super) wizards: Vec<Option<usize>>,
}

/// Draws a plan.
pub(super) fn draw(shape: &AppShape, random: &mut SplitMix) -> Layout {
    let screens = shape.screens.max(1);
    let mut layout = Layout {
        names: Vec::with_capacity(screens),
        handlers: Handlers::new(),
        wizards: Vec::with_capacity(screens),
    };
    layout.add_fixed(screens);
    while layout.names.len() < screens {
        let room = screens - layout.names.len();
        if room >= 4 && random.chance(0.4) {
            layout.add_wizard(room.min(3 + random.below(LONGEST_WIZARD - 2)), random);
        } else {
            layout.add_page(random);
        }
    }
    for screen in 0..screens {
        layout.handlers.add_small(screen, &Goal::Stay, random);
    }
    let Layout {
        handlers, names, ..
    } = &mut layout;
    handlers.add_faults(shape, names, &GOALS, random);
    layout.add_flags(shape.hidden, random);
    let handlers = &mut layout.handlers;
    handlers.add_rare_outcomes(shape.flaky, screens, &GOALS, random);
    layout
}

impl Layout {
    fn open(&mut self, name: String, wizard: Option<usize>) -> usize {
        self.names.push(name);
        self.wizards.push(wizard);
        self.names.len() - 1
    }

    fn add_fixed(&mut self, screens: usize) {
        for name in FIXED.into_iter().take(screens) {
            let screen = self.open(name.to_owned(), None);
            if screen > 0 {
                self.handlers
                    .add(0, format!("tap:{name}"), Goal::Screen(screen));
                self.handlers.add(screen, "back", Goal::Screen(0));
            }
        }
        let place = |screen: usize| if screen < screens { screen } else { 0 };
        for flag in 0..TOGGLED - 1 {
            self.handlers
                .add(place(1), format!("tap:toggle{flag}"), Goal::Toggle(flag));
        }
        self.handlers
            .add(place(2), "tap:login", Goal::Toggle(TOGGLED - 1));
        for flag in TOGGLED..FLAGS {
            self.handlers
                .add(place(3), format!("tap:empty{flag}"), Goal::Clear(flag));
        }
    }

    /// A page below another one that is no part of a wizard.
    fn add_page(&mut self, random: &mut SplitMix) {
        let parent = *random.pick(&self.plain());
        let number = self.names.len();
        let page = self.open(format!("Page{number}"), None);
        self.handlers
            .add(parent, format!("tap:item{number}"), Goal::Screen(page));
        self.handlers.add(page, "back", Goal::Screen(parent));
        if random.chance(0.2) {
            self.handlers.add(page, "tap:home", Goal::Screen(0));
        }
    }

    /// A chain of screens whose last step works only when the form of the first was filled in.
    fn add_wizard(&mut self, length: usize, random: &mut SplitMix) {
        let parent = *random.pick(&self.plain());
        let first = self.names.len();
        let last = first + length - 1;
        for step in first..last {
            self.open(format!("Wizard{first}Step{}", step - first), Some(first));
        }
        self.open(format!("Wizard{first}Done"), None);
        self.handlers
            .add(parent, format!("tap:wizard{first}"), Goal::Screen(first));
        self.handlers.add(first, "type:form", Goal::Fill);
        for step in first..last {
            let before = if step == first { parent } else { step - 1 };
            self.handlers.add(step, "back", Goal::Screen(before));
            if step + 1 < last {
                self.handlers.add(step, "tap:next", Goal::Screen(step + 1));
            }
            if random.chance(0.3) {
                self.handlers.add(step, "tap:cancel", Goal::Screen(parent));
            }
        }
        let flag = TOGGLED + random.below(FLAGS - TOGGLED);
        let done = self.handlers.outcome(Goal::Finish(flag, last));
        let finish = self
            .handlers
            .add(last - 1, "tap:finish", Goal::Screen(first));
        finish.hidden.push((When::Filled, done));
        self.handlers.add(last, "tap:ok", Goal::Screen(parent));
    }

    fn plain(&self) -> Vec<usize> {
        // Little would be seen of what lies behind the end of a wizard.
        let plain = |screen: &usize| {
            self.wizards[*screen].is_none() && !self.names[*screen].ends_with("Done")
        };
        (0..self.names.len()).filter(plain).collect()
    }

    /// Makes a share of all actions depend on hidden state; the ends of wizards already do.
    fn add_flags(&mut self, share: f64, random: &mut SplitMix) {
        let wanted = portion(share, self.handlers.all.len());
        let all = &self.handlers.all;
        let hidden = all.iter().filter(|it| !it.hidden.is_empty()).count();
        let early = FIXED.len().max(self.names.len() / 2);
        let free = |at: &usize| {
            let handler = &all[*at];
            // Early screens stay open: their toggles open the others, and much lies behind them.
            let near = matches!(handler.usual.goal, Goal::Screen(to) if to < early)
                && handler.action.starts_with("tap:");
            handler.hidden.is_empty()
                && (handler.usual.goal == Goal::Stay
                    || matches!(handler.usual.goal, Goal::Screen(_)) && !near)
        };
        let mut chosen: Vec<usize> = (0..all.len()).filter(free).collect();
        random.shuffle(&mut chosen);
        for at in chosen.into_iter().take(wanted.saturating_sub(hidden)) {
            self.depend(at, random);
        }
    }

    fn depend(&mut self, at: usize, random: &mut SplitMix) {
        let handler = &self.handlers.all[at];
        let (action, goal) = (handler.action.clone(), handler.usual.goal);
        let fault = handler.usual.fault.clone();
        let leads_on = ["tap:item", "tap:wizard", "tap:next"];
        let elsewhere = Goal::Screen(random.below(self.names.len()));
        let (usual, flag, hidden) = if leads_on.iter().any(|it| action.starts_with(it)) {
            // The only way to a screen is shut until a flag opens it.
            (Goal::Stay, random.below(TOGGLED), goal)
        } else if goal == Goal::Stay && random.chance(0.4) {
            (Goal::Absent, random.below(FLAGS), goal)
        } else if random.chance(0.5) {
            (goal, random.below(FLAGS), elsewhere)
        } else {
            (goal, random.below(FLAGS), goal)
        };
        let outcome = Outcome {
            fault,
            ..self.handlers.outcome(hidden)
        };
        let handler = &mut self.handlers.all[at];
        handler.usual.goal = usual;
        handler.hidden.push((When::Flag(flag), outcome));
    }
}
