//! Waiting until a screen comes to rest, and telling what is the app's doing from what is the
//! device's.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::deed::{Deeds, deeds};
use super::device::AdbDevice;
use super::log::Told;
use super::look::{self, Look};
use super::words::quoted;
use crate::model::window::Window;
use crate::replay::DriverError;

/// The button that lets an app that does not respond go on.
const WAIT: &str = "aerr_wait";
/// So often in the same place, what is odd is no accident of the device.
const USUAL: u32 = 3;
/// An app that hangs there is a fault of this name.
const HUNG: &str = "ANR";

/// What a device shows once it is quiet.
pub(super) struct Settled {
    pub(super) look: Look,
    pub(super) window: Window,
    pub(super) screen: String,
    pub(super) told: Told,
}
impl AdbDevice {
    fn limit(&self) -> Duration {
        self.setup.android.stable
    }

    fn look(&mut self) -> Result<Look, DriverError> {
        let tag = self.setup.android.coverage_tag.clone();
        let tag = tag.as_deref().unwrap_or("");
        let package = self.target.package.clone();
        let scripts = look::scripts(&package, &self.log.script(tag));
        let scripts = scripts.each_ref().map(String::as_str);
        let output = self.link.run_parts(&scripts)?;
        look::read(&output.parts, &package, tag, &mut self.log)
    }

    /// Looks until two looks in a row show the same screen and the log is silent.
    pub(super) fn settle(&mut self, is_start: bool) -> Result<Settled, DriverError> {
        let since = Instant::now();
        let mut told = Told::default();
        let mut last: Option<(String, String, bool)> = None;
        loop {
            let mut look = self.look()?;
            let is_silent = look.told.is_empty();
            told.add(std::mem::take(&mut look.told));
            if told.hung {
                return self.hung(look, told);
            }
            let reason = match &look.window {
                Err(reason) => {
                    last = None;
                    reason.clone()
                }
                Ok(window) => {
                    let screen = self.setup.abstraction.screen(window, &self.setup.lens);
                    let shown = (screen.clone(), look.focus.clone(), look.is_running);
                    let in_front = look.front == self.target.package || told.crashed || !is_start;
                    if in_front && is_silent && last.as_ref() == Some(&shown) {
                        let window = window.clone();
                        let settled = Settled {
                            look,
                            window,
                            screen,
                            told,
                        };
                        self.check_death(&settled)?;
                        return Ok(settled);
                    }
                    last = Some(shown);
                    if in_front {
                        "the screen does not come to rest; if something on it changes by itself, mask \
                         it (screen.masks)"
                            .to_owned()
                    } else {
                        format!("{} is at the front instead of the app", look.front)
                    }
                }
            };
            if since.elapsed() > self.limit() {
                return Err(DriverError::Unwell(format!(
                    "{reason} (after {:?})",
                    self.limit()
                )));
            }
        }
    }

    /// How often something odd has come after the same actions; often enough it is the app's doing.
    fn is_usual(&self) -> bool {
        let mut hangs = self.hangs.lock().unwrap_or_else(PoisonError::into_inner);
        let times = hangs.entry(self.history.0).or_default();
        *times += 1;
        *times >= USUAL
    }

    /// The app does not respond. Where that happens again and again it is the app's fault, and
    /// otherwise that of the device, which then had its hands full.
    fn hung(&mut self, look: Look, mut told: Told) -> Result<Settled, DriverError> {
        if !self.is_usual() {
            // The tap on "wait" lets the device go on with other runs.
            if let Ok(window) = &look.window
                && let Some(Deeds { deeds, .. }) = deeds(&format!("tap:{WAIT}"), window)
            {
                self.carry_out(&deeds)?;
            }
            return Err(DriverError::Unwell("the app did not respond".to_owned()));
        }
        let stop = format!("am force-stop {}", quoted(&self.target.package));
        self.link.run(&stop)?;
        told.fault = Some(format!("{HUNG} in {}", self.target.package));
        told.crashed = true;
        let window = look.window.clone().unwrap_or_default();
        let screen = self.setup.abstraction.screen(&window, &self.setup.lens);
        Ok(Settled {
            look,
            window,
            screen,
            told,
        })
    }

    /// Whether an app that is gone went by itself. A device that is short of memory ends apps
    /// without a word; one that always ends there does so by itself.
    fn check_death(&self, settled: &Settled) -> Result<(), DriverError> {
        if settled.look.is_running || settled.told.crashed || self.is_usual() {
            return Ok(());
        }
        Err(DriverError::Unwell(
            "the app's process ended without a word".to_owned(),
        ))
    }
}
