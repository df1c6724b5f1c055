//! The atlas: which screens were seen, what they offer, and where each action led.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::port::Found;
use crate::model::{Names, sha256};

/// Everything that finished sessions have shown, by names.
#[derive(Debug, Clone, Default)]
pub(super) struct Atlas {
    screens: BTreeMap<String, Place>,
    /// How often each action was done, on whatever screen.
    done: BTreeMap<String, u32>,
    launch: Option<String>,
    /// Stands for all sessions that went in.
    digest: String,
}

/// A screen.
#[derive(Debug, Clone, Default)]
struct Place {
    offers: BTreeSet<String>,
    roads: BTreeMap<String, Road>,
}

/// What came of an action on a screen.
#[derive(Debug, Clone, Default)]
struct Road {
    times: u32,
    /// Where it led and how often, nowhere when it was refused or the app died.
    led_to: BTreeMap<String, u32>,
    /// When it led there last, so that the newest of equals counts.
    last: String,
}

impl Road {
    /// Where it most often leads.
    fn to(&self) -> Option<&str> {
        let most = self.led_to.values().max()?;
        if self.led_to.get(&self.last) == Some(most) {
            return Some(&self.last);
        }
        let found = self.led_to.iter().find(|(_, times)| *times == most);
        found.map(|(screen, _)| &**screen)
    }
}

impl Atlas {
    /// Stands for everything that is known, so that a journal never answers for another atlas.
    pub(super) fn digest(&self) -> &str {
        &self.digest
    }

    /// Takes a finished session in.
    pub(super) fn learn(&mut self, found: &Found, names: &Names) {
        let walk = &found.walk;
        let mut screen = names.screen_name(walk.launch).to_owned();
        let mut shown = found.offers.iter();
        self.launch.get_or_insert_with(|| screen.clone());
        let mut story = format!("{} {screen}", self.digest);
        self.see(&screen, shown.next().map_or(&[], |offers| &**offers));
        for step in &walk.steps {
            let action = names.action_text(step.action);
            let next = step
                .shown
                .as_ref()
                .map(|(next, _)| names.screen_name(*next));
            self.went(&screen, action, next);
            story.extend(["\n", action, "\n", next.unwrap_or_default()]);
            if let Some(next) = next {
                next.clone_into(&mut screen);
                self.see(&screen, shown.next().map_or(&[], |offers| &**offers));
            }
        }
        self.digest = sha256(story.as_bytes());
    }

    /// Takes in what a screen offers.
    pub(super) fn see(&mut self, screen: &str, offers: &[String]) {
        let place = self.screens.entry(screen.to_owned()).or_default();
        place.offers.extend(offers.iter().cloned());
    }

    /// Takes in where an action led.
    pub(super) fn went(&mut self, from: &str, action: &str, to: Option<&str>) {
        *self.done.entry(action.to_owned()).or_default() += 1;
        let place = self.screens.entry(from.to_owned()).or_default();
        let road = place.roads.entry(action.to_owned()).or_default();
        road.times += 1;
        if let Some(to) = to {
            *road.led_to.entry(to.to_owned()).or_default() += 1;
            to.clone_into(&mut road.last);
        }
    }

    /// How often an action was done on a screen.
    pub(super) fn times(&self, screen: &str, action: &str) -> u32 {
        let road = self
            .screens
            .get(screen)
            .and_then(|place| place.roads.get(action));
        road.map_or(0, |road| road.times)
    }

    /// Where an action on a screen most often leads.
    pub(super) fn leads(&self, screen: &str, action: &str) -> Option<&str> {
        self.screens.get(screen)?.roads.get(action)?.to()
    }

    /// How often an action was done anywhere.
    pub(super) fn times_anywhere(&self, action: &str) -> u32 {
        self.done.get(action).copied().unwrap_or(0)
    }

    /// How many screens were seen.
    pub(super) fn n_screens(&self) -> usize {
        self.screens.len()
    }

    /// How many actions of how many that screens offer were done there.
    pub(super) fn n_done(&self) -> (usize, usize) {
        let done = self.screens.values().map(|place| place.roads.len()).sum();
        let left: usize = self
            .screens
            .values()
            .map(|place| place.left().count())
            .sum();
        (done, done + left)
    }

    /// Whether something on a screen was never done there.
    fn has_left(&self, screen: &str) -> bool {
        self.screens
            .get(screen)
            .is_some_and(|place| place.left().next().is_some())
    }

    /// The first action of a shortest known way from a screen to one on which something was
    /// never done. Roads that are not trusted are not taken. Costs one look at each road.
    pub(super) fn way(&self, from: &str, trusted: &dyn Fn(&str, &str) -> bool) -> Option<&str> {
        let mut seen = BTreeSet::from([from]);
        let mut ahead: VecDeque<(&str, Option<&str>)> = VecDeque::from([(from, None)]);
        while let Some((screen, first)) = ahead.pop_front() {
            if first.is_some() && self.has_left(screen) {
                return first;
            }
            let roads = self.screens.get(screen).map(|place| &place.roads);
            for (action, road) in roads.into_iter().flatten() {
                let Some(to) = road.to() else { continue };
                if trusted(screen, action) && seen.insert(to) {
                    ahead.push_back((to, first.or(Some(action))));
                }
            }
        }
        None
    }

    /// Whether a new start would lead to something that was never done.
    pub(super) fn start_helps(&self) -> bool {
        let everywhere = |_: &str, _: &str| true;
        self.launch
            .as_deref()
            .is_some_and(|launch| self.has_left(launch) || self.way(launch, &everywhere).is_some())
    }
}

impl Place {
    /// What was never done here.
    fn left(&self) -> impl Iterator<Item = &String> {
        self.offers
            .iter()
            .filter(|action| !self.roads.contains_key(*action))
    }
}
