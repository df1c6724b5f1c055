//! Live walks along a planned tour, which go on after a surprise.
//!
//! When the app shows something else than planned, the pilot takes the machine's word for where
//! it is now, and goes by the shortest known way to the place on the tour that loses least.

use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::Arc;

use super::machine::{Machine, State, Ways};
use crate::model::{ActionId, ScreenId, sha256};
use crate::reduce::{Look, Pilot, Plan};

/// How many surprises a session bears.
const SURPRISES: usize = 8;
/// How many steps of a way around one step left out is worth.
const LEFT_OUT: usize = 6;

/// A tour to be walked live.
pub(super) struct Tour {
    pub(super) machine: Arc<Machine>,
    /// Arcs of the machine.
    pub(super) walk: Vec<usize>,
    /// Digest of the machine, since ways around depend on it.
    pub(super) machine_key: Arc<str>,
}

/// What tells a machine from others.
pub(super) fn machine_key(machine: &Machine) -> Arc<str> {
    let mut text = String::new();
    for arc in &machine.arcs {
        let parts = (arc.from, arc.action.index(), arc.screen.index(), arc.to);
        write!(text, "{parts:?}{}", arc.otherwise).expect("strings take everything");
    }
    sha256(text.as_bytes()).into()
}

impl Plan for Tour {
    fn key(&self) -> String {
        let mut text = self.machine_key.to_string();
        for arc in &self.walk {
            write!(text, " {arc}").expect("strings take everything");
        }
        sha256(text.as_bytes())
    }

    fn pilot(&self) -> Box<dyn Pilot + '_> {
        Box::new(Walker {
            tour: self,
            state: None,
            at: 0,
            around: VecDeque::new(),
            last: None,
            surprises: 0,
            steps: 0,
        })
    }
}

struct Walker<'t> {
    tour: &'t Tour,
    /// Where the app is, as far as the machine tells; none before the start.
    state: Option<State>,
    /// The next arc of the tour.
    at: usize,
    /// Arcs that lead back to the tour.
    around: VecDeque<usize>,
    last: Option<usize>,
    surprises: usize,
    steps: usize,
}

impl Pilot for Walker<'_> {
    fn next(&mut self, look: Look) -> Option<ActionId> {
        self.take_in(look)?;
        if self.steps > 2 * self.tour.walk.len() + 20 {
            return None;
        }
        let arc = if let Some(arc) = self.around.pop_front() {
            arc
        } else {
            let arc = *self.tour.walk.get(self.at)?;
            self.at += 1;
            arc
        };
        self.steps += 1;
        self.last = Some(arc);
        Some(self.tour.machine.arcs[arc].action)
    }
}

impl Walker<'_> {
    /// Finds out where the app is; none ends the session.
    fn take_in(&mut self, look: Look) -> Option<()> {
        let machine = &self.tour.machine;
        let Some(state) = self.state else {
            let launch = machine.screens[machine.launch as usize];
            self.state = Some(machine.launch);
            return (look == Look::Screen(Some(launch))).then_some(());
        };
        let arc = &machine.arcs[self.last?];
        match look {
            Look::Screen(Some(screen)) if screen == arc.screen => {
                self.state = Some(arc.to);
                return Some(());
            }
            Look::Screen(Some(screen)) => {
                let known = machine.step(state, arc.action, screen);
                let known = known.map(|other| machine.arcs[other].to);
                self.state = Some(known.or_else(|| usual_state(machine, screen))?);
            }
            Look::Screen(None) => return None,
            Look::Refused => {}
        }
        self.surprises += 1;
        if self.surprises > SURPRISES {
            return None;
        }
        self.resume()
    }

    /// Plans the way back to the tour.
    fn resume(&mut self) -> Option<()> {
        let machine = &self.tour.machine;
        let last = self.last;
        let usable = |arc: usize| machine.arcs[arc].is_sure() && Some(arc) != last;
        let ways = Ways::new(machine, self.state?, &usable);
        let rest = self.tour.walk.iter().enumerate().skip(self.at);
        let reachable = rest.filter_map(|(at, &arc)| {
            let steps = ways.steps(machine.arcs[arc].from)?;
            (Some(arc) != self.last).then_some((steps + LEFT_OUT * (at - self.at), at))
        });
        let (_, at) = reachable.min()?;
        self.at = at;
        self.around = ways
            .way(machine, machine.arcs[self.tour.walk[at]].from)
            .into();
        Some(())
    }
}

/// The state that a screen is most often seen in.
fn usual_state(machine: &Machine, screen: ScreenId) -> Option<State> {
    let arcs = machine.arcs.iter().filter(|arc| arc.screen == screen);
    let most = arcs.max_by_key(|arc| (arc.seen, std::cmp::Reverse(arc.to)));
    most.map(|arc| arc.to)
}
