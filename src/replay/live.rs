//! One live session on one device: start clean, look, ask the pilot, perform.

use std::sync::Arc;

use super::driver::{Driver, DriverError, Reaction, Sight, Start};
use super::record::{Flown, View};
use crate::model::{Names, Usage};
use crate::reduce::{Look, Plan};

/// A live session as a device needs it.
pub(super) struct Session {
    /// Identity of the plan.
    pub(super) key: String,
    pub(super) plan: Arc<dyn Plan>,
    /// The names as they were when the session was planned; what is new to it stays unnamed.
    pub(super) names: Arc<Names>,
}

/// Walks live once.
pub(super) fn fly(
    driver: &mut dyn Driver,
    session: &Session,
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
    let is_over = |(screen, covers): &View| session.plan.is_over(screen, covers);
    if is_over(&flown.launch) {
        return Ok(flown);
    }
    let mut pilot = session.plan.pilot();
    let mut look = Look::Screen(session.names.find_screen(&flown.launch.0));
    while let Some(action) = pilot.next(look) {
        let action = session.names.action_text(action);
        let shown = match driver.perform(action)? {
            Reaction::Sight(mut sight) => {
                flown.usage.micros += sight.micros;
                flown.aim(sight.aim.take());
                look = Look::Screen(session.names.find_screen(&sight.screen));
                Some((sight.screen.clone(), covers(sight)))
            }
            Reaction::NotEnabled { micros } => {
                flown.usage.micros += micros;
                look = Look::Refused;
                None
            }
            // Nothing can be seen of an app that has died.
            Reaction::Dead => {
                flown.died = true;
                break;
            }
        };
        flown.usage.steps += 1;
        flown.died = !driver.is_alive()?;
        let over = flown.died || shown.as_ref().is_some_and(is_over);
        flown.steps.push((action.to_owned(), shown));
        if over {
            break;
        }
    }
    Ok(flown)
}

/// What a sight covers, its fault included.
pub(super) fn covers(sight: Sight) -> Vec<String> {
    let mut covers = sight.covers;
    covers.extend(sight.fault.map(|fault| format!("fault:{fault}")));
    covers
}
