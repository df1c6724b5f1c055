//! Layer 2: makes suites by walking through an app: what to do next is decided here, without IO,
//! clock or threads, and devices are reached through one port.
//!
//! Sessions go in rounds of so many lanes. All sessions of a round start from the same atlas, and
//! what they found is taken in by their order, so the answer depends on the number of lanes and
//! never on the number of devices.

mod atlas;
mod deny;
mod port;
mod quest;
mod rovers;

use std::sync::Arc;

use serde::Serialize;

pub use deny::Deny;
pub use port::{Explorer, Found, Look, Offer, Quest, Rover};

use crate::model::{Coverage, Names, Phase, RunEvent, Seed, Stop, Usage};
use atlas::Atlas;
use quest::{Goal, Session};

/// How sessions choose what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// Any offered action.
    Random,
    /// What was never done, by roads that are known.
    SwiftHand,
}

impl Strategy {
    /// The words for it and what they mean.
    pub const CHOICES: [(&'static str, Self); 2] =
        [("swifthand", Self::SwiftHand), ("random", Self::Random)];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::SwiftHand => "swifthand",
        }
    }
}

/// What exploring may cost, recordings that are walked first not counted; none is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Actions.
    pub steps: Option<u64>,
    /// Sessions, each of which is a trace.
    pub traces: Option<u64>,
    /// Device time in microseconds.
    pub micros: Option<u64>,
}

/// What may change the answer.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How sessions choose what to do.
    pub strategy: Strategy,
    /// Where random choices start.
    pub seed: Seed,
    /// What exploring may cost.
    pub limits: Limits,
    /// The most steps of a trace.
    pub max_steps: usize,
    /// How many sessions go on side by side.
    pub lanes: usize,
    /// What must never be done.
    pub deny: Deny,
    /// What is typed where something can be typed.
    pub texts: Vec<String>,
    /// Recorded sequences of actions that are walked first, each with its name.
    pub follow: Vec<(String, Vec<String>)>,
}

/// How far coverage had grown after a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    /// Sessions so far.
    pub traces: usize,
    /// Steps so far.
    pub steps: u64,
    /// Elements covered so far, screens included.
    pub elements: usize,
    /// Screens seen so far.
    pub screens: usize,
}

/// Why exploring ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The steps, traces or device time that it may cost.
    Limit(&'static str),
    /// No screen offers anything that may be done.
    NothingToDo,
    /// Something outside stopped it.
    Stopped(Stop),
}

/// What exploring gave.
#[derive(Debug)]
pub struct Exploration {
    /// The sessions in order.
    pub found: Vec<Found>,
    /// How coverage grew.
    pub growth: Vec<Growth>,
    /// Everything that was covered.
    pub covered: Coverage,
    /// What it cost.
    pub usage: Usage,
    /// How many actions of how many that screens offer were done there.
    pub done: (usize, usize),
    /// Why it ended.
    pub end: End,
}

/// Explores until something is used up.
pub fn explore(settings: &Settings, explorer: &mut dyn Explorer) -> Exploration {
    let total = settings.limits.steps.or(settings.limits.traces);
    explorer.tell(RunEvent::PhaseStarted {
        phase: Phase::Explore,
        total: total.map(|total| total as usize),
    });
    let mut expedition = Expedition {
        settings: Arc::new(settings.clone()),
        atlas: Arc::default(),
        spent: Usage::default(),
        idle_rounds: 0,
        result: Exploration {
            found: Vec::new(),
            growth: Vec::new(),
            covered: Coverage::default(),
            usage: Usage::default(),
            done: (0, 0),
            end: End::NothingToDo,
        },
    };
    expedition.result.end = expedition.go(explorer);
    expedition.result.done = expedition.atlas.n_done();
    expedition.result
}

struct Expedition {
    settings: Arc<Settings>,
    atlas: Arc<Atlas>,
    /// What exploring cost, recordings not counted.
    spent: Usage,
    /// How many rounds in a row did nothing at all.
    idle_rounds: usize,
    result: Exploration,
}

impl Expedition {
    fn go(&mut self, explorer: &mut dyn Explorer) -> End {
        loop {
            let recorded = self.recorded();
            if let Some(used_up) = self.used_up().filter(|_| recorded.is_empty()) {
                return End::Limit(used_up);
            }
            let is_exploring = recorded.is_empty();
            let quests = if is_exploring { self.round() } else { recorded };
            let steps = self.spent.steps;
            if let Err(stop) = self.walk(&quests, explorer) {
                return End::Stopped(stop);
            }
            let is_idle = is_exploring && self.spent.steps == steps;
            self.idle_rounds = if is_idle { self.idle_rounds + 1 } else { 0 };
            // A second try, since the app may have come up badly once.
            if self.idle_rounds > 1 {
                return End::NothingToDo;
            }
        }
    }

