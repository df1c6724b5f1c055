//! Quests: what one session of a round is after, and what tells it from all others.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::atlas::Atlas;
use super::port::{Offer, Quest, Rover};
use super::rovers::{Dice, Follow, Random, SwiftHand};
use super::{Settings, Strategy};
use crate::model::act::{Act, Target, Verb};
use crate::model::sha256;

/// One session.
pub(super) struct Session {
    pub(super) settings: Arc<Settings>,
    /// What was known when the round began.
    pub(super) atlas: Arc<Atlas>,
    pub(super) goal: Goal,
    pub(super) number: u32,
    /// The most steps of this session.
    pub(super) steps: usize,
}

/// What it is after.
#[derive(Debug, Clone, Copy)]
pub(super) enum Goal {
    /// A recorded sequence, by its place.
    Follow(usize),
    /// Something new.
    Explore,
}

impl Quest for Session {
    fn key(&self) -> String {
        let Settings {
            strategy,
            deny,
            texts,
            ..
        } = &*self.settings;
        let goal = match self.goal {
            // A recording is walked in the same way whatever is known.
            Goal::Follow(place) => format!("{:?}", self.settings.follow[place].1),
            Goal::Explore => format!("{} {}", strategy.name(), self.atlas.digest()),
        };
        let phrases = deny.phrases();
        let whole = format!("explore {goal} {} {texts:?} {phrases:?}", self.steps);
        sha256(whole.as_bytes())
    }

    fn rover(&self) -> Box<dyn Rover + '_> {
        let dice = Dice::new(self.settings.seed.derive("explore").mix(self.number.into()));
        match (self.goal, self.settings.strategy) {
            (Goal::Follow(place), _) => {
                let (_, actions) = &self.settings.follow[place];
                Box::new(Follow {
                    ahead: actions[..self.steps].iter(),
                })
            }
            (Goal::Explore, Strategy::Random) => Box::new(Random {
                dice,
                left: self.steps,
                offers: Vec::new(),
            }),
            (Goal::Explore, Strategy::SwiftHand) => Box::new(SwiftHand {
                dice,
                left: self.steps,
                atlas: Atlas::clone(&self.atlas),
                screen: String::new(),
                offers: Vec::new(),
                going: None,
                doubts: BTreeMap::new(),
                has_moved: false,
                start_is_vain: false,
            }),
        }
    }

    fn is_denied(&self, offer: &Offer) -> bool {
        let deny = &self.settings.deny;
        deny.is_said_by(&offer.says) || deny.is_said_by(&said_by_action(&offer.action))
    }

    fn spellings(&self, action: &str) -> Vec<String> {
        let act = Act::parse(action).ok();
        let Some(act) = act.filter(|act| matches!(act.verb, Verb::Type(_))) else {
            return vec![action.to_owned()];
        };
        let texts = self.settings.texts.iter();
        let typed = texts.map(|text| Act {
            verb: Verb::Type(text.clone()),
            ..act.clone()
        });
        typed.map(|act| act.to_string()).collect()
    }
}

/// The words of an action itself: those of its target, or all of one that is no act.
fn said_by_action(action: &str) -> String {
    let Ok(act) = Act::parse(action) else {
        return action.to_owned();
    };
    let target = act.target.unwrap_or_default();
    let Target {
        id,
        description,
        text,
        css,
        xpath,
        ..
    } = target;
    [id, description, text, css, xpath].join("\n")
}
