//! One script on one device: start clean, perform, observe, compare, stop at the first
//! difference.

use super::driver::{Driver, DriverError, Reaction, Sight, Start};
use super::live::covers;
use super::record::{End, Showing};
use crate::model::Usage;

/// A script as a device needs it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Lines {
    /// Identity of the script: a digest of everything below.
    pub(super) key: String,
    /// The screen after the launch.
    pub(super) launch: String,
    /// Actions and the screens after them.
    pub(super) steps: Vec<(String, String)>,
}

/// Plays a script once.
pub(super) fn play(
    driver: &mut dyn Driver,
    lines: &Lines,
    start: Start,
) -> Result<Showing, DriverError> {
    let mut showing = Showing {
        covers: Vec::with_capacity(lines.steps.len() + 1),
        end: End::Complete,
        usage: Usage {
            launches: 1,
            ..Usage::default()
        },
        aims: Vec::new(),
    };
    let sight = driver.start(start)?;
    if !showing.see(sight, &lines.launch) {
        return Ok(showing);
    }
    for ((action, expected), step) in lines.steps.iter().zip(0..) {
        let end = match driver.perform(action)? {
            Reaction::Sight(mut sight) => {
                showing.usage.steps += 1;
                showing.aims.extend(sight.aim.take().map(|aim| (step, aim)));
                if showing.see(sight, expected) {
                    continue;
                }
                return Ok(showing);
            }
            Reaction::NotEnabled { micros } => {
                showing.usage.steps += 1;
                showing.usage.micros += micros;
                End::NotEnabled
            }
            Reaction::Dead => End::Dead,
        };
        showing.end = end;
        return Ok(showing);
    }
    Ok(showing)
}

impl Showing {
    /// Takes a sight in; false when it is not what the script says.
    fn see(&mut self, sight: Sight, expected: &str) -> bool {
        self.usage.micros += sight.micros;
        if sight.screen != expected {
            self.end = End::Screen(sight.screen);
            return false;
        }
        self.covers.push(covers(sight));
        true
    }
}