    /// How many sessions have explored.
    fn n_explored(&self) -> usize {
        let walked = self.result.found.len();
        walked.saturating_sub(self.settings.follow.len())
    }

    /// What there is no more of.
    fn used_up(&self) -> Option<&'static str> {
        let Limits {
            steps,
            traces,
            micros,
        } = self.settings.limits;
        if steps.is_some_and(|most| self.spent.steps >= most) {
            return Some("steps");
        }
        if traces.is_some_and(|most| self.n_explored() as u64 >= most) {
            return Some("traces");
        }
        micros
            .is_some_and(|most| self.spent.micros >= most)
            .then_some("device time")
    }

    /// Recordings that were not walked yet, as many as there are lanes.
    fn recorded(&self) -> Vec<(Arc<dyn Quest>, u32)> {
        let walked = self.result.found.len();
        let left = self.settings.follow.iter().enumerate().skip(walked);
        let quests = left
            .take(self.settings.lanes)
            .map(|(place, (_, actions))| self.quest(Goal::Follow(place), place, actions.len()));
        quests.collect()
    }

    /// The quests of the next round, one a lane, as far as the limits allow.
    fn round(&self) -> Vec<(Arc<dyn Quest>, u32)> {
        let Settings {
            limits,
            lanes,
            max_steps,
            ..
        } = *self.settings;
        let mut steps_left = limits
            .steps
            .map_or(u64::MAX, |most| most.saturating_sub(self.spent.steps));
        let lanes_left = limits.traces.map_or(u64::MAX, |most| {
            most.saturating_sub(self.n_explored() as u64)
        });
        let mut quests = Vec::new();
        for lane in 0..lanes.min(lanes_left as usize) {
            let steps = steps_left.min(max_steps as u64);
            if steps == 0 {
                break;
            }
            steps_left -= steps;
            let number = self.result.found.len() + lane;
            quests.push(self.quest(Goal::Explore, number, steps as usize));
        }
        quests
    }

    fn quest(&self, goal: Goal, number: usize, steps: usize) -> (Arc<dyn Quest>, u32) {
        let session = Session {
            settings: Arc::clone(&self.settings),
            atlas: Arc::clone(&self.atlas),
            goal,
            number: number as u32,
            steps,
        };
        (Arc::new(session), number as u32)
    }

    fn walk(
        &mut self,
        quests: &[(Arc<dyn Quest>, u32)],
        explorer: &mut dyn Explorer,
    ) -> Result<(), Stop> {
        let is_exploring = self.result.found.len() >= self.settings.follow.len();
        let most = self.settings.limits.micros.filter(|_| is_exploring);
        let mut micros = self.spent.micros;
        let mut found = Vec::new();
        let ended = explorer.rove(quests, &mut |one: Found| {
            micros += one.walk.usage.micros;
            found.push(one);
            most.is_some_and(|most| micros >= most)
        });
        // What came before a stop counts as well: it is in the journal.
        for one in found {
            self.take_in(one, explorer);
        }
        ended
    }

    fn take_in(&mut self, found: Found, explorer: &mut dyn Explorer) {
        let names = explorer.known();
        Arc::make_mut(&mut self.atlas).learn(&found, names);
        self.result.usage += found.walk.usage;
        if self.result.found.len() >= self.settings.follow.len() {
            self.spent += found.walk.usage;
        }
        cover(&mut self.result.covered, &found, names);
        self.result.found.push(found);
        let growth = Growth {
            traces: self.result.found.len(),
            steps: self.result.usage.steps,
            elements: self.result.covered.len(),
            screens: self.atlas.n_screens(),
        };
        self.result.growth.push(growth);
        let done = match self.settings.limits.steps {
            Some(_) => self.spent.steps as usize,
            None => self.n_explored(),
        };
        explorer.tell(RunEvent::Progress { done });
        explorer.tell(RunEvent::Grown {
            elements: growth.elements,
            screens: growth.screens,
        });
    }
}

fn cover(covered: &mut Coverage, found: &Found, names: &Names) {
    let walk = &found.walk;
    covered.insert(names.screen_element(walk.launch));
    covered.extend(&walk.launch_cover);
    for (screen, cover) in walk.steps.iter().filter_map(|step| step.shown.as_ref()) {
        covered.insert(names.screen_element(*screen));
        covered.extend(cover);
    }
}
