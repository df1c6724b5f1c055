//! One exploring session on one device: start clean, look at what is offered, ask the rover,
//! perform. What is denied is never offered, and looked for once more before anything is done.

use std::sync::Arc;

use super::driver::{Driver, DriverError, Reaction, Start};
use super::live::covers;
use super::record::{Flown, Offered};
use crate::explore::{Look, Offer, Quest};
use crate::model::Usage;
use crate::model::act::{Act, Verb};

/// An exploring session as a device needs it.
pub(super) struct Roaming {
    /// Identity of the quest.
    pub(super) key: String,
    pub(super) quest: Arc<dyn Quest>,
}

/// Explores once.
pub(super) fn roam(
    driver: &mut dyn Driver,
    quest: &dyn Quest,
    start: Start,
) -> Result<Flown, DriverError> {
    let sight = driver.start(start)?;
    let mut flown = Flown {
        usage: Usage {
            launches: 1,
            steps: 0,
            micros: sight.micros,
        },
        steps: Vec::new(),
        aims: Vec::new(),
        offers: Vec::new(),
        died: false,
        launch: (sight.screen.clone(), covers(sight)),
    };
    let mut rover = quest.rover();
    let mut screen = flown.launch.0.clone();
    flown.offers.push(offered(driver, quest)?);
    let mut is_refused = false;
    loop {
        let offers = flown.offers.last().map_or(&[][..], |(allowed, _)| allowed);
        let look = if is_refused {
            Look::Refused
        } else {
            Look::Screen {
                name: &screen,
                offers,
            }
        };
        let Some(action) = rover.next(look) else {
            return Ok(flown);
        };
        if quest.is_denied(&offer(driver, action.clone())) {
            return Ok(flown);
        }
        let shown = match driver.perform(&action)? {
            Reaction::Sight(mut sight) => {
                flown.usage.micros += sight.micros;
                flown.aim(sight.aim.take());
                sight.screen.clone_into(&mut screen);
                Some((sight.screen.clone(), covers(sight)))
            }
            Reaction::NotEnabled { micros } => {
                flown.usage.micros += micros;
                None
            }
            // Nothing can be seen of an app that has died.
            Reaction::Dead => {
                flown.died = true;
                return Ok(flown);
            }
        };
        is_refused = shown.is_none();
        flown.usage.steps += 1;
        flown.steps.push((action, shown));
        flown.died = !driver.is_alive()?;
        if flown.died {
            return Ok(flown);
        }
        if !is_refused {
            flown.offers.push(offered(driver, quest)?);
        }
    }
}

/// What the present screen offers, with each text that may be typed, and what is denied of it.
fn offered(driver: &mut dyn Driver, quest: &dyn Quest) -> Result<Offered, DriverError> {
    let actions = driver.offers()?;
    let (mut allowed, mut denied) = (Vec::new(), Vec::new());
    for action in actions {
        let offer = offer(driver, action);
        if quest.is_denied(&offer) {
            denied.push(offer.action);
        } else {
            allowed.extend(quest.spellings(&offer.action));
        }
    }
    Ok((allowed, denied))
}

/// An action with what is written on its widget; agreeing to a dialog is about all of it.
fn offer(driver: &dyn Driver, action: String) -> Offer {
    let says = driver.window().and_then(|window| {
        let act = Act::parse(&action).ok()?;
        let place = match (&act.target, act.verb) {
            (Some(target), _) => target.resolve(window)?.index,
            (None, Verb::Accept(_)) => 0,
            (None, _) => return None,
        };
        (place < window.widgets.len()).then(|| window.words(place))
    });
    Offer {
        says: says.unwrap_or_default(),
        action,
    }
}
